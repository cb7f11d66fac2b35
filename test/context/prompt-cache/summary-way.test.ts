import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SummaryWays, summaryCosts } from '../../../packages/core/src/context/prompt-cache/summary-way.ts';

const ways = (model: string, more: Partial<SummaryWays['request']> = {}): SummaryWays => ({
  model,
  request: { tokens: 100_000, cachedTokens: 100_000, idleMs: 0, ...more },
  askedTokens: 2_000,
  plainTokens: 50_000,
  outputTokens: 4_000,
});

/** Dollars, to a hundredth of a cent. */
const both = (model: string, more: Partial<SummaryWays['request']> = {}): readonly (number | undefined)[] => {
  const costs = summaryCosts(ways(model, more));
  return [costs?.continued, costs?.plain].map((dollars) => dollars && Math.round(dollars * 10_000) / 10_000);
};

describe('C5: what a summary costs in both ways', () => {
  test('with everything in the cache: reads at their price, the message behind it at the price of input', () => {
    // claude-sonnet-4-6: 3 in, 15 out, 0.3 read. 100,000 × 0.3 + 2,000 × 3 + 4,000 × 15; 50,000 × 3 + 4,000 × 15.
    assert.deepEqual(both('anthropic/claude-sonnet-4-6'), [0.096, 0.21]);
  });

  test('with nothing in it any more, what its marks write again is dearer than input', () => {
    // 100,000 × 3.75 + 2,000 × 3 + 4,000 × 15.
    assert.deepEqual(both('anthropic/claude-sonnet-4-6', { idleMs: 300_000 }), [0.441, 0.21]);
    assert.deepEqual(both('anthropic/claude-sonnet-4-6', { idleMs: 299_000 }), [0.441, 0.21]);
    assert.deepEqual(both('anthropic/claude-sonnet-4-6', { idleMs: 200_000 }), [0.096, 0.21]);
  });

  test('an hour holds where an hour was asked for', () => {
    const model = 'anthropic/claude-sonnet-4-6';
    const costs = summaryCosts({ ...ways(model, { idleMs: 1_200_000 }), ttl: '1h' });
    assert.equal(costs?.cachedTokens, 100_000);
  });

  test('a provider that reported nothing of a cache is not believed to have one', () => {
    for (const cachedTokens of [0, null])
      assert.equal(summaryCosts(ways('openai/gpt-5.4', { cachedTokens }))?.cachedTokens, 0);
  });

  test('who keeps all of what was sent has all of it, in its steps', () => {
    const costs = summaryCosts(ways('openai/gpt-5.4', { tokens: 100_001, cachedTokens: 64_000 }));
    assert.equal(costs?.cachedTokens, 99_968);
    const marked = summaryCosts(ways('anthropic/claude-sonnet-4-6', { cachedTokens: 64_000 }));
    assert.equal(marked?.cachedTokens, 64_000);
  });

  test('what is too short to be kept is not there', () => {
    const tokens = 1_000;
    assert.equal(summaryCosts(ways('anthropic/claude-sonnet-4-6', { tokens, cachedTokens: tokens }))?.cachedTokens, 0);
  });

  test('a model whose price or cache nobody knows has no costs', () => {
    assert.equal(summaryCosts(ways('ollama/qwen3')), undefined);
    assert.equal(summaryCosts(ways('somebody/some-model')), undefined);
  });
});
