/** Phrases are found as one large pattern finds them: the walk over openings saves time, and changes no verdict. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { foldText } from '../../../packages/core/src/memory/scan/fold.ts';
import { vocabulary } from '../../../packages/core/src/memory/scan/ideas.ts';
import { alternativesOf, openingsOf } from '../../../packages/core/src/memory/scan/openings.ts';
import { createPhraseScan, type Place } from '../../../packages/core/src/memory/scan/phrases.ts';

type Places = readonly (readonly Place[])[];

/** How the engine reads lists of patterns, each as one. */
function createPlainScan(
  lists: readonly (readonly string[])[],
  { isOfWords }: { readonly isOfWords: boolean },
): (text: string) => Places {
  const edge = (source: string): string => `(?<![\\p{L}\\d_])(?:${source})(?![\\p{L}\\d_])`;
  const patterns = lists.map((sources) =>
    sources.length === 0 ? undefined : new RegExp(isOfWords ? edge(sources.join('|')) : sources.join('|'), 'gu'),
  );
  return (text) =>
    patterns.map((pattern) =>
      pattern === undefined
        ? []
        : [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({ start: index, end: index + length })),
    );
}

const fixtures = join(import.meta.dirname, '../../fixtures/memory');

/** Every so many of the texts of all sets, folded. */
const sample = (step: number): readonly string[] =>
  readdirSync(fixtures)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(fixtures, name), 'utf8').split('\n').filter(Boolean))
    .filter((_, index) => index % step === 0)
    .flatMap((line) => Object.values(JSON.parse(line)).filter((value) => typeof value === 'string'))
    .map((text) => foldText(text).text);

const signs = fc.constantFrom(...'abc_1 .-', '用', '户', '🚀', '𝒶');

/** Sources such as the tables have them. */
const { source } = fc.letrec<{ source: string; row: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('a', 'b', 'c', 'ab', ' ', '用', '🚀', '\\.', '\\p{L}', '\\d', '[ab]', '[^ab ]', '.', '\\b'),
    tie('source').map((inner) => `(?:${inner})`),
    tie('row').map((inner) => `(?!${inner})`),
    tie('row').map((inner) => `(?<=${inner})`),
  ),
  row: fc
    .array(
      fc.tuple(tie('atom'), fc.constantFrom('', '', '', '?', '*', '+', '{0,2}', '{1,2}', '??')).map(([atom, count]) =>
        // What looks ahead or back, and the edge of a word, cannot be repeated; of two signs the last is.
        /^(?:\(\?<?[=!]|\\b)/.test(atom) ? atom : atom + count,
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((atoms) => atoms.join('')),
  source: fc.array(tie('row'), { minLength: 1, maxLength: 3 }).map((rows) => rows.join('|')),
}));

describe('M2: phrases', () => {
  test('M2: finds the words of all ideas where one pattern for each finds them', () => {
    const { inWords, inSigns } = vocabulary();
    for (const [sources, isOfWords] of [
      [inWords(), true],
      [inSigns(), false],
    ] as const) {
      const [scan, plain] = [createPhraseScan(sources, { isOfWords }), createPlainScan(sources, { isOfWords })];
      for (const text of sample(150)) assert.deepEqual(scan(text), plain(text), text);
    }
  });

  test('M2: finds what any pattern finds, in any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(source, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
        fc.array(signs, { maxLength: 16 }).map((all) => all.join('')),
        fc.boolean(),
        (lists, text, isOfWords) => {
          const plain = createPlainScan(lists, { isOfWords })(text);
          fc.pre(plain.flat().every(({ start, end }) => end > start));
          assert.deepEqual(createPhraseScan(lists, { isOfWords })(text), plain);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('M2: tells with what a pattern may begin', () => {
    assert.deepEqual(openingsOf('ignore'), ['ignore']);
    assert.deepEqual(openingsOf('disregard(?:ed)?'), ['disreg']);
    assert.deepEqual(openingsOf('colou?r'), ['colo']);
    assert.deepEqual(openingsOf("(?:do not|don'?t) obey").toSorted(), ['do not', "don't ", 'dont o']);
    assert.deepEqual(openingsOf('(?<!x)(?:a|b)[cd]').toSorted(), ['ac', 'ad', 'bc', 'bd']);
    assert.deepEqual(openingsOf('(?:the )?\\p{L}+'), ['']);
  });

  test('M2: divides alternatives outside of groups and classes', () => {
    assert.deepEqual(alternativesOf('a|(?:b|c)d|[|]e|\\|f|'), ['a', '(?:b|c)d', '[|]e', '\\|f', '']);
  });
});
