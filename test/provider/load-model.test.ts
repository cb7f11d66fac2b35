import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startFakeProvider } from '@palimpsest/core/testing';
import { type Summarizer, SummarizerError } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { type LoadSummarizerOptions, loadSummarizer } from '../../packages/palimpsest/src/models/load-model.ts';
import type { ModelRequest } from '../../packages/palimpsest/src/models/resolve-model.ts';

const load = (
  model: string,
  more: Partial<ModelRequest> = {},
  options: LoadSummarizerOptions = {},
): Promise<Summarizer> => loadSummarizer({ model, env: {}, ...more }, options);

const call = { system: 'You write a checkpoint.', prompt: 'The records.' };

async function trouble(loading: Promise<Summarizer>): Promise<SummarizerError> {
  const error = await loading.then(
    () => assert.fail('a model was loaded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SummarizerError, String(error));
  return error;
}

/** A package as the AI SDK's are: a factory and a ready-made provider. */
function packageOf(made: object[]): object {
  const model = (settings: object) => (modelId: string) => {
    made.push(settings);
    return {
      specificationVersion: 'v3',
      provider: 'cohesive.chat',
      modelId,
      doStream: () => Promise.reject(new Error('x')),
    };
  };
  return {
    VERSION: '1.0.0',
    createThing: () => {
      throw new Error('not a provider');
    },
    createCohesive: (settings: object) => Object.assign(() => {}, { languageModel: model(settings) }),
    cohesive: { languageModel: model({}) },
  };
}

const missing = (name: string): Promise<never> =>
  Promise.reject(Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' }));

describe('loading a model by its name', () => {
  test('S7: with a base URL alone, the model answers in Chat Completions', async () => {
    await using fake = await startFakeProvider({ apiKey: 'key-own' });
    fake.reply({ text: 'A summary.' });
    const env = { PALIMPSEST_API_KEY: 'key-own', OPENAI_API_KEY: 'not for you' };
    const summarizer = await load('acme/Mill-32B', { baseUrl: fake.baseUrl('openai-chat'), env });
    assert.equal(summarizer.name, 'openai-compatible/acme/Mill-32B');
    const reply = await summarizer.write(call);
    assert.equal(reply.text, 'A summary.');
    assert.ok(reply.usage?.inputTokens);
    assert.deepEqual([fake.requests[0]?.dialect, fake.requests[0]?.model], ['openai-chat', 'acme/Mill-32B']);
  });

  test('S7: openai at another address answers in Chat Completions, anthropic in its own way', async () => {
    await using fake = await startFakeProvider({ apiKey: 'k' });
    fake.reply({ text: 'one' }, { text: 'two' });
    const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' };
    const openai = await load('openai/gpt-5', { baseUrl: fake.baseUrl('openai-chat'), env });
    const anthropic = await load('anthropic/claude-opus-4-5', { baseUrl: fake.url, env });
    assert.deepEqual([(await openai.write(call)).text, (await anthropic.write(call)).text], ['one', 'two']);
    assert.deepEqual(
      fake.requests.map(({ dialect }) => dialect),
      ['openai-chat', 'anthropic'],
    );
  });

  test('S7: the window is the given one, else the known one, and of a local server nobody knows it', async () => {
    const env = { OPENAI_API_KEY: 'k' };
    assert.equal((await load('openai/gpt-5', { env })).contextLength, 400_000);
    assert.equal((await load('openai/gpt-5', { env, contextLength: 9_000 })).contextLength, 9_000);
    assert.equal((await load('ollama/llama3.1')).contextLength, undefined);
    assert.equal((await load('ollama/llama3.1', { contextLength: 32_768 })).contextLength, 32_768);
  });

  test('the environment of the process is never asked', async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text: 'a' }, { text: 'b' });
    process.env.ANTHROPIC_API_KEY = 'from the process';
    process.env.OPENAI_API_KEY = 'from the process';
    try {
      await (await load('anthropic/m', { baseUrl: fake.url })).write(call);
      await (await load('openai/m', { baseUrl: fake.baseUrl('openai-chat') })).write(call);
      assert.ok(!JSON.stringify(fake.requests.map(({ headers }) => headers)).includes('from the process'));
      assert.equal((await trouble(load('openai/gpt-5'))).kind, 'no_provider');
    } finally {
      delete process.env.ANTHROPIC_API_KEY;
      delete process.env.OPENAI_API_KEY;
    }
  });

  test('another provider works through its package, with the key that bears its name', async () => {
    const made: object[] = [];
    const names: string[] = [];
    const importPackage = async (name: string): Promise<unknown> => {
      names.push(name);
      return packageOf(made);
    };
    const request = { env: { COHESIVE_API_KEY: 'k' }, baseUrl: 'https://cohesive.example/v2' };
    const summarizer = await load('big-one', { ...request, provider: 'cohesive' }, { importPackage });
    assert.equal(summarizer.name, 'cohesive/big-one');
    assert.deepEqual(names, ['@ai-sdk/cohesive']);
    assert.deepEqual(made, [{ baseURL: 'https://cohesive.example/v2', apiKey: 'k' }]);
  });

  test('S7: a provider that nobody knows gets the name of the package and of the nearest provider', async () => {
    const { kind, message } = await trouble(load('antropic/claude-opus-4-5', {}, { importPackage: missing }));
    assert.equal(kind, 'no_provider');
    assert.match(message, /"antropic" is not a known provider/);
    assert.match(message, /npm install @ai-sdk\/antropic/);
    assert.match(message, /Did you mean "anthropic"\?/);
    assert.match(message, /Known providers: openai, anthropic, openai-compatible, openrouter, /);
  });

  test('a provider whose name is no package name is not imported', async () => {
    const importPackage = (): Promise<never> => assert.fail('something was imported');
    for (const provider of ['../evil', 'a b', '@scope', '']) {
      assert.equal((await trouble(load('m', { provider }, { importPackage }))).kind, 'no_provider');
    }
  });

  test('a package without language models, and one that breaks, are said', async () => {
    const empty = await trouble(load('cohesive/m', {}, { importPackage: async () => ({ VERSION: '1' }) }));
    assert.match(empty.message, /@ai-sdk\/cohesive has no language models/);
    const broken = await trouble(load('cohesive/m', {}, { importPackage: () => Promise.reject(new Error('syntax')) }));
    assert.match(broken.message, /cannot be loaded \(Error: syntax\)/);
  });

  test('the timeouts of the configuration reach the call', async (t) => {
    const waits: number[] = [];
    await using fake = await startFakeProvider();
    fake.reply({ text: 'a' });
    const { setTimeout } = globalThis;
    t.mock.method(globalThis, 'setTimeout', (fire: () => void, ms: number) => {
      waits.push(ms);
      return setTimeout(fire, ms);
    });
    const timeouts = { idleTimeoutMs: 7_000, totalTimeoutMs: 9_000 };
    await (await load('m', { baseUrl: fake.baseUrl('openai-chat') }, timeouts)).write(call);
    assert.deepEqual(waits.slice(0, 2), [7_000, 9_000]);
  });
});
