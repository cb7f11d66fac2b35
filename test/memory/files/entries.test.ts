import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  charsOf,
  cleanEntry,
  entryHash,
  isOneEntry,
  parseEntries,
  renderEntries,
} from '../../../packages/core/src/memory/files/entries.ts';

test('M1 entries stand between lines that hold § alone', () => {
  assert.deepEqual(parseEntries('one\n§\ntwo\nlines\n§\nthree'), ['one', 'two\nlines', 'three']);
  assert.equal(renderEntries(['one', 'two\nlines', 'three']), 'one\n§\ntwo\nlines\n§\nthree');
});

test('M1 a file without entries is empty', () => {
  for (const text of ['', ' \n', '\uFEFF', '§', '§\n§\n', '\r\n§\r\n']) assert.deepEqual(parseEntries(text), []);
  assert.equal(renderEntries([]), '');
});

test('M2 a file that a person wrote by hand is read without loss', () => {
  assert.deepEqual(parseEntries('a list\n- of things\n- and more\n'), ['a list\n- of things\n- and more']);
  assert.deepEqual(parseEntries('\uFEFFone\r\n§\r\ntwo\r\nlines\r\n'), ['one', 'two\nlines']);
  assert.deepEqual(parseEntries('§\none\n  §\t\n\n§\ntwo\n§'), ['one', 'two']);
  assert.deepEqual(parseEntries('see § 5 of it\n§ 6 too\n§§\n§\nend §'), ['see § 5 of it\n§ 6 too\n§§', 'end §']);
});

test('M1 of equal entries the first one stays, in the order of the file', () => {
  assert.deepEqual(parseEntries('b\n§\na\n§\nb\n§\nc\n§\n a'), ['b', 'a', 'c']);
});

test('M1 the limit counts code points, those between entries included', () => {
  assert.equal(charsOf(['😀😀', 'é']), 2 + 3 + 1);
  assert.equal(charsOf([]), 0);
});

test('M1 a text with a line of § alone is no single entry', () => {
  assert.ok(isOneEntry('one § two'));
  for (const text of ['one\n§\ntwo', '§', '', ' one']) assert.ok(!isOneEntry(text));
});

test('M1 a hash names an entry by its text', () => {
  assert.equal(entryHash('one'), entryHash('one'));
  assert.notEqual(entryHash('one'), entryHash('one '));
});

const oddFile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '§',
        '\n',
        '\r\n',
        '\n§\n',
        '\r\n§\r\n',
        ' § ',
        '\uFEFF',
        '\t',
        '\u2028',
        '\r',
        'a',
        'b § c',
        '😀',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test('M2 law: what was read once is written and read again unchanged', () => {
  fc.assert(
    fc.property(oddFile, (text) => {
      const entries = parseEntries(text);
      assert.deepEqual(parseEntries(renderEntries(entries)), entries);
      assert.ok(entries.every((entry) => isOneEntry(entry) && cleanEntry(entry) === entry));
    }),
    { numRuns: 2_000 },
  );
});

test('M2 law: a file holds after writing what it held, but for space, empty entries and equal ones', () => {
  const plain = (text: string): string => text.replaceAll(/[\s§\uFEFF]/g, '');
  fc.assert(
    fc.property(oddFile, (text) => {
      const entries = parseEntries(text);
      const all = text.split(/[\r\n]/).map(plain);
      const kept = new Set(entries.flatMap((entry) => entry.split('\n')).map(plain));
      for (const line of all) assert.ok(line === '' || kept.has(line));
    }),
    { numRuns: 2_000 },
  );
});
