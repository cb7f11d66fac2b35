/** How long a call may take: in all, and from one sign of life to the next. */

import { aFunction, checkMembers, type KnownOptions, type OptionRule } from './options/known-options.ts';
import { isObject } from './options/schema.ts';

/** The clock that deadlines are set on; tests bring their own. */
export interface Timers {
  /** Runs `fire` once after `ms` milliseconds; gives back what takes it off again. */
  readonly after: (ms: number, fire: () => void) => () => void;
}

/** The time that something goes by; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** @default those of the platform */
  readonly timers?: Timers;
}

/** The timers of the platform. */
export const platformTimers: Timers = {
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  },
};

/** What an option `clock` must be. */
export const aClock: OptionRule = {
  expected: 'an object with now, timers or both',
  holds: (clock) => clock === undefined || isObject(clock),
  inside: (clock, owner) => {
    if (clock !== undefined) checkMembers(owner, clock, clockRules);
  },
};

const clockRules: KnownOptions<Clock> = {
  now: aFunction,
  timers: {
    expected: 'an object with a function after',
    holds: (timers) => timers === undefined || typeof Reflect.get(Object(timers), 'after') === 'function',
  },
};

/** The same for what is only kept up while something else goes on: none of them keeps a process from its end. */
export const quietTimers: Timers = {
  after: (ms, fire) => {
    const timer = setTimeout(fire, ms);
    timer.unref?.();
    return () => clearTimeout(timer);
  },
};

/** Waits so many milliseconds. @throws the reason of the signal, as soon as that is called off */
export function pause(
  ms: number,
  {
    timers = platformTimers,
    signal,
  }: { readonly timers?: Timers | undefined; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const left = (): void => {
      stop();
      reject(signal?.reason);
    };
    const stop = timers.after(ms, () => {
      signal?.removeEventListener('abort', left);
      resolve();
    });
    signal?.addEventListener('abort', left, { once: true });
  });
}

/** What ended a call before its answer was complete. */
export type Interruption =
  | { readonly type: 'aborted'; readonly reason: unknown }
  | { readonly type: 'idle' | 'total'; readonly afterMs: number };

export interface Deadlines {
  /** Fires at the first interruption. */
  readonly signal: AbortSignal;
  readonly interruption: () => Interruption | undefined;
  /** A sign of life: the idle time starts again. */
  readonly touch: () => void;
  /** Takes all timers and listeners off; nothing fires afterwards. */
  readonly stop: () => void;
}

/** Starts the clocks of one call and listens to its caller. */
export function startDeadlines(
  { idleTimeoutMs, totalTimeoutMs }: { readonly idleTimeoutMs: number; readonly totalTimeoutMs: number },
  { timers, caller }: { readonly timers: Timers; readonly caller: AbortSignal | undefined },
): Deadlines {
  const controller = new AbortController();
  let interruption: Interruption | undefined;
  let stopped = false;
  const interrupt = (cause: Interruption): void => {
    if (interruption || stopped) return;
    interruption = cause;
    controller.abort(cause.type === 'aborted' ? cause.reason : new Error(`no answer after ${cause.afterMs} ms`));
  };
  const aborted = (): void => interrupt({ type: 'aborted', reason: caller?.reason });
  const idle = (): (() => void) =>
    timers.after(idleTimeoutMs, () => interrupt({ type: 'idle', afterMs: idleTimeoutMs }));
  let stopIdle = idle();
  const stopTotal = timers.after(totalTimeoutMs, () => interrupt({ type: 'total', afterMs: totalTimeoutMs }));
  caller?.addEventListener('abort', aborted, { once: true });
  if (caller?.aborted) aborted();
  return {
    signal: controller.signal,
    interruption: () => interruption,
    touch: () => {
      if (stopped) return;
      stopIdle();
      stopIdle = idle();
    },
    stop: () => {
      stopped = true;
      stopIdle();
      stopTotal();
      caller?.removeEventListener('abort', aborted);
    },
  };
}
