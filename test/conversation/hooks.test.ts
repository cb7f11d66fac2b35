/** What users have done before and after compressions, and where sessions begin and end. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ConversationHooks,
  type ConversationOptions,
  type HookCall,
  type Message,
  validate,
} from '@palimpsest/core';
import type { Timers } from '@palimpsest/core/engine';
import { listOf, reply, runtimeOver, sessionsOf, system, user, withStore, work } from './agent.ts';
import { requireWhole } from './whole.ts';

const opening = (): Message[] => [system('You move ledgers.'), user('Move the ledgers of all regions.')];

/** A clock on which every deadline is over at once. */
const hasty: Timers = {
  after: (_, fire) => {
    const timer = setImmediate(fire);
    return () => clearImmediate(timer);
  },
};

const textsOf = (messages: readonly Message[]): string =>
  messages.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : ''))).join('\n');

describe('E6 hooks', () => {
  test('E6 hear of sessions that begin, go on behind a compression, are read back, and end', () =>
    withStore(async (store) => {
      const heard: string[] = [];
      const hooks: ConversationHooks = {
        onSessionStart: ({ reason }) => void heard.push(reason),
        onSessionContinue: ({ from, to }) => void heard.push(from === to ? 'the same' : 'continued'),
        onSessionEnd: ({ reason }) => void heard.push(reason),
        onCompressionEnd: ({ tokensAfter, tokensBefore }) =>
          void heard.push(tokensAfter < tokensBefore ? 'smaller' : 'not'),
      };
      const list = opening();
      const contexts = await work(runtimeOver(store, { hooks }), list, { steps: 20 });
      assert.equal(contexts.filter(({ compression }) => compression).length, 1);
      assert.deepEqual(heard, ['new', 'continued', 'smaller']);
      const runtime = runtimeOver(store, { hooks });
      const [last] = await work(runtime, list, { from: 21, steps: 1 });
      await runtime.end(last?.sessionId ?? '', 'new');
      assert.deepEqual(heard.slice(3), ['resume', 'new']);
      assert.equal((await store.sessions.get(last?.sessionId ?? ''))?.endReason, 'new');
      // Its client goes on all the same.
      const [again] = await work(runtime, list, { from: 22, steps: 1 });
      assert.equal(again?.sessionId, last?.sessionId);
    }));

  test('E6 keep a text through a compression, without its credentials, byte for byte until the next one', () =>
    withStore(async (store) => {
      const keep = 'The deployment key is AKIAIOSFODNN7EXAMPLE; ask before region south.';
      const hooks: ConversationHooks = { onCompressionStart: () => ({ keep }) };
      const list = opening();
      const contexts = [
        ...(await work(runtimeOver(store, { hooks }), list, { steps: 14 })),
        ...(await work(runtimeOver(store, { hooks }), list, { from: 15, steps: 3 })),
      ];
      const at = contexts.findIndex(({ compression }) => compression);
      assert.ok(at > 0);
      const notes = contexts.slice(at).map(({ messages }) => messages[1]);
      for (const note of notes) assert.deepEqual(note, notes[0]);
      assert.match(textsOf(contexts.at(-1)?.messages ?? []), /ask before region south/);
      assert.doesNotMatch(textsOf(contexts.at(-1)?.messages ?? []), /AKIAIOSFODNN7EXAMPLE/);
      for (const { messages } of contexts) assert.deepEqual(validate(messages), []);
      // It is no message of the conversation.
      const next = await runtimeOver(store).prepare({ messages: [...list, user('Go on.')] });
      assert.equal(next.sessionId, contexts.at(-1)?.sessionId);
    }));

  test('E6 veto a compression, unless the window leaves no other way', () =>
    withStore(async (store) => {
      const asked: boolean[] = [];
      const hooks: ConversationHooks = {
        onCompressionStart: ({ isForced }) => {
          asked.push(isForced);
          return { veto: 'a deployment runs' };
        },
      };
      const list = opening();
      const runtime = runtimeOver(store, { hooks });
      let compressions = 0;
      const notices: string[] = [];
      for (let at = 1; at <= 30; at++) {
        if (at % 5 === 0) list.push(user(`Go on with region ${at}.`));
        const [context] = await work(runtime, list, { from: at, steps: 1 });
        if (context?.compression) compressions++;
        notices.push(...(context?.notices.map(({ message }) => message) ?? []));
      }
      assert.ok(asked.includes(false) && asked.includes(true));
      assert.equal(compressions, asked.filter((isForced) => isForced).length);
      assert.ok(notices.some((notice) => /was vetoed \(a deployment runs\)/.test(notice)));
    }));

  test('E6 that fail or are too slow are passed over with a notice, and cost no message', () =>
    withStore(async (store) => {
      const hooks: ConversationHooks = {
        onCompressionStart: () => new Promise(() => undefined),
        onCompressionEnd: () => {
          throw new Error('broken hook');
        },
        onSessionStart: async () => {
          throw new Error('broken start');
        },
      };
      const list = opening();
      const contexts = await work(runtimeOver(store, { hooks, clock: { timers: hasty } }), list, { steps: 20 });
      assert.equal(contexts.filter(({ compression }) => compression).length, 1);
      const messages = contexts.flatMap(({ notices }) => notices.map(({ message }) => message)).join('\n');
      for (const told of [/onCompressionStart took longer than 5000 ms/, /broken hook/, /broken start/]) {
        assert.match(messages, told);
      }
      const next = await runtimeOver(store).prepare({ messages: [...list, reply('ok'), user('Go on.')] });
      assert.deepEqual(next.messages.at(-1), user('Go on.'));
      assert.equal((await store.sessions.list()).length, 1);
    }));

  /** Hooks and recall of which one waits, at first, until nobody waits for it. */
  function hanging(name: string, heard: string[], abort: () => void): Partial<ConversationOptions> {
    const hook =
      (own: string) =>
      (_: unknown, { signal }: HookCall): Promise<undefined> => {
        if (own !== name || heard.length > 0) return Promise.resolve(undefined);
        const { promise, resolve } = Promise.withResolvers<undefined>();
        signal.addEventListener('abort', () => {
          heard.push(own);
          resolve(undefined);
        });
        abort();
        return promise;
      };
    const names = ['onCompressionStart', 'onCompressionEnd', 'onSessionStart', 'onSessionContinue'];
    const recalls = hook('recall');
    return {
      hooks: { ...Object.fromEntries(names.map((own) => [own, hook(own)])), timeoutMs: 600_000 },
      recall: (request) => recalls(request, request),
    };
  }

  for (const [name, sessions] of Object.entries({
    onSessionStart: 1,
    onCompressionStart: 1,
    onSessionContinue: 2,
    onCompressionEnd: 2,
    recall: 2,
  })) {
    test(`E6 a request that is called off does not wait for ${name}, and what was said is kept`, () =>
      withStore(async (store) => {
        const reason = new Error('a person pressed Esc');
        const abort = new AbortController();
        const heard: string[] = [];
        const runtime = runtimeOver(
          store,
          hanging(name, heard, () => setImmediate(() => abort.abort(reason))),
        );
        const list = listOf(24);
        await assert.rejects(runtime.prepare({ messages: list, signal: abort.signal }), (error) => error === reason);
        assert.deepEqual(heard, [name]);
        assert.deepEqual(await store.leases.held(), []);
        assert.equal((await sessionsOf(store)).length, sessions);
        await requireWhole(store, list, 'called off');
        // Nobody calls the next one off: it goes on from there, in this process and in another one.
        const next = await runtimeOver(store).prepare({ messages: list });
        assert.deepEqual(validate(next.messages), []);
        assert.equal((await sessionsOf(store)).length, 2);
        const again = await runtime.prepare({ messages: [...list, reply('ok'), user('Go on.')], recall: '' });
        assert.deepEqual(again.messages.at(-1), user('Go on.'));
        assert.equal((await store.sessions.list()).length, 1);
      }));
  }

  for (const [what, answer, told] of [
    ['a number to keep', { keep: 42 }, /got a keep that is not a text/],
    ['a list to keep', { keep: ['a'] }, /got a keep that is not a text/],
    ['true for a veto', { veto: true }, /got a veto that is not a text/],
    ['a misspelt key', { vetos: 'a deployment runs' }, /got the key vetos/],
    ['a text', 'no', /got something else/],
    ['null', null, undefined],
    ['blank texts', { veto: '', keep: '  ' }, undefined],
  ] as const) {
    test(`E6 that answer with ${what} hold nothing back and keep nothing${told ? ', with a notice' : ''}`, () =>
      withStore(async (store) => {
        // As a program without types has it.
        const hooks = JSON.parse('{}');
        hooks.onCompressionStart = () => answer;
        const { compression, messages, notices } = await runtimeOver(store, { hooks }).prepare({
          messages: listOf(17),
        });
        assert.ok(compression);
        assert.doesNotMatch(textsOf(messages), /kept by this program/);
        const heard = notices.filter(({ type }) => type === 'hook').map(({ message }) => message);
        assert.equal(heard.length, told ? 1 : 0);
        if (told) assert.match(heard[0] ?? '', told);
      }));
  }

  test('E6 with a name or a value that no hook has are refused, with the name that was meant', () =>
    withStore(async (store) => {
      for (const [hooks, told] of [
        [{ onCompressionstart: () => undefined }, /got onCompressionstart: did you mean onCompressionStart\?/],
        [{ onSessionEnd: 5 }, /expected as hook onSessionEnd a function, got 5/],
        [null, /expected as hooks an object/],
      ] as const) {
        const options = JSON.parse('{}');
        options.hooks = hooks;
        assert.throws(() => runtimeOver(store, options), { code: 'BAD_OPTION', message: told });
      }
    }));

  test('E6 of an object of a class are called on it', () =>
    withStore(async (store) => {
      class Listener implements ConversationHooks {
        readonly heard: string[] = [];
        onSessionStart({ reason }: { reason: string }): undefined {
          this.heard.push(reason);
        }
      }
      const listener = new Listener();
      const { notices } = await runtimeOver(store, { hooks: listener }).prepare({ messages: opening() });
      assert.deepEqual(listener.heard, ['new']);
      assert.deepEqual(notices, []);
    }));

  test('E6 whose text to keep would fill the window cost no message: it is left out with a notice', () =>
    withStore(async (store) => {
      const hooks: ConversationHooks = { onCompressionStart: () => ({ keep: '漢'.repeat(8_000) }) };
      const list = opening();
      const contexts = await work(runtimeOver(store, { hooks }), list, { steps: 20 });
      assert.ok(contexts.some(({ compression }) => compression));
      assert.match(JSON.stringify(contexts.map(({ notices }) => notices)), /there is no room for it/);
    }));

  test('E6 a listener of notices that fails later costs no message either', () =>
    withStore(async (store) => {
      const failed: unknown[] = [];
      const hear = (reason: unknown): void => void failed.push(reason);
      process.on('unhandledRejection', hear);
      try {
        const onNotice = async (): Promise<void> => {
          throw new Error('no terminal');
        };
        const { compression } = await runtimeOver(store, { onNotice }).prepare({ messages: listOf(17) });
        assert.ok(compression);
        await new Promise(setImmediate);
        assert.deepEqual(failed, []);
      } finally {
        process.off('unhandledRejection', hear);
      }
    }));

  test('E6 cut a text to keep behind its credentials are taken out, not in the middle of one', () =>
    withStore(async (store) => {
      const keep = `${'word '.repeat(1_597)}AKIAIOSFODNN7EXAMPLE`;
      const hooks: ConversationHooks = { onCompressionStart: () => ({ keep }) };
      const { messages } = await runtimeOver(store, { hooks, contextLength: 30_000 }).prepare({ messages: listOf(70) });
      assert.match(textsOf(messages), /kept by this program/);
      assert.doesNotMatch(textsOf(messages), /AKIA/);
    }));

  test('E6 hear when their time is over', () =>
    withStore(async (store) => {
      const heard: unknown[] = [];
      const hooks: ConversationHooks = {
        onSessionStart: (_, { signal }) =>
          new Promise(() => signal.addEventListener('abort', () => heard.push(signal.reason))),
      };
      await runtimeOver(store, { hooks, clock: { timers: hasty } }).prepare({ messages: opening() });
      assert.match(String(heard[0]), /after 5000 ms/);
    }));
});
