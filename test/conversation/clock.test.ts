/** Machines that sleep and clocks that are set: who may compress a conversation, and how long waits last. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Store } from '@palimpsest/core/store';
import { listOf, sessionsOf, withStore } from './agent.ts';
import { fillUp, takeStep, type World, world } from './background-world.ts';
import { dying } from './faults.ts';
import { settled, type VirtualTime, virtualTime } from './virtual-time.ts';
import { requireWhole } from './whole.ts';

const hour = 3_600_000;

/** A store whose clock is set with that of its processes. */
const withClock = (run: (store: Store, time: VirtualTime) => Promise<void>): Promise<void> => {
  const time = virtualTime();
  return withStore((store) => run(store, time), { clock: time.now });
};

describe('a clock that is set', () => {
  for (const [title, jump, wait] of [
    ['back by an hour', -hour, 0],
    ['back by twenty seconds', -20_000, 50_000],
    ['forward by an hour', hour, 0],
    ['not at all', 0, 30_000],
  ] as const) {
    test(`F4 ${title}: a process that died while it compressed is waited for ${wait / 1_000} seconds`, () =>
      withClock(async (store, time) => {
        const mortal = dying(store, { at: -1, when: 'before' });
        const dead = world(mortal.store, { time });
        const id = await fillUp(dead);
        await time.pass(1);
        assert.equal((await store.leases.held()).length, 1);
        mortal.kill();
        time.set(jump);
        const next = world(store, { time, ledgerAlone: true });
        for (const passing of wait > 0 ? [wait - 1_000, 1_000] : []) {
          assert.equal((await next.runtime.compress({ sessionId: id })).status, 'unchanged');
          await time.pass(passing);
        }
        assert.equal((await next.runtime.compress({ sessionId: id })).status, 'compressed');
        // The newest result was on its way.
        await requireWhole(store, dead.list.slice(0, -1), title);
        assert.deepEqual(await store.leases.held(), []);
      }));
  }

  for (const jump of [-hour, hour]) {
    test(`F4 ${jump < 0 ? 'back' : 'forward'}: a process that goes on with its work keeps others from it`, () =>
      withClock(async (store, time) => {
        const one = world(store, { time });
        const id = await fillUp(one);
        await time.pass(1);
        time.set(jump);
        // The next renewal; the clock of its timer was not set.
        await time.pass(10_000);
        const other = world(store, { time, ledgerAlone: true });
        const { status, failures } = await other.runtime.compress({ sessionId: id });
        assert.equal(status, 'unchanged');
        assert.match(failures[0]?.message ?? '', /is being compressed by palimpsest until/);
        const [held] = await store.leases.held();
        assert.ok(Math.abs((held?.expiresAt ?? 0) - time.now() - 30_000) < 1_000);
        one.writer.answer();
        await settled();
        assert.equal((await takeStep(one)).compression?.inBackground, true);
        await requireWhole(store, one.list.slice(0, -1), 'after its work');
      }));
  }

  test('F4 a process that wakes up from a sleep does nothing to what another one has compressed meanwhile', () =>
    withClock(async (store, time) => {
      const sleeper = world(store, { time });
      sleeper.list.push(...listOf(12).slice(2));
      const prepared = await sleeper.runtime.prepare({ messages: sleeper.list });
      await sleeper.runtime.stop();
      const compressing = sleeper.runtime.compress({ messages: sleeper.list });
      await settled();
      assert.equal(sleeper.writer.waiting(), 1);
      time.set(hour);
      const other: World = world(store, { time, ledgerAlone: true });
      const { sessionId, status } = await other.runtime.compress({ sessionId: prepared.sessionId });
      assert.equal(status, 'compressed');
      const chain = await sessionsOf(store);
      sleeper.writer.answer();
      await settled();
      sleeper.writer.answer();
      const report = await compressing;
      // It has looked again, and found what the other one had made.
      const now = await sessionsOf(store);
      assert.deepEqual(
        now.slice(0, chain.length).map(({ id }) => id),
        chain.map(({ id }) => id),
      );
      assert.equal(report.sessionId, report.status === 'compressed' ? now.at(-1)?.id : sessionId);
      await requireWhole(store, sleeper.list, 'after a sleep');
      assert.deepEqual(await store.leases.held(), []);
    }));

  for (const restarts of [false, true]) {
    test(`F2 back by an hour: a wait lasts no longer than it was meant to${restarts ? ', in the next process too' : ''}`, () =>
      withClock(async (store, time) => {
        const one = world(store, { time });
        await fillUp(one);
        await time.pass(1);
        one.writer.fail();
        await settled();
        await takeStep(one, 1);
        time.set(-hour);
        const next: World = restarts ? { ...world(store, { time }), list: one.list } : one;
        const calls = next.writer.calls();
        await takeStep(next, 1);
        await time.pass(30_000);
        assert.equal(next.writer.calls(), calls);
        await time.pass(31_000);
        await takeStep(next, 1);
        await time.pass(1);
        assert.equal(next.writer.calls(), calls + 1);
      }));
  }
});
