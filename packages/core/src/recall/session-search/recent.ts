/** The newest conversations, for an empty query. No model is asked. */
import type { SessionId } from '../../store/ids.ts';
import type { Conversation } from '../../store/session-store.ts';
import { conversationTitle } from '../read/conversation-title.ts';
import { lineageOf, type ReadableStore } from '../read/lineage.ts';
import type { SearchScope } from './arguments.ts';

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
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(project === undefined ? {} : { project }),
  };
  if (sources.length === 0) return await store.sessions.list(filter);
  const lists = await Promise.all(sources.map((source) => store.sessions.list({ ...filter, source })));
  return lists.flat().sort((a, b) => b.tip.lastActiveAt - a.tip.lastActiveAt);
}
