/** A clock that stands still until it is told to go on: every schedule is one that the test chose. */
import { setImmediate } from 'node:timers/promises';
import type { Timers } from '@palimpsest/core/engine';

export interface VirtualTime {
  readonly now: () => number;
  readonly timers: Timers;
  /** Both, as options take them. */
  readonly clock: { readonly now: () => number; readonly timers: Timers };
  /** Lets so much time pass: what is due happens in its order, each with everything that follows from it at once. */
  pass(ms: number): Promise<void>;
  /** Sets the clock on the wall, forward or back: no time passes for timers, as when a machine sleeps. */
  set(ms: number): void;
}

export function virtualTime(start = 1_795_305_600_000): VirtualTime {
  let now = start;
  let ahead = 0;
  const due = new Map<number, { readonly at: number; readonly fire: () => void }>();
  let numbers = 0;
  const clock: VirtualTime['clock'] = {
    now: () => now + ahead,
    timers: {
      after(ms, fire) {
        const number = ++numbers;
        due.set(number, { at: now + ms, fire });
        return () => void due.delete(number);
      },
    },
  };
  return {
    ...clock,
    clock,
    set: (ms) => {
      ahead += ms;
    },
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...due]
          .filter(([, { at }]) => at <= end)
          .sort(([a, one], [b, other]) => one.at - other.at || a - b);
        if (!next) break;
        const [number, { at, fire }] = next;
        due.delete(number);
        now = Math.max(now, at);
        fire();
        await settled();
      }
      now = end;
      await settled();
    },
  };
}

/** Everything that waits for no clock and no model is done. */
export async function settled(): Promise<void> {
  for (let at = 0; at < 12; at++) await setImmediate();
}
