import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countedCall } from '../../packages/core/src/usage/counted-call.ts';

const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

describe('what is written down for a call', () => {
  test('U1 a whole report has its price, and what the cache saved', () => {
    const counted = countedCall('anthropic/claude-opus-4-6', {
      input_tokens: 1_000,
      cache_read_input_tokens: 100_000,
      cache_creation_input_tokens: 0,
      output_tokens: 2_000,
    });
    const { costUsd = 0, savedUsd = 0, ...rest } = counted;
    assert.deepEqual(rest, {
      ...none,
      model: 'anthropic/claude-opus-4-6',
      inputTokens: 1_000,
      cacheReadTokens: 100_000,
      outputTokens: 2_000,
    });
    assert.ok(Math.abs(costUsd - 0.105) < 1e-12);
    assert.ok(Math.abs(savedUsd - 0.45) < 1e-12);
  });

  test('U1 what was not reported is not guessed: the call is partial and has no price', () => {
    const model = 'openai/gpt-5';
    assert.deepEqual(countedCall(model, undefined), { model, ...none, isPartial: true });
    assert.deepEqual(countedCall(model, { outputTokens: 7 }), { model, ...none, outputTokens: 7, isPartial: true });
    assert.equal(countedCall(model, { input_tokens: 5, output_tokens: 0 }).isPartial, undefined);
    assert.equal(countedCall(model, { input_tokens: 5, output_tokens: 1 }, true).isPartial, true);
  });

  test('U1 a cache count that a model reports where there was no cache is not taken for one', () => {
    const report = { prompt_tokens: 1_000, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 128 } };
    const read = (model: string): readonly number[] => {
      const { inputTokens, cacheReadTokens } = countedCall(model, report);
      return [inputTokens, cacheReadTokens];
    };
    assert.deepEqual(read('minimax/MiniMax-M3'), [1_000, 0]);
    assert.deepEqual(read('minimax/MiniMax-M2'), [872, 128]);
  });

  test('U2 an amount that was charged comes before the list, a call that the list does not hold has no price', () => {
    const report = { prompt_tokens: 1_000_000, completion_tokens: 0 };
    assert.equal(countedCall('openrouter/openai/gpt-5', { ...report, cost: 0.5 }).costUsd, 0.5);
    assert.equal(countedCall('openrouter/openai/gpt-5', report).costUsd, 1.25);
    const batch = { input_tokens: 10, output_tokens: 10, service_tier: 'batch' };
    assert.equal(countedCall('claude-opus-4-6', batch).costUsd, undefined);
    assert.equal(countedCall('ollama/llama3.2', { prompt_eval_count: 3, eval_count: 4 }).costUsd, 0);
  });
});
