/** A store as one project sees it: what was said and saved elsewhere is not there, whatever it is named by. For reading. */
import { PalimpsestError } from '@palimpsest/core/settings';
import {
  isInProject,
  type MessageStore,
  type OutputStore,
  type SavedOutput,
  type SearchFilter,
  type SearchIndex,
  type SessionId,
  type SessionStore,
  type Store,
  type StoredMessage,
} from '@palimpsest/core/store';

/** What reading and searching need of a store. */
export type ReadableParts = Pick<Store, 'sessions' | 'messages' | 'index' | 'vectors' | 'outputs'>;

/** True for a session that lies in the project; a session keeps the project that it began with. */
type IsInside = (id: SessionId) => Promise<boolean>;

/**
 * The parts of a store with the sessions of one project alone. A message or a result that another project has too is seen in the
 * places that it has in this one. Without a project it is all of them.
 */
export function projectStore(store: Store, project: string | undefined): ReadableParts {
  if (project === undefined) return store;
  const known = new Map<SessionId, boolean>();
  const isInside: IsInside = async (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const session = await store.sessions.get(id);
    const found = session?.project !== undefined && isInProject(session.project, project);
    // A session that is not there yet may come.
    if (session) known.set(id, found);
    return found;
  };
  return {
    sessions: sessionsInside(store.sessions, isInside, project),
    messages: messagesInside(store.messages, isInside),
    index: indexInside(store.index, project),
    vectors: {
      ...store.vectors,
      similar: ({ filter, ...query }) => store.vectors.similar({ ...query, filter: within(filter, project) }),
    },
    outputs: outputsInside(store, isInside, project),
  };
}

/** The folder that is asked for, where it lies in the project; else the project itself. */
const narrower = (wanted: string | undefined, project: string): string =>
  wanted !== undefined && isInProject(wanted, project) ? wanted : project;

const within = (filter: SearchFilter | undefined, project: string): SearchFilter => ({
  ...filter,
  project: narrower(filter?.project, project),
});

const unknownSession = (id: SessionId): PalimpsestError =>
  new PalimpsestError('ID_UNKNOWN', `There is no session ${id.slice(0, 80)} in this project.`);

async function requireInside(id: SessionId, isInside: IsInside): Promise<void> {
  if (!(await isInside(id))) throw unknownSession(id);
}

function sessionsInside(sessions: SessionStore, isInside: IsInside, project: string): SessionStore {
  return {
    ...sessions,
    get: async (id) => ((await isInside(id)) ? sessions.get(id) : undefined),
    bySource: async (source, sourceId) => {
      const found = await sessions.bySource(source, sourceId);
      return found && (await isInside(found.id)) ? found : undefined;
    },
    find: async (text) => keepInside(await sessions.find(text), ({ id }) => id, isInside),
    list: (filter = {}) => sessions.list({ ...filter, project: narrower(filter.project, project) }),
    tip: async (id) => {
      await requireInside(id, isInside);
      return sessions.tip(id);
    },
    chain: async (id) => {
      await requireInside(id, isInside);
      return sessions.chain(id);
    },
    takenBack: async (id) => {
      await requireInside(id, isInside);
      return sessions.takenBack(id);
    },
  };
}

function messagesInside(messages: MessageStore, isInside: IsInside): MessageStore {
  const places = async (ids: readonly string[]): Promise<readonly StoredMessage[]> =>
    keepInside(await messages.places(ids), ({ sessionId }) => sessionId, isInside);
  const hasPlace = async (id: string): Promise<boolean> => (await places([id])).length > 0;
  return {
    ...messages,
    view: async (id, range) => {
      await requireInside(id, isInside);
      return messages.view(id, range);
    },
    views: async (ranges) => {
      for (const { sessionId } of ranges) await requireInside(sessionId, isInside);
      return messages.views(ranges);
    },
    viewIds: async (id) => {
      await requireInside(id, isInside);
      return messages.viewIds(id);
    },
    get: async (id) => {
      const home = await messages.get(id);
      if (!home || (await isInside(home.sessionId))) return home;
      return (await places([id]))[0];
    },
    find: async (prefix, limit) => {
      const found = await messages.find(prefix, limit + mostElsewhere);
      return (await keepWhere(found, hasPlace)).slice(0, limit);
    },
    places,
    coveredBy: async (id) => ((await hasPlace(id)) ? keepWhere(await messages.coveredBy(id), hasPlace) : []),
  };
}

/** Messages of other projects whose ids may begin like one that is meant. */
const mostElsewhere = 50;

/**
 * Words that stand in other projects alone occur nowhere: a corrected word, or one that a prefix stands for, would tell what is
 * said there.
 */
function indexInside(index: SearchIndex, project: string): SearchIndex {
  const occurs = async (term: string): Promise<boolean> =>
    (await index.candidates({ wanted: [term], filter: { project }, limit: 1 })).length > 0;
  return {
    frequencies: async (terms) => {
      const { messages, counts } = await index.frequencies(terms);
      const own: number[] = [];
      for (const [at, term] of terms.entries()) {
        const count = counts[at] ?? 0;
        own.push(count > 0 && (await occurs(term)) ? count : 0);
      }
      return { messages, counts: own };
    },
    completions: async (prefix, limit) =>
      (await keepWhere(await index.completions(prefix, limit * moreCompletions), occurs)).slice(0, limit),
    candidates: (query) => index.candidates({ ...query, filter: within(query.filter, project) }),
  };
}

const moreCompletions = 4;

function outputsInside({ outputs, sessions }: Store, isInside: IsInside, project: string): OutputStore {
  const all = async (): Promise<readonly SavedOutput[]> =>
    keepInside(await outputs.list(), ({ sessionId }) => sessionId, isInside);
  /** A text that another project saved first, as a session of this one saved it too. */
  const savedAgain = async (id: string): Promise<SavedOutput | undefined> => {
    const own = await sessions.list({ project, sides: true, limit: mostLookedThrough });
    for (const { tip } of own)
      for (const session of await sessions.chain(tip.id)) {
        const found = (await outputs.list(session.id)).find((one) => one.id === id);
        if (found) return found;
      }
    return undefined;
  };
  const get = async (id: string): Promise<SavedOutput | undefined> => {
    const found = await outputs.get(id);
    if (!found || (found.sessionId !== undefined && (await isInside(found.sessionId)))) return found;
    return savedAgain(id);
  };
  const required = async (id: string): Promise<void> => {
    if (!(await get(id))) throw new PalimpsestError('ID_UNKNOWN', `There is no saved output ${id.slice(0, 40)} here.`);
  };
  return {
    ...outputs,
    get,
    read: async (id, range) => {
      await required(id);
      return outputs.read(id, range);
    },
    search: async (id, query, options) => {
      await required(id);
      return outputs.search(id, query, options);
    },
    list: async (sessionId, options) => {
      if (sessionId === undefined) return all();
      return (await isInside(sessionId)) ? outputs.list(sessionId, options) : [];
    },
  };
}

/** Conversations, newest first. */
const mostLookedThrough = 200;

const keepInside = <T>(
  all: readonly T[],
  sessionOf: (one: T) => SessionId | undefined,
  isInside: IsInside,
): Promise<readonly T[]> =>
  keepWhere(all, async (one) => {
    const id = sessionOf(one);
    return id !== undefined && (await isInside(id));
  });

async function keepWhere<T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<readonly T[]> {
  const kept: T[] = [];
  for (const one of all) if (await holds(one)) kept.push(one);
  return kept;
}
