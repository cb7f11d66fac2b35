/** Streams that fail: unseen where nothing was delivered, and where something was, once, with everything kept. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Summarizer, SummarizerError } from '@palimpsest/core';
import { adviceFor, type Notice, stop, storeOf, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import type { Timers } from '@palimpsest/core/engine';
import { openStore, type Store } from '@palimpsest/core/store';
import { type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { isStepCount, type ModelMessage, streamText } from 'ai';
import { wrapModel } from '../../packages/core/src/ai-sdk/with-palimpsest.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { inFolder, runHere } from '../support/command-line.ts';
import { anthropic, providers } from './providers.ts';
import { type ModelV4, recorder } from './recorder.ts';

/** Waits are over at once; a hook has all the time it needs. */
const timers: Timers = {
  after(ms, fire) {
    if (ms !== 5_000) queueMicrotask(fire);
    return () => undefined;
  },
};

/** What no window of 20,000 tokens holds, in many short messages. */
const long = (): ModelMessage[] => [
  ...Array.from({ length: 40 }, (_, at): ModelMessage[] => [
    { role: 'user', content: `Look at row ${at}.` },
    { role: 'assistant', content: `Row ${at} holds ${at * 17} crates. ${'I have counted them twice. '.repeat(120)}` },
  ]).flat(),
  { role: 'user', content: 'How many are there in all?' },
];

const half = 'There are as far as I can see about ';
const tooLong = { status: 400, message: 'prompt is too long: 43210 tokens > 20000 maximum', inStream: true } as const;

/** What a program sees of a stream: its text, and every error that it is told, in both ways. */
async function seen(call: Parameters<typeof streamText>[0]) {
  const told: unknown[] = [];
  const { fullStream } = streamText({ ...call, maxRetries: 0, onError: ({ error }) => void told.push(error) });
  const errors: unknown[] = [];
  let text = '';
  try {
    for await (const part of fullStream) {
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'error') errors.push(part.error);
    }
  } catch (error) {
    errors.push(error);
  }
  return { text, told, errors };
}

/** The answers that broke off, and how each of them ended. */
async function halves({ sessions, messages }: Store): Promise<readonly (readonly [string, string | undefined])[]> {
  const all = await sessions.list({ sides: true });
  const sides = all.flatMap(({ tip }) => (tip.relation === 'side' ? [tip] : []));
  return Promise.all(
    sides.map(async ({ id, endReason }) => {
      const view = await messages.view(id);
      return [view.map(({ message }) => messageText(message)).join('|'), endReason] as const;
    }),
  );
}

for (const provider of providers) {
  describe(`a prompt that is too long, told in a stream over ${provider.name},`, () => {
    test('O2 before the first word costs the program nothing, not even an error', async () => {
      await using fake = await startFakeProvider();
      fake.reply({ error: tooLong }, { text: 'They are 680.' });
      const notices: Notice[] = [];
      const model = wrapModel(
        provider.model(fake),
        { contextLength: 100_000, onNotice: (notice) => notices.push(notice) },
        { clock: { timers } },
      );
      const { text, told, errors } = await seen({ model, messages: long() });
      assert.deepEqual([text, told, errors], ['They are 680.', [], []]);
      const [first, second] = fake.requests;
      assert.ok(second && first && second.messages.length < first.messages.length);
      assert.deepEqual(
        notices.map(({ type }) => type),
        ['compressed'],
      );
    });

    test('O2 after it is passed on once, at once and with advice; the next request is compressed, and nothing is lost', async () => {
      await using fake = await startFakeProvider();
      await using store = await openStore({ path: ':memory:' });
      fake.reply({ text: half, error: tooLong }, { text: 'They are 680.' });
      const writing = Promise.withResolvers<void>();
      const summarizer: Summarizer = {
        name: 'test/slow',
        async write() {
          await writing.promise;
          throw new SummarizerError('other', 'It has nothing to say.', { model: 'test/slow' });
        },
      };
      const model = wrapModel(
        provider.model(fake),
        { store, contextLength: 100_000, summarizer },
        { clock: { timers } },
      );
      const messages = long();
      // The whole stream has ended, and nobody has written a summary yet.
      const { text, told, errors } = await seen({ model, messages });
      assert.equal(text.trim(), half.trim());
      assert.equal(errors.length, 1);
      assert.deepEqual(told, errors);
      assert.match(adviceFor(errors[0]) ?? '', /too long|window|compress/i);
      assert.equal(fake.requests.length, 1);
      writing.resolve();
      assert.equal((await seen({ model, messages })).text, 'They are 680.');
      const [first, second] = fake.requests;
      assert.ok(second && first && second.messages.length < first.messages.length);
      await stop(model);
      assert.deepEqual(
        (await halves(store)).map(([said, end]) => [said.trim(), end]),
        [[half.trim(), 'broken_off']],
      );
      // The conversation itself goes on as if it had not been said.
      const [conversation, ...others] = await store.sessions.list();
      assert.deepEqual(others, []);
      const chain = await store.sessions.chain(conversation?.tip.id ?? '');
      assert.equal(chain.length, 2);
      const [before] = chain;
      assert.equal((await store.messages.view(before?.id ?? '')).length, messages.length);
    });
  });
}

describe('an answer that breaks off', () => {
  const other: readonly (readonly [string, Reply, RegExp])[] = [
    [
      'an overload',
      { text: half, error: { status: 529, type: 'overloaded_error', inStream: true } },
      /busy|overloaded/i,
    ],
    ['a closed connection', { text: half.repeat(9), closeAfter: 200, pieceDelayMs: 5 }, /./],
  ];
  for (const [what, reply, advice] of other) {
    test(`F3 by ${what} is passed on once, kept as far as it came, and compresses nothing`, async () => {
      await using fake = await startFakeProvider();
      fake.reply(reply, { text: 'They are 680.' });
      const notices: Notice[] = [];
      await using model = wrapModel(
        anthropic.model(fake),
        { contextLength: 100_000, onNotice: (notice) => notices.push(notice) },
        { clock: { timers } },
      );
      const messages = long();
      const { text, told, errors } = await seen({ model, messages });
      assert.ok(text.startsWith(half.slice(0, 20)));
      assert.equal(errors.length, 1);
      assert.ok(told.length <= 1 && told.every((error) => error === errors[0]));
      assert.match(adviceFor(errors[0]) ?? '', advice);
      const { text: next } = await seen({ model, messages });
      assert.equal(next, 'They are 680.');
      const [first, second] = fake.requests;
      assert.equal(second?.messages.length, first?.messages.length);
      assert.deepEqual(
        notices.map(({ type }) => type),
        ['gave_up'],
      );
      assert.deepEqual(await halves(await storeOf(model)), [[text, 'broken_off']]);
    });
  }

  test('F3 because a person stops it is kept as far as it came', async () => {
    await using fake = await startFakeProvider({ script: { text: half.repeat(50), pieceDelayMs: 5 } });
    await using store = await openStore({ path: ':memory:' });
    const model = withPalimpsest(anthropic.model(fake), { store });
    const controller = new AbortController();
    const { textStream } = streamText({ model, maxRetries: 0, prompt: 'How many?', abortSignal: controller.signal });
    let text = '';
    for await (const piece of textStream) {
      text += piece;
      if (text.length > 60) controller.abort();
    }
    await stop(model);
    const [[kept = '', end] = []] = await halves(store);
    assert.equal(end, 'called_off');
    // It is paid for, and nobody has said how much it was.
    const { calls, unpriced } = await (await storeOf(model)).usage.totals();
    assert.deepEqual([calls, unpriced], [1, 1]);
    assert.ok(kept.startsWith(text), kept);
  });

  test('L1 goes on in its conversation, whether its program keeps the half or not', async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text: half, error: tooLong }, { text: 'Yes.' }, { text: half, error: tooLong }, { text: 'No.' });
    await using store = await openStore({ path: ':memory:' });
    const model = wrapModel(anthropic.model(fake), { store, contextLength: 100_000 }, { clock: { timers } });
    const messages: ModelMessage[] = [...long()];
    const broken = await seen({ model, messages });
    messages.push({ role: 'assistant', content: broken.text }, { role: 'user', content: 'Go on.' });
    messages.push({ role: 'assistant', content: (await seen({ model, messages })).text });
    messages.push({ role: 'user', content: 'And now?' });
    await seen({ model, messages });
    assert.equal((await seen({ model, messages })).text, 'No.');
    await stop(model);
    assert.equal((await store.sessions.list()).length, 1);
    assert.equal((await halves(store)).length, 2);
  });

  test('F3 is kept with what it had thought, and with a tool call that was not complete', async () => {
    const { model } = recorder();
    const broken: ModelV4 = {
      ...model,
      doStream: async () => ({
        stream: ReadableStream.from([
          { type: 'stream-start', warnings: [] } as const,
          { type: 'reasoning-start', id: '0' } as const,
          { type: 'reasoning-delta', id: '0', delta: 'I should look.' } as const,
          { type: 'tool-input-start', id: 'call_1', toolName: 'look' } as const,
          { type: 'tool-input-delta', id: 'call_1', delta: '{"row": 1' } as const,
          { type: 'error', error: new Error('server_error') } as const,
          // Some providers go on talking.
          { type: 'text-start', id: '1' } as const,
          { type: 'text-delta', id: '1', delta: 'Never mind.' } as const,
          { type: 'error', error: new Error('server_error again') } as const,
        ]),
      }),
    };
    await using store = await openStore({ path: ':memory:' });
    const wrapped = withPalimpsest(broken, { store });
    const { errors } = await seen({ model: wrapped, prompt: 'How many?' });
    assert.equal(errors.length, 2);
    await stop(wrapped);
    const all = await store.sessions.list({ sides: true });
    const side = all.find(({ tip }) => tip.relation === 'side');
    const [kept, ...others] = await store.messages.view(side?.tip.id ?? '');
    assert.deepEqual(others, []);
    assert.deepEqual(
      kept?.message.parts.map((part) => (part.type === 'toolCall' ? part.input : part.type)),
      ['reasoning', JSON.stringify('{"row": 1')],
    );
  });

  test('Q1 is listed and found under its words, as no sub-agent, and without a credential in its title', () =>
    inFolder({}, async (folder) => {
      await using fake = await startFakeProvider();
      const error = { status: 529, type: 'overloaded_error', inStream: true } as const;
      const key = 'AKIAIOSFODNN7EXAMPLE';
      fake.reply(
        { text: `The wombat sleeps behind ${key} and`, error },
        { toolCalls: [{ name: 'look', input: {} }], error },
      );
      const path = join(folder, 'agent.db');
      const model = wrapModel(anthropic.model(fake), { store: path }, { clock: { timers } });
      await seen({ model, prompt: 'Where does it sleep?' });
      await stop(model);
      await using store = await openStore({ path });
      const [{ tip } = assert.fail()] = (await store.sessions.list({ sides: true })).filter(
        ({ tip: one }) => one.parentId,
      );
      assert.match(tip.title ?? '', /^Broken off: The wombat sleeps behind \[/);
      assert.doesNotMatch(tip.title ?? '', /AKIA/);
      assert.equal((await store.usage.activity()).sides, 0);
      const { stdout: found } = await runHere(['search', 'wombat', '--store', path], { cwd: folder });
      assert.match(found, /ai-sdk {2}broken off\n/);
      const { stdout: shown } = await runHere(['sessions', 'show', tip.id, '--store', path], { cwd: folder });
      assert.match(shown, /\(a broken-off answer\)[\s\S]*\(broken_off\)/);
      assert.doesNotMatch(found + shown, /sub-agent/);
    }));

  test('F3 at its very end, while it is kept, is a whole answer and leaves no half beside it', async () => {
    await using real = await openStore({ path: ':memory:' });
    let isAnswering = false;
    const kept = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<void>();
    const append: Store['messages']['append'] = async (...given) => {
      if (isAnswering) {
        writing.resolve();
        await kept.promise;
      }
      return real.messages.append(...given);
    };
    const store: Store = { ...real, messages: { ...real.messages, append } };
    const wrapped = withPalimpsest(recorder([[{ type: 'text', text: 'They are 680.' }]]).model, { store });
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'How many?' }] }];
    const { stream } = await wrapped.doStream({ prompt });
    isAnswering = true;
    const reader = stream.getReader();
    const read = (async () => {
      while (!(await reader.read()).done);
    })();
    await writing.promise;
    await reader.cancel();
    kept.resolve();
    await read;
    await stop(wrapped);
    assert.deepEqual(await halves(real), []);
    const [{ tip } = assert.fail()] = await real.sessions.list();
    assert.equal((await real.messages.view(tip.id)).length, 2);
  });

  test('O2 in the middle of a loop is found by the tools afterwards', async () => {
    await using fake = await startFakeProvider();
    fake.reply(
      { text: 'The wombat sleeps in row ', error: tooLong },
      { toolCalls: [{ name: 'session_search', input: { query: 'wombat' } }] },
      { text: 'Done.' },
    );
    await using store = await openStore({ path: ':memory:' });
    const model = wrapModel(anthropic.model(fake), { store, contextLength: 100_000 }, { clock: { timers } });
    await seen({ model, messages: long() });
    await stop(model);
    const { toolResults } = streamText({
      model,
      maxRetries: 0,
      messages: long(),
      stopWhen: isStepCount(1),
      tools: tools(model),
    });
    assert.match(JSON.stringify(await toolResults), /The >>>wombat<<< sleeps in row/);
  });
});
