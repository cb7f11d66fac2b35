import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { modelInfo, PalimpsestError } from '@palimpsest/core';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText } from 'ai';
import { exitCodeOf } from '../../packages/palimpsest/src/cli/exit-codes.ts';
import { configDefaults } from '../../packages/palimpsest/src/config/config.ts';
import { findLocalModel, localServers } from '../../packages/palimpsest/src/models/local-servers.ts';
import { type MainModel, type MainModelOptions, mainModel } from '../../packages/palimpsest/src/models/main-model.ts';
import { rowNamed } from '../../packages/palimpsest/src/models/resolve-model.ts';
import { usualModels } from '../../packages/palimpsest/src/models/usual-models.data.ts';
import { modelServer, nobody } from './model-server.ts';

type Given = Partial<Omit<MainModelOptions, 'config'>> & { readonly config?: Partial<MainModelOptions['config']> };

const choose = ({ config, ...options }: Given): Promise<MainModel> =>
  mainModel({ config: { ...configDefaults.model, ...config }, env: {}, servers: [], ...options });

async function trouble(choosing: Promise<MainModel>): Promise<PalimpsestError> {
  const error = await choosing.then(
    ({ name }) => assert.fail(`${name} was chosen`),
    (thrown: unknown) => thrown,
  );
  assert.ok(PalimpsestError.isInstance(error), String(error));
  return error;
}

/** Of the model that was chosen what a person sees of it. */
const seen = ({ name, from, contextLength, windowFrom, local }: MainModel): unknown[] => [
  name,
  from,
  contextLength,
  windowFrom,
  local,
];

describe('the model of a conversation', () => {
  test('O4: the one that is named goes before the configured one, and that before a key', async () => {
    const env = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', DEEPSEEK_API_KEY: 'd' };
    const config = { name: 'openai/gpt-5' };
    const named = await choose({ named: 'deepseek/deepseek-chat', config, env });
    assert.deepEqual(seen(named), ['deepseek/deepseek-chat', 'named', 131_072, 'table', false]);
    assert.deepEqual(seen(await choose({ config, env })), ['openai/gpt-5', 'config', 400_000, 'table', false]);
    const keyed = await choose({ env });
    assert.deepEqual(seen(keyed), ['anthropic/claude-sonnet-5-5', 'key', 1_000_000, 'table', false]);
    assert.match(keyed.notes.join(), /because ANTHROPIC_API_KEY is set \(--model chooses another\)/);
  });

  test('a key alone is enough, whichever provider it is for', async () => {
    for (const usual of usualModels) {
      const provider = usual.slice(0, usual.indexOf('/'));
      const [key = ''] = rowNamed(provider)?.keys ?? [];
      const env = { [key]: 'k' };
      const options = { env, fetch: () => Promise.reject(new Error('no network')) };
      const { name, from, contextLength } = await choose(options);
      assert.deepEqual([name, from], [usual, 'key']);
      assert.equal(contextLength, modelInfo(usual)?.contextWindow, usual);
      assert.ok(contextLength !== undefined, `the window of ${usual} is known`);
    }
  });

  test('a token that is there for other reasons sends nothing to its provider, unless somebody names it', async () => {
    for (const provider of ['github', 'huggingface', 'cohere']) {
      const [key = ''] = rowNamed(provider)?.keys ?? [];
      const { code, message } = await trouble(choose({ env: { [key]: 'k' } }));
      assert.equal(code, 'NO_MODEL');
      assert.match(message, new RegExp(`--model ${provider}/NAME`));
      assert.equal((await choose({ named: `${provider}/openai/gpt-5`, env: { [key]: 'k' } })).provider, provider);
    }
  });

  test('a provider alone stands for its usual model', async () => {
    const env = { ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' };
    assert.equal((await choose({ named: 'gemini', env })).name, 'google/gemini-3.5-flash');
    assert.equal((await choose({ config: { provider: 'claude' }, env })).name, 'anthropic/claude-sonnet-5-5');
  });

  test('it holds a conversation: what it is asked reaches its server with its key, and no other key does', async () => {
    await using fake = await startFakeProvider({ apiKey: 'key-own' });
    fake.reply({ text: 'Good morning.' });
    const env = { OPENAI_API_KEY: 'not for you', PALIMPSEST_API_KEY: 'key-own' };
    const config = { name: 'acme/mill-32b', baseUrl: fake.baseUrl('openai-chat'), contextLength: 32_000 };
    const chosen = await choose({ config, env });
    assert.deepEqual(seen(chosen), ['openai-compatible/acme/mill-32b', 'config', 32_000, 'config', true]);
    const { text } = await generateText({ model: chosen.model, prompt: 'Hello.', maxRetries: 0 });
    assert.equal(text, 'Good morning.');
    assert.equal(fake.requests[0]?.model, 'acme/mill-32b');
  });

  test('a name without a provider is a model at the configured address, and a configured window is not that of another model', async () => {
    const config = { name: 'mill', baseUrl: `${await nobody()}/v1`, contextLength: 9_000 };
    const other = await choose({ named: 'mill-large', config });
    assert.deepEqual([other.name, other.address.baseUrl], ['openai-compatible/mill-large', config.baseUrl]);
    assert.equal(other.contextLength, undefined);
    assert.equal((await choose({ named: 'mill', config })).contextLength, 9_000);
    const env = { OPENAI_API_KEY: 'o' };
    assert.equal((await choose({ named: 'openai/gpt-5', config, env })).contextLength, 400_000);
  });

  test('an address without a model serves the first that can talk where it is on this machine', async () => {
    const data = [{ id: 'nomic-embed-text' }, { id: 'qwen3:8b' }, { id: 'llama3.1' }];
    await using server = await modelServer({ '/v1/models': { json: { data } } });
    const chosen = await choose({ config: { baseUrl: `${server.url}/v1` } });
    assert.equal(chosen.name, 'openai-compatible/qwen3:8b');
    const named = await choose({ config: { provider: 'ollama', baseUrl: `${server.url}/v1` } });
    assert.equal(named.name, 'ollama/qwen3:8b');
  });
});

describe('a model on this machine', () => {
  const server = (provider: string, url: string) => ({ provider, title: provider, baseUrl: `${url}/v1` });

  test('O4: without a key the first server that answers has one, with the window that it says', async () => {
    const data = [{ id: 'text-embedding-nomic' }, { id: 'mill-7b', max_model_len: 24_000 }];
    await using vllm = await modelServer({ '/v1/models': { json: { data } } });
    const servers = [server('ollama', await nobody()), server('vllm', vllm.url)];
    const chosen = await choose({ servers });
    assert.deepEqual(seen(chosen), ['vllm/mill-7b', 'server', 24_000, 'server', true]);
    assert.match(chosen.notes.join(), /vllm\/mill-7b, which vllm serves at http:.+: no key is set/);
  });

  test('the order of the servers decides, not which one is faster', async () => {
    await using ollama = await modelServer({ '/v1/models': { json: { data: [{ id: 'qwen3' }] } } });
    await using lmstudio = await modelServer({ '/v1/models': { json: { data: [{ id: 'mill' }] } } });
    const servers = [server('ollama', ollama.url), server('lmstudio', lmstudio.url)];
    assert.equal((await choose({ servers })).name, 'ollama/qwen3');
    assert.equal((await choose({ servers: servers.toReversed() })).name, 'lmstudio/mill');
  });

  test('a busy machine hides no server, and a later one that hangs holds nobody up', async () => {
    const held = new Int32Array(new SharedArrayBuffer(4));
    const json = { data: [{ id: 'qwen3' }] };
    // The start of this program, as a busy machine makes it: nothing is heard while it lasts.
    const busy = () => (Atomics.wait(held, 0, 0, 600) === 'timed-out' ? { json } : 'never');
    await using ollama = await modelServer({ '/v1/models': busy });
    assert.equal((await choose({ servers: [server('ollama', ollama.url)] })).name, 'ollama/qwen3');
    await using hangs = await modelServer({ '/v1/models': 'never' });
    const servers = [server('ollama', ollama.url), server('vllm', hangs.url)];
    const found = await findLocalModel(servers, { timeoutMs: 3_600_000 });
    assert.equal(found?.model, 'qwen3');
  });

  test('a server that hangs, says nonsense, or has nothing that talks is none', async () => {
    await using hangs = await modelServer({ '/v1/models': 'never' });
    await using page = await modelServer({ '/v1/models': { text: '<h1>My shop</h1>' } });
    await using embeds = await modelServer({ '/v1/models': { json: { data: [{ id: 'bge-m3' }] } } });
    const servers = [hangs, page, embeds].map(({ url }) => server('vllm', url));
    assert.equal((await trouble(choose({ servers }))).code, 'NO_MODEL');
  });

  test('the usual four are looked for, at their usual ports', () => {
    const places = localServers.map(({ title, baseUrl }) => `${title} ${new URL(baseUrl).port}`);
    assert.deepEqual(places, ['Ollama 11434', 'LM Studio 1234', 'llama.cpp 8080', 'vLLM 8000']);
    assert.ok(localServers.every(({ provider }) => rowNamed(provider)?.local));
  });
});

describe('where there is no model', () => {
  test('three lines say what was looked for and what to set, and the exit code is 2', async () => {
    const url = await nobody();
    const servers = localServers.map((one) => ({ ...one, baseUrl: `${url}/v1` }));
    const error = await trouble(choose({ servers }));
    assert.equal(
      error.message,
      [
        'There is no model to talk to: none is named, no key is set, and no server answers on this machine (Ollama, LM Studio, llama.cpp, vLLM).',
        'Set the key of a provider: export ANTHROPIC_API_KEY=… (or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY, …).',
        'Or start a server, or name a model: --model ollama/qwen3, or model.name and model.base_url in your config.yaml.',
      ].join('\n'),
    );
    assert.deepEqual([error.code, exitCodeOf(error)], ['NO_MODEL', 2]);
  });

  const wrong: readonly (readonly [what: string, named: string, expected: RegExp])[] = [
    ['a provider that nobody knows', 'antropic/claude-opus-4-5', /Did you mean "anthropic"\?/],
    ['a missing key', 'openai/gpt-5', /openai\/gpt-5 needs a key: set the environment variable OPENAI_API_KEY/],
    ['a missing package', 'cohesive/mill', /@ai-sdk\/cohesive is not installed \(npm install @ai-sdk\/cohesive\)/],
    ['a provider without a usual model', 'perplexity', /--model perplexity\/NAME/],
    ['an empty name', ' ', /Expected --model to name a model, such as openai\/gpt-5/],
  ];
  for (const [what, named, expected] of wrong) {
    test(`${what} is told, with what to do`, async () => {
      const env = { PERPLEXITY_API_KEY: named === 'perplexity' ? 'k' : '' };
      const error = await trouble(choose({ named, env }));
      assert.equal(error.code, 'NO_MODEL');
      assert.match(error.message, expected);
    });
  }

  test('an address that cannot be reached, or serves several models elsewhere, is told', async () => {
    const error = await trouble(choose({ config: { baseUrl: `${await nobody()}/v1` } }));
    assert.equal(error.code, 'NO_MODEL');
    assert.match(error.message, /cannot be reached \(.+\): check the base URL, which often ends in \/v1/);
    const fetch = async (): Promise<Response> => Response.json({ data: [{ id: 'a' }, { id: 'b' }] });
    const several = await trouble(choose({ config: { baseUrl: 'https://models.example/v1' }, fetch }));
    assert.deepEqual([several.code, /choose one with --model: a, b/.test(several.message)], ['BAD_OPTION', true]);
  });
});
