/** Providers that hang: before the headers, behind them, and in the midst of an answer. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import {
  adviceFor,
  type Notice,
  palimpsestMiddleware,
  storeOf,
  summarize,
  withPalimpsest,
} from '@palimpsest/core/ai-sdk';
import { openStore, type Store } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { anthropic, providers } from './providers.ts';
import { type ModelV4, type Prompt, recorder } from './recorder.ts';

/** Far more than what is to happen at once takes on a busy machine: what waits for them waits beside the others. */
const limits = { timeouts: { firstByteMs: 1_000, silenceMs: 1_000 } };
const together = { concurrency: true };
const words = 'The depot holds ninety crates. '.repeat(9);

async function sides({ sessions, messages }: Store): Promise<readonly string[]> {
  const all = await sessions.list({ sides: true });
  const tips = all.flatMap(({ tip }) => (tip.relation === 'side' ? [tip] : []));
  const views = await Promise.all(tips.map(({ id }) => messages.view(id)));
  return views.map((view) => view.map(({ message }) => messageText(message)).join('|'));
}

for (const provider of providers) {
  describe(`O4 a provider that hangs, over ${provider.name},`, together, () => {
    for (const [where, reply] of [
      ['before its headers', { hang: true }],
      ['behind its headers', { hangAfter: 0 }],
    ] as const) {
      for (const isStreamed of [false, true]) {
        test(`O4 ${where} is ended with advice, ${isStreamed ? 'streamed' : 'whole'}, and what was said is kept`, async () => {
          await using fake = await startFakeProvider({ script: reply });
          const notices: Notice[] = [];
          const model = withPalimpsest(provider.model(fake), { ...limits, onNotice: (notice) => notices.push(notice) });
          const call = { model, prompt: 'How many crates?' };
          const told: unknown[] = [];
          const onError = ({ error }: { error: unknown }): void => void told.push(error);
          const thrown: unknown = isStreamed
            ? await streamText({ ...call, onError })
                .consumeStream()
                .then(() => told[0])
            : await generateText(call).catch((error: unknown) => error);
          assert.match(String(thrown), /sent nothing for 1 s.*try again.*firstByteMs/);
          assert.match(adviceFor(thrown) ?? '', /firstByteMs/);
          assert.equal(Object(thrown).code, 'CALL_TIMEOUT');
          assert.deepEqual(
            notices.map(({ type }) => type),
            ['gave_up'],
          );
          // The SDK asks again for what may pass; this has taken long enough.
          assert.equal(fake.requests.length, 1);
          const request = await fake.received(1);
          await request.ended;
          assert.equal(request.aborted, true);
          const [conversation] = await (await storeOf(model)).sessions.list();
          assert.equal((await (await storeOf(model)).messages.view(conversation?.tip.id ?? '')).length, 1);
        });
      }
    }

    test('O4 in the midst of a stream is ended with advice, and what had come is kept', async () => {
      await using fake = await startFakeProvider({ script: { text: words, hangAfter: 60 } });
      const store = await openStore({ path: ':memory:' });
      const model = withPalimpsest(provider.model(fake), { ...limits, store });
      let text = '';
      const { fullStream } = streamText({ model, prompt: 'How many crates?', onError: () => undefined });
      const thrown = await (async () => {
        for await (const part of fullStream) if (part.type === 'text-delta') text += part.text;
      })().catch((error: unknown) => error);
      assert.ok(text.length >= 60 && words.startsWith(text));
      assert.match(adviceFor(thrown) ?? '', /stopped sending.*for 1 s.*is kept.*silenceMs/);
      const request = await fake.received(1);
      await request.ended;
      assert.equal(request.aborted, true);
      await model[Symbol.asyncDispose]();
      assert.deepEqual(await sides(store), [text]);
      await store.close();
    });
  });
}

describe('O4 the limits', together, () => {
  const prompt: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'How many crates?' }] }];

  test('O4 hold for middleware too', async () => {
    await using fake = await startFakeProvider({ script: { hang: true } });
    const model = wrapLanguageModel({ model: anthropic.model(fake), middleware: palimpsestMiddleware(limits) });
    await assert.rejects(generateText({ model, prompt: 'Hello' }), { code: 'CALL_TIMEOUT' });
  });

  test('O4 a stream that speaks may take as long as it wants', async () => {
    await using fake = await startFakeProvider({ script: { text: words, pieceDelayMs: 120 } });
    const model = withPalimpsest(anthropic.model(fake), limits);
    assert.equal(await streamText({ model, prompt: 'Hello' }).text, words);
  });

  test('O4 who reads slowly is not taken for a provider that is silent', async () => {
    await using fake = await startFakeProvider({ script: { text: words } });
    const model = withPalimpsest(anthropic.model(fake), limits);
    const { stream } = await model.doStream({ prompt });
    let text = '';
    for await (const part of stream) {
      if (part.type !== 'text-delta') continue;
      if (text === '') await new Promise((resolve) => setTimeout(resolve, 2 * limits.timeouts.silenceMs));
      text += part.delta;
    }
    assert.equal(text, words);
  });

  test('O4 a limit of 0 is none: the caller alone ends the call, with the own reason', async () => {
    await using fake = await startFakeProvider({ script: { hang: true } });
    const model = withPalimpsest(anthropic.model(fake), { timeouts: { firstByteMs: 0, silenceMs: 0 } });
    const controller = new AbortController();
    const reason = new Error('a person pressed a key');
    setTimeout(() => controller.abort(reason), 200);
    await assert.rejects(async () => model.doStream({ prompt, abortSignal: controller.signal }), reason);
  });

  test("O4 the caller's own abort goes before them", async () => {
    await using fake = await startFakeProvider({ script: { hang: true } });
    const model = withPalimpsest(anthropic.model(fake), { timeouts: { firstByteMs: 60_000 } });
    const controller = new AbortController();
    const running = generateText({ model, prompt: 'Hello', abortSignal: controller.signal });
    await fake.received(1);
    controller.abort();
    await assert.rejects(running, { name: 'AbortError' });
  });

  test('O4 end a call of a model that hears no signal', async () => {
    const { model } = recorder();
    const cancelled: unknown[] = [];
    const deaf: ModelV4 = {
      ...model,
      doGenerate: () => new Promise(() => undefined),
      doStream: async () => ({ stream: new ReadableStream({ cancel: (why) => void cancelled.push(why) }) }),
    };
    const wrapped = withPalimpsest(deaf, limits);
    await assert.rejects(async () => wrapped.doGenerate({ prompt }), { code: 'CALL_TIMEOUT' });
    await assert.rejects(async () => wrapped.doStream({ prompt }), { code: 'CALL_TIMEOUT' });
    assert.equal(cancelled.length, 1);
  });

  test('O4 the next call of the conversation goes on', async () => {
    await using fake = await startFakeProvider();
    fake.reply({ hang: true }, { text: 'Ninety.' });
    const model = withPalimpsest(anthropic.model(fake), limits);
    await assert.rejects(generateText({ model, prompt: 'How many?' }), { code: 'CALL_TIMEOUT' });
    assert.equal((await generateText({ model, prompt: 'How many?' })).text, 'Ninety.');
    const [conversation, ...others] = await (await storeOf(model)).sessions.list();
    assert.deepEqual(others, []);
    assert.equal((await (await storeOf(model)).messages.view(conversation?.tip.id ?? '')).length, 2);
  });

  test('O4 make no sense as anything but milliseconds', () => {
    const { model } = recorder();
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '5' as never]) {
      for (const name of ['firstByteMs', 'silenceMs']) {
        assert.throws(() => withPalimpsest(model, { timeouts: { [name]: wrong } }), {
          code: 'BAD_OPTION',
          message: new RegExp(name),
        });
      }
    }
  });

  test('O4 keep no process from its end', async () => {
    const code = `
      import { withPalimpsest } from '@palimpsest/core/ai-sdk';
      const silent = { specificationVersion: 'v4', provider: 'own', modelId: 'silent', supportedUrls: {},
        doGenerate: () => new Promise(() => undefined), doStream: async () => ({ stream: new ReadableStream() }) };
      const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
      const model = withPalimpsest(silent);
      for (const way of ['doGenerate', 'doStream']) void Promise.resolve(model[way]({ prompt })).catch(() => undefined);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [status] = await once(child, 'exit');
    assert.equal(status, 0);
  });
});

describe('O4 a summary', together, () => {
  for (const [where, reply] of [
    ['before its headers', { hang: true }],
    ['behind its headers', { hangAfter: 0 }],
    ['in its midst', { text: words, hangAfter: 60 }],
  ] as const) {
    test(`O4 of a model that hangs ${where} is given up, and the conversation goes on`, async () => {
      await using fake = await startFakeProvider({ script: { text: 'Good.' } });
      await using hanging = await startFakeProvider({ script: reply });
      const summarizer = summarize(anthropic.model(hanging), { idleTimeoutMs: limits.timeouts.silenceMs });
      const model = withPalimpsest(anthropic.model(fake), { contextLength: 8_000, summarizer });
      const messages = Array.from({ length: 40 }, (_, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `Part ${at}: ${words.repeat(4)}`,
      }));
      const { text } = await generateText({ model, messages: [...messages, { role: 'user', content: 'And now?' }] });
      assert.equal(text, 'Good.');
      const request = await hanging.received(1);
      await request.ended;
      assert.equal(request.aborted, true);
    });
  }
});
