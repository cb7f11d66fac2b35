/** Fakes that speak the protocols of the services; docs/guide/memory-providers.md says what they were made after. */
import { type FakeAnswer, type FakeService, sharing, startService } from './fake-service.ts';

export const goodKey = 'key-of-the-test-4711';

interface Kept {
  readonly id: string;
  readonly part: string;
  readonly text: string;
}

/** What a fake has kept, by id. */
function shelf(prefix: string) {
  const kept = new Map<string, Kept>();
  let last = 0;
  return {
    kept,
    put: (part: string, text: string, id = `${prefix}${++last}`): Kept => {
      const one = { id, part, text };
      kept.set(id, one);
      return one;
    },
    find: (part: string, query: string) =>
      sharing(
        [...kept.values()].filter((one) => one.part === part),
        query,
      ),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const refused = (body: object): FakeAnswer => ({ status: 401, body });
const idIn = (path: string, pattern: RegExp): string | undefined => pattern.exec(path)?.[1];

/** After the client `supermemory` 4.25.4: paths, bodies and answers as its declarations have them. */
export function fakeSupermemory(): Promise<FakeService> {
  const documents = shelf('doc_');
  return startService(({ method, path, headers, body }) => {
    if (headers.authorization !== `Bearer ${goodKey}`) return refused({ error: 'Unauthorized' });
    const tag = text(body.containerTag);
    const one = documents.kept.get(idIn(path, /^\/v3\/documents\/([^/]+)$/) ?? '');
    const now = '2026-11-23T14:00:00Z';
    switch (`${method} ${path.replace(/(?<=documents\/).+/, ':id')}`) {
      case 'POST /v3/documents': {
        const id = body.customId === undefined ? undefined : `doc_${text(body.customId)}`;
        return { body: { id: documents.put(tag, text(body.content), id).id, status: 'queued' } };
      }
      case 'GET /v3/documents/:id':
        return one ? { body: { id: one.id, content: one.text, status: 'done', containerTags: [one.part] } } : undefined;
      case 'DELETE /v3/documents/:id':
        return one && documents.kept.delete(one.id) ? { status: 204 } : undefined;
      case 'POST /v4/search': {
        const found = documents.find(tag, text(body.q)).slice(0, Number(body.limit));
        const results = found.map(({ id, text: memory }) => ({
          id,
          memory,
          similarity: 0.8,
          metadata: null,
          updatedAt: now,
        }));
        return { body: { results, timing: 3, total: results.length } };
      }
      case 'DELETE /v4/memories': {
        const id = text(body.id);
        return documents.kept.get(id)?.part === tag && documents.kept.delete(id)
          ? { body: { id, forgotten: true } }
          : undefined;
      }
      case 'POST /v4/profile':
        return { body: { profile: { static: [`profile of ${tag}`], dynamic: [] } } };
      default:
        return undefined;
    }
  });
}

/** The platform of Mem0, after its client `mem0ai` 3.3.1 and its API reference; `isLate`: what is added is found with the second search. */
export function fakeMem0Platform({ isLate = false }: { readonly isLate?: boolean } = {}): Promise<FakeService> {
  const memories = shelf('mem_');
  let searches = 0;
  return startService(({ method, path, headers, body }) => {
    if (headers.authorization !== `Token ${goodKey}`) return refused({ detail: 'Invalid token.' });
    const one = memories.kept.get(idIn(path, /^\/v1\/memories\/([^/]+)\/$/) ?? '');
    const filters = Object(body.filters);
    switch (`${method} ${path.replace(/(?<=v1\/memories\/).+/, ':id/')}`) {
      case 'POST /v3/memories/add/': {
        const made = memories.put(text(body.user_id), saidIn(body.messages));
        if (isLate)
          return { body: { message: 'Memory processing has been queued', status: 'PENDING', event_id: 'evt_1' } };
        return { body: [{ id: made.id, event: 'ADD', data: { memory: made.text } }] };
      }
      case 'POST /v3/memories/search/': {
        // Entity ids outside of the filters are refused.
        if ('user_id' in body || filters.user_id === undefined)
          return { status: 400, body: { error: 'user_id belongs into filters' } };
        const isThere = !isLate || searches++ > 0;
        const found = isThere ? memories.find(text(filters.user_id), text(body.query)) : [];
        return { body: { results: found.map((memory) => ({ id: memory.id, memory: memory.text, score: 0.8 })) } };
      }
      case 'GET /v1/memories/:id/':
        return one && { body: { id: one.id, memory: one.text, user_id: one.part } };
      case 'DELETE /v1/memories/:id/':
        return one && memories.kept.delete(one.id) ? { body: { message: 'Memory deleted successfully!' } } : undefined;
      default:
        return undefined;
    }
  });
}

/** The server of Mem0, after `server/main.py` and `server/auth.py` of mem0ai/mem0. */
export function fakeMem0Server(): Promise<FakeService> {
  const memories = shelf('mem-');
  return startService(({ method, path, headers, body }) => {
    if (headers['x-api-key'] !== goodKey) return refused({ detail: 'Invalid API key.' });
    const one = memories.kept.get(idIn(path, /^\/memories\/([^/]+)$/) ?? '');
    switch (`${method} ${path.replace(/(?<=memories\/).+/, ':id')}`) {
      case 'POST /memories': {
        const made = memories.put(text(body.user_id), saidIn(body.messages));
        return { body: { results: [{ id: made.id, memory: made.text, event: 'ADD' }] } };
      }
      case 'POST /search': {
        const found = memories.find(text(Object(body.filters).user_id), text(body.query));
        return { body: { results: found.map(({ id, text: memory }) => ({ id, memory, score: 0.7 })) } };
      }
      case 'GET /memories/:id':
        // The server answers null for what it does not have.
        return { body: one ? { id: one.id, memory: one.text } : 'null' };
      case 'DELETE /memories/:id':
        if (one) memories.kept.delete(one.id);
        return { body: { message: 'Memory deleted successfully' } };
      default:
        return undefined;
    }
  });
}

const saidIn = (messages: unknown): string =>
  Array.isArray(messages) ? messages.map((message) => text(Object(message).content)).join(' ') : '';

/** After the client `@vectorize-io/hindsight-client` 0.9.1: paths and answers of its generated API. */
export function fakeHindsight(): Promise<FakeService> {
  const documents = shelf('d-');
  return startService(({ method, path, headers, body }) => {
    if (headers.authorization !== `Bearer ${goodKey}`) return refused({ detail: 'Invalid API key' });
    if (method === 'GET' && path === '/version') return { body: { api_version: '0.9.1', features: {} } };
    const [, bank = '', rest = ''] = /^\/v1\/default\/banks\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const one = documents.kept.get(`${bank}/${idIn(rest, /^documents\/(.+)$/) ?? ''}`);
    const idOf = (id: string): string => id.slice(bank.length + 1);
    switch (`${method} ${rest.replace(/(?<=documents\/).+/, ':id')}`) {
      case 'POST memories': {
        const listed = Array.isArray(body.items) ? body.items.map(Object) : [];
        for (const { content, document_id: id } of listed) documents.put(bank, text(content), `${bank}/${text(id)}`);
        const isAsync = body.async === true;
        return { body: { success: true, bank_id: bank, items_count: listed.length, async: isAsync } };
      }
      case 'POST memories/recall': {
        const found = documents.find(bank, text(body.query));
        return {
          body: {
            results: found.map(({ id, text: said }) => ({
              id: `u-${id}`,
              text: said,
              type: 'world',
              document_id: idOf(id),
            })),
          },
        };
      }
      case 'GET documents/:id':
        return one && { body: { id: idOf(one.id), bank_id: bank, original_text: one.text, memory_unit_count: 1 } };
      case 'DELETE documents/:id':
        return one && documents.kept.delete(one.id)
          ? { body: { success: true, message: 'deleted', document_id: idOf(one.id), memory_units_deleted: 1 } }
          : undefined;
      default:
        return undefined;
    }
  });
}

/** After the client `@honcho-ai/sdk` 2.5.0 (API v3): workspaces, peers, sessions and conclusions. */
export function fakeHoncho(): Promise<FakeService> {
  const conclusions = shelf('c-');
  const created_at = '2026-11-23T14:00:00Z';
  const shown = ({ id, part, text: content }: Kept) => {
    return { id, content, observer_id: part, observed_id: part, session_id: null, level: 'explicit', created_at };
  };
  return startService(({ method, path, headers, body }) => {
    if (headers.authorization !== `Bearer ${goodKey}`) return refused({ detail: 'Invalid JWT' });
    const rest = path.replace(/^\/v3\/workspaces\/?/, '/').replace(/^\/palimpsest\//, '/');
    const one = conclusions.kept.get(idIn(rest, /^\/conclusions\/(c-\d+)$/) ?? '');
    const known = { metadata: {}, configuration: {}, created_at };
    const session = idIn(rest, /^\/sessions\/([^/]+)\/messages$/);
    switch (`${method} ${rest.replace(/c-\d+$/, ':id').replace(/(?<=^\/(?:sessions|peers)\/)[^/]+/, ':id')}`) {
      case 'POST /':
        return { body: { id: body.id, ...known } };
      case 'POST /peers':
        return { body: { id: body.id, workspace_id: 'palimpsest', ...known } };
      case 'POST /sessions':
        return { body: { id: body.id, workspace_id: 'palimpsest', is_active: true, ...known } };
      case 'POST /sessions/:id/messages': {
        const messages = Array.isArray(body.messages) ? body.messages.map(Object) : [];
        for (const { peer_id: peer, content } of messages) conclusions.put(text(peer), text(content));
        return {
          body: messages.map((message, at) => ({
            id: `m${at}`,
            session_id: session,
            token_count: 1,
            created_at,
            metadata: {},
            ...message,
          })),
        };
      }
      case 'POST /conclusions': {
        const drafts = Array.isArray(body.conclusions) ? body.conclusions.map(Object) : [];
        return {
          body: drafts.map(({ content, observed_id: peer }) => shown(conclusions.put(text(peer), text(content)))),
        };
      }
      case 'POST /conclusions/query': {
        const found = conclusions.find(text(Object(body.filters).observed_id), text(body.query));
        return { body: found.slice(0, Number(body.top_k)).map(shown) };
      }
      case 'GET /conclusions/:id':
        return one && { body: shown(one) };
      case 'DELETE /conclusions/:id':
        return one && conclusions.kept.delete(one.id) ? { status: 204 } : undefined;
      case 'GET /peers/:id/card':
        return { body: { peer_card: ['Prefers short answers.'] } };
      default:
        return undefined;
    }
  });
}

/** After docs/en/api of volcengine/OpenViking: its envelope, its files and its search. */
export function fakeOpenViking(): Promise<FakeService> {
  const files = new Map<string, { readonly id: string; readonly text: string }>();
  const ok = (result: unknown): FakeAnswer => ({ body: { status: 'ok', result, time: 0.01 } });
  const failed = (status: number, code: string): FakeAnswer => ({
    status,
    body: { status: 'error', error: { code, message: `${code} for this request` } },
  });
  return startService(({ method, path, query, headers, body }) => {
    if (headers['x-api-key'] !== goodKey) return failed(401, 'UNAUTHENTICATED');
    const uri = query.get('uri') ?? '';
    const one = files.get(uri);
    switch (`${method} ${path}`) {
      case 'GET /api/v1/system/status':
        return ok({ initialized: true });
      case 'POST /api/v1/content/write': {
        const [target, content] = [text(body.uri), text(body.content)];
        files.set(target, { id: target, text: content });
        return ok({ uri: target, mode: body.mode, written_bytes: content.length, content_updated: true });
      }
      case 'GET /api/v1/content/read':
        return one ? ok(one.text) : failed(404, 'NOT_FOUND');
      case 'DELETE /api/v1/fs':
        return files.delete(uri) ? ok({ uri }) : failed(404, 'NOT_FOUND');
      case 'POST /api/v1/search/find': {
        const inFolder = [...files.values()].filter(({ id }) => id.startsWith(text(body.target_uri)));
        if (inFolder.length === 0) return failed(404, 'NOT_FOUND');
        const found = sharing(inFolder, text(body.query)).slice(0, Number(body.limit));
        const memories = found.map(({ id, text: content }) => ({
          uri: id,
          context_type: 'memory',
          level: 2,
          abstract: 'short',
          content,
        }));
        return ok({ memories, resources: [], skills: [], total: memories.length });
      }
      default:
        return undefined;
    }
  });
}

/** After the plug-in `plugins/memory/retaindb` of NousResearch/hermes-agent, the only public client. */
export function fakeRetainDb(): Promise<FakeService> {
  const memories = shelf('rdb-');
  return startService(({ method, path, headers, body, query }) => {
    if (headers.authorization !== `Bearer ${goodKey}` || headers['x-api-key'] !== goodKey)
      return refused({ message: 'Invalid key' });
    const one = memories.kept.get(idIn(path, /^\/v1\/memory\/(rdb-\d+)$/) ?? '');
    const part = `${text(body.project)} ${text(body.user_id)}`;
    const shown = ({ id, text: content }: Kept) => ({ id, content, memory_type: 'factual' });
    switch (`${method} ${path.replace(/rdb-\d+$/, ':id').replace(/(?<=profile\/).+/, ':user')}`) {
      case 'POST /v1/memory':
        return { body: { success: true, memory: shown(memories.put(part, text(body.content))) } };
      case 'POST /v1/memory/search':
        return { body: { results: memories.find(part, text(body.query)).map(shown) } };
      case 'POST /v1/memory/ingest/session':
        memories.put(part, saidIn(body.messages));
        return { body: { success: true } };
      case 'DELETE /v1/memory/:id':
        return one && memories.kept.delete(one.id) ? { body: { success: true } } : undefined;
      case 'GET /v1/memory/profile/:user':
        return { body: { memories: [{ content: `profile in ${query.get('project')}` }] } };
      default:
        return undefined;
    }
  });
}
