import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fill, oneLine, percent, shares, thousands, wrap } from '../../../packages/palimpsest/src/cli/render/text.ts';
import { clip, widthOf } from '../../../packages/palimpsest/src/terminal/screen.ts';
import { visible } from '../../../packages/palimpsest/src/terminal/visible.ts';

describe('text in columns', () => {
  it('counts two columns for wide characters and none for combining marks', () => {
    assert.equal(widthOf('abc'), 3);
    assert.equal(widthOf('日本語'), 6);
    assert.equal(widthOf('한국'), 4);
    assert.equal(widthOf('e\u0301'), 1);
    assert.equal(widthOf('🙂'), 2);
    assert.equal(widthOf('（全角）'), 8);
  });

  it('counts what a terminal shows as one picture or syllable as one', () => {
    const cells: readonly (readonly [string, number])[] = [
      ['サーバー', 8],
      ['ー', 2],
      ['ﾊﾟｰ', 3],
      ['「」、。・', 10],
      ['々〆〜', 6],
      ['\u1112\u1161\u11ab\u1100\u1173\u11af', 4],
      ['ﾡﾢ', 2],
      ['Ａ１！￥', 8],
      ['👨‍👩‍👧‍👦', 2],
      ['👍🏽', 2],
      ['🇯🇵🇫🇷', 4],
      ['1️⃣', 2],
      ['❤️', 2],
      ['❤', 1],
      ['⌚', 2],
      ['e\u0301\u0327', 1],
      ['\u200b\u2060\ufeff', 0],
      ['a\u00adb', 3],
      ['नमस्कार', 6],
      ['ไทย', 3],
      ['…─①Ωж§', 6],
      ['𠮷', 2],
      ['𝒜', 1],
    ];
    for (const [text, width] of cells) assert.equal(widthOf(text), width, JSON.stringify(text));
  });

  it('cuts between what a person sees as characters, at the width and no wider', () => {
    assert.equal(clip('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3), '👨‍👩‍👧‍👦…');
    assert.equal(clip('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 2), '…');
    assert.equal(clip('サーバーの', 6), 'サー…');
    assert.equal(clip('e\u0301e\u0301e\u0301', 2), 'e\u0301…');
    assert.equal(clip('\u1112\u1161\u11ab\u1100\u1173\u11af', 3), '\u1112\u1161\u11ab…');
    assert.equal(fill(clip('日本語です', 6), 6), '日本… ');
  });

  it('cuts at the width and marks the cut', () => {
    assert.equal(clip('abcdef', 4), 'abc…');
    assert.equal(clip('abcdef', 6), 'abcdef');
    assert.equal(clip('日本語です', 5), '日本…');
    assert.equal(clip('abc', 0), '');
  });

  it('never exceeds the width, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, width) => {
        assert.ok(widthOf(clip(text, width)) <= width);
        assert.ok(widthOf(fill(clip(text, width), width)) === width || widthOf(clip(text, width)) <= width);
      }),
    );
  });

  it('breaks lines at spaces', () => {
    assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
    assert.deepEqual(wrap('see a-very-long-word b', 6), ['see', 'a-very', '-long-', 'word b']);
    assert.deepEqual(wrap('次のサーバーを再起動 now', 8), ['次のサー', 'バーを再', '起動 now']);
    assert.deepEqual(wrap('', 5), ['']);
  });

  it('shows control characters instead of sending them to the terminal', () => {
    assert.equal(visible('a\u001b[31mb\tc\nd'), 'a\\x1b[31mb\tc\nd');
    assert.equal(visible('\u202eabc\u0007'), '\\u202eabc\\x07');
    assert.equal(visible('line\r\nline\rline'), 'line\nline\\x0dline');
    assert.equal(oneLine('  a\n\tb\u001b]0;title\u0007 '), 'a b\\x1b]0;title\\x07');
  });

  it('gives shares that add up to a hundred', () => {
    assert.deepEqual(shares([1, 1, 1]), ['34 %', '33 %', '33 %']);
    assert.deepEqual(shares([995, 4, 1]), ['100 %', '< 1 %', '< 1 %']);
    assert.deepEqual(shares([0, 0]), ['–', '–']);
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 9 }), (parts) => {
        const sum = shares(parts).reduce((all, share) => all + Number(/^\d+/.exec(share)?.[0] ?? 0), 0);
        assert.equal(sum, parts.some((part) => part > 0) ? 100 : 0);
      }),
    );
  });

  it('writes numbers the same on every machine', () => {
    assert.equal(thousands(1234567.4), '1,234,567');
    assert.equal(thousands(999), '999');
    assert.equal(percent(1, 1000), '< 1 %');
    assert.equal(percent(0, 1000), '0 %');
    assert.equal(percent(999, 1000), '> 99 %');
    assert.equal(percent(1, 3), '33 %');
    assert.equal(percent(20, 1), '2,000 %');
    assert.equal(percent(1, 0), '–');
  });
});
