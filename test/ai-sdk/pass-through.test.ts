/** What is not compressed goes to the provider as the program made it, and comes back as the provider made it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { palimpsestMiddleware, storeOf, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, jsonSchema, type ModelMessage, streamText, wrapLanguageModel } from 'ai';
import { everything, steps } from './prompts.ts';
import { anthropic, providers } from './providers.ts';
import { type CallOptions, type Content, type Prompt, recorder } from './recorder.ts';

const prompt: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];

describe('a prompt that fits', () => {
  test('K2 is the very prompt of the program, with everything in it', async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model);
    const options: CallOptions = { prompt: everything, temperature: 0.5, stopSequences: ['x'], headers: { a: 'b' } };
    const before = structuredClone({ ...options, prompt: [] });
    await wrapped.doGenerate(options);
    await wrapped.doStream(options);
    // Its time limits end a call by a signal of their own.
    for (const { abortSignal: _, ...call } of calls) {
      assert.equal(call.prompt, everything);
      assert.deepEqual({ ...call, prompt: [] }, before);
    }
    assert.equal(calls.length, 2);
  });

  test('K2 is the newest one of the program, whatever options it has put on it since', async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model);
    await wrapped.doGenerate({ prompt: everything });
    const again: Prompt = [
      ...everything.map((message): Prompt[number] => ({ ...message, providerOptions: { own: { now: true } } })),
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      { role: 'user', content: [{ type: 'text', text: 'More.' }] },
    ];
    await wrapped.doGenerate({ prompt: again });
    assert.equal(calls[1]?.prompt, again);
    assert.equal((await (await storeOf(wrapped)).sessions.list()).length, 1);
  });

  for (const provider of providers) {
    test(`K2 makes the same request over ${provider.name}, streamed or not`, async () => {
      await using fake = await startFakeProvider({ script: { text: 'Good.' } });
      const plain = provider.model(fake);
      for (const model of [plain, withPalimpsest(plain, { cache: 'off' })]) {
        const messages: ModelMessage[] = [
          { role: 'user', content: 'What is 1 + 1?' },
          {
            role: 'assistant',
            content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'add', input: { a: 1, b: 1 } }],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: 'call_1',
                toolName: 'add',
                output: { type: 'json', value: { sum: 2 } },
              },
            ],
          },
        ];
        const call = {
          model,
          messages,
          maxRetries: 0,
          system: 'Be brief.',
          maxOutputTokens: 500,
          tools: { add: { description: 'Adds.', inputSchema: jsonSchema({ type: 'object' }) } },
        };
        assert.equal((await generateText(call)).text, 'Good.');
        assert.equal(await streamText(call).text, 'Good.');
      }
      const [one, streamed, wrapped, wrappedStream] = fake.requests.map(({ body }) => body);
      assert.ok(one && streamed);
      assert.deepEqual(wrapped, one);
      assert.deepEqual(wrappedStream, streamed);
    });
  }
});

const said: readonly Content[] = [
  { type: 'reasoning', text: 'Let me see.', providerMetadata: { anthropic: { signature: 'c2ln' } } },
  { type: 'text', text: 'It is 🙂 done.' },
  { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
  { type: 'tool-call', toolCallId: 'srv_1', toolName: 'web', input: '{"q":1}', providerExecuted: true },
  { type: 'tool-result', toolCallId: 'srv_1', toolName: 'web', result: { found: 2 } },
  { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: '{"at": 1}' },
];

describe('an answer', () => {
  test('K2 comes back with every part, streamed or not, and is kept', async () => {
    const { model } = recorder([said, said]);
    const wrapped = withPalimpsest(model);
    const generated = await wrapped.doGenerate({ prompt });
    assert.deepEqual(generated.content, said);
    const { stream } = await wrapped.doStream({ prompt });
    const parts = await Array.fromAsync(stream);
    const { stream: plain } = await recorder([said]).model.doStream({ prompt });
    const expected = await Array.fromAsync(plain);
    assert.deepEqual(parts.slice(0, -1), expected.slice(0, -1));
    assert.equal(parts.at(-1)?.type, 'finish');
    const store = await storeOf(wrapped);
    const [conversation] = await store.sessions.list();
    assert.ok(conversation);
    const view = await store.messages.view(conversation.tip.id);
    assert.deepEqual(
      view.map(({ message }) => message.parts.map(({ type }) => type)),
      [['text'], ['reasoning', 'text', 'toolCall', 'toolResult', 'toolCall']],
    );
    assert.deepEqual(view[1]?.message.parts[0], {
      type: 'reasoning',
      text: 'Let me see.',
      signature: 'c2ln',
      extra: { format: 'ai-sdk', fields: { providerOptions: { anthropic: { signature: 'c2ln' } } } },
    });
  });

  test('K2 names its session, and a call may name one and a topic without a provider seeing it', async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model);
    const first = await wrapped.doGenerate({ prompt });
    const sessionId = String(first.providerMetadata?.palimpsest?.sessionId);
    const again: Prompt = [...prompt, { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }, ...prompt];
    const providerOptions = { palimpsest: { sessionId, focusTopic: 'crates' }, own: { a: 1 } };
    const second = await wrapped.doGenerate({ prompt: again, providerOptions });
    assert.deepEqual(second.providerMetadata?.palimpsest, {
      sessionId,
      contextTokens: second.providerMetadata?.palimpsest?.contextTokens,
      isWhole: true,
    });
    assert.deepEqual(calls[1]?.providerOptions, { own: { a: 1 } });
    await assert.rejects(
      () => Promise.resolve(wrapped.doGenerate({ prompt, providerOptions: { palimpsest: { sesionId: 'x' } } })),
      { code: 'BAD_OPTION', message: /member of providerOptions.palimpsest, got sesionId: did you mean sessionId/ },
    );
  });
});

test('T4 what a provider never sends takes no room and is not kept, and goes back to it all the same', async () => {
  await using fake = await startFakeProvider({ script: { text: 'Good.' } });
  const wrapped = withPalimpsest(anthropic.model(fake));
  const first = streamText({ model: wrapped, maxRetries: 0, prompt: 'Hello' });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }, ...(await first.responseMessages)];
  assert.match(JSON.stringify(messages), /anthropic\.message_start/);
  const again = streamText({
    model: wrapped,
    maxRetries: 0,
    messages: [...messages, { role: 'user', content: 'More.' }],
  });
  assert.equal(await again.text, 'Good.');
  const store = await storeOf(wrapped);
  const [row, ...others] = await store.sessions.list();
  assert.ok(row);
  assert.deepEqual(others, []);
  const view = await store.messages.view(row.tip.id);
  assert.deepEqual(
    view.map(({ message }) => message.parts.map(({ type }) => type)),
    [['text'], ['text'], ['text'], ['text']],
  );
  // The mark of the cache stands on the text, not on what is before it.
  assert.match(JSON.stringify(fake.requests[1]?.body), /"text":"Good\.","cache_control"/);
});

describe('a prompt that was compressed', () => {
  test('A4 keeps in its tail the very messages of the program, and says the same again for the same', async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model, { contextLength: 8_000 });
    const long: Prompt = [...everything, ...steps(30)];
    const result = await wrapped.doGenerate({ prompt: long });
    assert.equal(result.providerMetadata?.palimpsest?.isWhole, false);
    const sent = calls[0]?.prompt ?? [];
    assert.ok(sent.length < long.length);
    // Tool calls and results of the tail, and the system prompts, are objects of the program.
    assert.equal(sent.at(-1), long.at(-1));
    assert.equal(sent.at(-2), long.at(-2));
    assert.equal(sent[1], everything[1]);
    await wrapped.doGenerate({ prompt: [...everything, ...steps(30)] });
    assert.deepEqual(calls[1]?.prompt, sent);
  });
});

test('K2 a wrapped model has everything that the model has', () => {
  class OwnModel {
    readonly #id = 'some-model';
    readonly specificationVersion = 'v4' as const;
    readonly supportedUrls = {};
    readonly doGenerate = recorder().model.doGenerate;
    readonly doStream = recorder().model.doStream;
    get provider(): string {
      return `own.${this.#id.length}`;
    }
    get modelId(): string {
      return this.#id;
    }
    describe(): string {
      return `It is ${this.#id}.`;
    }
  }
  const wrapped = withPalimpsest(new OwnModel());
  assert.ok(wrapped instanceof OwnModel);
  assert.equal(wrapped.constructor, OwnModel);
  assert.equal(wrapped.describe(), 'It is some-model.');
  assert.deepEqual([wrapped.provider, wrapped.modelId], ['own.10', 'some-model']);
});

test('K2 wraps a model that cannot be changed', async () => {
  const wrapped = withPalimpsest(Object.freeze(recorder().model));
  assert.equal(wrapped.modelId, 'some-model');
  assert.deepEqual((await wrapped.doGenerate({ prompt })).content, [{ type: 'text', text: 'Done.' }]);
});

test('K2 works as middleware of the SDK too', async () => {
  const { model, calls } = recorder();
  const middleware = palimpsestMiddleware({ contextLength: 8_000 });
  const wrapped = wrapLanguageModel({ model, middleware });
  await generateText({ model: wrapped, prompt: 'Hello', maxRetries: 0, tools: tools(middleware) });
  await wrapped.doGenerate({ prompt: [...prompt, ...steps(30)] });
  assert.ok((calls[1]?.prompt.length ?? 99) < 30);
  assert.equal((await (await storeOf(middleware)).sessions.list()).length, 2);
  assert.throws(() => storeOf(model), { code: 'BAD_OPTION', message: /withPalimpsest/ });
});
