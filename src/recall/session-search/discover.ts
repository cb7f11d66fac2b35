/** Searches for the tool: by conversation, without what the model has before it anyway. */
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { SearchFilter } from '../../store/search-index.ts';
import type { Session } from '../../store/session-store.ts';
import type { Role } from '../../transcript/message.ts';
import { type Speaker, speakerOf } from '../read/shown-message.ts';
import type { SearchAnswer, SearchHit } from '../search/answer.ts';
import type { Passage } from '../search/passage.ts';
import { type SearchableStore, search } from '../search/search.ts';
import type { SearchScope } from './arguments.ts';
import { cleanPassage } from './clean-passage.ts';

/** A message that was found, with a passage that holds no credential. */
export interface FoundMessage {
  readonly stored: StoredMessage;
  readonly hit: SearchHit;
  readonly speaker: Speaker;
  readonly passage: Passage;
}

/** The hits of one conversation, best first. */
export interface FoundGroup {
  readonly root: Session;
  readonly tip: Session;
  readonly title?: string;
  readonly hits: readonly FoundMessage[];
}

export interface Discovery {
  /** Best first, at most as many as wanted. */
  readonly groups: readonly FoundGroup[];
  /** Conversations with hits, also those that there was no room for. */
  readonly searched: number;
  readonly corrected: NonNullable<SearchAnswer['corrected']>;
  /** True when nothing has all that the query demands, and these are the nearest. */
  readonly relaxed: boolean;
}

export interface DiscoverTask {
  readonly query: string;
  /** With the id of a session in place of what a person calls it. */
  readonly scope: SearchScope;
  /** The session whose view the model sees. */
  readonly currentSessionId?: SessionId;
  readonly passageCharacters: number;
  readonly now: number;
}

/** Messages that are found before they are put together by conversation. */
const recalled = 50;
/** More where the model's own view may take the first places. */
const recalledBesideView = 200;

/** Finds conversations. Of the current one only what was compressed away counts: the rest is in the model's view. */
export async function discover(store: SearchableStore, task: DiscoverTask): Promise<Discovery> {
  const view = await currentView(store, task.currentSessionId);
  const limit = view.tipId === undefined ? recalled : recalledBesideView;
  const answer = await find(store, task, { limit });
  const first = await groupsOf(store, answer, { task, view });
  const isCrowded = view.tipId !== undefined && answer.hits.length === limit && first.length < task.scope.limit;
  const groups = isCrowded ? await withoutCrowd(store, first, { task, view }) : first;
  return {
    groups: groups.slice(0, task.scope.limit),
    searched: groups.length,
    corrected: answer.corrected ?? [],
    relaxed: answer.relaxed ?? false,
  };
}

/** What the model sees now. */
interface CurrentView {
  readonly tipId?: SessionId;
  readonly ids: ReadonlySet<MessageId>;
}

async function currentView(store: SearchableStore, id: SessionId | undefined): Promise<CurrentView> {
  // A session that is not stored yet has nothing that could be found.
  if (id === undefined || !(await store.sessions.get(id))) return { ids: new Set() };
  const tip = await store.sessions.tip(id);
  return { tipId: tip.id, ids: new Set(await store.messages.viewIds(tip.id)) };
}

function find(
  store: SearchableStore,
  { query, scope, passageCharacters, now }: DiscoverTask,
  more: SearchFilter & { readonly limit: number },
): Promise<SearchAnswer> {
  const { roles, since, until, project, sources, session } = scope;
  return search(store, query, {
    ...(roles ? { roles: storedRoles(roles) } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(project === undefined ? {} : { project }),
    ...(sources ? { sources } : {}),
    ...(session === undefined ? {} : { sessions: [session] }),
    ...{ passageCharacters, now },
    ...more,
  });
}

/** Several formats give a tool's results in messages of the user. */
const storedRoles = (roles: readonly Role[]): readonly Role[] =>
  roles.includes('tool') ? [...new Set<Role>([...roles, 'user'])] : roles;

interface Grouping {
  readonly task: DiscoverTask;
  readonly view: CurrentView;
}

/** What is found of the current conversation and of all others, where the view took all places of the first search. */
async function withoutCrowd(
  store: SearchableStore,
  first: readonly FoundGroup[],
  grouping: Grouping,
): Promise<readonly FoundGroup[]> {
  const { task, view } = grouping;
  const current = [view.tipId ?? ''];
  const more = [await find(store, task, { limit: recalled, without: current })];
  // A search in another conversation has nothing of the current one.
  if (task.scope.session === undefined) more.push(await find(store, task, { limit: 1_000, sessions: current }));
  const groups = [...first];
  for (const answer of more) {
    for (const group of await groupsOf(store, answer, grouping)) {
      if (!groups.some(({ root }) => root.id === group.root.id)) groups.push(group);
    }
  }
  return groups;
}

async function groupsOf(
  store: SearchableStore,
  { conversations }: SearchAnswer,
  { task, view }: Grouping,
): Promise<readonly FoundGroup[]> {
  const { roles } = task.scope;
  const groups: FoundGroup[] = [];
  for (const { hits, ...conversation } of conversations) {
    const found: FoundMessage[] = [];
    for (const hit of hits) {
      const stored = view.ids.has(hit.messageId) ? undefined : await store.messages.get(hit.messageId);
      if (!stored) continue;
      const speaker = speakerOf(stored.message);
      if (roles && !roles.includes(roleOf(speaker))) continue;
      found.push({ stored, hit, speaker, passage: cleanPassage(hit.passage, stored.message) });
    }
    if (found.length > 0) groups.push({ ...conversation, hits: found });
  }
  const best = ({ hits }: FoundGroup): number => hits[0]?.hit.score ?? 0;
  return groups.sort((a, b) => best(b) - best(a));
}

/** The host program and earlier summaries speak in the user's place. */
const roleOf = (speaker: Speaker): Role => (speaker === 'host' || speaker === 'summary' ? 'user' : speaker);
