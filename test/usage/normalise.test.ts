import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normaliseUsage, usageShapes } from '../../src/usage/normalise.ts';
import { promptTokensOf } from '../../src/usage/usage.ts';

describe('usage reports in one form', () => {
  test('an Anthropic report counts its input without the caches', () => {
    const raw = {
      input_tokens: 120,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 4_000,
      cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 0 },
      output_tokens: 50,
      service_tier: 'standard',
    };
    const usage = normaliseUsage(raw);
    assert.deepEqual(usage, { inputTokens: 120, outputTokens: 50, cacheReadTokens: 4_000, cacheWriteTokens: 300 });
    assert.equal(promptTokensOf(usage ?? {}), 4_420);
  });

  test('a Responses report counts the cache into its input', () => {
    const raw = {
      input_tokens: 1_000,
      input_tokens_details: { cached_tokens: 800 },
      output_tokens: 90,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 1_090,
    };
    assert.deepEqual(normaliseUsage(raw), {
      inputTokens: 200,
      outputTokens: 90,
      cacheReadTokens: 800,
      reasoningTokens: 64,
    });
  });

  const chatReports: readonly (readonly [string, object, object])[] = [
    [
      'OpenAI',
      {
        prompt_tokens: 1_000,
        completion_tokens: 70,
        prompt_tokens_details: { cached_tokens: 600, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { inputTokens: 400, outputTokens: 70, cacheReadTokens: 600, reasoningTokens: 20 },
    ],
    [
      'DeepSeek',
      { prompt_tokens: 500, completion_tokens: 10, prompt_cache_hit_tokens: 448, prompt_cache_miss_tokens: 52 },
      { inputTokens: 52, outputTokens: 10, cacheReadTokens: 448 },
    ],
    [
      'Moonshot',
      { prompt_tokens: 19, completion_tokens: 21, cached_tokens: 10 },
      { inputTokens: 9, outputTokens: 21, cacheReadTokens: 10 },
    ],
    [
      'a router in front of Anthropic',
      {
        prompt_tokens: 900,
        completion_tokens: 5,
        cache_read_input_tokens: 500,
        cache_creation_input_tokens: 100,
      },
      { inputTokens: 300, outputTokens: 5, cacheReadTokens: 500, cacheWriteTokens: 100 },
    ],
    ['a server of few words', { input_tokens: 7, output_tokens: 3 }, { inputTokens: 7, outputTokens: 3 }],
  ];
  for (const [name, raw, expected] of chatReports) {
    test(`a Chat report of ${name}`, () => assert.deepEqual(normaliseUsage(raw), expected));
  }

  test('Google counts thoughts beside the candidates, we count them into the output', () => {
    const raw = {
      promptTokenCount: 300,
      cachedContentTokenCount: 100,
      candidatesTokenCount: 40,
      thoughtsTokenCount: 60,
      totalTokenCount: 400,
    };
    assert.deepEqual(normaliseUsage(raw), {
      inputTokens: 200,
      outputTokens: 100,
      cacheReadTokens: 100,
      reasoningTokens: 60,
    });
  });

  test('Amazon counts its input without the caches', () => {
    const raw = {
      inputTokens: 5,
      outputTokens: 2,
      totalTokens: 107,
      cacheReadInputTokens: 100,
      cacheWriteInputTokens: 0,
    };
    assert.deepEqual(normaliseUsage(raw), {
      inputTokens: 5,
      outputTokens: 2,
      cacheReadTokens: 100,
      cacheWriteTokens: 0,
    });
  });

  test('a chain ends at its first number above zero, and a reported zero is not a missing number', () => {
    const zero = { prompt_tokens: 10, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } };
    assert.deepEqual(normaliseUsage(zero), { inputTokens: 10, outputTokens: 0, cacheReadTokens: 0 });
    assert.deepEqual(normaliseUsage({ ...zero, cached_tokens: 4 }), {
      inputTokens: 6,
      outputTokens: 0,
      cacheReadTokens: 4,
    });
    assert.deepEqual(normaliseUsage({ prompt_tokens: 10, prompt_tokens_details: { cached_tokens: null } }), {
      inputTokens: 10,
    });
  });

  test('negative numbers and what is no number count as zero', () => {
    const usage = normaliseUsage({ prompt_tokens: -3, completion_tokens: '12', cached_tokens: Number.NaN });
    assert.deepEqual(usage, { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 });
  });

  test('contradicting totals leave no negative input: prompt 100, read 80, written 50 is a prompt of 130', () => {
    const usage = normaliseUsage({
      prompt_tokens: 100,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 50 },
    });
    assert.equal(usage?.inputTokens, 0);
    assert.equal(promptTokensOf(usage ?? {}), 130);
  });

  test('what holds no number that we know is no report', () => {
    for (const raw of [undefined, null, 'no', [], {}, { tokens: 5 }]) assert.equal(normaliseUsage(raw), undefined);
    assert.equal(promptTokensOf({ outputTokens: 3 }), undefined);
  });

  test('no report of any shape gives a negative or broken number', () => {
    const number = fc.oneof(fc.integer(), fc.double(), fc.constant(null), fc.string());
    const details = fc.record({ cached_tokens: number, cache_write_tokens: number }, { requiredKeys: [] });
    const report = fc.record(
      {
        input_tokens: number,
        output_tokens: number,
        prompt_tokens: number,
        completion_tokens: number,
        cache_read_input_tokens: number,
        cache_creation_input_tokens: number,
        cached_tokens: number,
        prompt_tokens_details: details,
        input_tokens_details: details,
        output_tokens_details: fc.record({ reasoning_tokens: number }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(report, fc.option(fc.constantFrom(...usageShapes), { nil: undefined }), (raw, shape) => {
        const numbers = Object.values(normaliseUsage(raw, shape) ?? {});
        assert.ok(numbers.every((tokens) => Number.isFinite(tokens) && tokens >= 0));
      }),
    );
  });
});
