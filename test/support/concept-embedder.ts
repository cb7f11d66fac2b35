/** An embedder without a model: words of one meaning lie on one axis, and all other words on none. */
import type { Embedder } from '../../packages/core/src/recall/vectors/embed-messages.ts';

const meanings: readonly (readonly string[])[] = [
  ['password', 'credentials', 'login', 'secret'],
  ['broken', 'crashed', 'failed', 'outage'],
  ['holiday', 'vacation', 'trip', 'beach'],
  ['dog', 'puppy', 'terrier'],
  ['yes', 'sure', 'of course'],
];

export interface ConceptEmbedder extends Embedder {
  /** Every text that was embedded, call by call. */
  readonly calls: readonly (readonly string[])[];
}

/** The same texts give the same vectors under any name. */
export function conceptEmbedder(about: Partial<Embedder> = {}): ConceptEmbedder {
  const calls: (readonly string[])[] = [];
  return {
    name: 'concepts',
    scripts: ['Latin'],
    calls,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      calls.push(texts);
      return texts.map(vectorOf);
    },
    ...about,
  };
}

function vectorOf(text: string): Float32Array {
  const words = text.toLowerCase();
  const counts = meanings.map((group) => group.filter((word) => words.includes(word)).length);
  // The last axis is what texts have that say nothing of all this.
  const numbers = [...counts, counts.some((count) => count > 0) ? 0 : 1];
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (one) => one / length);
}
