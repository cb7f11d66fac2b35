/** Failures of a provider that are cured, those that are not, and our own. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adviceFor, type Notice, storeOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import type { Timers } from '@palimpsest/core/engine';
import { openStore } from '@palimpsest/core/store';
import { type FakeProvider, type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { APICallError, generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { wrapModel } from '../../packages/core/src/ai-sdk/with-palimpsest.ts';
import { steps } from './prompts.ts';
import { anthropic, chat, compatible, providers } from './providers.ts';
import { type ModelV4, type Prompt, recorder } from './recorder.ts';
import { worker, workTools } from './worker.ts';

/** Waits are over at once, and counted. */
function countedTimers(): Timers & { readonly waits: number[] } {
  const waits: number[] = [];
  const after: Timers['after'] = (ms, fire) => {
    // The time that a hook may take is no wait.
    if (ms !== 5_000) waits.push(ms);
    queueMicrotask(fire);
    return () => undefined;
  };
  return { waits, after };
}

const plan = { steps: 16, askEvery: 1_000, askBack: 1_000, hugeEvery: 1_000 };

for (const provider of providers) {
  for (const isStreamed of [false, true]) {
    const way = `${provider.name}${isStreamed ? ', streamed' : ''}`;
    test(`O2 a window that is smaller than it was said to be costs no call over ${way}`, async () => {
      await using fake = await startFakeProvider({ contextLength: 9_000, script: worker(plan, []) });
      const timers = countedTimers();
      const model = wrapModel(provider.model(fake), { contextLength: 60_000 }, { clock: { timers } });
      const call = {
        model,
        maxRetries: 0,
        stopWhen: isStepCount(plan.steps),
        prompt: 'Visit all depots.',
        tools: workTools(plan),
      };
      const text = isStreamed ? await streamText(call).text : (await generateText(call)).text;
      assert.equal(text, 'All depots are done.');
      const statuses = fake.requests.map(({ status }) => status);
      assert.ok(statuses.includes(400), 'expected the provider to refuse something');
      assert.equal(statuses.filter((status) => status === 200).length, plan.steps);
      assert.ok(timers.waits.length > 0);
    });
  }
}

async function answerTo(
  script: readonly Reply[],
  provider = anthropic,
): Promise<{
  readonly text: string;
  readonly streamed: string;
  readonly fake: FakeProvider;
  readonly waits: readonly number[];
}> {
  const fake = await startFakeProvider();
  const timers = countedTimers();
  const model = wrapModel(provider.model(fake), {}, { clock: { timers } });
  const call = { model, maxRetries: 0, prompt: 'Hello', maxOutputTokens: 9_000 };
  fake.reply(...script, ...script);
  const { text } = await generateText(call);
  const streamed = await streamText(call).text;
  await fake.close();
  return { text, streamed, fake, waits: timers.waits };
}

describe('a failure that passes', () => {
  test('O2 is waited for as long as the provider says', async () => {
    const { text, streamed, waits } = await answerTo([
      { error: { status: 429, headers: { 'retry-after': '7' } } },
      { text: 'Now.' },
    ]);
    assert.deepEqual([text, streamed, waits], ['Now.', 'Now.', [7_000, 7_000]]);
  });

  test('O2 a picture that cannot be read costs a turn one call, however many steps it has', async () => {
    const script = ({ body, number }: FakeRequest): Reply => {
      if (JSON.stringify(body).includes('"type":"image"'))
        return { error: { status: 400, message: 'Could not process image' } };
      return number % 6 === 0 ? { text: 'Done.' } : { toolCalls: [{ name: 'visit', input: { depot: number } }] };
    };
    await using fake = await startFakeProvider({ script });
    const model = withPalimpsest(anthropic.model(fake));
    const messages: ModelMessage[] = [
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'iVBORw0=' }] },
    ];
    for (const content of ['Look.', 'Again.']) {
      messages.push({ role: 'user', content });
      const call = { model, messages, maxRetries: 0, tools: workTools(plan), stopWhen: isStepCount(9) };
      const { text, responseMessages } = await generateText(call);
      assert.equal(text, 'Done.');
      messages.push(...responseMessages);
    }
    assert.deepEqual(
      fake.requests.map(({ status }) => status),
      [400, 200, 200, 200, 200, 200, 400, 200, 200, 200, 200, 200],
    );
  });

  test('O2 an output that is too large is lowered for this call only', async () => {
    const refusal =
      'max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20241022';
    const { text, streamed, fake } = await answerTo([{ error: { status: 400, message: refusal } }, { text: 'Now.' }]);
    assert.deepEqual([text, streamed], ['Now.', 'Now.']);
    assert.deepEqual(
      fake.requests.map(({ body }) => body.max_tokens),
      [9_000, 8_192, 9_000, 8_192],
    );
  });

  test('O2 an error in place of the first word of a stream is cured as well', async () => {
    const { streamed } = await answerTo([
      { error: { status: 529, type: 'overloaded_error', message: 'Overloaded', inStream: true } },
      { text: 'Now.' },
    ]);
    assert.equal(streamed, 'Now.');
  });
});

describe('a failure that stays', () => {
  for (const provider of providers) {
    test(`O3 is the error of the provider itself, with our advice on it, over ${provider.name}`, async () => {
      await using fake = await startFakeProvider({ script: { error: { status: 401 } } });
      const notices: Notice[] = [];
      const model = withPalimpsest(provider.model(fake), { onNotice: (notice) => notices.push(notice) });
      const thrown = await generateText({ model, maxRetries: 0, prompt: 'Hello' }).catch((error: unknown) => error);
      assert.ok(APICallError.isInstance(thrown));
      assert.equal(thrown.statusCode, 401);
      assert.match(adviceFor(thrown) ?? '', /key/i);
      assert.deepEqual(
        notices.map(({ type }) => type),
        ['gave_up'],
      );
      assert.equal(fake.requests.length, 1);
    });
  }

  for (const [how, onNotice] of [
    ['at once', () => assert.fail('nobody there')],
    ['later', () => Promise.reject(new Error('nobody there'))],
  ] as const) {
    // A promise that is rejected and that nobody hears of ends a process.
    test(`O3 is told to a listener that fails ${how}, and costs nothing more`, async () => {
      await using fake = await startFakeProvider({ script: { error: { status: 401 } } });
      const model = withPalimpsest(anthropic.model(fake), { onNotice });
      await assert.rejects(generateText({ model, maxRetries: 0, prompt: 'Hello' }), APICallError.isInstance);
      await storeOf(model).then(({ close }) => close());
    });
  }

  test('O3 what cannot fit is an error that says what to do, and nothing is sent', async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model, { contextLength: 4_000 });
    const prompt = 'many words '.repeat(20_000);
    const thrown = generateText({ model: wrapped, maxRetries: 2, prompt });
    await assert.rejects(thrown, { code: 'CONTEXT_OVERFLOW', message: /larger window/ });
    assert.equal(calls.length, 0);
  });

  test('O3 a window that nobody knows is left to the provider', async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model);
    await generateText({ model: wrapped, maxRetries: 0, prompt: 'many words '.repeat(120_000) });
    assert.equal(calls.length, 1);
  });

  test('F3 a stream that breaks off reaches the program, and the next call goes on', async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text: 'It is half done. '.repeat(9), closeAfter: 99, pieceDelayMs: 10 }, { text: 'Done.' });
    const model = withPalimpsest(anthropic.model(fake));
    const { textStream } = streamText({ model, maxRetries: 0, prompt: 'Hello', onError: () => undefined });
    await assert.rejects(() => Array.fromAsync(textStream), APICallError.isInstance);
    assert.equal((await generateText({ model, maxRetries: 0, prompt: 'Hello' })).text, 'Done.');
    const store = await storeOf(model);
    const [conversation, ...others] = await store.sessions.list();
    assert.ok(conversation);
    assert.deepEqual(others, []);
    assert.equal((await store.messages.view(conversation.tip.id)).length, 2);
  });
});

describe('a person who gives up', () => {
  test('F3 ends a call that waits, and nothing of it is kept but what was said', async () => {
    await using fake = await startFakeProvider({ script: { hang: true } });
    const model = withPalimpsest(chat.model(fake));
    const controller = new AbortController();
    const running = generateText({ model, maxRetries: 0, prompt: 'Hello', abortSignal: controller.signal });
    await fake.received(1);
    controller.abort();
    await assert.rejects(running, { name: 'AbortError' });
    const store = await storeOf(model);
    const [conversation] = await store.sessions.list();
    assert.ok(conversation);
    assert.equal((await store.messages.view(conversation.tip.id)).length, 1);
  });

  test('F3 ends the wait for another try, of which a notice has told', async () => {
    const after: Timers['after'] = () => () => undefined;
    await using fake = await startFakeProvider({ script: { error: { status: 429 } } });
    const notices: Notice[] = [];
    const onNotice = (notice: Notice): void => void notices.push(notice);
    const model = wrapModel(compatible.model(fake), { onNotice }, { clock: { timers: { after } } });
    const controller = new AbortController();
    const running = generateText({ model, maxRetries: 0, prompt: 'Hello', abortSignal: controller.signal });
    const request = await fake.received(1);
    await request.ended;
    setTimeout(() => controller.abort(), 20);
    await assert.rejects(running, { name: 'AbortError' });
    // A person would not know why nothing comes.
    assert.deepEqual(
      notices.map(({ type }) => type),
      ['waiting'],
    );
    assert.match(notices[0]?.message ?? '', /^The call failed \(429, ".+"\) and is sent again in 8 s\.$/);
  });

  test('F3 ends a stream that has not said a word, also where nobody else hears of it', async () => {
    const { model } = recorder();
    const cancelled: unknown[] = [];
    const stream = new ReadableStream({ cancel: (why) => void cancelled.push(why) });
    const silent: ModelV4 = { ...model, doStream: async () => ({ stream }) };
    const wrapped = withPalimpsest(silent);
    const controller = new AbortController();
    const prompt: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
    const opening = Promise.resolve(wrapped.doStream({ prompt, abortSignal: controller.signal }));
    const reason = new Error('a person pressed a key');
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(opening, reason);
    assert.deepEqual(cancelled, [reason]);
  });

  test('F3 ends a stream in the middle, and its connection', async () => {
    await using fake = await startFakeProvider({ script: { text: 'word '.repeat(2_000), pieceDelayMs: 5 } });
    const model = withPalimpsest(anthropic.model(fake));
    const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] });
    for await (const part of stream) if (part.type === 'text-delta') break;
    const request = await fake.received(1);
    await request.ended;
    assert.equal(request.aborted, true);
    const store = await storeOf(model);
    const [conversation] = await store.sessions.list();
    assert.ok(conversation);
    assert.equal((await store.messages.view(conversation.tip.id)).length, 1);
  });
});

describe('a store that fails', () => {
  test('K2 costs no call: it is sent as the program made it', async () => {
    const store = await openStore({ path: ':memory:' });
    await store.close();
    const { model, calls } = recorder();
    const notices: Notice[] = [];
    const wrapped = withPalimpsest(model, { store, onNotice: (notice) => notices.push(notice) });
    const prompt = [...steps(3)];
    const { content } = await wrapped.doGenerate({ prompt });
    assert.deepEqual(content, [{ type: 'text', text: 'Done.' }]);
    assert.equal(calls[0]?.prompt, prompt);
    const [notice] = notices;
    assert.ok(notice?.type === 'bypassed');
    assert.match(String(notice.error), /closed/);
    const { stream } = await wrapped.doStream({ prompt });
    assert.equal((await Array.fromAsync(stream)).at(-1)?.type, 'finish');
  });

  test('K2 costs no answer when it fails behind the call', async () => {
    const store = await openStore({ path: ':memory:' });
    const script = async (): Promise<Reply> => {
      await store.close();
      return { text: 'Good.' };
    };
    await using fake = await startFakeProvider({ script });
    const notices: Notice[] = [];
    const model = withPalimpsest(anthropic.model(fake), { store, onNotice: (notice) => notices.push(notice) });
    assert.equal((await generateText({ model, maxRetries: 0, prompt: 'Hello' })).text, 'Good.');
    assert.deepEqual(
      notices.map(({ type }) => type),
      ['bypassed'],
    );
    assert.equal(await streamText({ model, maxRetries: 0, prompt: 'Hello' }).text, 'Good.');
  });

  test('K2 that cannot be opened is tried again with the next call', async () => {
    const { model } = recorder();
    const notices: Notice[] = [];
    const wrapped = withPalimpsest(model, { store: 'package.json', onNotice: (notice) => notices.push(notice) });
    for (const prompt of ['One', 'Two']) {
      assert.equal((await generateText({ model: wrapped, maxRetries: 0, prompt })).text, 'Done.');
    }
    assert.deepEqual(
      notices.map((notice) => 'error' in notice && String(notice.error).includes('package.json')),
      [true, true],
    );
  });
});

test('BAD_OPTION names what was meant', () => {
  const { model } = recorder();
  // What a program without types may give.
  const wrong = { contextLenght: 1 } as object;
  assert.throws(() => withPalimpsest(model, wrong), { code: 'BAD_OPTION', message: /contextLength/ });
  for (const store of ['', 7 as never]) {
    assert.throws(() => withPalimpsest(model, { store }), { code: 'BAD_OPTION', message: /store/ });
  }
  assert.throws(() => withPalimpsest(model, { config: { threshold: 7 } }), { code: 'BAD_CONFIG' });
  assert.throws(() => withPalimpsest('openai/gpt-5' as never), { code: 'BAD_OPTION', message: /gateway/ });
});
