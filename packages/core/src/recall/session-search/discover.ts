/** Searches for the tool: by conversation, without what the model has before it anyway. */
import { defined } from '../../shared/defined.ts';
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { SearchFilter } from '../../store/search-index.ts';
import { type Conversation, newestSession, type Session } from '../../store/session-store.ts';
import type { Message } from '../../transcript/message.ts';
import { originOf } from '../../transcript/origin.ts';
import { conversationTitle, lineageOf, locateIn, type ReadableStore } from '../read/lineage.ts';
import { type Speaker, speakerOf, toolsOf } from '../read/read.ts';
import type { QueryExpander } from '../search/expansion.ts';
import type { FoundConversation, SearchAnswer, SearchHit } from '../search/options.ts';
import { cleanPassage, type Passage } from '../search/passage.ts';
import { type SearchableStore, searchWith } from '../search/search.ts';
import { rankingWeights } from '../search/wanted-terms.ts';
import type { Embedder } from '../vectors/embed-messages.ts';
import type { SearchScope } from './arguments.ts';

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
  /** Names other words, where the query's own find little. @default those that the record has beside them */
  readonly expander?: QueryExpander;
  /** Of the call: whoever names words hears of it when that is called off. */
  readonly signal?: AbortSignal;
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
export interface CurrentView {
  readonly tipId?: SessionId;
  readonly ids: ReadonlySet<MessageId>;
}

export async function currentView(
  store: Pick<SearchableStore, 'sessions' | 'messages'>,
  id: SessionId | undefined,
): Promise<CurrentView> {
  // A session that is not stored yet has nothing that could be found.
  if (id === undefined || !(await store.sessions.get(id))) return { ids: new Set() };
  const tip = await newestSession(store.sessions, id);
  return { tipId: tip.id, ids: new Set(await store.messages.viewIds(tip.id)) };
}

function find(
  store: SearchableStore,
  { query, scope, passageCharacters, now, vectors, expander, signal }: DiscoverTask,
  more: SearchFilter & { readonly limit: number },
): Promise<SearchAnswer> {
  const { roles, since, until, project, sources, session } = scope;
  const options = {
    ...(roles ? { roles } : {}),
    ...defined({ since, until, project }),
    ...(sources ? { sources } : {}),
    ...(session === undefined ? {} : { sessions: [session] }),
    // Only those that are shown are masked, by `groupOf`.
    passageCharacters,
    raw: true,
    ...(vectors ? { vectors } : {}),
    expand: expander ?? true,
    ...more,
  };
  return searchWith(store, query, { options, weights: rankingWeights, now, signal });
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

// A conversation that was found, as an answer shows it: its first-hand hits with passages that hold no credential.

/** A message that was found, with a passage that holds no credential. */
export interface FoundMessage {
  readonly stored: StoredMessage;
  readonly hit: SearchHit;
  readonly speaker: Speaker;
  /** The tools that it calls, or whose results it carries. */
  readonly tools: readonly string[];
  readonly passage: Passage;
}

/** A conversation with hits. */
export interface FoundGroup {
  readonly root: Session;
  readonly tip: Session;
  /** As `conversationTitle` gives it. */
  readonly title: string;
  /** Best first, at most ten. */
  readonly hits: readonly FoundMessage[];
  /** How many more there are. */
  readonly more: number;
}

/** Hits of a conversation that are looked at closely. */
const mostHits = 10;

/** What is shown of a conversation. */
async function groupOf(store: ReadableStore, { hits, ...conversation }: FoundConversation): Promise<FoundGroup> {
  const best = await withFates(store, conversation.root.id, (await firstHand(store, hits)).slice(0, mostHits));
  const found: FoundMessage[] = [];
  for (const { hit, stored } of best) {
    const tools = await toolsIn(store, hit, stored);
    const passage = cleanPassage(hit.passage, stored.message);
    found.push({ stored, hit, speaker: speakerOfHit(stored.message, hit), tools, passage });
  }
  const title = await conversationTitle(store, conversation);
  return { ...conversation, title, hits: found, more: hits.length - found.length };
}

/** A message may have several speakers: who said the passage counts. */
function speakerOfHit(message: Message, { role }: SearchHit): Speaker {
  if (role !== 'system' || message.role !== 'user') return role;
  return originOf(message) === 'summary' ? 'summary' : 'host';
}

interface StoredHit {
  readonly hit: SearchHit;
  readonly stored: StoredMessage;
}

/** Hits that are looked at for what was said itself. */
const mostWeighed = 40;

/** The hits with what was said itself first; then summaries of it, and copies that a compression shortened. */
async function firstHand(store: ReadableStore, hits: readonly SearchHit[]): Promise<readonly StoredHit[]> {
  const found: StoredHit[] = [];
  for (const hit of hits.slice(0, mostWeighed)) {
    const stored = await store.messages.get(hit.messageId);
    if (stored) found.push({ hit, stored });
  }
  return [...found.filter(isFirstHand), ...found.filter((one) => !isFirstHand(one))];
}

/** The hits with what a person has taken back marked as such. */
async function withFates(
  store: ReadableStore,
  rootId: SessionId,
  hits: readonly StoredHit[],
): Promise<readonly StoredHit[]> {
  if ((await store.sessions.takenBack(rootId)).length === 0) return hits;
  const lineage = await lineageOf(store, rootId);
  const marked: StoredHit[] = [];
  for (const { hit, stored } of hits) {
    const located = await locateIn(store, lineage, stored.id);
    marked.push({ hit, stored: located?.stored.isTakenBack ? { ...stored, isTakenBack: true } : stored });
  }
  return marked;
}

const isFirstHand = ({ stored: { origin, message } }: StoredHit): boolean =>
  origin === undefined && speakerOf(message) !== 'summary';

/** Messages between a call and its result, where calls run beside each other. */
const mostBetween = 6;

/** The tools of a message: a result may have the name of its tool only in the call before it. */
async function toolsIn(
  store: ReadableStore,
  { sessionId, position, tools = [] }: SearchHit,
  stored: StoredMessage,
): Promise<readonly string[]> {
  if (tools.length > 0 || speakerOf(stored.message) !== 'tool') return tools;
  return toolsOf(stored, await store.messages.view(sessionId, { from: position - mostBetween, to: position }));
}

// The newest conversations, for an empty query. No model is asked.

/** A conversation, what it is called, and how many messages were said in it. */
export interface RecentConversation {
  readonly conversation: Conversation;
  /** As `conversationTitle` gives it. */
  readonly title: string;
  readonly messages: number;
}

/** The current one and what has no messages yet are passed over. */
const spare = 5;

/** The newest conversations, without the one that the model is in. */
export async function recentConversations(
  store: ReadableStore,
  scope: Pick<SearchScope, 'limit' | 'since' | 'until' | 'project' | 'sources'>,
  currentSessionId: SessionId | undefined,
): Promise<readonly RecentConversation[]> {
  const current = currentSessionId === undefined ? undefined : await store.sessions.get(currentSessionId);
  const found = await listed(store, scope);
  const others = found.filter(({ root, tip }) => root.id !== current?.rootId && tip.messages > 0).slice(0, scope.limit);
  return await Promise.all(
    others.map(async (conversation) => ({
      conversation,
      title: await conversationTitle(store, conversation),
      messages:
        conversation.sessions > 1 ? (await lineageOf(store, conversation.tip.id)).size : conversation.tip.messages,
    })),
  );
}

/** A list names one source; of several, each is asked for. */
async function listed(
  store: ReadableStore,
  {
    limit,
    since,
    until,
    project,
    sources = [],
  }: Pick<SearchScope, 'limit' | 'since' | 'until' | 'project' | 'sources'>,
): Promise<readonly Conversation[]> {
  const filter = {
    limit: limit + spare,
    ...defined({ since, until, project }),
  };
  if (sources.length === 0) return await store.sessions.list(filter);
  const lists = await Promise.all(sources.map((source) => store.sessions.list({ ...filter, source })));
  return lists.flat().sort((a, b) => b.tip.lastActiveAt - a.tip.lastActiveAt);
}
