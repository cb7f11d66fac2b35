/** Hindsight, by its official client: a bank of memories that it extracts from documents. */
import type { MemoryProvider } from '@palimpsest/core/memory';
import type { HindsightClient } from '@vectorize-io/hindsight-client';
import { optionalClass } from '../optional-package.ts';
import { partitionOf, safeId } from '../partition.ts';
import type { ProviderHost } from '../provider-host.ts';
import { type RemoteMemory, remoteProvider, turnText } from '../remote-memory.ts';
import { clientError, ServiceError } from '../service-error.ts';

export function hindsightProvider(host: ProviderHost): MemoryProvider {
  const missing = (): string | undefined => host.missing([]);
  const memory = memoryOf(host);
  // To keep a fact it asks a model.
  return remoteProvider({
    name: 'hindsight',
    title: 'Hindsight',
    memory,
    missing,
    limits: { saveMs: 60_000, toolMs: 60_000 },
  });
}

const packageName = '@vectorize-io/hindsight-client';

async function clientOf({ value, importPackage }: ProviderHost): Promise<HindsightClient> {
  const Client = (await optionalClass(importPackage, packageName, 'HindsightClient')) as typeof HindsightClient; // declared so by the package
  const apiKey = value('api_key');
  return new Client({ baseUrl: value('base_url') ?? '', ...(apiKey === undefined ? {} : { apiKey }) });
}

/** Notes are documents of their own, which alone can be removed without taking anything else along. */
const notePrefix = 'palimpsest-note-';

function memoryOf(host: ProviderHost): RemoteMemory {
  let bank = '';
  let client: Promise<HindsightClient> | undefined;
  const ask = async <T>(question: (client: HindsightClient) => Promise<T>): Promise<T> => {
    client ??= clientOf(host);
    try {
      return await question(await client);
    } catch (error) {
      client = undefined;
      throw clientError(error);
    }
  };
  return {
    open: async (session, { signal }) => {
      bank = partitionOf(session, host.partitioning());
      await ask((service) => service.getVersion({ signal }));
    },
    find: (query, limit, { signal }) =>
      ask(async (service) => {
        const { results } = await service.recall(bank, query, { maxTokens: 1_500, budget: 'low', signal });
        return results.slice(0, limit).map(({ text, document_id: document }) => ({
          text,
          ...(document?.startsWith(notePrefix) ? { id: document } : {}),
        }));
      }),
    keep: (text, { signal }) =>
      ask(async (service) => {
        const documentId = `${notePrefix}${host.newId()}`;
        await service.retain(bank, text, { documentId, context: 'a note to remember', signal });
        return documentId;
      }),
    read: (id, { signal }) =>
      ask(async (service) => (await service.getDocument(bank, id, { signal }))?.original_text ?? undefined),
    forget: (id, { signal }) =>
      ask(async (service) => {
        // The client does not tell a document that is not there from a failure.
        const isThere = id.startsWith(notePrefix) && (await service.getDocument(bank, id, { signal })) !== null;
        if (!isThere) throw new ServiceError('there is no such note', { status: 404 });
        await service.deleteDocument(bank, id, { signal });
      }),
    saveTurn: (turn, { signal }) =>
      ask(async (service) => {
        // The same document again replaces it: a turn that is sent twice is there once.
        const documentId = `${safeId(turn.sessionId)}-${turn.number}`;
        const content = turnText(turn);
        await service.retain(bank, content, { documentId, context: 'a turn of a conversation', async: true, signal });
      }),
  };
}
