/** Summaries that are prepared while the conversation goes on: when they begin, when they are taken, and what becomes of the others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validate } from '@palimpsest/core';
import { reply, sessionsOf, smallWindow, system, user, withStore } from './agent.ts';
import { early, fillUp, takeStep, textOf, threshold, tokensOf, type World, world } from './background-world.ts';
import { settled } from './virtual-time.ts';
import { createWriter } from './writer.ts';

describe('a summary in the background', () => {
  test('F1 begins ahead of the threshold, holds up no request, and is taken with the next one', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      assert.ok(tokensOf(one.list) > early && tokensOf(one.list) < threshold);
      await one.time.pass(1);
      assert.equal(one.writer.waiting(), 1);
      // The model thinks; the work goes on.
      const meanwhile = await takeStep(one);
      assert.equal(meanwhile.compression, undefined);
      one.writer.answer();
      await settled();
      const newer = one.list.slice(-2);
      const next = await one.runtime.prepare({ messages: one.list });
      assert.equal(next.compression?.inBackground, true);
      assert.equal(next.compression?.result?.handoff?.writtenBy, 'model');
      assert.ok((next.compression?.tokensAfter ?? 0) < (next.compression?.tokensBefore ?? 0));
      assert.deepEqual(validate(next.messages), []);
      assert.deepEqual(next.messages.slice(-2), newer);
      assert.equal(one.writer.calls(), 1);
      const { started, taken, open, discarded, failed } = one.runtime.background();
      assert.deepEqual(
        { started, taken, open, discarded, failed },
        { started: 1, taken: 1, open: 0, discarded: 0, failed: 0 },
      );
      assert.equal((await store.leases.held()).length, 0);
      const chain = await sessionsOf(store);
      assert.deepEqual(
        chain.map(({ relation }) => relation),
        ['root', 'continuation'],
      );
      // The handoff stands for messages of the store, under their numbers.
      const view = await store.messages.view(next.sessionId);
      const handoff = view.find(({ message }) => textOf(message).startsWith('<handoff'));
      const covers = await store.messages.coveredBy(handoff?.id ?? '');
      assert.equal(covers.length, next.compression?.result?.handoff?.covers.length);
    }));

  test('F1 is not waited for over the threshold, but where the window leaves no other way', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      await one.time.pass(1);
      let over = 0;
      while (tokensOf(one.list) + 400 < smallWindow) {
        const { compression, size } = await takeStep(one);
        assert.equal(compression, undefined);
        if (size.tokens >= threshold) over++;
      }
      assert.ok(over > 0, 'the context was over its threshold while the model wrote');
      one.list.push(user(`And these too: ${'region '.repeat(900)}`));
      assert.ok(tokensOf(one.list) > smallWindow);
      let isPrepared = false;
      const waiting = one.runtime.prepare({ messages: one.list }).then((prepared) => {
        isPrepared = true;
        return prepared;
      });
      await settled();
      assert.equal(isPrepared, false);
      one.writer.answer();
      const prepared = await waiting;
      assert.equal(prepared.compression?.inBackground, true);
      assert.ok(tokensOf(prepared.messages) <= smallWindow);
      assert.deepEqual(prepared.messages.at(-1), one.list.at(-1));
      assert.equal(one.writer.calls(), 1);
    }));

  test('F1 is begun over the threshold too, where the context has jumped there', () =>
    withStore(async (store) => {
      const one = world(store);
      await takeStep(one, 20);
      one.list.push(user('region '.repeat(10)));
      while (tokensOf(one.list) < threshold + 100)
        one.list[one.list.length - 1] = user(`${textOf(one.list.at(-1))}${'region '.repeat(50)}`);
      const jumped = await one.runtime.prepare({ messages: one.list });
      assert.ok(jumped.size.tokens > threshold);
      assert.equal(jumped.compression, undefined);
      assert.equal(one.runtime.background().started, 1);
    }));

  test('F2 that fails is quiet, counted, and waited after before another one begins', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      await one.time.pass(1);
      one.writer.fail();
      await settled();
      assert.equal(one.runtime.background().failed, 1);
      assert.equal((await store.leases.held()).length, 0);
      // The server was overloaded: 60 seconds.
      for (const wait of [0, 30_000, 29_000]) {
        await one.time.pass(wait);
        const { notices } = await takeStep(one, 1);
        assert.ok(notices.every(({ level }) => level === 'log'));
        await one.time.pass(1);
        assert.equal(one.writer.calls(), 1);
      }
      await one.time.pass(2_000);
      await takeStep(one, 1);
      await one.time.pass(1);
      assert.equal(one.writer.calls(), 2);
      assert.ok(
        one.notices.some(
          ({ type, level, message }) => type === 'background' && level === 'log' && /overloaded/.test(message),
        ),
      );
    }));

  test('F2 what a failure has led to is known to the next process', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      await one.time.pass(1);
      one.writer.fail();
      await settled();
      await takeStep(one, 1);
      const next: World = { ...world(store, { time: one.time }), list: one.list };
      await takeStep(next, 1);
      await one.time.pass(1);
      assert.equal(next.writer.calls(), 0);
    }));

  test('U1 that nobody can use any more is counted, with the tokens that were paid for it', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      await one.time.pass(1);
      one.writer.answer();
      await settled();
      // The client goes back to an earlier message.
      const rewound = [...one.list.slice(0, 4), user('No, begin with region south.')];
      const branch = await one.runtime.prepare({ messages: rewound });
      assert.deepEqual(branch.messages, rewound);
      const { taken, discarded, lostInputTokens, lostOutputTokens } = one.runtime.background();
      assert.deepEqual(
        { taken, discarded, lostInputTokens, lostOutputTokens },
        { taken: 0, discarded: 1, lostInputTokens: 1_000, lostOutputTokens: 40 },
      );
      assert.ok(one.notices.some(({ type, message }) => type === 'background' && /1040 tokens/.test(message)));
      const rows = await store.usage.by('task');
      assert.deepEqual(rows.find(({ group }) => group === 'summary')?.inputTokens, 1_000);
      assert.equal((await store.leases.held()).length, 0);
    }));

  test('U1 that is stopped half-way is counted with the calls that had come back', () =>
    withStore(async (store) => {
      const one = world(store, { writer: createWriter(4_000) });
      await fillUp(one);
      await one.time.pass(1);
      assert.ok(one.writer.waiting() > 1, 'it is read in parts');
      one.writer.answer(1);
      await settled();
      await one.runtime.stop();
      const { discarded, lostInputTokens } = one.runtime.background();
      assert.deepEqual({ discarded, lostInputTokens }, { discarded: 1, lostInputTokens: 1_000 });
      const rows = await store.usage.by('task');
      assert.equal(rows.find(({ group }) => group === 'summary')?.calls, 1);
    }));

  test('C3 that was made under another system prompt is not taken', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      await one.time.pass(1);
      one.writer.answer();
      await settled();
      const changed = [system('You move ledgers, slowly.'), ...one.list.slice(1)];
      const prepared = await one.runtime.prepare({ messages: changed });
      assert.equal(prepared.compression, undefined);
      assert.equal(one.runtime.background().discarded, 1);
    }));

  test('C3 where its client has changed the system prompt, a context is compressed at once', () =>
    withStore(async (store) => {
      const one = world(store);
      await takeStep(one);
      one.list[0] = system('You move ledgers, slowly.');
      let compression: unknown;
      for (let at = 0; at < 60 && !compression; at++) {
        const stepping = takeStep(one);
        await settled();
        one.writer.answer();
        ({ compression } = await stepping);
      }
      assert.ok(compression);
      assert.equal(one.runtime.background().started, 0);
      while (one.runtime.background().started === 0) await takeStep(one);
    }));

  test('F3 a request that is called off while it waits leaves the summary to the next one', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      await one.time.pass(1);
      one.list.push(reply('Half of it is done.'), user(`And these too: ${'region '.repeat(1_900)}`));
      const controller = new AbortController();
      const waiting = one.runtime.prepare({ messages: one.list, signal: controller.signal });
      waiting.catch(() => undefined);
      await settled();
      controller.abort(new Error('a person pressed a key'));
      await assert.rejects(waiting, /pressed a key/);
      one.writer.answer();
      await settled();
      const next = await one.runtime.prepare({ messages: one.list });
      assert.equal(next.compression?.inBackground, true);
      assert.equal(one.writer.calls(), 1);
    }));

  test('E6 is asked about before it begins, may be vetoed, and says that it is in the background', () =>
    withStore(async (store) => {
      const asked: boolean[] = [];
      let veto = true;
      const ended: boolean[] = [];
      const one = world(store, {
        hooks: {
          onCompressionStart: ({ inBackground }) => {
            asked.push(inBackground);
            return veto && inBackground ? { veto: 'not now' } : { keep: 'Ask before region south.' };
          },
          onCompressionEnd: ({ inBackground }) => void ended.push(inBackground === true),
        },
      });
      await fillUp(one);
      await one.time.pass(1);
      assert.deepEqual(asked, [true]);
      assert.equal(one.writer.calls(), 0);
      // Not again in this session; over the threshold it is asked for at once, and the model answers.
      veto = false;
      let compressed: Awaited<ReturnType<typeof takeStep>> | undefined;
      while (!compressed?.compression) {
        const stepping = takeStep(one);
        await settled();
        one.writer.answer();
        compressed = await stepping;
        await one.time.pass(1);
      }
      assert.deepEqual(asked, [true, false]);
      assert.deepEqual(ended, [false]);
      // In the next session the background begins again, and what the hook keeps stands in its context.
      while (one.runtime.background().started < 2) await takeStep(one);
      await one.time.pass(1);
      one.writer.answer();
      await settled();
      const taken = await takeStep(one);
      assert.equal(taken.compression?.inBackground, true);
      assert.match(JSON.stringify(taken.messages[1]), /Ask before region south/);
      assert.deepEqual(ended, [false, true]);
    }));

  test('F4 is not made twice by two processes', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      await one.time.pass(1);
      assert.equal(one.writer.calls(), 1);
      const other: World = { ...world(store, { time: one.time }), list: one.list };
      await takeStep(other);
      await one.time.pass(1);
      assert.equal(other.writer.calls(), 0);
      // The other one has gone on: what the first one made is still its beginning, but somebody else's to take.
      one.writer.answer();
      await settled();
      const next = await one.runtime.prepare({ messages: one.list });
      assert.deepEqual(validate(next.messages), []);
      const chain = await sessionsOf(store);
      assert.ok(chain.filter(({ relation }) => relation === 'continuation').length <= 1);
    }));

  test('F3 is stopped where its conversation ends and where the program stops, and leaves no lease behind', () =>
    withStore(async (store) => {
      for (const stop of [
        ({ runtime }: World, id: string) => runtime.end(id),
        ({ runtime }: World) => runtime.stop(),
      ]) {
        for (const when of ['before', 'running', 'ready'] as const) {
          const one = world(store);
          one.list[1] = user(`Move the ledgers, ${stop}, ${when}.`);
          const last = await fillUp(one);
          if (when !== 'before') await one.time.pass(1);
          if (when === 'ready') one.writer.answer();
          await settled();
          await stop(one, last);
          const { open } = one.runtime.background();
          assert.equal(open, 0, when);
          assert.equal((await store.leases.held()).length, 0, when);
        }
      }
    }));

  test('F1 another engine, the ledger alone, and a program that did not ask for it compress at once', () =>
    withStore(async (store) => {
      for (const options of [{ background: false }, { ledgerAlone: true }]) {
        const one = world(store, options);
        one.list[1] = user(`Move all ledgers, ${JSON.stringify(options)}.`);
        let at = 0;
        for (; at < 60; at++) {
          const stepping = takeStep(one);
          await settled();
          one.writer.answer();
          if ((await stepping).compression) break;
        }
        assert.ok(at < 60);
        assert.equal(one.runtime.background().started, 0);
      }
    }));

  test('F1 nothing is prepared where it is not switched on', () =>
    withStore(async (store) => {
      for (const [options, expected] of [
        [{ background: true }, 1],
        [{ background: false }, 0],
      ] as const) {
        const one = world(store, options);
        one.list[1] = user(`Move all ledgers, ${JSON.stringify(options)}.`);
        while (tokensOf(one.list) < threshold - 500) await takeStep(one, 5);
        assert.equal(one.runtime.background().started, expected);
      }
    }));
});
