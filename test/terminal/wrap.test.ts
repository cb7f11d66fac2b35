/** Where lines break, and what text of others becomes before a terminal sees it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { widthOf } from '../../packages/palimpsest/src/terminal/screen.ts';
import { harmless } from '../../packages/palimpsest/src/terminal/visible.ts';
import { splitRows, wrapRanges } from '../../packages/palimpsest/src/terminal/wrap.ts';

const rowsOf = (text: string, room: number): readonly string[] =>
  wrapRanges(text, room).map(({ start, end }) => text.slice(start, end));

const words = fc.array(
  fc.constantFrom(
    'a',
    'word',
    'a-longer-word/with/parts',
    ' ',
    '  ',
    '日本語',
    '「引用」',
    '。',
    '、',
    '한국어',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    '🇩🇪',
    '…',
  ),
  { maxLength: 40 },
);

describe('rows of a line', () => {
  test('break between words, and Chinese and Japanese anywhere', () => {
    assert.deepEqual(rowsOf('one two three', 8), ['one two', 'three']);
    assert.deepEqual(rowsOf('日本語の文章', 6), ['日本語', 'の文章']);
    assert.deepEqual(rowsOf('see 日本語の文章 here', 10), ['see 日本語', 'の文章', 'here']);
  });

  test('neither begin with a closing mark nor end with an opening one', () => {
    assert.deepEqual(rowsOf('日本語。次', 6), ['日本', '語。次']);
    assert.deepEqual(rowsOf('日本「語」', 6), ['日本', '「語」']);
  });

  test('keep a flag, a family and a letter with its accent in one piece', () => {
    assert.deepEqual(rowsOf('👩‍👩‍👧‍👦🇩🇪e\u0301', 2), ['👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301']);
  });

  test('cut a word only where no row can hold it', () => {
    assert.deepEqual(rowsOf('go to https://example.com/a', 10), ['go to', 'https://ex', 'ample.com/', 'a']);
    assert.deepEqual(splitRows('abcdefgh', 3), ['abc', 'def', 'gh']);
  });

  test('hold every character but spaces at breaks, and none is wider than the room', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 30 }), (parts, room) => {
        const text = parts.join('');
        const rows = rowsOf(text, room);
        assert.equal(rows.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
        for (const row of rows) assert.ok(widthOf(row) <= room, `${JSON.stringify(row)} in ${room}`);
      }),
    );
  });
});

describe('text of others', () => {
  test('reaches the terminal without anything that drives it', () => {
    assert.equal(harmless('\x1b[31mred\x1b[0m'), 'red');
    assert.equal(harmless('\x1b]52;c;aGk=\x07'), '\\x1b]52;c;aGk=\\x07');
    assert.equal(harmless('a\rb\x1b[2Jc\x9b2Jd\x7f'), 'a\\x0db\\x1b[2Jc\\x9b2Jd\\x7f');
    assert.equal(harmless('safe\u202eexe.txt'), 'safe\\u202eexe.txt');
  });

  test('shows letters that have no width and spell something', () => {
    assert.equal(harmless('yes\u{e0041}\u{e0042}'), 'yes\\ue0041\\ue0042');
    const england = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    assert.equal(harmless(england), england);
  });

  test('has spaces for tabs', () => {
    assert.equal(harmless('a\tb\t\tc'), 'a   b       c');
  });
});
