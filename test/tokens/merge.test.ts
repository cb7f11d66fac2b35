import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longMerger, pairMemo } from '../../packages/core/src/tokens/merge.ts';
import type { Vocabulary } from '../../packages/core/src/tokens/vocabulary.ts';

/** A vocabulary of the letters and the given tokens, in the order of their ranks. */
function vocabularyOf(tokens: readonly string[]): Vocabulary {
  const ids = new Map([...'abc', ...tokens].map((token, id) => [token, id] as const));
  return {
    size: ids.size,
    longest: Math.max(...[...ids.keys()].map((token) => token.length)),
    find: (bytes, from, to) => ids.get(String.fromCharCode(...bytes.subarray(from, to))) ?? -1,
  };
}

/** The definition: as long as there is one, merge the leftmost of the pairs with the lowest rank. */
function merged(text: string, vocabulary: Vocabulary): readonly string[] {
  const parts = [...text];
  for (;;) {
    const ranks = parts.slice(1).map((part, i) => idOf(`${parts[i]}${part}`, vocabulary));
    const lowest = Math.min(...ranks.filter((rank) => rank >= 0));
    const index = ranks.indexOf(lowest);
    if (index < 0) return parts;
    parts.splice(index, 2, `${parts[index]}${parts[index + 1]}`);
  }
}

const idOf = (text: string, vocabulary: Vocabulary): number => {
  const bytes = new TextEncoder().encode(text);
  return vocabulary.find(bytes, 0, bytes.length);
};

test('merges long pieces as the definition says, for any vocabulary', () => {
  // Random ranks make pairs whose merge has a lower rank than its parts, which real vocabularies hardly have.
  const letters = fc.constantFrom('a', 'b', 'c');
  const tokens = fc.uniqueArray(fc.string({ unit: letters, minLength: 2, maxLength: 5 }), {
    minLength: 1,
    maxLength: 30,
  });
  const text = fc.string({ unit: letters, minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(tokens, text, (list, piece) => {
      const vocabulary = vocabularyOf(list);
      const bytes = new TextEncoder().encode(piece);
      const starts = longMerger(vocabulary, pairMemo())(bytes, 0, bytes.length);
      const parts = [...starts.subarray(1)].map((end, i) => piece.slice(starts[i], end));
      assert.deepEqual(parts, merged(piece, vocabulary));
    }),
    { numRuns: 2000 },
  );
});
