/** Supermemory, by its official client: documents that it makes memories of. */
import type { MemoryProvider } from '@palimpsest/core/memory';
import type Supermemory from 'supermemory';
import { optionalClass } from '../optional-package.ts';
import { partitionOf, safeId } from '../partition.ts';
import type { ProviderHost } from '../provider-host.ts';
import { type Found, type RemoteMemory, remoteProvider, turnText } from '../remote-memory.ts';
import { clientError } from '../service-error.ts';

export function supermemoryProvider(host: ProviderHost): MemoryProvider {
  const missing = (): string | undefined => host.missing(['api_key']);
  return remoteProvider({ name: 'supermemory', title: 'Supermemory', memory: memoryOf(host), missing });
}

const packageName = 'supermemory';

async function clientOf({ value, importPackage }: ProviderHost): Promise<Supermemory> {
  const Client = (await optionalClass(importPackage, packageName, 'Supermemory')) as typeof Supermemory; // declared so by the package
  // Not given, it would take addresses and levels of its log from the environment; its log holds what is sent.
  return new Client({ apiKey: value('api_key'), baseURL: value('base_url'), maxRetries: 0, logLevel: 'off' });
}

function memoryOf(host: ProviderHost): RemoteMemory {
  let containerTag = '';
  let client: Promise<Supermemory> | undefined;
  const ask = async <T>(question: (client: Supermemory) => PromiseLike<T>): Promise<T> => {
    client ??= clientOf(host);
    try {
      return await question(await client);
    } catch (error) {
      client = undefined;
      throw clientError(error);
    }
  };
  return {
    open: async (session) => {
      containerTag = partitionOf(session, host.partitioning());
      await ask(() => Promise.resolve());
    },
    find: (q, limit, { signal }) =>
      ask(async (service) => {
        const { results } = await service.search({ q, containerTag, limit, searchMode: 'hybrid' }, { signal });
        return results.flatMap(({ id, memory, chunk: passage }): readonly Found[] => {
          if (memory !== undefined) return [{ id: `memory:${id}`, text: memory }];
          return passage === undefined ? [] : [{ text: passage }];
        });
      }),
    keep: (content, { signal }) =>
      ask(async (service) => `document:${(await service.add({ content, containerTag }, { signal })).id}`),
    read: (id, { signal }) =>
      ask((service) =>
        service.documents.get(bare(id), { signal }).then(
          ({ content }) => content ?? undefined,
          (error: unknown) => {
            if (clientError(error).status === 404) return undefined;
            throw error;
          },
        ),
      ),
    forget: (id, { signal }) =>
      ask(async (service) => {
        if (id.startsWith('memory:')) await service.memories.forget({ containerTag, id: bare(id) }, { signal });
        else await service.documents.delete(bare(id), { signal });
      }),
    saveTurn: (turn, { signal }) =>
      ask(async (service) => {
        // The same id again is the same document: a turn that is sent twice is there once.
        const customId = `${safeId(turn.sessionId)}-${turn.number}`;
        await service.add({ content: turnText(turn), containerTag, customId }, { signal });
      }),
    about: ({ signal }) =>
      ask(async (service) => {
        const { profile } = await service.profile({ containerTag }, { signal });
        return [...profile.static, ...profile.dynamic];
      }),
  };
}

const bare = (id: string): string => id.replace(/^(?:memory|document):/, '');
