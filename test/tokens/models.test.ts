import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import { parseTokenCount } from '../../packages/core/src/shared/options/token-count.ts';
import { modelRows } from '../../packages/core/src/tokens/models.data.ts';
import { modelInfo } from '../../packages/core/src/tokens/models.ts';

const idOf = (model: string): string | undefined => modelInfo(model)?.id;

describe('a model', () => {
  test('is found by each of its ids, and an id stands in one row only', () => {
    const ids = modelRows.flatMap((row) => row.ids);
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.equal(idOf(id), id);
  });

  test('is found behind prefixes of providers and regions', () => {
    assert.equal(idOf('anthropic/claude-opus-4-7'), 'claude-opus-4-7');
    assert.equal(idOf('us.anthropic.claude-3-7-sonnet-20250219-v1:0'), 'claude-3-7-sonnet');
    assert.equal(idOf('openai/gpt-5.4-mini'), 'gpt-5-4-mini');
    assert.equal(idOf('models/gemini-2.5-flash-002'), 'gemini-2-5');
    assert.equal(idOf('accounts/fireworks/models/llama-v3p1-70b-instruct'), 'llama-3-1');
    assert.equal(idOf('meta-llama/Meta-Llama-3.1-8B-Instruct'), 'llama-3-1');
    assert.equal(idOf('ft:gpt-4o-mini:org::x'), 'gpt-4o-mini');
  });

  test('is found with dates, tags and versions in either spelling', () => {
    assert.equal(idOf('claude-opus-4.7'), 'claude-opus-4-7');
    assert.equal(idOf('claude-sonnet-4-20250514'), 'claude-sonnet-4');
    assert.equal(idOf('claude-sonnet-4-5@20250929'), 'claude-sonnet-4-5');
    assert.equal(idOf('claude-3-5-sonnet-latest'), 'claude-3-5-sonnet');
    assert.equal(idOf('gpt-4.1-2025-04-14'), 'gpt-4-1');
    assert.equal(idOf('mistral-nemo:free'), 'mistral-nemo');
    assert.equal(idOf('Qwen/Qwen3-8B'), 'qwen3');
  });

  test('is the longest match', () => {
    assert.equal(idOf('gpt-4o-mini-2024-07-18'), 'gpt-4o-mini');
    assert.equal(idOf('gpt-4-turbo'), 'gpt-4-turbo');
    assert.equal(modelInfo('gpt-4')?.encoding, 'cl100k_base');
    assert.equal(modelInfo('gpt-4o')?.encoding, 'o200k_base');
  });

  test('has the long window when its name asks for it', () => {
    assert.equal(modelInfo('claude-sonnet-4-5')?.contextWindow, 200_000);
    assert.equal(modelInfo('claude-sonnet-4-5[1m]')?.contextWindow, 1_000_000);
  });

  test('of an unknown version has a family and no window', () => {
    for (const model of ['claude-opus-4-9', 'gpt-5.9', 'gemini-9-pro']) {
      const info = modelInfo(model);
      assert.ok(info, model);
      assert.equal(info.contextWindow, undefined, model);
    }
  });

  test('of no known family is not found', () => {
    for (const model of ['', 'x', 'my-model', 'o200k', 'claudette', 'gptx'])
      assert.equal(modelInfo(model), undefined, model);
  });
});

describe('a number of tokens', () => {
  test('is read as people write it', () => {
    const written = ['200k', '1M', '64_000', '64,000', '1.05m', ' 400 k ', '0.5K', 128_000];
    assert.deepEqual(
      written.map(parseTokenCount),
      [200_000, 1_000_000, 64_000, 64_000, 1_050_000, 400_000, 500, 128_000],
    );
  });

  test('is read back from any whole number', () => {
    fc.assert(fc.property(fc.integer({ min: 1 }), (n) => assert.equal(parseTokenCount(String(n)), n)));
  });

  test('is refused in any other form, with what was expected and what came', () => {
    for (const bad of [
      '',
      '0',
      '-1',
      '1.5',
      'abc',
      '12k5',
      '1e6',
      '1_0',
      'k',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '9'.repeat(30),
    ]) {
      assert.throws(
        () => parseTokenCount(bad),
        (error: unknown) =>
          PalimpsestError.isInstance(error) &&
          error.code === 'BAD_OPTION' &&
          /such as 128000.*got "/.test(error.message),
        String(bad),
      );
    }
  });
});
