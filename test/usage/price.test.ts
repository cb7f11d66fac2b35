import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isListPriced, reportedPrice } from '../../packages/core/src/usage/counted-call.ts';
import { estimatePrice, moneyLabel, priceOf } from '../../packages/core/src/usage/price.ts';
import { priceRows } from '../../packages/core/src/usage/prices.data.ts';

const labelOf = (model: string, inputTokens: number, outputTokens = 0): string =>
  moneyLabel(estimatePrice(model, { inputTokens, outputTokens }));

describe('prices', () => {
  test('U1 every kind of token has its own rate', () => {
    const usage = { inputTokens: 1_000, outputTokens: 2_000, cacheReadTokens: 10_000, cacheWriteTokens: 4_000 };
    const price = priceOf('anthropic/claude-sonnet-4-6', usage);
    assert.equal(price.status, 'estimated');
    assert.ok(Math.abs((price.amount ?? 0) - (0.003 + 0.03 + 0.003 + 0.015)) < 1e-12);
  });

  test('U1 the length of the prompt, caches included, decides over the whole request; the limit is in the lower tier', () => {
    const at = priceOf('google/gemini-2.5-pro', { inputTokens: 100_000, outputTokens: 0, cacheReadTokens: 100_000 });
    assert.equal(at.amount, 0.1375);
    const over = priceOf('google/gemini-2.5-pro', { inputTokens: 100_001, outputTokens: 0, cacheReadTokens: 100_000 });
    assert.ok(Math.abs((over.amount ?? 0) - (0.250_002_5 + 0.025)) < 1e-12);
    assert.equal(labelOf('openai/gpt-5.5', 272_000), '~$1.36');
    assert.equal(labelOf('openai/gpt-5.5', 273_000), '~$2.73');
  });

  test('U1 what stays in the cache for an hour costs twice the input, and the price without a cache is told', () => {
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 1_000_000, cacheWriteTokens: 1_000_000 };
    const short = priceOf('claude-opus-4-6', usage);
    const long = priceOf('claude-opus-4-6', { ...usage, cacheWriteHourTokens: 1_000_000 });
    assert.deepEqual([short.amount, short.uncached], [6.75, 10]);
    assert.deepEqual([long.amount, long.uncached], [10.5, 10]);
  });

  test('U1 what the provider says it charged is the actual price', () => {
    assert.deepEqual(reportedPrice({ prompt_tokens: 9, cost: 0.25 }), { status: 'actual', amount: 0.25 });
    assert.deepEqual(reportedPrice({ cost_in_usd_ticks: 232_856_000 }), { status: 'actual', amount: 0.023_285_6 });
    const own = { cost: 0.5, is_byok: true };
    assert.deepEqual(reportedPrice({ ...own, cost_details: { upstream_inference_cost: 9.5 } }), {
      status: 'actual',
      amount: 10,
    });
    assert.deepEqual(reportedPrice(own), { status: 'unknown' });
    for (const raw of [{}, { cost: -1 }, { cost: { total: 3 } }, { cost: null }, null])
      assert.equal(reportedPrice(raw), undefined);
  });

  test('U1 calls in another tier, a fast mode or with paid searches are not charged by the list', () => {
    for (const raw of [{}, { service_tier: 'standard', speed: 'standard', inference_geo: 'not_available' }, null])
      assert.equal(isListPriced(raw), true);
    const others = [{ service_tier: 'batch' }, { speed: 'fast' }, { inference_geo: 'us' }];
    for (const raw of [...others, { server_tool_use: { web_search_requests: 1 } }])
      assert.equal(isListPriced(raw), false);
  });

  test('U1 a used kind of token without a rate makes the price unknown', () => {
    const usage = { inputTokens: 10, outputTokens: 10, cacheWriteTokens: 0 };
    assert.equal(priceOf('openai/gpt-5', usage).status, 'estimated');
    assert.deepEqual(priceOf('openai/gpt-5', { ...usage, cacheWriteTokens: 1 }), { status: 'unknown' });
    assert.deepEqual(priceOf('openai/gpt-6-sol', { inputTokens: 300_000, outputTokens: 1 }), { status: 'unknown' });
  });

  test('U1 usage that was not reported has no price', () => {
    assert.deepEqual(priceOf('openai/gpt-5', {}), { status: 'unknown' });
    assert.deepEqual(priceOf('openai/gpt-5', { inputTokens: 5 }), { status: 'unknown' });
  });

  test('U1 a model is known by its id with dates, releases, regions and prefixes, and a relative of it is not', () => {
    const known = [
      'claude-opus-4-5-20251101',
      'anthropic/claude-opus-4.5',
      'us.anthropic.claude-opus-4-5-20251101-v1:0',
      'claude-opus-4-5@20251101',
      'openrouter/anthropic/claude-opus-4.5',
      'gpt-5-2025-08-07',
      'azure/gpt-4.1',
      'models/gemini-2.5-flash-preview-09-2025',
      'gemini-2.0-flash-001',
      'claude-opus-4-7[1m]',
      'gpt-5-chat-latest',
    ];
    for (const model of known) assert.notEqual(labelOf(model, 1_000), 'unknown', model);
    const unknown = [
      'gpt-5-astral',
      'gpt-5.9',
      'gpt-50',
      'claude-opus-4-9',
      'openrouter/anthropic/claude-opus-4.5:free',
    ];
    for (const model of [...unknown, 'gpt-4-32k', '', '/', 'x/gpt-5'])
      assert.equal(labelOf(model, 1_000), 'unknown', model);
  });

  test('U1 open weights have a known price only where their maker sells them', () => {
    assert.notEqual(labelOf('deepseek/deepseek-v4-pro', 1_000), 'unknown');
    assert.equal(labelOf('openrouter/deepseek/deepseek-v4-pro', 1_000), 'unknown');
    assert.equal(labelOf('together/deepseek-ai/deepseek-v4-pro', 1_000), 'unknown');
  });

  test('U1 a model on your own machine costs no tokens', () => {
    assert.deepEqual(priceOf('ollama/llama3.1', {}), { status: 'included' });
    assert.equal(labelOf('lmstudio/qwen/qwen3-8b', 5), 'included');
  });

  test('U1 labels', () => {
    const label = (amount: number): string => moneyLabel({ status: 'estimated', amount });
    assert.equal(label(0), '$0.00');
    assert.equal(label(0.000_049), '~$<0.0001');
    assert.equal(label(0.000_05), '~$0.0001');
    assert.equal(label(0.004_23), '~$0.0042');
    assert.equal(label(0.01), '~$0.01');
    assert.equal(label(12.345), '~$12.35');
    assert.equal(label(1_234_567.5), '~$1,234,567.50');
    assert.deepEqual([label(0.009_949), label(0.009_951), label(0.01)], ['~$0.0099', '~$0.01', '~$0.01']);
    assert.deepEqual([label(0.995), label(999.994), label(999.995)], ['~$0.99', '~$999.99', '~$1,000.00']);
    assert.equal(moneyLabel({ status: 'actual', amount: 0.42 }), '$0.42');
    assert.equal(moneyLabel({ status: 'unknown' }), 'unknown');
    assert.equal(moneyLabel({ status: 'included' }), 'included');
  });

  test('U1 the table names a source and a date for each row, no id twice, and its tiers rise', () => {
    const ids = priceRows.flatMap((row) => row.ids);
    assert.equal(new Set(ids).size, ids.length);
    for (const { source, read, tiers, ids } of priceRows) {
      assert.match(source, /^https:\/\//);
      assert.match(read, /^20\d\d-\d\d$/);
      for (const { input, output, cacheRead = 0 } of tiers) assert.ok(input <= output && cacheRead < input, ids[0]);
      const ends = tiers.map(({ upTo = Number.POSITIVE_INFINITY }) => upTo);
      assert.deepEqual(
        ends,
        ends.toSorted((a, b) => a - b),
      );
      for (const id of ids) assert.match(id, /^[a-z0-9-]+$/);
    }
  });

  test('U1 more tokens never cost less', () => {
    const tokens = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(fc.constantFrom(...priceRows), tokens, tokens, (row, a, b) => {
        const [model = ''] = row.ids;
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((inputTokens) =>
          estimatePrice(model, { inputTokens, outputTokens: 10 }),
        );
        assert.ok(more?.amount === undefined || (less?.amount ?? 0) <= more.amount);
      }),
    );
  });
});
