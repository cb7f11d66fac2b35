/** Something else than the engine's threshold says when to compress. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompressionMoment } from '../../packages/core/src/conversation/planner.ts';
import { listOf, reply, runtimeOver, smallWindow, user, withStore } from './agent.ts';
import { takeStep, threshold, tokensOf, world } from './background-world.ts';
import { virtualTime } from './virtual-time.ts';

describe('a planner', () => {
  test('C4 decides when to compress what fits, by sizes, the time since the last call and prices', () =>
    withStore(async (store) => {
      const time = virtualTime();
      const moments: CompressionMoment[] = [];
      const one = world(store, {
        time,
        ledgerAlone: true,
        planner: (moment) => {
          moments.push(moment);
          // A cache forgets after five minutes: then nothing is lost by writing it anew.
          return (moment.sinceLastCallMs ?? 0) > 300_000 && moment.tokens > 3_000 ? 'compress' : 'wait';
        },
      });
      while (tokensOf(one.list) < threshold + 300) assert.equal((await takeStep(one)).compression, undefined);
      assert.equal(moments.at(-1)?.engine, 'compress');
      await time.pass(301_000);
      const { compression } = await takeStep(one);
      assert.ok(compression);
      const last = moments.at(-1);
      assert.equal(last?.sinceLastCallMs, 301_000);
      assert.deepEqual(last?.priceRatios, { cacheRead: 0.1, cacheWrite: 1.25, output: 5 });
      assert.equal(last?.thresholdTokens, threshold);
      assert.equal(last?.fixedTokens, tokensOf(one.list.slice(0, 1)));
      assert.equal(new Set(moments.map(({ rootId }) => rootId)).size, 1);
      assert.equal(last?.compressionCount, 0);
      assert.equal(last?.roomTokens, smallWindow);
      // It is asked once for every request.
      assert.equal(moments.length, one.list.length / 2 - 1);
    }));

  test('C4 that fails costs no message: the engine decides, and people are told', () =>
    withStore(async (store) => {
      const planner = (): never => {
        throw new Error('no prices');
      };
      const one = world(store, { planner, ledgerAlone: true });
      while (tokensOf(one.list) < threshold) assert.equal((await takeStep(one)).compression, undefined);
      const { compression, notices } = await takeStep(one);
      assert.ok(compression);
      assert.ok(notices.some(({ type, message }) => type === 'hook' && /planner failed \(no prices\)/.test(message)));
    }));

  for (const [what, said] of [
    ['a promise', () => Promise.resolve('wait')],
    ['another word', () => 'later'],
    ['nothing', () => undefined],
    ['a plan that cannot be kept', () => ({ action: 'wait', plan: 1n })],
    ['a plan without a text', () => ({ action: 'wait', plan: () => 1 })],
  ] as const) {
    test(`C4 that answers with ${what} decides nothing: the engine does`, () =>
      withStore(async (store) => {
        // As a program without types has it.
        const options = JSON.parse('{}');
        options.planner = said;
        const list = listOf(1);
        const small = await runtimeOver(store, options).prepare({ messages: list });
        assert.equal(small.compression, undefined);
        assert.match(small.notices.at(-1)?.message ?? '', /^The planner failed .*; the engine decided\.$/);
        assert.ok((await runtimeOver(store, options).prepare({ messages: listOf(17) })).compression);
      }));
  }

  test('invariant 5: is not asked about what does not fit', () =>
    withStore(async (store) => {
      const one = world(store, { planner: () => 'wait', ledgerAlone: true });
      while (tokensOf(one.list) + 400 < smallWindow) assert.equal((await takeStep(one)).compression, undefined);
      one.list.push(reply('Half of it is done.'), user('region '.repeat(900)));
      assert.ok((await one.runtime.prepare({ messages: one.list })).compression);
    }));
});
