/** The fake speaks to the providers of the AI SDK, which most clients of models are built on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type DialectName, type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { APICallError, generateText, type LanguageModel, streamText } from 'ai';
import { text } from './replies.ts';

const models: readonly (readonly [string, DialectName, (fake: FakeProvider, apiKey: string) => LanguageModel])[] = [
  [
    'the Responses API',
    'openai-responses',
    (fake, apiKey) => createOpenAI({ apiKey, baseURL: fake.baseUrl('openai-responses') }).responses('gpt-5'),
  ],
  [
    'Chat Completions',
    'openai-chat',
    (fake, apiKey) => createOpenAI({ apiKey, baseURL: fake.baseUrl('openai-chat') }).chat('gpt-5'),
  ],
  [
    'a compatible provider',
    'openai-chat',
    (fake, apiKey) =>
      createOpenAICompatible({
        name: 'own',
        apiKey,
        baseURL: fake.baseUrl('openai-chat'),
        includeUsage: true,
      }).chatModel('some-model'),
  ],
  [
    'Anthropic',
    'anthropic',
    (fake, apiKey) => createAnthropic({ apiKey, baseURL: fake.baseUrl('anthropic') })('claude-sonnet-4-5'),
  ],
];

const usage = { inputTokens: 100, cacheReadTokens: 40, outputTokens: 30, reasoningTokens: 12 };

for (const [name, dialect, modelOf] of models) {
  const call = (fake: FakeProvider) => ({
    model: modelOf(fake, 'right'),
    system: 'Be brief.',
    prompt: 'Hello',
    maxRetries: 0,
  });

  test(`${name}: generateText reads the answer and its usage`, async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text, usage });
    const result = await generateText(call(fake));
    assert.equal(result.text, text);
    assert.equal(result.finishReason, 'stop');
    assert.equal(result.usage.inputTokens, 140);
    assert.equal(result.usage.inputTokenDetails.cacheReadTokens, 40);
    assert.equal(result.usage.outputTokens, 30);
    const request = await fake.received(1);
    assert.equal(request.dialect, dialect);
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ['system', 'user'],
    );
  });

  test(`${name}: streamText gives the same text in pieces`, async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text, usage, pieceChars: 3 });
    const result = streamText(call(fake));
    const pieces = await Array.fromAsync(result.textStream);
    assert.equal(pieces.join(''), text);
    assert.ok(pieces.length > 5);
    assert.equal((await result.usage).inputTokens, 140);
    assert.equal(await result.finishReason, 'stop');
  });

  test(`${name}: reasoning comes apart from the text`, async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text, reasoning: 'Let me see.' }, { text, reasoning: 'Let me see.' });
    const whole = await generateText(call(fake));
    const streamed = streamText(call(fake));
    assert.equal(await streamed.text, text);
    assert.equal(whole.text, text);
    // The Chat provider of OpenAI drops what only compatible ones send.
    if (name !== 'Chat Completions') {
      assert.equal(whole.reasoningText, 'Let me see.');
      assert.equal(await streamed.reasoningText, 'Let me see.');
    }
  });

  test(`${name}: statuses are errors with their status, the body and a word on retrying`, async () => {
    await using fake = await startFakeProvider({ apiKey: 'right' });
    for (const status of [401, 402, 403, 429, 500, 529]) {
      fake.reply({ error: { status } });
      await assert.rejects(generateText(call(fake)), (error) => {
        assert.ok(APICallError.isInstance(error), String(error));
        assert.equal(error.statusCode, status);
        assert.equal(error.isRetryable, status === 429 || status >= 500);
        return true;
      });
    }
    await assert.rejects(
      generateText({ ...call(fake), model: modelOf(fake, 'wrong') }),
      (error) => APICallError.isInstance(error) && error.statusCode === 401,
    );
  });

  test(`${name}: a limit, a refusal and a tool call are finish reasons`, async () => {
    await using fake = await startFakeProvider();
    fake.reply(
      { text: 'Ha', finish: 'length' },
      { text: 'No.', finish: 'contentFilter' },
      { toolCalls: [{ name: 'bash', input: { command: 'ls' } }] },
    );
    assert.equal((await generateText(call(fake))).finishReason, 'length');
    assert.equal((await generateText(call(fake))).finishReason, 'content-filter');
    const result = await generateText(call(fake));
    assert.equal(result.finishReason, 'tool-calls');
    assert.equal(result.toolCalls.length, 1);
  });

  test(`${name}: an abort in mid-stream is seen by the server`, async () => {
    await using fake = await startFakeProvider({
      wait: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    });
    fake.reply({ text: text.repeat(3), pieceDelayMs: 1 });
    const controller = new AbortController();
    const result = streamText({ ...call(fake), abortSignal: controller.signal, onError: () => {} });
    for await (const piece of result.textStream) if (piece !== '') controller.abort();
    const request = await fake.received(1);
    await request.ended;
    assert.equal(request.aborted, true);
  });

  test(`${name}: a connection that drops in mid-stream is an error, not an end`, async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text: text.repeat(3), closeAfter: 40 });
    const result = streamText({ ...call(fake), onError: () => {} });
    await assert.rejects(Array.fromAsync(result.fullStream), APICallError);
    assert.equal((await fake.received(1)).aborted, false);
  });
}
