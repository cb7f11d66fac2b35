import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scanTokens, seen } from '../../../packages/core/src/compression/ledger/terms.ts';

const tokens = (text: string): string[] => {
  const found: string[] = [];
  scanTokens(text, { from: 0, to: text.length }, (start, end) => found.push(text.slice(start, end)));
  return found;
};
const bitsOf = (text: string): number => {
  let all = 0;
  scanTokens(text, { from: 0, to: text.length }, (_start, _end, bits) => {
    all |= bits;
  });
  return all;
};

test('S8: a token is a run of the signs that names are made of', () => {
  assert.deepEqual(tokens('run src/a_b.ts:12 --dry, then @x/y#3 ~ok'), [
    'run',
    'src/a_b.ts:12',
    '--dry',
    'then',
    '@x/y#3',
    '~ok',
  ]);
  assert.deepEqual(tokens('a,b 12,345 1, 2 x1,000,000y'), ['a', 'b', '12,345', '1', '2', 'x1,000,000y']);
  assert.deepEqual(tokens(''), []);
});

test('S8: CJK, kana, hangul and full-width letters are word signs, their punctuation is not', () => {
  assert.deepEqual(tokens('修复了、テスト。한국어！'), ['修复了', 'テスト', '한국어']);
  assert.deepEqual(tokens('（ＡＢＣ１２）「ｶﾅ」・人々'), ['ＡＢＣ１２', 'ｶﾅ', '人々']);
  assert.equal(bitsOf('修') & seen.cjk, seen.cjk);
  assert.equal(bitsOf('ｶ') & seen.cjk, seen.cjk);
  assert.equal(bitsOf('１') & seen.digit, seen.digit);
});

test('S8: emoji, surrogate pairs and private-use signs end a token', () => {
  assert.deepEqual(tokens('done✅ok 🙂🙂 x\u{20000}y a\ue000b'), ['done', 'ok', 'x', 'y', 'a', 'b']);
});

test('S8: what a token is made of shows in its bits', () => {
  assert.equal(bitsOf('camelCase') & seen.hump, seen.hump);
  assert.equal(bitsOf('Plain words') & seen.hump, 0);
  assert.equal(bitsOf('größe') & ~(seen.lower | seen.letter), 0);
  assert.equal(
    bitsOf('a/b.c_d-e:f#g@h'),
    seen.lower | seen.slash | seen.dot | seen.underscore | seen.dash | seen.colon | seen.hash | seen.at,
  );
});

test('S8: tokens stand in order, apart, and cover exactly the word signs', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('修复', 'カ', '한', 'ｱ', '🙂', '1,2', ', ', 'aB', '_', '\ud800'),
  );
  fc.assert(
    fc.property(fc.array(unit), (pieces) => {
      const text = pieces.join('');
      let end = 0;
      let covered = '';
      scanTokens(text, { from: 0, to: text.length }, (start, stop) => {
        assert.ok(start >= end && stop > start && stop <= text.length);
        // Whatever is left between tokens makes no token of its own.
        assert.deepEqual(tokens(text.slice(end, start).replaceAll(',', ' ')), []);
        assert.equal(tokens(text.slice(start, stop)).join('').length, stop - start);
        covered += text.slice(start, stop);
        end = stop;
      });
      assert.deepEqual(tokens(text.slice(end).replaceAll(',', ' ')), []);
      for (const word of text.match(/[A-Za-z0-9_]+/g) ?? []) assert.ok(covered.includes(word));
    }),
  );
});

test('S8: a stretch is scanned as if it stood alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, a, b) => {
      const [from, to] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y);
      const found: string[] = [];
      scanTokens(text, { from: from ?? 0, to: to ?? 0 }, (start, end) => found.push(text.slice(start, end)));
      // A comma looks at the digit behind it, which may stand outside.
      if (!text.includes(',')) assert.deepEqual(found, tokens(text.slice(from, to)));
    }),
  );
});

test('invariant 10: scanning hands on at most one token per two characters, each character once', () => {
  for (const text of ['a '.repeat(5000), '://'.repeat(3000), '修 '.repeat(5000), '1,'.repeat(5000)]) {
    let handed = 0;
    let characters = 0;
    scanTokens(text, { from: 0, to: text.length }, (start, end) => {
      handed++;
      characters += end - start;
    });
    assert.ok(handed <= text.length / 2 + 1 && characters <= text.length);
  }
});
