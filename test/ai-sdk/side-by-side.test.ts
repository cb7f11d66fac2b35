/** Many conversations over one wrapped model, models of older interfaces, and clients that send everything anew. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnyModel, storeOf, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { everything, steps } from './prompts.ts';
import { anthropic, compatible } from './providers.ts';
import { type CallOptions, recorder } from './recorder.ts';
import { workTools } from './worker.ts';

const plan = { steps: 12, askEvery: 1_000, askBack: 1_000, hugeEvery: 1_000 };

/** Visits as many depots as the question says, and tells which question it was. */
function visitor({ messages }: FakeRequest): Reply {
  const question = messages
    .filter(({ role }) => role === 'user')
    .map(messageText)
    .join(' ');
  const [name = ''] = /agent-\d+/.exec(question) ?? [];
  const calls = messages.filter(({ role }) => role === 'assistant').length;
  if (calls >= 6) return { text: `Done by ${name}.` };
  return { toolCalls: [{ name: 'visit', input: { depot: calls + 1 } }], delayMs: calls % 3 };
}

test('L1 conversations side by side over one model are kept apart, and each tool call is of its own', async () => {
  await using fake = await startFakeProvider({ script: visitor });
  const model = withPalimpsest(anthropic.model(fake), { contextLength: 200_000 });
  const texts = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const call = {
        model,
        maxRetries: 0,
        stopWhen: isStepCount(9),
        prompt: `You are agent-${at}. Visit six depots.`,
        tools: { ...workTools(plan), ...tools(model) },
      };
      return at % 2 === 0 ? (await generateText(call)).text : await streamText(call).text;
    }),
  );
  assert.deepEqual(
    texts,
    texts.map((_, at) => `Done by agent-${at}.`),
  );
  const { sessions, messages } = await storeOf(model);
  const rows = await sessions.list({ limit: 100 });
  assert.equal(rows.length, 12);
  for (const { tip } of rows) assert.equal((await messages.view(tip.id)).length, 1 + 6 * 2 + 1);
});

test('L1 a client that sends everything as new objects, over processes, is followed', async () => {
  await using store = await openStore({ path: ':memory:' });
  await using fake = await startFakeProvider({ script: ({ number }) => ({ text: `Answer ${number}.` }) });
  let messages: ModelMessage[] = [];
  for (let turn = 1; turn <= 5; turn++) {
    const model = withPalimpsest(compatible.model(fake), { store });
    messages.push({ role: 'user', content: `Question ${turn}?` });
    const { responseMessages } = await generateText({ model, maxRetries: 0, messages });
    // Through the body of a request and back, as from a browser.
    messages = JSON.parse(JSON.stringify([...messages, ...responseMessages]));
  }
  const [row, ...others] = await store.sessions.list();
  assert.deepEqual(others, []);
  assert.equal(row?.tip.messages, 10);
  assert.equal(row?.tip.usage.calls, 5);
});

/** The same model as one of an older interface. */
function older(version: 'v2' | 'v3', calls: CallOptions[]): AnyModel {
  const { model } = recorder();
  const usage = { inputTokens: 100, outputTokens: 5, totalTokens: 105 };
  const doGenerate = async (options: CallOptions): Promise<unknown> => {
    calls.push(options);
    const result = await model.doGenerate(options);
    return version === 'v3' ? result : { ...result, usage, finishReason: 'stop' };
  };
  const doStream = async (options: CallOptions): Promise<unknown> => {
    calls.push(options);
    const { stream } = await model.doStream(options);
    if (version === 'v3') return { stream };
    const parts = await Array.fromAsync(stream, (part) =>
      part.type === 'finish' ? { ...part, usage, finishReason: 'stop' } : part,
    );
    return { stream: ReadableStream.from(parts) };
  };
  // The older interfaces differ from the newest in these members only.
  const supportedUrls = { '*/*': [/./] };
  return { ...model, specificationVersion: version, supportedUrls, doGenerate, doStream } as unknown as AnyModel;
}

for (const version of ['v2', 'v3'] as const) {
  test(`K2 a model of the interface ${version} is kept inside its window too, streamed or not`, async () => {
    const calls: CallOptions[] = [];
    const model = withPalimpsest(older(version, calls), { contextLength: 8_000 });
    // As the SDK asks a model of this version.
    const [system, , question] = everything;
    assert.ok(system?.role === 'system' && question?.role === 'user');
    const messages = [question, ...steps(30)] as ModelMessage[];
    const call = { model, maxRetries: 0, system: system.content, messages };
    assert.equal((await generateText(call)).text, 'Done.');
    assert.equal(await streamText(call).text, 'Done.');
    assert.equal(calls.length, 2);
    for (const { prompt } of calls) {
      assert.ok(prompt.length < 30);
      // Files in the older form: bytes and addresses without a tag.
      assert.doesNotMatch(JSON.stringify(prompt), /"data":\{"type":"(?:url|data)"/);
      assert.match(JSON.stringify(prompt), /"data":"https:/);
    }
    const [row] = await (await storeOf(model)).sessions.list();
    assert.ok((row?.tip.usage.calls ?? 0) > 0);
  });
}
