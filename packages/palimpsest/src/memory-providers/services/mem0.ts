/** Mem0 over HTTP: its platform, and its server on a machine of your own, which its own client cannot reach. */
import type { JsonObject, JsonValue } from '@palimpsest/core/engine';
import type { MemoryProvider, ProviderCall } from '@palimpsest/core/memory';
import { isJsonObject } from '@palimpsest/core/settings';
import { type JsonApi, jsonApi } from '../json-api.ts';
import { partitionOf } from '../partition.ts';
import type { ProviderHost } from '../provider-host.ts';
import { type Found, type RemoteMemory, remoteProvider } from '../remote-memory.ts';
import { ServiceError } from '../service-error.ts';

export function mem0Provider(host: ProviderHost): MemoryProvider {
  // A server of one's own may run without keys.
  const missing = (): string | undefined => host.missing(isOwn(host) ? [] : ['api_key']);
  return remoteProvider({ name: 'mem0', title: 'Mem0', memory: memoryOf(host), missing });
}

const isOwn = (host: ProviderHost): boolean => (host.value('server') ?? (host.isOwnServer() ? 'own' : '')) === 'own';

/** The same acts on both: the platform has versions in its paths, and a slash behind each. */
interface Routes {
  readonly add: string;
  readonly search: string;
  one(id: string): string;
}

const platform: Routes = {
  add: '/v3/memories/add/',
  search: '/v3/memories/search/',
  one: (id) => `/v1/memories/${encodeURIComponent(id)}/`,
};

const ownServer: Routes = {
  add: '/memories',
  search: '/search',
  one: (id) => `/memories/${encodeURIComponent(id)}`,
};

/** The platform takes in what it is given a little later. */
const lookAgainMs = 400;

function memoryOf(host: ProviderHost): RemoteMemory {
  const routes = isOwn(host) ? ownServer : platform;
  const key = host.value('api_key');
  const keyHeader: Readonly<Record<string, string>> =
    key === undefined ? {} : routes === ownServer ? { 'x-api-key': key } : { authorization: `Token ${key}` };
  const api = jsonApi(host.value('base_url') ?? '', keyHeader);
  let user = '';
  const find = async (query: string, limit: number, { signal }: ProviderCall): Promise<readonly Found[]> => {
    // Ids of people belong into the filters: the platform refuses them elsewhere.
    const body = { query, top_k: limit, filters: { user_id: user } };
    return foundIn(await api({ method: 'POST', path: routes.search, body, signal }));
  };
  return {
    open: async (session) => {
      user = partitionOf(session, host.partitioning());
    },
    find,
    keep: async (text, call) => {
      const body = { messages: [{ role: 'user', content: text }], user_id: user, infer: false };
      const [made] = idsIn(await api({ method: 'POST', path: routes.add, body, signal: call.signal }));
      return made ?? (await searched(text, call, { find, look: () => later(host, call.signal) }));
    },
    read: async (id, { signal }) => {
      const path = routes.one(id);
      const memory = await api({ method: 'GET', path, signal }).catch((error: unknown) => {
        if (error instanceof ServiceError && error.status === 404) return null;
        throw error;
      });
      return isJsonObject(memory) && typeof memory.memory === 'string' ? memory.memory : undefined;
    },
    forget: async (id, { signal }) => {
      await api({ method: 'DELETE', path: routes.one(id), signal });
    },
    saveTurn: async ({ sessionId, user: asked, assistant }, { signal }) => {
      const said = [
        { role: 'user', content: asked },
        ...(assistant.trim() === '' ? [] : [{ role: 'assistant', content: assistant }]),
      ];
      await send(api, routes, { body: { messages: said, user_id: user, run_id: sessionId }, signal });
    },
  };
}

async function send(
  api: JsonApi,
  routes: Routes,
  { body, signal }: { readonly body: JsonObject; readonly signal: AbortSignal },
): Promise<void> {
  const answer = await api({ method: 'POST', path: routes.add, body, signal });
  // An answer of 200 that says that nothing was taken is no success.
  if (answer === null || typeof answer !== 'object') throw new ServiceError('it did not say that it took the turn');
}

interface Search {
  readonly find: RemoteMemory['find'];
  /** Resolves when it is time to look again. */
  readonly look: () => Promise<void>;
}

/** Until it is found, or nobody waits any more. */
async function searched(text: string, call: ProviderCall, { find, look }: Search): Promise<string> {
  for (;;) {
    const found = (await find(text, 5, call)).find((one) => one.text.includes(text));
    if (found?.id !== undefined) return found.id;
    await look();
  }
}

const later = ({ timers }: ProviderHost, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = timers.after(lookAgainMs, resolve);
    const gone = (): void => {
      stop();
      reject(signal.reason);
    };
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  });

/** The list, in an object or by itself. */
function listIn(answer: JsonValue): readonly JsonObject[] {
  const list = isJsonObject(answer) ? answer.results : answer;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** An answer that holds no list is a failure: it would look as if nothing were remembered. */
function foundIn(answer: JsonValue): readonly Found[] {
  if (!Array.isArray(answer) && !(isJsonObject(answer) && Array.isArray(answer.results))) {
    throw new ServiceError('its answer holds no results');
  }
  return listIn(answer).flatMap(({ id, memory }) =>
    typeof memory === 'string' ? [{ text: memory, ...(typeof id === 'string' ? { id } : {}) }] : [],
  );
}

/** The platform may answer with an event instead of what it made of it. */
const idsIn = (answer: JsonValue): readonly string[] =>
  listIn(answer).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
