/** How close messages are to a query in meaning, for the ranking. */
import type { MessageId } from '../../store/ids.ts';
import type { SearchFilter, SimilarMessage } from '../../store/search-index.ts';
import type { Store } from '../../store/store.ts';
import { type Embedder, knowsScriptOf } from './embedder.ts';

/** One query in the space of a model. */
export interface QuerySimilarity {
  /** The most similar of the newest messages. */
  nearest(filter: SearchFilter, limit: number): Promise<readonly SimilarMessage[]>;
  /** 0 for unrelated, 1 for the same; nothing for messages without a vector. */
  of(ids: readonly MessageId[]): Promise<ReadonlyMap<MessageId, number>>;
}

/** Characters of a query that are embedded. */
const mostCharacters = 1_000;

/** The query as a vector; undefined where the model does not know its script or the store has no vectors of it. */
export async function querySimilarity(
  store: Pick<Store, 'vectors'>,
  embedder: Embedder,
  { text, signal }: { readonly text: string; readonly signal?: AbortSignal },
): Promise<QuerySimilarity | undefined> {
  if (!knowsScriptOf(embedder, text)) return undefined;
  const models = await store.vectors.models();
  const model = embedder.name;
  if (!models.some(({ name, vectors }) => name === model && vectors > 0)) return undefined;
  const [vector] = await embedder.embed([text.slice(0, mostCharacters)], signal ? { signal } : {});
  if (!vector) return undefined;
  const { unrelated = 0 } = embedder;
  const scaled = (product: number): number => Math.max(0, (product - unrelated) / (1 - unrelated));
  return {
    nearest: async (filter, limit) => {
      const found = await store.vectors.similar({ model, vector, filter, limit });
      return found.map((one) => ({ ...one, similarity: scaled(one.similarity) }));
    },
    of: async (ids) => {
      const found = await store.vectors.similarities({ model, vector }, ids);
      return new Map(found.entries().map(([id, product]) => [id, scaled(product)]));
    },
  };
}
