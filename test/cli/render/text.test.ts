import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clip, fill, oneLine, percent, thousands, visible, widthOf, wrap } from '../../../src/cli/render/text.ts';

describe('text in columns', () => {
  it('counts two columns for wide characters and none for combining marks', () => {
    assert.equal(widthOf('abc'), 3);
    assert.equal(widthOf('日本語'), 6);
    assert.equal(widthOf('한국'), 4);
    assert.equal(widthOf('e\u0301'), 1);
    assert.equal(widthOf('🙂'), 2);
    assert.equal(widthOf('（全角）'), 8);
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
    assert.deepEqual(wrap('a-very-long-word b', 5), ['a-very-long-word', 'b']);
    assert.deepEqual(wrap('', 5), ['']);
  });

  it('shows control characters instead of sending them to the terminal', () => {
    assert.equal(visible('a\u001b[31mb\tc\nd'), 'a\\x1b[31mb\tc\nd');
    assert.equal(visible('\u202eabc\u0007'), '\\u202eabc\\x07');
    assert.equal(visible('line\r\nline\rline'), 'line\nline\\x0dline');
    assert.equal(oneLine('  a\n\tb\u001b]0;title\u0007 '), 'a b\\x1b]0;title\\x07');
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
