/** How a context is kept inside its window: when it is compressed, how often, and what people hear of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  type CompressionOptions,
  type ConversationNotice,
  conversationTokens,
  type Message,
  validate,
} from '@palimpsest/core';
import { type ContextEngine, defineEngine, type EngineUsage } from '@palimpsest/core/engine';
import type { Store } from '@palimpsest/core/store';
import {
  listOf,
  reply,
  runtimeOver,
  sessionsOf,
  smallWindow,
  step,
  system,
  tokenizer,
  usageOf,
  user,
  withStore,
  work,
} from './agent.ts';

const opening = (): Message[] => [system('You move ledgers.'), user('Move the ledgers of all regions.')];

const typesOf = (notices: readonly ConversationNotice[]): readonly string[] => notices.map(({ type }) => type);

describe('what the configuration says', () => {
  test('T1 switched off, nothing is compressed unasked: what does not fit is told, and a person may compress it', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { config: { enabled: false } });
      const messages = listOf(80);
      await assert.rejects(runtime.prepare({ messages }), {
        code: 'CONTEXT_OVERFLOW',
        message: /compression\.enabled.*\/compress/,
      });
      const done = await runtime.compress({ messages });
      assert.equal(done.status, 'compressed');
      assert.ok((await runtime.prepare({ messages })).size.tokens < smallWindow);
    }));

  test('T6 the tier "compress" is the latest point at which a context is compressed', () =>
    withStore(async (store) => {
      const late = { modelThresholds: { claude: smallWindow - 100 } };
      const at = async (config: CompressionOptions): Promise<boolean> => {
        const runtime = runtimeOver(store, { config });
        const list = listOf(6);
        const prepared = await runtime.prepare({ messages: list });
        const answered = [...list, reply('Ten are moved.')];
        await runtime.settle(prepared, {
          type: 'answered',
          reply: reply('Ten are moved.'),
          usage: { input_tokens: Math.floor(smallWindow * 0.86), output_tokens: 5 },
        });
        return (await runtime.prepare({ messages: [...answered, user('Go on.')] })).compression !== undefined;
      };
      assert.equal(await at(late), false);
      assert.equal(await at({ ...late, pressure: 'tiers' }), true);
    }));
});

describe('the size of a context', () => {
  test('T4 is the last report and an estimate of what came since, also after a restart', () =>
    withStore(async (store) => {
      const list = opening();
      const first = await runtimeOver(store).prepare({ messages: list });
      assert.equal(first.size.from, 'estimate');
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: list });
      const [called, result] = step(1, 5);
      await runtime.settle(prepared, {
        type: 'answered',
        reply: called,
        usage: { inputTokens: 1_000, cacheReadTokens: 200 },
      });
      list.push(called, result);
      const since = conversationTokens([called, result], tokenizer) - conversationTokens([], tokenizer);
      for (const process of [runtime, runtimeOver(store)]) {
        const { size } = await process.prepare({ messages: list });
        assert.deepEqual(size, { tokens: 1_200 + since, from: 'anchored' });
      }
    }));

  test('T4 is estimated with what earlier reports of the model have taught, in other conversations too', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: [user('the ledgers of all regions '.repeat(900))] });
      const usage = { inputTokens: 1.5 * usageOf(prepared.messages).inputTokens };
      await runtime.settle(prepared, { type: 'answered', reply: reply('Done.'), usage });
      const other = [user('Something else entirely.')];
      for (const process of [runtime, runtimeOver(store)]) {
        const { size } = await process.prepare({ messages: other });
        assert.deepEqual(size, { tokens: Math.ceil(1.5 * conversationTokens(other, tokenizer)), from: 'calibrated' });
      }
    }));

  test('T3 output and reasoning never count', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const prepared = await runtime.prepare({ messages: list });
      const usage = { inputTokens: 50, outputTokens: 7_900, reasoningTokens: 7_800 };
      await runtime.settle(prepared, { type: 'answered', reply: reply('ok'), usage });
      const next = await runtime.prepare({ messages: [...list, reply('ok'), user('Go on.')] });
      assert.ok(next.size.tokens < 200);
      assert.equal(next.compression, undefined);
    }));
});

describe('a context that fills up', () => {
  test('L2 is compressed in a continuation, and the client never has to know', () =>
    withStore(async (store) => {
      const list = opening();
      const contexts = await work(runtimeOver(store), list, { steps: 40 });
      const compressed = contexts.filter(({ compression }) => compression);
      assert.ok(compressed.length >= 2);
      for (const { compression, messages, sessionId } of compressed) {
        assert.equal(compression?.to, sessionId);
        assert.ok((compression?.tokensAfter ?? 0) < (compression?.tokensBefore ?? 0));
        const from = await store.sessions.get(compression?.from ?? '');
        assert.equal(from?.endReason, 'compression');
        assert.deepEqual(validate(messages), []);
      }
      assert.deepEqual(
        new Set((await sessionsOf(store)).slice(1).map(({ relation }) => relation)),
        new Set(['continuation']),
      );
    }));

  test('C3 what was added to the system prompt stays there, byte for byte', () =>
    withStore(async (store) => {
      const list = opening();
      let runtime = runtimeOver(store);
      const prompts = new Set<string>();
      for (let at = 1; at <= 60; at += 10) {
        const contexts = await work(runtime, list, { from: at, steps: 10 });
        for (const { messages } of contexts)
          prompts.add(JSON.stringify(messages[0]?.parts.map((part) => Object.values(part))));
        runtime = runtimeOver(store);
      }
      // Without the note of the first compression, and with it; a store writes fields in another order.
      const said = new Set([...prompts].map((prompt) => [...prompt].sort().join('')));
      assert.equal(said.size, 2);
    }));

  test('invariant 5: 1,000 steps in a window of 32,000 tokens are valid and inside it, with the newest request', () =>
    withStore(async (store) => {
      const contextLength = 32_000;
      const runtime = runtimeOver(store, { contextLength });
      const list = opening();
      for (let at = 1; at <= 1_000; at++) {
        if (at % 90 === 0) list.push(user(`Now also report on region ${at}.`));
        const request = list.findLast(({ role }) => role === 'user');
        const [context] = await work(runtime, list, { from: at, steps: 1, lines: at % 7 === 0 ? 150 : 12 });
        const messages = context?.messages ?? [];
        assert.deepEqual(validate(messages), []);
        assert.ok(conversationTokens(messages, tokenizer) <= contextLength);
        const said = messages.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')));
        const asked = request?.parts[0];
        assert.ok(asked?.type === 'text' && said.includes(asked.text), `step ${at}`);
        if (at % 25 === 0) await setImmediate();
      }
      assert.equal((await store.sessions.list()).length, 1);
      const chain = await sessionsOf(store);
      assert.ok(chain.length > 5);
    }));

  test('invariant 5: what cannot fit is an error that names /new and /compress, and the conversation goes on after it', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      await work(runtime, list, { steps: 2 });
      const huge = user('a long remark '.repeat(9_000));
      await assert.rejects(runtime.prepare({ messages: [...list, huge] }), { code: 'CONTEXT_OVERFLOW' });
      const next = await runtime.prepare({ messages: [...list, user('Then go on.')] });
      assert.deepEqual(next.messages.at(-1), user('Then go on.'));
    }));
});

describe('passes that do not help', () => {
  /** An engine that always wants to, and whose list is hardly smaller. */
  const stubborn = (passes: string[]): ContextEngine<Message> =>
    defineEngine<Message>({
      name: 'stubborn',
      shouldCompress: () => true,
      compress: async (messages) => {
        passes.push('pass');
        const [first, ...rest] = messages;
        return first ? [first, ...rest.map((message) => ({ ...message }))] : messages;
      },
    });

  test('T7 end when they make no progress, and there are at most three in a turn', () =>
    withStore(async (store) => {
      const passes: string[] = [];
      const engine = stubborn(passes);
      const runtime = runtimeOver(store, { engine: () => engine });
      const list = opening();
      for (let at = 1; at <= 6; at++) {
        const prepared = await runtime.prepare({ messages: list });
        const [called, result] = step(at, 1);
        // A report above the threshold arms nothing.
        await runtime.settle(prepared, { type: 'answered', reply: called, usage: { inputTokens: 6_500 } });
        list.push(called, result);
      }
      assert.equal(passes.length, 3);
      list.push(user('Another turn.'));
      await runtime.prepare({ messages: list });
      assert.ok(passes.length > 3 && passes.length <= 6, `${passes.length} passes in two turns`);
    }));

  /** From a step on, reports so much that every context is over the threshold, whatever it holds. */
  async function overloaded(store: Store, steps: number, notices: ConversationNotice[]): Promise<number> {
    let runtime = runtimeOver(store, { contextLength: 16_000 });
    const list = opening();
    let compressions = 0;
    for (let at = 1; at <= steps; at++) {
      const prepared = await runtime.prepare({ messages: list });
      notices.push(...prepared.notices);
      if (prepared.compression) compressions++;
      const [called, result] = step(at, 100);
      const usage = at < 12 ? usageOf(prepared.messages) : { inputTokens: 14_000 };
      await runtime.settle(prepared, { type: 'answered', reply: called, usage });
      list.push(called, result);
      // Whoever looks in between has just begun.
      runtime = runtimeOver(store, { contextLength: 16_000 });
    }
    return compressions;
  }

  test('T5 stop after a few, also when the process is started anew each time, and say so once', () =>
    withStore(async (store) => {
      const notices: ConversationNotice[] = [];
      const compressions = await overloaded(store, 30, notices);
      assert.ok(compressions >= 1 && compressions <= 3, `${compressions} compressions`);
      const held = notices.filter(({ type }) => type === 'held_back');
      assert.equal(held.length, 1);
      assert.match(held[0]?.message ?? '', /\/new.*\/compress/);
    }));
});

describe('what people hear', () => {
  test('T6 one notice near the threshold, cleared when the context is smaller; none of it reaches the model', () =>
    withStore(async (store) => {
      const heard: ConversationNotice[] = [];
      const runtime = runtimeOver(store, { onNotice: (notice) => heard.push(notice) });
      const list = opening();
      const contexts = await work(runtime, list, { steps: 60 });
      const types = typesOf(heard);
      const compressions = types.filter((type) => type === 'compressed').length;
      assert.ok(compressions >= 2);
      const near = types.filter((type) => type === 'near_threshold').length;
      assert.ok(near >= compressions && near <= compressions + 1);
      assert.ok(types.includes('repeated'));
      const sent = JSON.stringify(contexts.map(({ messages }) => messages));
      for (const { message } of heard) assert.ok(!sent.includes(message));
    }));

  test('T6 a listener that fails costs nothing', () =>
    withStore(async (store) => {
      const onNotice = (): never => {
        throw new Error('deaf');
      };
      const list = opening();
      await work(runtimeOver(store, { onNotice }), list, { steps: 20 });
      assert.equal((await store.sessions.list()).length, 1);
    }));
});

describe('another engine', () => {
  /** Keeps the newest messages behind a note, where there are more than `from`. */
  function newest(seen: string[], from = 20): ContextEngine<Message> {
    return defineEngine<Message>({
      name: 'newest',
      onSessionStart: async (_, { reason }) => {
        seen.push(reason);
      },
      onSessionEnd: async () => {
        seen.push('end');
      },
      updateFromResponse: ({ promptTokens }: EngineUsage) => {
        seen.push(`${typeof promptTokens}`);
      },
      shouldCompress: () => false,
      shouldCompressPreflight: (messages) => messages.length > from,
      compress: async (messages) => {
        const prompts = messages.filter(({ role }) => role === 'system');
        const request = messages.findLast(({ role, origin }) => role === 'user' && origin !== 'summary');
        const note: Message = {
          role: 'user',
          origin: 'summary',
          parts: [{ type: 'text', text: '[CONTEXT SUMMARY] work.' }],
        };
        return [
          ...prompts,
          note,
          ...(request ? [request] : []),
          ...messages.slice(-4).filter((one) => one !== request),
        ];
      },
    });
  }

  test('E3 decides and compresses in place of the built-in one; the store knows what its note stands for', () =>
    withStore(async (store) => {
      const seen: string[] = [];
      const runtime = runtimeOver(store, { engine: () => newest(seen) });
      const list = opening();
      const contexts = await work(runtime, list, { steps: 14, lines: 1 });
      const compressed = contexts.filter(({ compression }) => compression);
      assert.equal(compressed.length, 1);
      assert.deepEqual(
        seen.filter((one) => one !== 'number'),
        ['new', 'compression'],
      );
      const tip = await store.sessions.tip(contexts[0]?.sessionId ?? '');
      const view = await store.messages.view(tip.id);
      const note = view.find(({ message }) => message.origin === 'summary');
      const covered = await store.messages.coveredBy(note?.id ?? '');
      const shown = new Set(view.map(({ id }) => id));
      const [root] = await store.sessions.chain(tip.id);
      const before = await store.messages.view(root?.id ?? '');
      assert.deepEqual(
        before.filter(({ id }) => !shown.has(id) && !covered.includes(id)),
        [],
      );
    }));

  test('E3 gets the conversation back after a restart', () =>
    withStore(async (store) => {
      const seen: string[] = [];
      const list = opening();
      await work(runtimeOver(store, { engine: () => newest(seen) }), list, { steps: 14, lines: 1 });
      const [before] = await work(runtimeOver(store, { engine: () => newest(seen) }), list, {
        from: 15,
        steps: 1,
        lines: 1,
      });
      assert.ok(before?.messages.some(({ origin }) => origin === 'summary'));
      assert.deepEqual(
        seen.filter((one) => one !== 'number'),
        ['new', 'compression', 'resume'],
      );
    }));

  test('L3 a conversation of more than a hundred sessions is read back whole, also from its first', () =>
    withStore(async (store) => {
      const list = opening();
      // A report below the threshold gives the turn new passes.
      const contexts = await work(runtimeOver(store, { engine: () => newest([], 3) }), list, { steps: 150, lines: 1 });
      const last = contexts.at(-1)?.sessionId;
      const root = contexts[0]?.sessionId ?? '';
      for (const sessionId of [undefined, root]) {
        const runtime = runtimeOver(store, { engine: () => newest([]) });
        const next = await runtime.prepare({ messages: list, ...(sessionId === undefined ? {} : { sessionId }) });
        assert.equal(next.sessionId, last);
        assert.ok(next.messages.length < 20, `${next.messages.length} messages`);
      }
      assert.ok((await store.sessions.chain(root)).length > 100);
    }));

  test('invariant 3: a list without the newest request is not used', () =>
    withStore(async (store) => {
      const forgetful = defineEngine<Message>({
        name: 'forgetful',
        shouldCompress: () => true,
        compress: async (messages) => messages.slice(0, 1),
      });
      const runtime = runtimeOver(store, { engine: () => forgetful });
      const prepared = await runtime.prepare({ messages: opening() });
      assert.deepEqual(prepared.messages, opening());
      assert.deepEqual(typesOf(prepared.notices), ['refused']);
    }));
});

test('a window that the caller names is the window', () =>
  withStore(async (store) => {
    const list = opening();
    const big = await work(runtimeOver(store, { contextLength: smallWindow * 10 }), list, { steps: 30 });
    assert.ok(big.every(({ compression }) => compression === undefined));
    // The same conversation with a smaller model.
    const [first] = await work(runtimeOver(store), list, { from: 31, steps: 1 });
    assert.ok(first?.compression);
  }));
