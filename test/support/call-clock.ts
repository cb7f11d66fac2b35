/** Time in which short waits are over at once, and deadlines never come. */
import type { CallClock } from '../../packages/palimpsest/src/trajectory/model/call-gate.ts';

export interface TestClock extends CallClock {
  /** Every short wait, in milliseconds. */
  readonly waits: readonly number[];
}

/** A longer wait only ends when it is called off. */
const longestMs = 200_000;

export function testClock(random: () => number = () => 0.5): TestClock {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    random,
    now: () => now,
    wait: async (ms, signal) => {
      if (ms < longestMs) {
        waits.push(ms);
        now += ms;
        return;
      }
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
    },
  };
}
