/** The page of promises: ids are found in the titles of tests, and every id that a title begins with has its words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { idsOfTitle, promiseIds, testsById, titlesOf } from '../../scripts/reference/promises-page.ts';
import { pathsUnder } from '../architecture/source-file.ts';

test('a title names its ids in front, one, several or a range', () => {
  assert.deepEqual(idsOfTitle('S9 finds it'), ['S9']);
  assert.deepEqual(idsOfTitle('A4, P2, B3: real logs'), ['A4', 'P2', 'B3']);
  assert.deepEqual(idsOfTitle('E1 E5 the same list'), ['E1', 'E5']);
  assert.deepEqual(idsOfTitle('A1–A3, T1: all'), ['A1', 'A2', 'A3', 'T1']);
  assert.deepEqual(idsOfTitle('E4711 is an order number'), []);
  assert.deepEqual(idsOfTitle('finds S9'), []);
});

test('titles are those of tests and suites, not of comments and calls of other names', () => {
  const source = "// test('S1 no')\ntest('S2 yes', f);\ndescribe(`S3 yes`, f);\nt.test('S4 yes');\nmatch('S5 no');\n";
  assert.deepEqual(titlesOf(source).flatMap(idsOfTitle), ['S2', 'S3', 'S4']);
});

test('every id that a test names is explained on the page of promises', () => {
  const known = new Set(promiseIds);
  assert.equal(known.size, promiseIds.length);
  assert.deepEqual(
    [...testsById().keys()].filter((id) => !known.has(id)),
    [],
  );
});

test('no title begins with the number of another list, which would count under a promise', () => {
  const root = join(import.meta.dirname, '..', '..');
  const titles = pathsUnder(root, 'test').flatMap((path) =>
    /\.(?:test|arm)\.ts$/.test(path) ? titlesOf(readFileSync(join(root, path), 'utf8')) : [],
  );
  assert.ok(titles.length > 1_000);
  assert.deepEqual(
    titles.filter((title) => /^[A-Z]\d{1,2} \d+:/.test(title)),
    [],
  );
});
