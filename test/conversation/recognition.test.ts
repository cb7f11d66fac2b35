/** Which conversation a list belongs to, whatever its client does with it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContextRequest, Message } from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';
import { anew, answer, reply, runtimeOver, sessionsOf, step, stored, system, user, withStore, work } from './agent.ts';
import { openedFile } from './store-file.ts';

const opening = (): Message[] => [system('You move ledgers.'), user('Move the ledgers of all regions.')];

/** The relation of every session, oldest first. */
const relations = async (store: Store): Promise<readonly string[]> =>
  (await sessionsOf(store)).toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ relation }) => relation);

const hasReasoning = ({ parts }: Message): boolean => parts.some(({ type }) => type === 'reasoning');

describe('a list that is sent again', () => {
  test('L1 is one session in which every message stands once', () =>
    withStore(async (store) => {
      const list = opening();
      await work(runtimeOver(store), list, { steps: 5, lines: 2 });
      assert.deepEqual(await relations(store), ['root']);
      const [session] = await sessionsOf(store);
      assert.equal(session?.messages, list.length - 1);
      assert.equal(await store.messages.count(), list.length - 1);
    }));

  test('L1 is recognised in new objects, without reasoning, with other marks and arguments written anew', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const first = await runtime.prepare({ messages: list });
      const [called, result] = step(1, 2);
      const thinking: Message = {
        ...called,
        parts: [{ type: 'reasoning', text: 'hm', signature: 's' }, ...called.parts],
      };
      await answer(runtime, first, thinking);
      const rewritten = anew([called]).map(
        (message): Message => ({
          ...message,
          parts: message.parts.map((part) =>
            part.type === 'toolCall' ? { ...part, input: '{ "command" : "node scripts/move-1.ts" }' } : part,
          ),
        }),
      );
      const marked = anew(list).map(
        (message): Message => ({
          ...message,
          parts: message.parts.map((part) =>
            part.type === 'text'
              ? { ...part, extra: { format: 'anthropic', fields: { cache_control: { type: 'ephemeral' } } } }
              : part,
          ),
        }),
      );
      const sent = [...marked, ...rewritten, result];
      const second = await runtime.prepare({ messages: sent });
      assert.equal(second.sessionId, first.sessionId);
      // What a model sees is what its client sends, in the client's newest form; what is kept is what came first.
      assert.deepEqual(second.messages, sent);
      const view = await store.messages.view(first.sessionId);
      assert.deepEqual(
        view.map(({ message }) => hasReasoning(message)),
        [false, false, true, false],
      );
    }));

  test('L1 is recognised by the ids of its calls when its client has filled in arguments and changed the text beside', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const first = await runtime.prepare({ messages: list });
      const called = (text: string, input: string): Message => ({
        role: 'assistant',
        parts: [
          { type: 'text', text },
          { type: 'toolCall', callId: 'call_0123456789abcdef', name: 'bash', input, inputType: 'json' },
        ],
      });
      const result: Message = {
        role: 'tool',
        parts: [{ type: 'toolResult', callId: 'call_0123456789abcdef', content: [{ type: 'text', text: 'ok' }] }],
      };
      await answer(runtime, first, called('Now:', '{"command":"ls"}'));
      const sent = [...list, called('now', '{"command":"ls","timeout":10}'), result];
      const second = await runtime.prepare({ messages: sent });
      assert.equal(second.sessionId, first.sessionId);
      assert.deepEqual(second.messages, sent);
      assert.equal(second.isWhole, true);
    }));

  test('L1 is not taken for another one whose calls have the same counted ids', () =>
    withStore(async (store) => {
      for (const callId of ['functions.read_file:0', 'tool_0_read_file']) {
        const runtime = runtimeOver(store);
        const list = [system('You read.'), user(`Read a file, ${callId}.`)];
        const called = (path: string): Message => ({
          role: 'assistant',
          parts: [{ type: 'toolCall', callId, name: 'read_file', input: `{"path":"${path}"}`, inputType: 'json' }],
        });
        const result: Message = {
          role: 'tool',
          parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text: 'of b' }] }],
        };
        const contexts = [
          await runtime.prepare({ messages: list }),
          await runtime.prepare({ messages: list }),
        ] as const;
        await answer(runtime, contexts[0], called('a.ts'));
        await answer(runtime, contexts[1], called('b.ts'));
        const { sessionId } = await runtime.prepare({ messages: [...list, called('b.ts'), result] });
        const view = await store.messages.view(sessionId);
        assert.deepEqual(view[2]?.message.parts, called('b.ts').parts);
      }
    }));

  test('L1 a request that is sent again after a failure goes on where it was', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const first = await runtime.prepare({ messages: list });
      await runtime.settle(first, { type: 'aborted' });
      const second = await runtime.prepare({ messages: list });
      assert.equal(second.sessionId, first.sessionId);
      assert.deepEqual(second.messages, first.messages);
      assert.deepEqual(second.notices, []);
    }));

  test('L2 a changed or shortened list becomes a branch that names its parent, and nothing of the parent is lost', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      await work(runtime, list, { steps: 3, lines: 2 });
      const before = await stored(store);
      const edited = [...list.slice(0, 4), user('No, only region north.')];
      const branch = await runtime.prepare({ messages: edited });
      assert.deepEqual(branch.messages, edited);
      assert.deepEqual(
        branch.notices.map(({ type }) => type),
        ['branched'],
      );
      const session = await store.sessions.get(branch.sessionId);
      assert.equal(session?.relation, 'branch');
      const root = (await sessionsOf(store)).find(({ relation }) => relation === 'root');
      assert.equal(session?.parentId, root?.id);
      const now = new Set(await stored(store));
      assert.deepEqual(
        before.filter((id) => !now.has(id)),
        [],
      );
      // Whoever goes on with the old list goes on in the old session.
      const old = await runtime.prepare({ messages: [...list, user('And then?')] });
      assert.equal(old.sessionId, root?.id);
    }));

  test('L2 a conversation that only opens like another one is no branch of it', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const first = await runtime.prepare({ messages: list });
      await answer(runtime, first, reply('Which regions?'));
      const again = await runtime.prepare({ messages: [...list, reply('All of them?')] });
      assert.notEqual(again.sessionId, first.sessionId);
      assert.deepEqual(await relations(store), ['root', 'root']);
    }));

  test('L1 a reply is kept although its client never comes back', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: opening() });
      await answer(runtime, prepared, reply('Done.'));
      const view = await store.messages.view(prepared.sessionId);
      assert.deepEqual(view.at(-1)?.message, reply('Done.'));
    }));

  test('L1 two requests that are answered side by side keep both answers', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const [a, b] = [await runtime.prepare({ messages: opening() }), await runtime.prepare({ messages: opening() })];
      await Promise.all([answer(runtime, a, reply('North first.')), answer(runtime, b, reply('South first.'))]);
      const next = [...opening(), reply('South first.'), user('Good.')];
      assert.deepEqual((await runtime.prepare({ messages: next })).messages, next);
      const texts = await Promise.all((await stored(store)).map((id) => store.messages.get(id)));
      const replies = texts.filter((one) => one?.message.role === 'assistant');
      assert.equal(replies.length, 2);
    }));

  test('C3 the system prompt of the request is sent, and a change of it is no other conversation', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const first = await runtime.prepare({ messages: list });
      await answer(runtime, first, reply('Done.'));
      const changed = [system('You move ledgers, and say so.'), ...list.slice(1), reply('Done.'), user('Thanks.')];
      const second = await runtime.prepare({ messages: changed });
      assert.equal(second.sessionId, first.sessionId);
      assert.deepEqual(second.messages, changed);
    }));

  test('L4 a session that the door names is gone on with, also when it is empty', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      // Another conversation that opens with the same words.
      await answer(runtime, await runtime.prepare({ messages: list }), reply('Which regions?'));
      const { id } = await store.sessions.create({ source: 'cli' });
      const prepared = await runtime.prepare({ messages: list, sessionId: id });
      assert.equal(prepared.sessionId, id);
      await answer(runtime, prepared, reply('Yes.'));
      const view = await store.messages.view(id);
      assert.deepEqual(
        view.map(({ message }) => message),
        [...list, reply('Yes.')],
      );
      await assert.rejects(runtime.prepare({ messages: list, sessionId: 'nobody' }), { code: 'ID_UNKNOWN' });
    }));

  test('L1 what an answer without words leaves behind is not waited for', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const silent: Message = { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }] };
      const prepared = await runtime.prepare({ messages: list });
      await answer(runtime, prepared, silent);
      const next = await runtime.prepare({ messages: [...list, user('Are you there?')] });
      assert.equal(next.sessionId, prepared.sessionId);
    }));

  test('L1 lists that are none, and contexts of others, are refused in words', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      await assert.rejects(runtime.prepare({ messages: [system('Alone.')] }), { code: 'BAD_MESSAGES' });
      const broken: readonly unknown[] = [
        null,
        3,
        {},
        [null],
        [user('a'), null],
        [user('a'), { role: 'user', parts: [3] }],
      ];
      for (const messages of broken) {
        // What untyped callers hand over.
        const request = { messages } as unknown as ContextRequest;
        await assert.rejects(runtime.prepare(request), { code: 'BAD_MESSAGES' });
      }
      // Nothing of these could be sent.
      for (const messages of [
        [user('')],
        [system('a'), user(' \n')],
        [{ role: 'user', parts: [] } as const],
        [step(1)[1]],
      ]) {
        await assert.rejects(runtime.prepare({ messages }), {
          code: 'BAD_MESSAGES',
          message: /that a model can answer/,
        });
      }
      const prepared = await runtime.prepare({ messages: opening() });
      await assert.rejects(runtime.settle({ ...prepared }, { type: 'aborted' }), { code: 'BAD_OPTION' });
      assert.throws(() => runtimeOver(store, { contextLength: -1 }), { code: 'BAD_OPTION' });
      assert.throws(() => runtimeOver(store, Object.fromEntries([['hoks', {}]])), {
        code: 'BAD_OPTION',
        message: /did you mean hooks/,
      });
    }));
});

describe('several processes', () => {
  test('F4 that go on with one conversation in turn read what the other one did, compressions too', (t) =>
    openedFile(t, async (path) => {
      const [one, other] = [await openStore({ path }), await openStore({ path })];
      const processes = [runtimeOver(one), runtimeOver(other)];
      const list = opening();
      let compressions = 0;
      for (let at = 1; at <= 24; at++) {
        // Each has seen some turns of the other one, and has missed some.
        const runtime = processes[at % 3 === 0 ? 1 : 0];
        if (runtime === undefined) continue;
        const contexts = await work(runtime, list, { from: at, steps: 1 });
        compressions += contexts.filter(({ compression }) => compression).length;
      }
      assert.ok(compressions > 0);
      assert.deepEqual(new Set((await relations(one)).slice(1)), new Set(['continuation']));
      assert.equal((await one.sessions.list()).length, 1);
      await one.close();
      await other.close();
    }));

  test('F4 that answer the same request at the same time lose nothing', (t) =>
    openedFile(t, async (path) => {
      const stores = [await openStore({ path }), await openStore({ path })];
      const list = opening();
      const told = await Promise.all(
        stores.map(async (store, at) => {
          const runtime = runtimeOver(store);
          await answer(runtime, await runtime.prepare({ messages: list }), reply(`Answer of ${at}.`));
          return reply(`Answer of ${at}.`);
        }),
      );
      const [store] = stores;
      assert.ok(store);
      const all = await Promise.all((await stored(store)).map((id) => store.messages.get(id)));
      for (const message of [...list, ...told]) {
        assert.equal(
          all.filter((one) => JSON.stringify(one?.message.parts) === JSON.stringify(anewSorted(message))).length,
          1,
        );
      }
      for (const one of stores) await one.close();
    }));
});

/** The parts as a store writes them: fields by name. */
const anewSorted = ({ parts }: Message): unknown =>
  parts.map((part) => Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))));
