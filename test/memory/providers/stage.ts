/** Providers on a stage: a clock that only moves when told, notices that are collected, and what tests ask of them. */

import {
  builtInProvider,
  createMemoryProviders,
  type MemoryProvider,
  type MemoryProviders,
  type MemoryProvidersOptions,
} from '@palimpsest/core/memory';
import type { Timers } from '../../../packages/core/src/shared/timers.ts';

/** A clock for tests. */
export interface ManualClock {
  readonly now: () => number;
  readonly timers: Timers;
  /** Goes on by so many milliseconds, and fires what is due. */
  pass(ms: number): Promise<void>;
}

/** Everything that is ready to run has run. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

export function manualClock(start: number = new Date(2026, 10, 23, 14, 2).getTime()): ManualClock {
  let now = start;
  let due: { readonly at: number; readonly fire: () => void }[] = [];
  return {
    now: () => now,
    timers: {
      after: (ms, fire) => {
        const timer = { at: now + ms, fire };
        due.push(timer);
        return () => {
          due = due.filter((one) => one !== timer);
        };
      },
    },
    pass: async (ms) => {
      await settle();
      now += ms;
      const over = due.filter(({ at }) => at <= now);
      due = due.filter(({ at }) => at > now);
      for (const { fire } of over) fire();
      await settle();
    },
  };
}

export interface Stage {
  readonly providers: MemoryProviders;
  readonly clock: ManualClock;
  /** Messages of notices, in order. */
  readonly notices: readonly string[];
}

export const emptyBuiltIn: MemoryProvider = builtInProvider({ tools: [] });

/** Started providers, with this one beside the built-in memory. */
export async function stageOf(
  external?: MemoryProvider,
  options: Partial<MemoryProvidersOptions> = {},
): Promise<Stage> {
  const clock = manualClock();
  const notices: string[] = [];
  let marks = 0;
  const providers = createMemoryProviders({
    builtIn: emptyBuiltIn,
    ...(external ? { external } : {}),
    clock: { now: clock.now, timers: clock.timers },
    marker: () => `mark-${++marks}`,
    onNotice: ({ message }) => notices.push(message),
    ...options,
  });
  await providers.start({ sessionId: 'session-1', project: 'heron' });
  return { providers, clock, notices };
}

/** Never ends by itself. */
export const never = (): Promise<never> => new Promise(() => undefined);

export const broken =
  (reason = 'the service is down') =>
  (): Promise<never> =>
    Promise.reject(new Error(reason));

/** Notes in a map; `works` decides whether they do. */
export function notesIn(
  kept: Map<string, string>,
  works: () => boolean = () => true,
): NonNullable<MemoryProvider['notes']> {
  const only = async <T>(value: () => T): Promise<T> => {
    if (!works()) throw new Error('still down');
    return value();
  };
  return {
    write: (text) => only(() => `n${kept.set(`n${kept.size + 1}`, text).size}`),
    read: (id) => only(() => kept.get(id)),
    remove: (id) => only(() => void kept.delete(id)),
  };
}
