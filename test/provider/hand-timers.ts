/** Timers that a test turns by hand. */
import type { Timers } from '../../packages/core/src/shared/timers.ts';

export interface HandTimers extends Timers {
  /** Fires everything that waits for exactly so many milliseconds. */
  readonly fire: (ms: number) => void;
  /** Milliseconds of everything that waits. */
  readonly waiting: () => readonly number[];
}

export function handTimers(): HandTimers {
  const timers = new Set<{ readonly ms: number; readonly fire: () => void }>();
  return {
    after: (ms, fire) => {
      const timer = { ms, fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    fire: (ms) => {
      for (const timer of [...timers].filter((one) => one.ms === ms)) {
        timers.delete(timer);
        timer.fire();
      }
    },
    waiting: () => [...timers].map(({ ms }) => ms),
  };
}
