import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SummarizerError } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import { providerRows } from '../../packages/palimpsest/src/models/providers.data.ts';
import { type ModelRequest, resolveModel } from '../../packages/palimpsest/src/models/resolve-model.ts';

const env = {
  OPENAI_API_KEY: 'key-openai',
  ANTHROPIC_API_KEY: 'key-anthropic',
  OPENROUTER_API_KEY: 'key-openrouter',
  GEMINI_API_KEY: 'key-gemini',
  PALIMPSEST_API_KEY: 'key-own',
};
const resolve = (model: string, more: Partial<ModelRequest> = {}): ReturnType<typeof resolveModel> =>
  resolveModel({ model, env, ...more });

/** The message of the error that no provider can be had. */
function trouble(model: string, more: Partial<ModelRequest> = {}): string {
  try {
    resolve(model, more);
  } catch (error) {
    assert.ok(error instanceof SummarizerError, String(error));
    assert.equal(error.kind, 'no_provider');
    return error.message;
  }
  assert.fail(`${model} was found`);
}

describe('where a model is', () => {
  test('S7: OpenAI at its own address speaks Responses, with its own key', () => {
    assert.deepEqual(resolve('openai/gpt-5'), {
      api: 'openai-responses',
      provider: 'openai',
      model: 'gpt-5',
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'key-openai',
      keyVariable: 'OPENAI_API_KEY',
    });
    assert.equal(resolve('openai/gpt-5', { baseUrl: 'https://eu.api.openai.com/v1/' }).api, 'openai-responses');
  });

  test('S7: OpenAI at another address speaks Chat Completions', () => {
    const given = resolve('openai/gpt-5', { baseUrl: 'https://gateway.example/v1/' });
    assert.deepEqual([given.api, given.baseUrl], ['openai-chat', 'https://gateway.example/v1']);
    const fromEnv = resolve('openai/gpt-5', {
      env: { OPENAI_BASE_URL: 'http://127.0.0.1:4000/v1', OPENAI_API_KEY: 'k' },
    });
    assert.deepEqual([fromEnv.api, fromEnv.baseUrl, fromEnv.apiKey], ['openai-chat', 'http://127.0.0.1:4000/v1', 'k']);
  });

  test('S7: the version of an Anthropic address may be left out', () => {
    for (const baseUrl of ['https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1/']) {
      assert.equal(resolve('anthropic/m', { baseUrl }).baseUrl, 'https://api.deepseek.com/anthropic/v1');
    }
    assert.equal(resolve('anthropic/m').baseUrl, 'https://api.anthropic.com/v1');
  });

  test('S7: an address without a provider speaks Chat Completions, and the whole name is the model', () => {
    const address = resolve('Qwen/Qwen3-32B', { baseUrl: 'http://localhost:8000/v1' });
    assert.deepEqual(
      [address.api, address.provider, address.model],
      ['openai-chat', 'openai-compatible', 'Qwen/Qwen3-32B'],
    );
  });

  test('S7: at an unknown address only the names that say how to speak to it are providers', () => {
    const baseUrl = 'http://localhost:8000/v1';
    for (const model of ['google/gemma-3-27b-it', 'openai/gpt-oss-120b', 'mistralai/Mistral-Small']) {
      assert.equal(resolve(model, { baseUrl }).model, model);
    }
    assert.equal(resolve('openai/gpt-5', { baseUrl }).model, 'gpt-5');
    assert.equal(resolve('openai-compatible/openai/gpt-5', { baseUrl }).model, 'openai/gpt-5');
    assert.equal(resolve('google/gemma', { baseUrl, provider: 'openai' }).model, 'google/gemma');
  });

  test('S7: the address of a known provider is that provider, and names are in its words', () => {
    const address = resolve('openai/gpt-5', { baseUrl: 'https://openrouter.ai/api/v1' });
    assert.deepEqual(
      [address.provider, address.model, address.apiKey],
      ['openrouter', 'openai/gpt-5', 'key-openrouter'],
    );
    const twice = resolve('openrouter/openai/gpt-5', { baseUrl: 'https://openrouter.ai/api/v1' });
    assert.equal(twice.model, 'openai/gpt-5');
  });

  test('S7: a model without a provider is served by its maker, and a name may hold slashes', () => {
    assert.equal(resolve('claude-opus-4-5').provider, 'anthropic');
    assert.equal(resolve('gpt-5-mini').provider, 'openai');
    assert.equal(resolve('gemini-2.5-pro').provider, 'google');
    assert.equal(resolve('openrouter/anthropic/claude-opus-4.5').model, 'anthropic/claude-opus-4.5');
    assert.equal(resolve('claude/claude-opus-4-5').provider, 'anthropic');
    assert.equal(resolve('gpt-5', { provider: 'openrouter' }).provider, 'openrouter');
  });

  test('a local server needs no key, and one without a usual port needs its address', () => {
    const ollama = resolve('ollama/llama3.1:8b', { env: {} });
    assert.deepEqual([ollama.baseUrl, ollama.local, ollama.apiKey], ['http://localhost:11434/v1', true, undefined]);
    assert.match(trouble('vllm/llama'), /vllm needs the address of its server: set base_url/);
    assert.equal(resolve('vllm/llama', { baseUrl: 'http://gpu:8000/v1' }).model, 'llama');
    assert.equal(resolve('llama3.1', { baseUrl: 'http://localhost:11434/v1' }).local, true);
  });

  test('every provider of the table has one home and names that are its own', () => {
    const names = providerRows.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    assert.equal(new Set(names).size, names.length);
    for (const { name, baseUrl, keys, local } of providerRows) {
      if (!baseUrl) continue;
      assert.equal(new URL(baseUrl).protocol, local ? 'http:' : 'https:');
      const address = resolve(`${name}/m`, { env: Object.fromEntries(keys.map((key) => [key, 'k'])) });
      assert.deepEqual([address.provider, address.baseUrl], [name, baseUrl]);
      assert.equal(address.apiKey, local ? undefined : 'k');
    }
  });
});

describe('which key goes where', () => {
  test('S7: a foreign address gets PALIMPSEST_API_KEY, and without it no key', () => {
    const baseUrl = 'https://models.example/v1';
    assert.equal(resolve('m', { baseUrl }).apiKey, 'key-own');
    assert.equal(resolve('m', { baseUrl, env: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' } }).apiKey, undefined);
    assert.equal(resolve('m', { baseUrl: 'https://api.openai.com/v1' }).apiKey, 'key-openai');
    assert.equal(
      resolve('m', { baseUrl: 'https://api.openai.com.evil.example/v1', env: { OPENAI_API_KEY: 'k' } }).apiKey,
      undefined,
    );
  });

  test('S7: a provider that is named together with an address gets its own key there', () => {
    const baseUrl = 'https://gateway.example/v1';
    assert.equal(resolve('openai/gpt-5', { baseUrl, env: { OPENAI_API_KEY: 'k' } }).apiKey, 'k');
    assert.equal(resolve('openai/gpt-5', { baseUrl }).apiKey, 'key-own');
  });

  test('a key that is passed in goes before every variable, and an empty variable is none', () => {
    assert.deepEqual(
      [resolve('openai/m', { apiKey: ' mine ' }).apiKey, resolve('openai/m', { apiKey: 'x' }).keyVariable],
      ['mine', undefined],
    );
    assert.match(trouble('openai/m', { env: { OPENAI_API_KEY: ' ' } }), /OPENAI_API_KEY/);
  });

  test('F2: a missing key names the variable', () => {
    assert.equal(
      trouble('anthropic/claude-opus-4-5', { env: {} }),
      'anthropic/claude-opus-4-5 needs a key: set the environment variable ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), or choose another model.',
    );
    assert.match(trouble('groq/llama', { env: {} }), /set the environment variable GROQ_API_KEY, or/);
  });

  test('another provider is a package of the AI SDK, with the key that bears its name', () => {
    const address = resolve('cohesive/big', { env: { COHESIVE_API_KEY: 'k' } });
    assert.deepEqual(address, {
      api: 'package',
      provider: 'cohesive',
      model: 'big',
      apiKey: 'k',
      keyVariable: 'COHESIVE_API_KEY',
    });
    assert.equal(resolve('bedrock/anthropic.claude-opus-4-5').provider, 'amazon-bedrock');
  });

  test('a name that nobody can place and an address that is none are said', () => {
    assert.match(trouble('mill-7'), /Expected a model with its provider, such as openai\/gpt-5; got "mill-7"\. Known/);
    assert.match(trouble('  '), /got an empty text/);
    for (const baseUrl of ['localhost:8000', 'ftp://x/v1', '']) {
      assert.throws(
        () => resolve('openai/m', { baseUrl }),
        (error) => PalimpsestError.isInstance(error) && error.code === 'BAD_OPTION',
      );
    }
  });
});
