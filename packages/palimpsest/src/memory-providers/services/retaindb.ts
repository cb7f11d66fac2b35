/** RetainDB over HTTP, as the one client that is public speaks to it. */
import type { JsonObject, JsonValue } from '@palimpsest/core/engine';
import type { MemoryProvider } from '@palimpsest/core/memory';
import { isJsonObject } from '@palimpsest/core/settings';
import { jsonApi } from '../json-api.ts';
import { partitionOf } from '../partition.ts';
import type { ProviderHost } from '../provider-host.ts';
import { type Found, type RemoteMemory, remoteProvider } from '../remote-memory.ts';
import { ServiceError } from '../service-error.ts';

export function retaindbProvider(host: ProviderHost): MemoryProvider {
  const missing = (): string | undefined => host.missing(['api_key']);
  return remoteProvider({ name: 'retaindb', title: 'RetainDB', memory: memoryOf(host), missing });
}

function memoryOf(host: ProviderHost): RemoteMemory {
  const key = host.value('api_key') ?? '';
  const api = jsonApi(host.value('base_url') ?? '', { authorization: `Bearer ${key}`, 'x-api-key': key });
  let scope: JsonObject = {};
  /** The text behind each id that was given out, to find it again. */
  const kept = new Map<string, string>();
  const post = (path: string, body: JsonObject, signal: AbortSignal): Promise<JsonValue> =>
    api({ method: 'POST', path, body: { ...scope, ...body }, signal });
  const find: RemoteMemory['find'] = async (query, limit, { signal }) => {
    const answer = await post('/v1/memory/search', { query, top_k: limit, include_pending: true }, signal);
    if (!isJsonObject(answer) || !Array.isArray(answer.results)) throw new ServiceError('its answer holds no results');
    return answer.results.flatMap(foundIn);
  };
  return {
    open: async (session) => {
      const user = partitionOf(session, host.partitioning());
      scope = { project: host.value('project') ?? 'default', user_id: user, session_id: session.sessionId };
    },
    find,
    keep: async (content, call) => {
      const body = { content, memory_type: 'factual', importance: 0.7, write_mode: 'sync' };
      const answer = await post('/v1/memory', body, call.signal);
      const id = idIn(answer) ?? (isJsonObject(answer) ? idIn(answer.memory) : undefined);
      if (id === undefined) throw new ServiceError('it gave no id for what was written');
      kept.set(id, content);
      return id;
    },
    // It has no way to read one memory by its id: what its search gives for the text is looked through.
    read: async (id, call) => (await find(kept.get(id) ?? id, 20, call)).find((one) => one.id === id)?.text,
    forget: async (id, { signal }) => {
      kept.delete(id);
      await api({ method: 'DELETE', path: `/v1/memory/${encodeURIComponent(id)}`, signal });
    },
    saveTurn: async ({ sessionId, user, assistant }, { signal }) => {
      const messages = [
        { role: 'user', content: user },
        ...(assistant.trim() === '' ? [] : [{ role: 'assistant', content: assistant }]),
      ];
      const answer = await post(
        '/v1/memory/ingest/session',
        { session_id: sessionId, messages, write_mode: 'sync' },
        signal,
      );
      if (!isJsonObject(answer)) throw new ServiceError('it did not say that it took the turn');
    },
    about: async ({ signal }) => {
      const path = `/v1/memory/profile/${encodeURIComponent(String(scope.user_id))}`;
      const query = { project: String(scope.project), include_pending: 'true' };
      const answer = await api({ method: 'GET', path, query, signal });
      const list = isJsonObject(answer) && Array.isArray(answer.memories) ? answer.memories : [];
      return list.flatMap(foundIn).map(({ text }) => text);
    },
  };
}

function idIn(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  return [value.id, value.memory_id].find((id) => typeof id === 'string');
}

function foundIn(value: JsonValue): readonly Found[] {
  const memory = isJsonObject(value) && isJsonObject(value.memory) ? value.memory : value;
  if (!isJsonObject(memory) || typeof memory.content !== 'string') return [];
  const id = idIn(memory) ?? idIn(value);
  return [{ text: memory.content, ...(id === undefined ? {} : { id }) }];
}
