import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTextSearch, type TextSearch } from '../../../packages/core/src/compression/verify/text-search.ts';

const overlapping = (search: TextSearch, wanted: string): readonly number[] => {
  const found: number[] = [];
  search.places(wanted, (at) => {
    found.push(at);
    return at + 1;
  });
  return found;
};

/** Every place, tried one by one. */
const placesIn = (text: string, wanted: string): readonly number[] =>
  Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(wanted, at));

/** Few letters, so that texts come again and again. */
const texts = (least: number, most: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '写', '\ud83d'), minLength: least, maxLength: most });

test('S9: a text is found where it stands, the first time as after a hundred searches', () => {
  fc.assert(
    fc.property(texts(0, 120), fc.array(texts(1, 6), { minLength: 1, maxLength: 4 }), (text, sought) => {
      const search = createTextSearch(text);
      for (let round = 0; round < 60; round++)
        for (const wanted of sought) assert.deepEqual(overlapping(search, wanted), placesIn(text, wanted));
    }),
    { numRuns: 60 },
  );
});

test('S9: a search goes on where it is told to, and ends when it is told nothing', () => {
  const search = createTextSearch('aaaa aaaa aaaa');
  for (let round = 0; round < 100; round++) {
    const found: number[] = [];
    search.places('aaa', (at) => {
      found.push(at);
      return found.length < 2 ? 5 : undefined;
    });
    assert.deepEqual(found, [0, 5]);
  }
});
