import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ModelWindow,
  modelWindow,
  type WindowRequest,
} from '../../packages/palimpsest/src/models/model-window.ts';
import { resolveModel } from '../../packages/palimpsest/src/models/resolve-model.ts';
import { type Answer, modelServer, nobody } from './model-server.ts';

/** The window of a model of a provider at a server, and what the server was asked. */
async function windowAt(
  name: string,
  routes: Parameters<typeof modelServer>[0],
  more: Partial<WindowRequest> = {},
): Promise<ModelWindow & { readonly asked: readonly string[] }> {
  await using server = await modelServer(routes);
  const [provider = '', model = ''] = split(name);
  const address = resolveModel({ provider, model, baseUrl: `${server.url}/v1`, env: {} });
  const window = await modelWindow({ address, ...more });
  return { ...window, asked: server.asked.map(({ line }) => line) };
}

const split = (name: string): readonly string[] => [
  name.slice(0, name.indexOf('/')),
  name.slice(name.indexOf('/') + 1),
];

const tokensOf = ({ tokens, from, isAssumed }: ModelWindow): unknown[] => [tokens, from, isAssumed ?? false];

const show = (info: object, parameters = ''): Answer => ({ json: { model_info: info, parameters } });
const trained = { 'general.architecture': 'qwen3', 'qwen3.context_length': 131_072 };

describe('the window of a model, as its server says it', () => {
  test('O4: what the configuration says goes before everything, and nobody is asked', async () => {
    const { asked, ...window } = await windowAt('ollama/qwen3', {}, { configured: 32_768 });
    assert.deepEqual([tokensOf(window), asked], [[32_768, 'config', false], []]);
  });

  test('O4: Ollama says what it gave the model that it has loaded, whatever that was trained for', async () => {
    const window = await windowAt('ollama/qwen3', {
      '/api/ps': {
        json: {
          models: [
            { name: 'other:7b', context_length: 9_000 },
            { name: 'qwen3:latest', context_length: 40_960 },
          ],
        },
      },
      '/api/show': show(trained, 'num_ctx                        8192'),
    });
    assert.deepEqual(tokensOf(window), [40_960, 'server', false]);
    assert.ok(window.asked.includes('POST /api/show {"model":"qwen3"}'));
  });

  test('O4: of a model that Ollama has not loaded, num_ctx of its model file holds, and never more than it was trained for', async () => {
    const routes = (set: string): Record<string, Answer> => ({
      '/api/ps': { json: { models: [] } },
      '/api/show': show(trained, `stop "<|im_end|>"\nnum_ctx ${set}\ntemperature 0.6`),
    });
    assert.deepEqual(tokensOf(await windowAt('ollama/qwen3', routes('16384'))), [16_384, 'server', false]);
    assert.deepEqual(tokensOf(await windowAt('ollama/qwen3', routes('999999'))), [131_072, 'server', false]);
  });

  test('O4: of a model that Ollama has not loaded and says nothing of, the least is assumed, and a note says what to set', async () => {
    const routes = { '/api/ps': { json: { models: [] } }, '/api/show': show(trained) };
    const window = await windowAt('ollama/qwen3', routes);
    assert.deepEqual(tokensOf(window), [4_096, 'server', true]);
    assert.match(window.notes.join(), /OLLAMA_CONTEXT_LENGTH for Ollama, or model\.context_length/);
    assert.deepEqual(tokensOf(await windowAt('ollama/big:cloud', routes)), [131_072, 'server', false]);
  });

  test('O4: where there is time Ollama is had to load the model, and says then', async () => {
    let loaded = false;
    const window = await windowAt(
      'ollama/qwen3',
      {
        '/api/ps': () => ({ json: { models: loaded ? [{ model: 'qwen3:latest', context_length: 32_768 }] : [] } }),
        '/api/show': show(trained),
        '/api/generate': () => {
          loaded = true;
          return { json: { done: true } };
        },
      },
      { load: true },
    );
    assert.deepEqual(tokensOf(window), [32_768, 'server', false]);
    assert.ok(window.asked.includes('POST /api/generate {"model":"qwen3","stream":false}'));
  });

  test('O4: LM Studio says what it has loaded, else the most that it could', async () => {
    const at = '/api/v0/models/acme/mill-7b';
    const loaded = { id: 'acme/mill-7b', state: 'loaded', max_context_length: 131_072, loaded_context_length: 4_096 };
    assert.deepEqual(tokensOf(await windowAt('lmstudio/acme/mill-7b', { [at]: { json: loaded } })), [
      4_096,
      'server',
      false,
    ]);
    const { loaded_context_length: _, ...idle } = loaded;
    assert.deepEqual(tokensOf(await windowAt('lmstudio/acme/mill-7b', { [at]: { json: idle } })), [
      131_072,
      'server',
      true,
    ]);
  });

  test('O4: llama.cpp and vLLM say what they were started with', async () => {
    const props = { default_generation_settings: { n_ctx: 16_384 } };
    assert.deepEqual(tokensOf(await windowAt('llamacpp/mill', { '/props': { json: props } })), [
      16_384,
      'server',
      false,
    ]);
    const models = {
      data: [
        { id: 'acme/mill', max_model_len: 24_000 },
        { id: 'acme/other', max_model_len: 8_000 },
      ],
    };
    assert.deepEqual(tokensOf(await windowAt('vllm/acme/mill', { '/v1/models': { json: models } })), [
      24_000,
      'server',
      false,
    ]);
  });

  test('O4: OpenRouter says the window of open weights, and of the host that serves most; of closed ones the table does', async () => {
    const data = [{ id: 'qwen/qwen3-coder', context_length: 262_144, top_provider: { context_length: 131_072 } }];
    const routes = { '/v1/models': { json: { data } } };
    assert.deepEqual(tokensOf(await windowAt('openrouter/qwen/qwen3-coder', routes)), [131_072, 'server', false]);
    assert.deepEqual(tokensOf(await windowAt('openrouter/qwen/qwen3-coder:nitro', routes)), [131_072, 'server', false]);
    await using server = await modelServer(routes);
    const closed = resolveModel({ model: 'openrouter/anthropic/claude-sonnet-4.5', env: { OPENROUTER_API_KEY: 'k' } });
    const window = await modelWindow({ address: closed, fetch: () => assert.fail(`nobody asks ${server.url}`) });
    assert.deepEqual(tokensOf(window), [200_000, 'table', false]);
  });

  test('O4: an address of nobody we know is asked as each of them, and the one that answers counts', async () => {
    const routes = {
      '/v1/models': { json: { data: [{ id: 'mill.gguf' }] } },
      '/props': { json: { default_generation_settings: { n_ctx: 12_288 } } },
    };
    assert.deepEqual(tokensOf(await windowAt('openai-compatible/mill.gguf', routes)), [12_288, 'server', false]);
  });

  test('O4: a server that says nothing leaves the table, and where that knows nothing the window is unknown', async () => {
    assert.deepEqual(tokensOf(await windowAt('openai-compatible/gpt-4o', {})), [128_000, 'table', false]);
    assert.deepEqual(tokensOf(await windowAt('openai-compatible/mill', {})), [undefined, undefined, false]);
    assert.deepEqual(tokensOf(await windowAt('ollama/llama3.1', {})), [undefined, undefined, false]);
  });

  test('O4: the key of the address goes along, and to no other place that the server names', async () => {
    await using elsewhere = await modelServer({
      '/v1/models': { json: { data: [{ id: 'mill', max_model_len: 9_000 }] } },
    });
    await using server = await modelServer({ '/v1/models': { status: 307, location: `${elsewhere.url}/v1/models` } });
    const env = { PALIMPSEST_API_KEY: 'key-own' };
    const address = resolveModel({ model: 'vllm/mill', baseUrl: `${server.url}/v1`, env });
    assert.equal((await modelWindow({ address })).tokens, undefined);
    assert.deepEqual([server.asked[0]?.key, elsewhere.asked.length], ['Bearer key-own', 0]);
  });
});

describe('a server that does not mean well', () => {
  const hostile: readonly (readonly [what: string, tokens: unknown])[] = [
    ['a negative one', -5],
    ['none', 0],
    ['a text', '32768'],
    ['more than any', 1e99],
    ['a part of a token', 4_096.5],
    ['a list', [32_768]],
  ];
  for (const [what, tokens] of hostile) {
    test(`O4: a window of ${what} is ignored with a note`, async () => {
      const window = await windowAt('vllm/mill', {
        '/v1/models': { json: { data: [{ id: 'mill', max_model_len: tokens }] } },
      });
      assert.equal(window.tokens, undefined);
      assert.match(window.notes.join(), /says that the window of mill is .+, which no window is: ignored/);
    });
  }

  test('O4: what is no JSON, no object, or an error tells nothing', async () => {
    const answers: readonly Answer[] = [
      { text: '<html>' },
      { text: 'null' },
      { text: '[[[' },
      { json: { data: 'many' } },
      { json: { data: [null, 7] } },
      { status: 500 },
    ];
    for (const answer of answers) {
      const window = await windowAt('vllm/mill', { '/v1/models': answer });
      assert.deepEqual([window.tokens, window.notes], [undefined, []], JSON.stringify(answer));
    }
  });

  test('O4: one that never answers, or never ends, is not waited for', async () => {
    for (const answer of ['never', 'endless'] as const) {
      const routes = { '/v1/models': answer, '/api/ps': answer, '/api/show': answer };
      assert.equal((await windowAt('vllm/mill', routes, { timeoutMs: 200 })).tokens, undefined);
      assert.equal((await windowAt('ollama/mill', routes, { timeoutMs: 200 })).tokens, undefined);
    }
  });

  test('O4: where nobody listens nothing is known', async () => {
    const address = resolveModel({ model: 'ollama/mill', baseUrl: `${await nobody()}/v1`, env: {} });
    assert.deepEqual(await modelWindow({ address }), { notes: [] });
  });
});
