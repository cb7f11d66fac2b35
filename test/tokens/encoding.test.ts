import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { get_encoding, type Tiktoken } from 'tiktoken';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import { type Encoding, encodingNames, loadEncoding } from '../../packages/core/src/tokens/encoding.ts';
import { samples } from './samples.ts';
import { anyText, patternText } from './texts.ts';

for (const name of encodingNames) {
  describe(name, () => {
    let ours: Encoding;
    let oracle: Tiktoken;
    before(async () => {
      ours = await loadEncoding(name);
      oracle = get_encoding(name);
    });
    after(() => oracle.free());

    /** The oracle's ids with text of special tokens as plain text. */
    const expected = (text: string): number[] => [...oracle.encode(text, [], [])];

    function sameAsOracle(text: string): void {
      assert.deepEqual(ours.encode(text), expected(text));
      assert.equal(ours.count(text), expected(text).length);
    }

    test('gives the ids of tiktoken for text that meets every alternative of the pattern', () => {
      fc.assert(fc.property(patternText, sameAsOracle), { numRuns: 1500 });
    });

    test('gives the ids of tiktoken for any code points', () => {
      fc.assert(fc.property(anyText, sameAsOracle), { numRuns: 1500 });
    });

    test('gives the ids of tiktoken for text, code and data in many languages', () => {
      for (const text of Object.values(samples)) sameAsOracle(text);
    });

    test('gives the ids of tiktoken for long runs of one thing', () => {
      const units = [
        'a',
        'A',
        ' ',
        '\n',
        '-',
        '0',
        '=-',
        'aB',
        '😀',
        '中',
        '天地玄黄',
        ' \n',
        '\u3000',
        'é',
        "'s",
        '\u0000',
        '!\u0301',
      ];
      for (const unit of units) sameAsOracle(unit.repeat(Math.ceil(2500 / unit.length)));
    });

    test('gives the ids of tiktoken for long pieces without a pattern', () => {
      const letters = fc.string({
        unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
        minLength: 120,
        maxLength: 900,
      });
      const han = fc.string({
        unit: fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCharCode(code)),
        minLength: 40,
        maxLength: 400,
      });
      fc.assert(fc.property(fc.oneof(letters, han), sameAsOracle), { numRuns: 150 });
    });

    test('knows the characters that tiktoken knows, not those of a newer Unicode', () => {
      const newer = [0x088f, 0x1acf, 0xa7ce, 0x10940, 0x11de0, 0x16ea0, 0x187f8, 0x1e6c0, 0x2b73a, 0x323b0];
      for (const code of newer) sameAsOracle(`${String.fromCodePoint(code)}\n \n${String.fromCodePoint(code)}123`);
    });

    test('counts the text of a special token as plain text', () => {
      assert.ok(ours.count('<|endoftext|>') > 1);
    });

    test('counts half of a surrogate pair as the replacement character', () => {
      assert.deepEqual(ours.encode('a\ud83d b'), ours.encode('a\ufffd b'));
    });

    test('counts a text beyond the size of its kept buffer', () => {
      const text = 'The quick brown fox.\n'.repeat(8000);
      assert.equal(ours.count(text), expected(text).length);
    });

    test('truncates to the longest prefix that fits', () => {
      const run = fc.tuple(fc.constantFrom('a', ' ', '中', '\n ', 'ab'), fc.integer({ min: 130, max: 300 }));
      const text = fc.oneof(
        { weight: 8, arbitrary: patternText },
        { weight: 1, arbitrary: run.map(([unit, times]) => unit.repeat(times)) },
      );
      fc.assert(
        fc.property(text, fc.integer({ min: 0, max: 90 }), (whole, maxTokens) => {
          assert.equal(ours.truncate(whole, maxTokens), longestPrefix(whole, maxTokens));
        }),
        { numRuns: 400 },
      );
    });

    function longestPrefix(text: string, maxTokens: number): string {
      let longest = '';
      let prefix = '';
      for (const character of text) {
        prefix += character;
        if (ours.count(prefix) <= maxTokens) longest = prefix;
      }
      return longest;
    }

    test('truncates a very long run without a break to at most as many tokens', () => {
      const text = 'ab'.repeat(20_000);
      const cut = ours.truncate(text, 1_000);
      assert.ok(ours.count(cut) <= 1_000);
      assert.ok(cut.length > 1_900, `${cut.length}`);
    });

    test('refuses a number of tokens that is not a whole number from 0', () => {
      for (const bad of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        assert.throws(
          () => ours.truncate('text', bad),
          (error: unknown) => PalimpsestError.isInstance(error) && error.code === 'BAD_OPTION',
        );
      }
    });
  });
}

test('loads an encoding once', async () => {
  assert.equal(await loadEncoding('o200k_base'), await loadEncoding('o200k_base'));
});
