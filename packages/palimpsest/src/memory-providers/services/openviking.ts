/** OpenViking over HTTP: files in a folder of the person's memories, which it makes searchable. */
import type { JsonValue } from '@palimpsest/core/engine';
import type { MemoryProvider } from '@palimpsest/core/memory';
import { isJsonObject } from '@palimpsest/core/settings';
import { type JsonApi, type JsonRequest, jsonApi } from '../json-api.ts';
import { partitionOf, safeId } from '../partition.ts';
import type { ProviderHost } from '../provider-host.ts';
import { type Found, type RemoteMemory, remoteProvider, turnText } from '../remote-memory.ts';
import { ServiceError } from '../service-error.ts';

export function openvikingProvider(host: ProviderHost): MemoryProvider {
  const missing = (): string | undefined => host.missing([]);
  return remoteProvider({ name: 'openviking', title: 'OpenViking', memory: memoryOf(host), missing });
}

/**
 * Turns are files as well. Its sessions would extract memories by themselves, but those belong to the person as a whole:
 * what one project taught would show in the next.
 */
function memoryOf(host: ProviderHost): RemoteMemory {
  const api = envelopeApi(host);
  let folder = '';
  const write = (
    uri: string,
    content: string,
    { signal, wait }: { readonly signal: AbortSignal; readonly wait: boolean },
  ) => api({ method: 'POST', path: '/api/v1/content/write', body: { uri, content, mode: 'replace', wait }, signal });
  return {
    open: async (session, { signal }) => {
      folder = `viking://~/memories/palimpsest/${partitionOf(session, host.partitioning())}`;
      await api({ method: 'GET', path: '/api/v1/system/status', signal });
    },
    find: async (query, limit, { signal }) => {
      const body = { query, target_uri: folder, limit, level: '2', read_content: true };
      const result = await absentAs({}, api({ method: 'POST', path: '/api/v1/search/find', body, signal }));
      if (!isJsonObject(result)) throw new ServiceError('its answer holds no results');
      return [result.memories, result.resources].flatMap(foundIn).filter(({ id }) => id?.startsWith(`${folder}/`));
    },
    keep: async (text, { signal }) => {
      const uri = `${folder}/note-${safeId(host.newId())}.md`;
      await write(uri, text, { signal, wait: true });
      return uri;
    },
    read: async (uri, { signal }) => {
      const text = await absentAs(null, api({ method: 'GET', path: '/api/v1/content/read', query: { uri }, signal }));
      return typeof text === 'string' ? text : undefined;
    },
    forget: async (uri, { signal }) => {
      // A model may name anything: only what lies in the folder of this session is removed.
      if (!uri.startsWith(`${folder}/`) || uri.includes('..'))
        throw new ServiceError('this is no memory of this project', { status: 404 });
      await api({ method: 'DELETE', path: '/api/v1/fs', query: { uri }, signal });
    },
    saveTurn: async (turn, { signal }) => {
      await write(`${folder}/turn-${safeId(turn.sessionId)}-${turn.number}.md`, turnText(turn), {
        signal,
        wait: false,
      });
    },
  };
}

/** Every answer says in its envelope whether it is one. */
function envelopeApi(host: ProviderHost): JsonApi {
  const key = host.value('api_key');
  const api = jsonApi(host.value('base_url') ?? '', {
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...headerOf('x-openviking-account', host.value('account')),
    ...headerOf('x-openviking-user', host.value('account_user')),
  });
  return async (request: JsonRequest) => {
    const answer = await api(request);
    if (!isJsonObject(answer) || answer.status !== 'ok') throw new ServiceError('its answer is not that of OpenViking');
    return answer.result ?? null;
  };
}

const headerOf = (name: string, value: string | undefined): Readonly<Record<string, string>> =>
  value === undefined ? {} : { [name]: value };

const absentAs = (instead: JsonValue, answer: Promise<JsonValue>): Promise<JsonValue> =>
  answer.catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 404) return instead;
    throw error;
  });

function foundIn(list: JsonValue | undefined): readonly Found[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap(({ uri, content, abstract }) => {
    const text = typeof content === 'string' ? content : abstract;
    return typeof uri === 'string' && typeof text === 'string' ? [{ id: uri, text }] : [];
  });
}
