import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { normaliseUsage, promptTokensOf } from '../../packages/core/src/usage/normalise.ts';
import { usageShapes } from '../../packages/core/src/usage/shapes.data.ts';

describe('usage reports in one form', () => {
  test('U1 an Anthropic report counts its input without the caches', () => {
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
    const hour = { ...raw, cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 } };
    assert.deepEqual(normaliseUsage(hour), { ...usage, cacheWriteHourTokens: 200 });
  });

  test('U1 a Responses report counts the cache into its input', () => {
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
    [
      'Qwen over DashScope, in its compatible mode',
      {
        prompt_tokens: 3_019,
        completion_tokens: 104,
        total_tokens: 3_123,
        prompt_tokens_details: {
          cached_tokens: 2_048,
          cache_creation: { ephemeral_5m_input_tokens: 900 },
          cache_creation_input_tokens: 900,
          cache_type: 'ephemeral',
        },
      },
      { inputTokens: 71, outputTokens: 104, cacheReadTokens: 2_048, cacheWriteTokens: 900 },
    ],
    [
      'Qwen over DashScope, in its own words',
      { input_tokens: 26, output_tokens: 66, total_tokens: 92, prompt_tokens_details: { cached_tokens: 0 } },
      { inputTokens: 26, outputTokens: 66, cacheReadTokens: 0 },
    ],
    [
      'Mistral',
      {
        prompt_tokens: 1_200,
        total_tokens: 1_260,
        completion_tokens: 60,
        prompt_audio_seconds: null,
        num_cached_tokens: 1_024,
      },
      { inputTokens: 176, outputTokens: 60, cacheReadTokens: 1_024 },
    ],
    [
      'OpenRouter, with what it charged',
      {
        prompt_tokens: 10_339,
        completion_tokens: 60,
        total_tokens: 10_399,
        cost: 0.004,
        cost_details: { upstream_inference_cost: null },
        prompt_tokens_details: { cached_tokens: 10_000, cache_write_tokens: 300, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 12 },
      },
      { inputTokens: 39, outputTokens: 60, cacheReadTokens: 10_000, cacheWriteTokens: 300, reasoningTokens: 12 },
    ],
    [
      'xAI, which counts reasoning beside the completion and says so in its total',
      {
        prompt_tokens: 10_120,
        completion_tokens: 1_499,
        total_tokens: 14_428,
        prompt_tokens_details: { cached_tokens: 128 },
        completion_tokens_details: { reasoning_tokens: 2_809 },
      },
      { inputTokens: 9_992, outputTokens: 4_308, cacheReadTokens: 128, reasoningTokens: 2_809 },
    ],
    [
      'llama.cpp and Ollama in their compatible mode',
      { completion_tokens: 9, prompt_tokens: 56, total_tokens: 65, prompt_tokens_details: { cached_tokens: 48 } },
      { inputTokens: 8, outputTokens: 9, cacheReadTokens: 48 },
    ],
    ['a server of few words', { input_tokens: 7, output_tokens: 3 }, { inputTokens: 7, outputTokens: 3 }],
  ];
  for (const [name, raw, expected] of chatReports) {
    test(`U1 a Chat report of ${name}`, () => assert.deepEqual(normaliseUsage(raw), expected));
  }

  const otherReports: readonly (readonly [string, object, object])[] = [
    [
      'a Google report with tools that Google ran: what they read is input',
      {
        promptTokenCount: 300,
        toolUsePromptTokenCount: 1_000,
        candidatesTokenCount: 40,
        totalTokenCount: 1_340,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 300 }],
      },
      { inputTokens: 1_300, outputTokens: 40 },
    ],
    [
      'a Responses report of a server that also says what it wrote to the cache',
      {
        input_tokens: 5_000,
        input_tokens_details: { cached_tokens: 3_000, cache_write_tokens: 0, cache_creation_tokens: 500 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 5_010,
      },
      { inputTokens: 1_500, outputTokens: 10, cacheReadTokens: 3_000, cacheWriteTokens: 500, reasoningTokens: 0 },
    ],
    [
      'an Anthropic report with thinking counted',
      {
        input_tokens: 5,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        output_tokens: 900,
        output_tokens_details: { thinking_tokens: 700 },
      },
      { inputTokens: 5, outputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 700 },
    ],
    [
      'Ollama in its own words, where zero is what it read anew',
      { model: 'llama3.2', done: true, prompt_eval_count: 26, prompt_eval_duration: 130_079_000, eval_count: 298 },
      { inputTokens: 26, outputTokens: 298 },
    ],
    [
      'timings of llama.cpp, which count what the slot still held beside what was worked on',
      { cache_n: 236, prompt_n: 1, prompt_ms: 30.958, predicted_n: 35, predicted_ms: 661.064 },
      { inputTokens: 1, outputTokens: 35, cacheReadTokens: 236 },
    ],
    [
      'the AI SDK from version 6 on',
      {
        inputTokens: { total: 1_000, noCache: 100, cacheRead: 800, cacheWrite: 100 },
        outputTokens: { total: 50, text: 20, reasoning: 30 },
      },
      { inputTokens: 100, outputTokens: 50, cacheReadTokens: 800, cacheWriteTokens: 100, reasoningTokens: 30 },
    ],
    [
      'the AI SDK before that',
      { inputTokens: 1_000, outputTokens: 50, totalTokens: 1_050, cachedInputTokens: 800, reasoningTokens: 30 },
      { inputTokens: 200, outputTokens: 50, cacheReadTokens: 800, reasoningTokens: 30 },
    ],
    [
      'a token count of Codex',
      { input_tokens: 31_539, cached_input_tokens: 30_592, output_tokens: 237, reasoning_output_tokens: 9 },
      { inputTokens: 947, outputTokens: 237, cacheReadTokens: 30_592, reasoningTokens: 9 },
    ],
    [
      'usage of pi',
      { input: 3, output: 191, cacheRead: 0, cacheWrite: 1_684, cost: { input: 0.000_009, total: 0.009 } },
      { inputTokens: 3, outputTokens: 191, cacheReadTokens: 0, cacheWriteTokens: 1_684 },
    ],
    [
      'our own form',
      { inputTokens: 3, outputTokens: 1, cacheReadTokens: 5, cacheWriteTokens: 7, cacheWriteHourTokens: 6 },
      { inputTokens: 3, outputTokens: 1, cacheReadTokens: 5, cacheWriteTokens: 7, cacheWriteHourTokens: 6 },
    ],
  ];
  for (const [name, raw, expected] of otherReports) {
    test(`U1 ${name}`, () => assert.deepEqual(normaliseUsage(raw), expected));
  }

  test('U1 an object with a class is read as a plain one is', () => {
    class Report {
      prompt_tokens = 10;
      completion_tokens = 2;
      prompt_tokens_details: object = Object.assign(Object.create({}), { cached_tokens: 4 });
    }
    assert.deepEqual(normaliseUsage(new Report()), { inputTokens: 6, outputTokens: 2, cacheReadTokens: 4 });
  });

  const precedence: readonly (readonly [string, object, number])[] = [
    ['nested before Anthropic', { prompt_tokens_details: { cached_tokens: 1 }, cache_read_input_tokens: 2 }, 1],
    ['Anthropic before DeepSeek', { cache_read_input_tokens: 2, prompt_cache_hit_tokens: 3 }, 2],
    ['DeepSeek before flat', { prompt_cache_hit_tokens: 3, cached_tokens: 4 }, 3],
    ['a zero gives way', { prompt_tokens_details: { cached_tokens: 0 }, cached_tokens: 4 }, 4],
    ['what is no number gives way', { prompt_tokens_details: { cached_tokens: 'many' }, cached_tokens: 4 }, 4],
  ];
  for (const [name, members, read] of precedence) {
    test(`U1 of two numbers for one thing the first of the chain counts: ${name}`, () => {
      const usage = normaliseUsage({ prompt_tokens: 100, completion_tokens: 1, ...members });
      assert.deepEqual([usage?.cacheReadTokens, usage?.inputTokens], [read, 100 - read]);
    });
  }

  test('U1 Google counts thoughts beside the candidates, we count them into the output', () => {
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

  test('U1 Amazon counts its input without the caches', () => {
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

  test('U1 a chain ends at its first number above zero, and a reported zero is not a missing number', () => {
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

  test('U1 negative numbers and what is no number count as zero', () => {
    const usage = normaliseUsage({ prompt_tokens: -3, completion_tokens: '12', cached_tokens: Number.NaN });
    assert.deepEqual(usage, { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 });
    assert.deepEqual(normaliseUsage({ input_tokens: 9e15, output_tokens: 7 }), { inputTokens: 0, outputTokens: 7 });
  });

  test('U1 contradicting totals leave no negative input: prompt 100, read 80, written 50 is a prompt of 130', () => {
    const usage = normaliseUsage({
      prompt_tokens: 100,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 50 },
    });
    assert.equal(usage?.inputTokens, 0);
    assert.equal(promptTokensOf(usage ?? {}), 130);
  });

  test('U1 what holds no number that we know is no report', () => {
    for (const raw of [undefined, null, 'no', [], {}, { tokens: 5 }]) assert.equal(normaliseUsage(raw), undefined);
    assert.equal(promptTokensOf({ outputTokens: 3 }), undefined);
  });

  test('U1 no report of any shape gives a negative or broken number', () => {
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
        assert.ok(numbers.every((tokens) => Number.isSafeInteger(tokens) && tokens >= 0));
      }),
    );
  });
});
