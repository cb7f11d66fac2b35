import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { loadEncoding } from '../../packages/core/src/tokens/encoding.ts';
import { classTokens, estimateTextTokens } from '../../packages/core/src/tokens/estimate.ts';
import { families } from '../../packages/core/src/tokens/families.ts';
import { samples } from './samples.ts';
import { anyText } from './texts.ts';

/** How far an estimate may be from o200k_base, as a part of the count. */
const bounds: Readonly<Record<keyof typeof samples, number>> = {
  english: 0.1,
  german: 0.2,
  french: 0.2,
  spanish: 0.2,
  polish: 0.25,
  vietnamese: 0.25,
  russian: 0.2,
  greek: 0.2,
  hebrew: 0.2,
  arabic: 0.2,
  hindi: 0.2,
  thai: 0.2,
  chinese: 0.2,
  japanese: 0.2,
  korean: 0.2,
  typescript: 0.1,
  python: 0.1,
  json: 0.1,
  log: 0.1,
  hex: 0.15,
  base64: 0.2,
  emoji: 0.2,
  table: 0.15,
};

describe('estimates', () => {
  test('stay within their bounds of o200k_base on every kind of text', async () => {
    const { count } = await loadEncoding('o200k_base');
    for (const [name, text] of Object.entries(samples)) {
      const error = estimateTextTokens(text) / count(text) - 1;
      // The samples and the bounds have the same names.
      const bound = bounds[name as keyof typeof samples];
      assert.ok(Math.abs(error) <= bound, `${name}: ${(error * 100).toFixed(1)} % off, at most ${bound * 100} %`);
    }
  });

  test('are whole numbers above 0 for any text that is not empty', () => {
    assert.equal(estimateTextTokens(''), 0);
    fc.assert(
      fc.property(anyText.filter(Boolean), fc.constantFrom(...families), (text, family) => {
        const tokens = estimateTextTokens(text, family);
        assert.ok(Number.isSafeInteger(tokens) && tokens > 0, `${tokens}`);
      }),
    );
  });

  test('never exceed what the bytes of a text could cost at the most', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text).length;
        assert.ok(estimateTextTokens(text) <= bytes * 1.5 + 1);
      }),
    );
  });

  test('grow with the length of a run', () => {
    for (const unit of ['a', ' ', '\n', '-', '中', '😀', '1', 'é']) {
      const short = estimateTextTokens(unit.repeat(100));
      assert.ok(estimateTextTokens(unit.repeat(10_000)) > short, JSON.stringify(unit));
    }
  });

  test('are higher for Claude than for o200k_base, and higher again from 4.7 on', () => {
    for (const text of [samples.english, samples.typescript, samples.json, samples.chinese]) {
      const openai = estimateTextTokens(text);
      const claude = estimateTextTokens(text, 'claude');
      assert.ok(claude > openai);
      assert.ok(Math.abs(estimateTextTokens(text, 'claude-4.7') / claude - 1.3) < 0.02);
    }
  });

  test('put each kind of text into its class', () => {
    assert.ok(classTokens('one two three').words >= 3);
    assert.equal(classTokens('123456').digits, 2);
    assert.ok(classTokens('漢字かな한글').cjk > 3);
    assert.ok(classTokens('слово').scripts > 0);
    assert.ok(classTokens('{}[] ...').symbols > 1);
  });
});

const transcripts = join(import.meta.dirname, '../../../shared/data/transcripts/claude-code');
const skip = existsSync(transcripts) ? false : 'the evaluation data is not here';

test('are within 5 per cent of o200k_base on real agent transcripts', { skip }, async () => {
  const { count } = await loadEncoding('o200k_base');
  for (const file of readdirSync(transcripts).slice(0, 4)) {
    const text = gunzipSync(readFileSync(join(transcripts, file)))
      .toString()
      .slice(0, 400_000);
    const error = estimateTextTokens(text) / count(text) - 1;
    assert.ok(Math.abs(error) < 0.05, `${(error * 100).toFixed(1)} %`);
  }
});
