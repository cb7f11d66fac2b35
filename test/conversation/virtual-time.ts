/** A clock that stands still until it is told to go on: every schedule is one that the test chose. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Timers } from '@palimpsest/core/engine';
import type { Store } from '@palimpsest/core/store';
import { withStore } from './agent.ts';

export interface VirtualTime {
  readonly now: () => number;
  readonly timers: Timers;
  /** Both, as options take them. */
  readonly clock: { readonly now: () => number; readonly timers: Timers };
  /** Lets so much time pass: what is due happens in its order, each with everything that follows from it at once. */
  pass(ms: number): Promise<void>;
  /** Lets time pass for as long as the work waits for it, a quarter of a second at a time. */
  passUntil<T>(work: Promise<T>): Promise<T>;
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
  const pass = async (ms: number): Promise<void> => {
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
  };
  return {
    ...clock,
    clock,
    set: (ms) => {
      ahead += ms;
    },
    pass,
    async passUntil(work) {
      let isUnderWay = true;
      const done = (): void => {
        isUnderWay = false;
      };
      work.then(done, done);
      for (let at = 0; isUnderWay && at < longest / quarter; at++) {
        await settled();
        if (isUnderWay) await pass(quarter);
      }
      assert.ok(!isUnderWay, `nothing that is under way takes ${longest} milliseconds`);
      return work;
    },
  };
}

const quarter = 250;
/** No wait of ours is longer. */
const longest = 600_000;

/** Runs over a store whose clock is that of the test. */
export function withTimedStore(run: (store: Store, time: VirtualTime) => Promise<void>): Promise<void> {
  const time = virtualTime();
  return withStore((store) => run(store, time), { clock: time.now });
}

/** Everything that waits for no clock and no model is done. */
export async function settled(): Promise<void> {
  for (let at = 0; at < 12; at++) await setImmediate();
}
