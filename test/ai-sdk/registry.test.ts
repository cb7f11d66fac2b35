/** One middleware before all models of a registry. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { modelInfo } from '@palimpsest/core';
import { type Notice, palimpsestMiddleware, storeOf, tools } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { createProviderRegistry, generateText, type ModelMessage } from 'ai';
import { steps } from './prompts.ts';

const contextLength = modelInfo('gpt-3.5-turbo')?.contextWindow ?? 0;

const marks = (body: unknown): number => JSON.stringify(body).split('"cache_control"').length - 1;

test('K2 models behind one middleware keep to their own windows and marks, in one conversation that goes from one to another', async () => {
  await using small = await startFakeProvider({ contextLength, script: { text: 'Yes.' } });
  await using large = await startFakeProvider({ script: { text: 'Yes.' } });
  const notices: Notice[] = [];
  await using middleware = palimpsestMiddleware({ onNotice: (notice) => notices.push(notice) });
  const registry = createProviderRegistry(
    {
      openai: createOpenAI({ apiKey: 'none', baseURL: small.baseUrl('openai-responses') }),
      anthropic: createAnthropic({ apiKey: 'none', baseURL: large.baseUrl('anthropic') }),
    },
    { languageModelMiddleware: middleware },
  );
  const messages: ModelMessage[] = [];
  const ask = async (id: 'openai:gpt-3.5-turbo' | 'anthropic:claude-sonnet-4-5'): Promise<void> => {
    messages.push({ role: 'user', content: 'All well?' });
    const call = { model: registry.languageModel(id), maxRetries: 0, tools: tools(middleware) };
    messages.push(...(await generateText({ ...call, system: 'You count crates.', messages })).responseMessages);
  };
  await ask('openai:gpt-3.5-turbo');
  messages.push({ role: 'user', content: 'Look at all rows.' }, ...(steps(50) as ModelMessage[]));
  await ask('anthropic:claude-sonnet-4-5');
  await ask('openai:gpt-3.5-turbo');
  await ask('anthropic:claude-sonnet-4-5');
  assert.deepEqual(
    [...small.requests, ...large.requests].map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.match(JSON.stringify(large.requests[0]?.body), /row 0 holds.*row 49 holds/);
  assert.deepEqual(
    large.requests.map(({ body }) => marks(body)),
    [4, 4],
  );
  assert.deepEqual(
    small.requests.map(({ body }) => marks(body)),
    [0, 0],
  );
  assert.deepEqual(
    notices.map(({ type }) => type).filter((type) => type !== 'near_threshold'),
    ['compressed'],
  );
  assert.equal((await (await storeOf(middleware)).sessions.list()).length, 1);
});

test('R1 a result is held to the room of the model that gets it first, behind one middleware', async () => {
  await using fake = await startFakeProvider({ script: { text: 'Yes.' } });
  await using middleware = palimpsestMiddleware();
  const openai = createOpenAI({ apiKey: 'none', baseURL: fake.baseUrl('openai-responses') });
  const registry = createProviderRegistry({ openai }, { languageModelMiddleware: middleware });
  const lengths: number[] = [];
  for (const [id, content] of [
    ['openai:gpt-5', 'Look.'],
    ['openai:gpt-3.5-turbo', 'Look here.'],
    ['openai:gpt-5', 'Look.'],
    ['openai:gpt-5', 'Look here.'],
  ] as const) {
    const messages = [{ role: 'user', content }, ...steps(1, 60_000)] as ModelMessage[];
    await generateText({ model: registry.languageModel(id), maxRetries: 0, messages });
    lengths.push(JSON.stringify(fake.requests.at(-1)?.body).length);
  }
  const [large = 0, small = 0, again, stillSmall = 0] = lengths;
  assert.ok(large > 60_000);
  assert.ok(small < 20_000);
  assert.equal(again, large);
  // What was said once keeps its shape.
  assert.ok(stillSmall < 20_000);
});
