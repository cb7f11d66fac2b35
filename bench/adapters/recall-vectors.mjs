/** Lets an evaluation kit search with the public library and the vectors of the model on this machine. */

import { search } from '../../packages/core/src/recall/search/search.ts';
import { embedMessages } from '../../packages/core/src/recall/vectors/embed-messages.ts';
import { loadMiniLm } from '../../packages/core/src/recall/vectors/minilm/mini-lm.ts';
import { vectorPackages } from '../../scripts/vectors.ts';
import { openCorpus } from '../search/open-corpus.ts';

export const name = 'palimpsest with vectors';

const vectors = await loadMiniLm({ load: await vectorPackages() });

export async function open(corpus) {
  const { store, idAt } = await openCorpus(corpus);
  await embedMessages(store, vectors);
  return {
    search: async (query, k) => {
      const { hits } = await search(store, query, { limit: k, vectors });
      return hits.map(({ sessionId, position }) => ({ id: idAt(sessionId, position) }));
    },
    close: () => store.close(),
  };
}
