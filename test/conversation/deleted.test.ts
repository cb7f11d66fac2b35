/** A person deletes a conversation that a client still has: what it says from then on is kept, and no answer is lost. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Message, validate } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { answer, listOf, reply, runtimeOver, user, withStore } from './agent.ts';
import { fillUp, takeStep, world } from './background-world.ts';
import { settled } from './virtual-time.ts';
import { requireWhole } from './whole.ts';

/** Deletes every session of the conversation. */
async function deleteAll(store: Store): Promise<void> {
  for (const { tip } of await store.sessions.list()) {
    const chain = await store.sessions.chain(tip.id);
    for (const { id } of chain.toReversed()) await store.sessions.delete(id);
  }
  assert.equal((await store.sessions.list()).length, 0);
}

const tooLong = Object.assign(new Error('prompt is too long'), { status: 400 });

describe('L5 a conversation that is deleted', () => {
  test('L5 before the next request begins anew with it', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list: Message[] = listOf(3);
      const before = await runtime.prepare({ messages: list });
      for (const more of [[], [reply('Done.'), user('And now?')]]) {
        await deleteAll(store);
        list.push(...more);
        const next = await runtime.prepare({ messages: list });
        assert.notEqual(next.sessionId, before.sessionId);
        assert.deepEqual(next.messages, list);
        await requireWhole(store, list, 'deleted before a request');
      }
      await deleteAll(store);
      const named = runtime.prepare({ messages: list, sessionId: before.sessionId });
      await assert.rejects(named, { code: 'ID_UNKNOWN' });
    }));

  test('L5 while the model answers keeps the answer, and counts it', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list: Message[] = listOf(3);
      const prepared = await runtime.prepare({ messages: list });
      await deleteAll(store);
      assert.equal((await answer(runtime, prepared, reply('Done.'))).type, 'done');
      await requireWhole(store, [...list, reply('Done.')], 'deleted before an answer');
      assert.equal((await store.usage.totals()).calls, 1);
    }));

  test('L5 while the model refuses is compressed all the same', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list: Message[] = listOf(14);
      const prepared = await runtime.prepare({ messages: list });
      await deleteAll(store);
      const next = await runtime.settle(prepared, { type: 'failed', error: tooLong });
      assert.ok(next.type === 'retry');
      assert.ok(next.prepared.compression);
      assert.deepEqual(validate(next.prepared.messages), []);
      await requireWhole(store, list, 'deleted before a failure');
    }));

  test('L5 while a summary is written in the background begins anew, and the summary is given up', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      await one.time.pass(1);
      await deleteAll(store);
      one.writer.answer();
      await settled();
      const { compression } = await takeStep(one);
      assert.equal(compression, undefined);
      await requireWhole(store, one.list.slice(0, -1), 'deleted under a summary');
      await one.runtime.stop();
      const { taken, open } = one.runtime.background();
      assert.deepEqual({ taken, open }, { taken: 0, open: 0 });
      assert.deepEqual(await store.leases.held(), []);
    }));
});

describe('what is no reply', () => {
  for (const [what, said] of Object.entries({ nothing: undefined, 'a request': user('Hello?'), 'a text': 'Hello.' })) {
    test(`L1 ${what} is refused in words, and the answer can still be handed in`, () =>
      withStore(async (store) => {
        const runtime = runtimeOver(store);
        const list: Message[] = listOf(1);
        const prepared = await runtime.prepare({ messages: list });
        // What untyped callers hand over.
        const wrong = said as unknown as Message;
        await assert.rejects(runtime.settle(prepared, { type: 'answered', reply: wrong }), { code: 'BAD_MESSAGES' });
        await answer(runtime, prepared, reply('Done.'));
        await requireWhole(store, [...list, reply('Done.')], what);
      }));
  }
});
