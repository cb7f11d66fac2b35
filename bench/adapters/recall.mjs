/** Lets an evaluation kit search with the public library. */
import { search } from '../../packages/core/src/recall/search/search.ts';
import { openCorpus } from '../search/open-corpus.ts';

export const name = 'palimpsest';

export async function open(corpus) {
  const { store, idAt } = await openCorpus(corpus);
  return {
    search: async (query, k) => {
      const { hits } = await search(store, query, { limit: k });
      return hits.map(({ sessionId, position }) => ({ id: idAt(sessionId, position) }));
    },
    close: () => store.close(),
  };
}
