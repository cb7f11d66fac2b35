/** Searches for the tool: by conversation, without what the model has before it anyway. */

import type { MessageId, SessionId } from '../../store/ids.ts';
import { newestSession } from '../../store/newest-session.ts';
import type { SearchFilter } from '../../store/search-index.ts';
import type { FoundConversation, SearchAnswer } from '../search/answer.ts';
import { type SearchableStore, searchWith } from '../search/search.ts';
import { rankingWeights } from '../search/weights.ts';
import type { Embedder } from '../vectors/embedder.ts';
import type { SearchScope } from './arguments.ts';
import { type FoundGroup, groupOf } from './found-group.ts';

/** What a search over conversations found. */
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
  /** The model whose vectors take part. */
  readonly vectors?: Embedder;
}

/** Messages that are found before they are put together by conversation. */
const recalled = 50;
/** More where the first places may go to the model's own view, and where one wants to hear all that somebody said. */
const recalledOfFew = 200;

/** Finds conversations. Of the current one only what was compressed away counts: the rest is in the model's view. */
export async function discover(store: SearchableStore, task: DiscoverTask): Promise<Discovery> {
  const view = await currentView(store, task.currentSessionId);
  const isNarrow = view.tipId !== undefined || task.scope.roles !== undefined;
  const limit = isNarrow ? recalledOfFew : recalled;
  const answer = await find(store, task, { limit });
  const first = candidatesOf(answer, view);
  const isCrowded = view.tipId !== undefined && answer.hits.length === limit && first.length < task.scope.limit;
  const found = isCrowded ? await withoutCrowd(store, first, { task, view }) : first;
  return {
    groups: await Promise.all(found.slice(0, task.scope.limit).map((one) => groupOf(store, one))),
    searched: found.length,
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
  const tip = await newestSession(store.sessions, id);
  return { tipId: tip.id, ids: new Set(await store.messages.viewIds(tip.id)) };
}

function find(
  store: SearchableStore,
  { query, scope, passageCharacters, now, vectors }: DiscoverTask,
  more: SearchFilter & { readonly limit: number },
): Promise<SearchAnswer> {
  const { roles, since, until, project, sources, session } = scope;
  const options = {
    ...(roles ? { roles } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(project === undefined ? {} : { project }),
    ...(sources ? { sources } : {}),
    ...(session === undefined ? {} : { sessions: [session] }),
    // Only those that are shown are masked, by `groupOf`.
    passageCharacters,
    raw: true,
    ...(vectors ? { vectors } : {}),
    ...more,
  };
  return searchWith(store, query, { options, weights: rankingWeights, now });
}

interface Grouping {
  readonly task: DiscoverTask;
  readonly view: CurrentView;
}

/** What is found of the current conversation and of all others, where the view took all places of the first search. */
async function withoutCrowd(
  store: SearchableStore,
  first: readonly FoundConversation[],
  grouping: Grouping,
): Promise<readonly FoundConversation[]> {
  const { task, view } = grouping;
  const current = [view.tipId ?? ''];
  const more = [await find(store, task, { limit: recalled, without: current })];
  // A search in another conversation has nothing of the current one.
  if (task.scope.session === undefined) more.push(await find(store, task, { limit: 1_000, sessions: current }));
  const found = [...first];
  for (const answer of more) {
    for (const one of candidatesOf(answer, view)) {
      if (!found.some(({ root }) => root.id === one.root.id)) found.push(one);
    }
  }
  return found;
}

/** The conversations of an answer with the hits that count, in the order of their best ones. */
function candidatesOf({ conversations }: SearchAnswer, view: CurrentView): readonly FoundConversation[] {
  const found = conversations.flatMap((conversation) => {
    const hits = conversation.hits.filter(({ messageId }) => !view.ids.has(messageId));
    return hits.length > 0 ? [{ ...conversation, hits }] : [];
  });
  const best = ({ hits }: FoundConversation): number => hits[0]?.score ?? 0;
  return found.sort((a, b) => best(b) - best(a));
}
