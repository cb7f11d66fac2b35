import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AuxiliaryModel, configDefaults } from '../../packages/palimpsest/src/config/config.ts';
import {
  chooseSummarizer,
  type SessionModels,
  type SummarizerChoice,
} from '../../packages/palimpsest/src/models/resolve-model.ts';

const live = { provider: 'anthropic', model: 'claude-opus-4-5' };
const main = { provider: 'openai', model: 'gpt-5', baseUrl: 'https://gateway.example/v1' };
const both = { liveModel: live, mainModel: main };

const choose = (own: Partial<AuxiliaryModel>, models: SessionModels = both): SummarizerChoice =>
  chooseSummarizer({ ...configDefaults.auxiliary.compression, ...own }, models);

describe('who writes the summaries', () => {
  test('S7: auto is the live model of the session, and the main model steps in', () => {
    assert.deepEqual(choose({}), {
      type: 'chosen',
      first: { ...live, from: 'live' },
      fallback: { ...main, from: 'main' },
    });
  });

  test('S7: without a live model auto is the main model, which has nobody behind it', () => {
    assert.deepEqual(choose({}, { mainModel: main }), { type: 'chosen', first: { ...main, from: 'main' } });
    assert.deepEqual(choose({}, { liveModel: live }), { type: 'chosen', first: { ...live, from: 'live' } });
  });

  test('S7: main is the main model, whatever the session talks to', () => {
    assert.deepEqual(choose({ provider: 'main' }), { type: 'chosen', first: { ...main, from: 'main' } });
  });

  test('S7: a model of its own, with its address and window; the main model steps in', () => {
    const own = { provider: 'ollama', model: 'qwen3:32b', baseUrl: 'http://gpu:11434/v1', contextLength: 32_768 };
    assert.deepEqual(choose(own), {
      type: 'chosen',
      first: { ...own, from: 'config' },
      fallback: { ...main, from: 'main' },
    });
  });

  test("S7: a model alone is another one of the session's provider, and a name with its provider stands for itself", () => {
    const choice = choose({ provider: 'main', model: 'gpt-5-mini' });
    assert.deepEqual(choice.type === 'chosen' && choice.first, { ...main, model: 'gpt-5-mini', from: 'config' });
    const named = choose({ model: 'openrouter/openai/gpt-5-mini' });
    assert.deepEqual(named.type === 'chosen' && named.first, { model: 'openrouter/openai/gpt-5-mini', from: 'config' });
  });

  test('S7: an address alone serves the model of the session', () => {
    const choice = choose({ baseUrl: 'http://localhost:4000/v1' });
    const first = { model: live.model, baseUrl: 'http://localhost:4000/v1', from: 'config' };
    assert.deepEqual(choice.type === 'chosen' && choice.first, first);
  });

  test("S7: the window of the configuration goes before the session's", () => {
    const choice = choose({ contextLength: 64_000 }, { liveModel: { ...live, contextLength: 200_000 } });
    assert.equal(choice.type === 'chosen' && choice.first.contextLength, 64_000);
  });

  test('F2: the same model, however it is written, is no fallback', () => {
    const same = { model: 'openai/gpt-5', baseUrl: 'https://gateway.example/v1/' };
    assert.ok(!('fallback' in choose({ ...same, provider: 'auto' })));
    assert.ok(!('fallback' in choose({ provider: 'openai', model: 'gpt-5', baseUrl: same.baseUrl })));
    assert.ok('fallback' in choose({ provider: 'openai', model: 'gpt-5' }));
  });

  test('S7: nobody to ask is said, with what to set', () => {
    assert.deepEqual(choose({}, {}), {
      type: 'none',
      reason: 'No model for summaries is configured: set auxiliary.compression.model, such as openai/gpt-5-mini.',
    });
    const half = choose({ provider: 'groq' });
    assert.match(half.type === 'none' ? half.reason : '', /provider is groq, but no model is named/);
  });
});
