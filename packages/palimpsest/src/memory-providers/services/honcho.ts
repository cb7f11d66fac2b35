/** Honcho, by its official client: what it concludes of a person from their messages. */
import type { Honcho, Peer } from '@honcho-ai/sdk';
import type { MemoryProvider } from '@palimpsest/core/memory';
import { optionalClass } from '../optional-package.ts';
import { partitionOf, safeId } from '../partition.ts';
import type { ProviderHost } from '../provider-host.ts';
import { type RemoteMemory, remoteProvider } from '../remote-memory.ts';
import { clientError } from '../service-error.ts';

export function honchoProvider(host: ProviderHost): MemoryProvider {
  const missing = (): string | undefined => host.missing(host.isOwnServer() ? [] : ['api_key']);
  return remoteProvider({ name: 'honcho', title: 'Honcho', memory: memoryOf(host), missing });
}

const packageName = '@honcho-ai/sdk';
/** The client cannot be called off: it gives up by itself. */
const timeoutMs = 15_000;
/** As long as the service takes a message. */
const mostMessageChars = 24_000;

async function clientOf({ value, importPackage }: ProviderHost): Promise<Honcho> {
  const Client = (await optionalClass(importPackage, packageName, 'Honcho')) as typeof Honcho; // declared so by the package
  return new Client({
    apiKey: value('api_key') ?? '',
    baseURL: value('base_url') ?? '',
    workspaceId: value('workspace') ?? '',
    timeout: timeoutMs,
    maxRetries: 0,
  });
}

interface Open {
  readonly client: Honcho;
  /** The person, within their project. */
  readonly person: Peer;
}

function memoryOf(host: ProviderHost): RemoteMemory {
  let peerId = '';
  let open: Promise<Open> | undefined;
  const ask = async <T>(question: (open: Open) => Promise<T>): Promise<T> => {
    open ??= clientOf(host).then(async (client) => ({ client, person: await client.peer(peerId) }));
    try {
      return await question(await open);
    } catch (error) {
      // A client whose first request has failed repeats that failure for good.
      open = undefined;
      throw clientError(error);
    }
  };
  return {
    open: async (session) => {
      const next = partitionOf(session, host.partitioning());
      if (next !== peerId) open = undefined;
      peerId = next;
      await ask(() => Promise.resolve());
    },
    find: (query, limit) =>
      ask(async ({ person }) => {
        const found = await person.conclusions.query(query, limit);
        return found.map(({ id, content }) => ({ id, text: content }));
      }),
    keep: (content) =>
      ask(async ({ person }) => {
        const [kept] = await person.conclusions.create({ content });
        return kept?.id ?? '';
      }),
    read: (id) =>
      ask(({ person }) =>
        person.conclusions.get(id).then(
          ({ content }) => content,
          (error: unknown) => {
            if (clientError(error).status === 404) return undefined;
            throw error;
          },
        ),
      ),
    forget: (id) => ask(({ person }) => person.conclusions.delete(id)),
    saveTurn: ({ sessionId, user, assistant }) =>
      ask(async ({ client, person }) => {
        const [session, answering] = await Promise.all([client.session(safeId(sessionId)), client.peer('palimpsest')]);
        const said = [
          person.message(clip(user)),
          ...(assistant.trim() === '' ? [] : [answering.message(clip(assistant))]),
        ];
        await session.addMessages(said);
      }),
    about: () => ask(async ({ person }) => (await person.card()) ?? []),
  };
}

const clip = (text: string): string => text.slice(0, mostMessageChars).toWellFormed();
