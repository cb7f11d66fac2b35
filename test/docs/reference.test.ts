import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interfacesOf, unionOf } from '../../scripts/reference/doc-comments.ts';
import { referencePages, stalePages } from '../../scripts/reference/pages.ts';

test('docs/reference says what the code says; `npm run docs` brings it up to date', () => {
  assert.deepEqual(
    stalePages().map(({ path }) => path),
    [],
  );
});

test('no cell of the reference is empty', () => {
  for (const { path, text } of referencePages()) {
    const empty = text.split('\n').filter((line) => /^\|.*\| +\|/.test(line));
    assert.deepEqual(empty, [], `${path} has rows without a text: say in the code what they mean`);
  }
});

test('the comment of a member is read as one line without its default', () => {
  const source =
    'export interface A {\n  /**\n   * First\n   * second. @default 1\n   */\n  readonly b: number;\n  readonly c?: D;\n}\n';
  assert.deepEqual(interfacesOf(source).get('A'), [
    { name: 'b', type: 'number', doc: 'First second.' },
    { name: 'c', type: 'D', doc: '' },
  ]);
});

test('the words of a union are read with their comments', () => {
  const source = "export type A =\n  /** One. */\n  | 'B'\n  | 'C';\n";
  assert.deepEqual(unionOf(source, 'A'), [
    { word: 'B', doc: 'One.' },
    { word: 'C', doc: '' },
  ]);
});
