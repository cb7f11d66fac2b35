import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type CompressionOptions,
  compressionDefaults,
  resolveCompressionConfig,
} from '../../packages/core/src/context/settings.ts';
import { nearest } from '../../packages/core/src/shared/options/schema.ts';

/** The message for options that no compiler would let through. */
function complaint(options: unknown): string {
  try {
    // The point of the test: what a caller without types may pass.
    resolveCompressionConfig(options as CompressionOptions);
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'BAD_CONFIG');
    return error.message;
  }
  assert.fail('nothing was wrong');
}

describe('the compression configuration', () => {
  test('T1: the defaults are those of the mission', () => {
    const { enabled, threshold, targetRatio, protectLastN, protectFirstN } = resolveCompressionConfig();
    assert.deepEqual([enabled, threshold, targetRatio, protectLastN, protectFirstN], [true, 0.5, 0.2, 20, 3]);
    assert.deepEqual(resolveCompressionConfig({}), compressionDefaults);
  });

  test('T1: resolving what was resolved changes nothing', () => {
    const config = resolveCompressionConfig({ threshold: 0.7, summary: { maxTokens: 8_000 } });
    assert.deepEqual(resolveCompressionConfig(config), config);
  });

  test('T1: what was resolved cannot be made wrong afterwards, and neither the defaults nor given groups are frozen', () => {
    const summary = { maxTokens: 8_000 };
    const config = resolveCompressionConfig({ summary });
    for (const [group, key] of [
      [config, 'threshold'],
      [config, 'treshold'],
      [config.summary, 'maxTokens'],
    ] as const)
      assert.throws(() => Object.assign(group, { [key]: 'never' }), TypeError);
    assert.deepEqual([config, summary, compressionDefaults.prune].map(Object.isFrozen), [true, false, false]);
  });

  test('T1: a part of a group leaves its other defaults, and undefined is not given', () => {
    const { summary } = resolveCompressionConfig({ summary: { maxTokens: 8_000 } });
    assert.deepEqual(summary, { ...compressionDefaults.summary, maxTokens: 8_000 });
    assert.equal(resolveCompressionConfig({ threshold: undefined } as unknown as CompressionOptions).threshold, 0.5);
  });

  test('T1: the target ratio is moved into 0.10 to 0.80', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (targetRatio) => {
        const expected = Math.min(0.8, Math.max(0.1, targetRatio));
        assert.equal(resolveCompressionConfig({ targetRatio }).targetRatio, expected);
      }),
    );
  });

  test('T1: an unknown key names the nearest known one, at every depth', () => {
    assert.match(complaint({ tresholdd: 1 }), /tresholdd is not a known key; did you mean "threshold"\?/);
    assert.match(complaint({ protect_last_n: 1 }), /did you mean "protectLastN"\?/);
    assert.match(complaint({ prune: { resultChar: 5 } }), /prune\.resultChar .* mean "resultChars"\?/);
    assert.match(
      complaint({ summary: { banana: 1 } }),
      /summary\.banana is not a known key; known keys: template, preset, ratio/,
    );
  });

  test('T1: keys that every object has are unknown too', () => {
    const options: unknown = JSON.parse('{"__proto__": 1, "constructor": 2}');
    assert.match(complaint(options), /__proto__ is not a known key[\s\S]*constructor is not a known key/);
  });

  const wrong = [
    [{ threshold: 50 }, 'threshold expected a number from 0.05 to 0.95, got 50'],
    [{ threshold: '0.5' }, 'threshold expected a number from 0.05 to 0.95, got "0.5"'],
    [{ enabled: 1 }, 'enabled expected true or false, got 1'],
    [{ enabled: null }, 'enabled expected true or false, got null'],
    [{ protectLastN: 2.5 }, 'protectLastN expected a whole number of at least 0, got 2.5'],
    [{ thresholdTokens: true }, 'thresholdTokens expected a whole number of at least 1000, or null, got true'],
    [{ prune: { keepImages: -1 } }, 'prune.keepImages expected a whole number of at least 0, got -1'],
    [{ tailPreset: 'fat' }, 'tailPreset expected one of budget, reserved, lean, got "fat"'],
    [{ summary: [] }, 'summary expected an object with template, preset, ratio,'],
    [{ targetRatio: Number.NaN }, 'targetRatio expected a number from 0.1 to 0.8, got NaN'],
    [{ modelThresholds: { gpt: 50 } }, 'modelThresholds.gpt expected a share of the window from 0.05 to 0.95, or at'],
    [{ pressure: 'loud' }, 'pressure expected one of threshold, tiers, both, off, got "loud"'],
    [{ summary: { template: 'long' } }, 'summary.template expected one of handoff, progress, brief, got "long"'],
    [
      { summary: { template: { sections: [{ heading: 'Goal' }] } } },
      'summary.template.sections[0].instruction is missing',
    ],
    [{ summary: { maxTokens: 100 } }, 'summary.maxTokens is 100; expected at least minTokens (2000)'],
  ] as const;
  for (const [options, message] of wrong) {
    test(`T1: says "${message}"`, () => assert.ok(complaint(options).includes(message), complaint(options)));
  }

  test('T1: one error lists everything that is wrong', () => {
    const message = complaint({ threshold: 50, enabled: 'no', prun: {} });
    assert.equal(message.split('\n').length, 4);
  });

  test('S2: a template of your own has sections', () => {
    const template = { sections: [{ heading: 'Goal', instruction: 'What the user wants.' }] };
    assert.deepEqual(resolveCompressionConfig({ summary: { template } }).summary.template, template);
  });

  test('T2: model names stay as they are', () => {
    const modelThresholds = { 'azure:gpt-5': 0.4, camelCase_model: 200_000 };
    assert.deepEqual(resolveCompressionConfig({ modelThresholds }).modelThresholds, modelThresholds);
  });
});

describe('the nearest key', () => {
  const known = ['threshold', 'thresholdTokens', 'targetRatio'];
  test('is found through typos, naming styles and case', () => {
    assert.equal(nearest('treshold', known), 'threshold');
    assert.equal(nearest('THRESHOLD_TOKENS', known), 'thresholdTokens');
    assert.equal(nearest('target-ratio', known), 'targetRatio');
  });

  test('is nothing when nothing is near', () => {
    assert.equal(nearest('banana', known), undefined);
    assert.equal(nearest('x', []), undefined);
  });
});
