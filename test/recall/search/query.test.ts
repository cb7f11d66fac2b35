/** What a query means. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseQuery, type Requirement } from '../../../packages/core/src/recall/search/query.ts';

/** A requirement as a person would write it. */
function shown(requirement: Requirement | undefined): string {
  switch (requirement?.type) {
    case undefined:
      return '';
    case 'not':
      return `not(${shown(requirement.of)})`;
    case 'and':
    case 'or':
      return `${requirement.type}(${requirement.of.map(shown).join(', ')})`;
    case 'phrase':
      return `"${requirement.text}"`;
    case 'prefix':
      return `${requirement.text}*`;
    case 'word':
      return requirement.text;
  }
}

const meaning = (query: string): string => shown(parseQuery(query).requirement);
const leaves = (query: string): readonly string[] => parseQuery(query).leaves.map(({ text }) => text);

describe('a query', () => {
  test('Q1 is words, any of which may occur', () => {
    assert.deepEqual(leaves("what's the deploy-script in src/a.ts?"), [
      "what's",
      'the',
      'deploy-script',
      'in',
      'src/a.ts?',
    ]);
    assert.equal(meaning("what's the deploy-script in src/a.ts?"), '');
  });

  test('Q1 knows phrases, AND, OR, NOT, brackets, a minus and a beginning', () => {
    assert.equal(meaning('"exact words" more'), '"exact words"');
    assert.equal(meaning('a AND b OR c'), 'or(and(a, b), c)');
    assert.equal(meaning('(docker OR podman) AND deploy'), 'and(or(docker, podman), deploy)');
    assert.equal(meaning('docker -windows'), 'not(windows)');
    assert.equal(meaning('docker NOT "old host"'), 'not("old host")');
    assert.equal(meaning('config*'), 'config*');
    assert.equal(meaning('a OR b'), '');
  });

  test('Q1 takes words in small letters, flags and lone signs as text', () => {
    assert.equal(meaning('this and that or not'), '');
    assert.deepEqual(leaves('rm -rf --force +x'), ['rm', '-rf', '--force', '+x']);
    assert.deepEqual(leaves('- * " ( ) && || !!'), []);
  });

  test('Q1 does not look for what it forbids', () => {
    assert.deepEqual(leaves('docker -windows NOT podman'), ['docker']);
  });

  test('Q1 reads what is not finished', () => {
    assert.equal(meaning('"open phrase'), '"open phrase"');
    assert.equal(meaning('a AND'), '');
    assert.equal(meaning('AND OR NOT'), '');
    assert.equal(meaning('(a AND (b'), 'and(a, b)');
    assert.equal(meaning('a) AND b'), '');
  });

  test('Q1 reads every text without an error', () => {
    const operator = fc.constantFrom(
      'AND',
      'OR',
      'NOT',
      '(',
      ')',
      '"',
      '*',
      '-',
      ' ',
      '\0',
      '\ud800',
      '^',
      ':',
      "'",
      '你',
      'NEAR(',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(operator, { maxLength: 40 }).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => typeof parseQuery(text).leaves.length === 'number'),
      { numRuns: 5_000 },
    );
    assert.ok(parseQuery('('.repeat(100_000)).leaves.length === 0);
    assert.ok(parseQuery('NOT '.repeat(20_000)).leaves.length === 0);
  });
});
