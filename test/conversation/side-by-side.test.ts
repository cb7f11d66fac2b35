/** Many clients of one runtime at the same time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Message, validate } from '@palimpsest/core';
import { conversationTokens } from '../../packages/core/src/tokens/measure.ts';
import { anew, runtimeOver, sessionsOf, smallWindow, step, system, tokenizer, user, withStore, work } from './agent.ts';

/** All open with the same words, as agents do whose host writes the first message. */
const opening = (): Message[] => [system('You move ledgers.'), user('<environment>/home/me</environment>')];

describe('clients side by side', () => {
  test('L1 that open alike each get their own conversation, compressed on its own', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const lists = Array.from({ length: 6 }, (_, client) => [...opening(), user(`Task of client ${client}.`)]);
      const contexts = await Promise.all(lists.map((list) => work(runtime, list, { steps: 24 })));
      for (const [client, all] of contexts.entries()) {
        assert.ok(all.some(({ compression }) => compression));
        for (const { messages } of all) {
          assert.deepEqual(validate(messages), []);
          assert.ok(conversationTokens(messages, tokenizer) <= smallWindow);
          const text = JSON.stringify(messages);
          assert.ok(text.includes(`Task of client ${client}.`));
          for (const other of lists.keys()) assert.ok(other === client || !text.includes(`Task of client ${other}.`));
        }
      }
      const roots = (await sessionsOf(store)).filter(({ relation }) => relation !== 'continuation');
      assert.deepEqual(
        roots.map(({ relation }) => relation),
        lists.map(() => 'root'),
      );
    }));

  test('L1 that are more than are followed at once are read back when they come again', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { maxLive: 2 });
      const lists = Array.from({ length: 5 }, (_, client) => [...opening(), user(`Task of client ${client}.`)]);
      for (let at = 1; at <= 20; at++) {
        for (const list of lists) await work(runtime, list, { from: at, steps: 1 });
      }
      assert.equal((await store.sessions.list()).length, lists.length);
      assert.ok((await sessionsOf(store)).some(({ relation }) => relation === 'continuation'));
    }));

  test('L1 one that goes on and on is not the one that is forgotten, however often it was compressed', () =>
    withStore(async (store) => {
      const read: string[] = [];
      const hooks = { onSessionStart: ({ reason }: { readonly reason: string }) => void read.push(reason) };
      const runtime = runtimeOver(store, { maxLive: 3, hooks });
      const list = [system('You move ledgers.'), user('Move all ledgers.')];
      for (let at = 1; at <= 60; at += 10) {
        await work(runtime, list, { from: at, steps: 10 });
        await runtime.prepare({ messages: [user(`A question beside it, ${at}.`)] });
      }
      const [conversation] = (await store.sessions.list({ limit: 100 })).filter(({ tip }) => tip.relation !== 'root');
      assert.ok(conversation);
      assert.ok((await store.sessions.chain(conversation.tip.id)).length > 4);
      assert.ok(!read.includes('resume'));
    }));

  test('L4 one that is named by a session before its newest one is read back once', () =>
    withStore(async (store) => {
      const list = [system('You move ledgers.'), user('Move all ledgers.')];
      const contexts = await work(runtimeOver(store), list, { steps: 60 });
      const ids = [...new Set(contexts.map(({ sessionId }) => sessionId))];
      assert.ok(ids.length > 2);
      const read: string[] = [];
      const hooks = { onSessionStart: ({ reason }: { readonly reason: string }) => void read.push(reason) };
      const runtime = runtimeOver(store, { hooks });
      for (let at = 61; at < 64; at++) {
        await runtime.prepare({ messages: list, ...(ids[1] === undefined ? {} : { sessionId: ids[1] }) });
        list.push(...step(at, 2));
      }
      assert.deepEqual(read, ['resume']);
    }));

  test('L1 a client that sends the same request many times at once has one conversation', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      await work(runtime, list, { steps: 3, lines: 2 });
      const [called, result] = step(4, 2);
      const sent = [...list, called, result];
      const contexts = await Promise.all(Array.from({ length: 8 }, () => runtime.prepare({ messages: anew(sent) })));
      assert.equal(new Set(contexts.map(({ sessionId }) => sessionId)).size, 1);
      for (const { messages } of contexts) assert.deepEqual(messages, contexts[0]?.messages);
      assert.equal((await sessionsOf(store)).length, 1);
    }));

  test('F1 one that is called off while another one has its turn is called off at once', () =>
    withStore(async (store) => {
      const list = [system('You move ledgers.'), user('Move the ledgers.')];
      const { promise: found, resolve: find } = Promise.withResolvers<string>();
      const runtime = runtimeOver(store, { recall: () => found });
      const first = runtime.prepare({ messages: list });
      const controller = new AbortController();
      const second = runtime.prepare({ messages: anew(list), signal: controller.signal });
      second.catch(() => undefined);
      const called = new Error('a person pressed a key');
      setImmediate(() => controller.abort(called));
      const isOver = await Promise.race([second.catch((error: unknown) => error), first]);
      find('');
      assert.equal(isOver, called);
      assert.deepEqual((await first).messages, list);
      assert.equal((await store.sessions.list()).length, 1);
      assert.equal((await runtime.prepare({ messages: list })).sessionId, (await first).sessionId);
    }));

  test('L1 a process that begins is asked by many clients at once', () =>
    withStore(async (store) => {
      const list = opening();
      await work(runtimeOver(store), list, { steps: 20 });
      const runtime = runtimeOver(store);
      const next = [...list, user('Go on.')];
      const contexts = await Promise.all(Array.from({ length: 8 }, () => runtime.prepare({ messages: anew(next) })));
      assert.equal(new Set(contexts.map(({ sessionId }) => sessionId)).size, 1);
      assert.equal((await store.sessions.list()).length, 1);
    }));
});
