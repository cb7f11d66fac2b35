import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type CompressionOptions, resolveCompressionConfig } from '../../packages/core/src/context/settings.ts';
import {
  budgetsFor,
  modelThreshold,
  slidingShare,
  summaryTokens,
  type ThresholdOptions,
  thresholdTokens,
} from '../../packages/core/src/context/threshold.ts';

const thresholdOf = (window: number, options: CompressionOptions = {}, more: ThresholdOptions = {}): number =>
  thresholdTokens(window, resolveCompressionConfig(options), more);

describe('the threshold', () => {
  const defaults = [
    [4_096, 3_481],
    [8_192, 6_963],
    [32_768, 27_852],
    [64_000, 54_400],
    [75_294, 63_999],
    [75_295, 64_000],
    [128_000, 64_000],
    [128_002, 64_001],
    [200_000, 100_000],
    [1_000_000, 500_000],
  ] as const;
  for (const [window, tokens] of defaults) {
    test(`T1: is ${tokens} tokens for a window of ${window}`, () => assert.equal(thresholdOf(window), tokens));
  }

  test('T1: the output that is reserved does not count as window, up to half of it', () => {
    assert.equal(thresholdOf(200_000, {}, { reservedOutputTokens: 40_000 }), 80_000);
    assert.equal(thresholdOf(8_192, {}, { reservedOutputTokens: 8_192 }), Math.floor(4_096 * 0.85));
  });

  test('T2: the cap beats share and floor', () => {
    assert.equal(thresholdOf(1_000_000, { thresholdTokens: 256_000 }), 256_000);
    assert.equal(thresholdOf(200_000, { thresholdTokens: 30_000 }), 30_000);
    assert.equal(thresholdOf(200_000, { thresholdTokens: 256_000 }), 100_000);
  });

  test('T2: a threshold by model is a share or tokens', () => {
    const options = { thresholdTokens: 256_000, modelThresholds: { opus: 0.7, gemini: 400_000, tiny: 1_000_000 } };
    assert.equal(thresholdOf(200_000, options, { model: { id: 'claude-opus-5' } }), 140_000);
    assert.equal(thresholdOf(1_000_000, options, { model: { id: 'claude-opus-5' } }), 256_000);
    assert.equal(thresholdOf(1_000_000, options, { model: { id: 'Gemini-3-pro' } }), 400_000);
    assert.equal(thresholdOf(100_000, options, { model: { id: 'tiny-1' } }), 85_000);
    assert.equal(thresholdOf(200_000, options, { model: { id: 'other' } }), 100_000);
  });

  test('T2: the longest match wins, and one with the provider on equal length', () => {
    const thresholds = { gpt: 0.3, 'gpt-5': 0.4, 'azure:gpt-5': 0.5, 'llama3:8b': 0.6 };
    assert.equal(modelThreshold({ id: 'gpt-4' }, thresholds), 0.3);
    assert.equal(modelThreshold({ id: 'GPT-5-mini', provider: 'openai' }, thresholds), 0.4);
    assert.equal(modelThreshold({ id: 'gpt-5-mini', provider: 'Azure' }, thresholds), 0.5);
    assert.equal(modelThreshold({ id: 'llama3:8b-q4' }, thresholds), 0.6);
    assert.equal(modelThreshold({ id: 'mistral' }, thresholds), undefined);
    const reversed = Object.fromEntries(Object.entries(thresholds).reverse());
    assert.equal(modelThreshold({ id: 'gpt-5-mini', provider: 'azure' }, reversed), 0.5);
  });

  test('T1: a window that is no number of tokens is refused', () => {
    for (const window of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => thresholdOf(window), { code: 'BAD_OPTION', message: /set context_length/ });
    }
  });
});

describe('the budgets', () => {
  test('T1: a window of 200,000 gives 100,000, 20,000 and 10,000', () => {
    const budgets = budgetsFor(200_000, resolveCompressionConfig());
    assert.equal(budgets.thresholdTokens, 100_000);
    assert.equal(budgets.tailTokens, 20_000);
    assert.equal(budgets.tailCeilingTokens, 30_000);
    assert.equal(budgets.summaryMaxTokens, 10_000);
    assert.equal(budgets.headTokens, null);
  });

  test('B2: the preset reserved is 4,000, 16,000 and 4,000, less in small windows', () => {
    const config = resolveCompressionConfig({ tailPreset: 'reserved' });
    const big = budgetsFor(200_000, config);
    assert.deepEqual([big.headTokens, big.tailTokens, big.summaryMaxTokens], [4_000, 16_000, 4_000]);
    const small = budgetsFor(8_192, config);
    assert.ok(small.tailCeilingTokens + small.summaryMaxTokens + (small.headTokens ?? 0) < small.thresholdTokens);
  });

  test('B2: the preset lean is 2.5 % of the window between 10,000 and 25,000', () => {
    const config = resolveCompressionConfig({ tailPreset: 'lean' });
    assert.equal(budgetsFor(200_000, config).tailTokens, 10_000);
    assert.equal(budgetsFor(800_000, config).tailTokens, 20_000);
    assert.equal(budgetsFor(2_000_000, config).tailTokens, 25_000);
  });

  const anyConfig = fc.record({
    threshold: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
    targetRatio: fc.double({ min: 0.1, max: 0.8, noNaN: true }),
    tailPreset: fc.constantFrom('budget' as const, 'reserved' as const, 'lean' as const),
    thresholdTokens: fc.option(fc.integer({ min: 1_000, max: 2_000_000 })),
  });
  const anyWindow = fc.oneof(fc.integer({ min: 256, max: 20_000 }), fc.integer({ min: 256, max: 4_000_000 }));

  test('T1: in every window what is kept fits under the threshold, and that under the window', () => {
    fc.assert(
      fc.property(
        anyConfig,
        anyWindow,
        fc.integer({ min: 0, max: 200_000 }),
        (options, window, reservedOutputTokens) => {
          const b = budgetsFor(window, resolveCompressionConfig(options), { reservedOutputTokens });
          assert.ok(b.thresholdTokens >= 1 && b.thresholdTokens < window);
          assert.ok(b.tailTokens >= 1 && b.tailTokens <= b.tailCeilingTokens);
          assert.ok(b.tailCeilingTokens + b.summaryMaxTokens + (b.headTokens ?? 0) < b.thresholdTokens);
          assert.ok(b.summaryMinTokens <= b.summaryMaxTokens);
          for (const size of Object.values(b)) assert.ok(size === null || Number.isInteger(size));
        },
      ),
    );
  });

  test('T1: a bigger window never has a smaller threshold', () => {
    const config = resolveCompressionConfig();
    fc.assert(
      fc.property(anyWindow, fc.integer({ min: 0, max: 50_000 }), (window, more) => {
        assert.ok(thresholdTokens(window, config) <= thresholdTokens(window + more, config));
      }),
    );
  });
});

describe('the summary', () => {
  const tokens = (compressed: number, window: number, options: CompressionOptions = {}): number => {
    const config = resolveCompressionConfig(options);
    return summaryTokens(compressed, config, budgetsFor(window, config));
  };

  test('S1: is 20 % of the compressed tokens, at least 2,000, at most 5 % of the window and 12,000', () => {
    assert.equal(tokens(5_000, 200_000), 2_000);
    assert.equal(tokens(30_000, 200_000), 6_000);
    assert.equal(tokens(80_000, 200_000), 10_000);
    assert.equal(tokens(400_000, 1_000_000), 12_000);
    assert.equal(tokens(30_000, 64_000), 3_200);
  });

  test('S1: fits a tiny window', () => {
    assert.equal(tokens(3_000, 4_096), 512);
    assert.ok(tokens(100, 256) <= 32);
  });

  test('S1: the sliding preset is 20, 15, 10, 5 % at 10K, 30K, 100K', () => {
    const shares = [9_999, 10_000, 29_999, 30_000, 99_999, 100_000].map(slidingShare);
    assert.deepEqual(shares, [0.2, 0.15, 0.15, 0.1, 0.1, 0.05]);
    assert.equal(tokens(20_000, 1_000_000, { summary: { preset: 'sliding' } }), 3_000);
    assert.equal(tokens(200_000, 1_000_000, { summary: { preset: 'sliding' } }), 10_000);
  });
});
