/** What conversations are called in lists and reports. */
import { conversationTitle } from '@palimpsest/core/search';
import type { Conversation, SessionId, Store } from '@palimpsest/core/store';

/** A conversation with what it is called; empty where nobody named it and nobody asked anything in it. */
export interface TitledConversation extends Conversation {
  readonly title: string;
}

/** For a person to read where there is no title. */
export const untitled = 'untitled';

export const withTitles = (store: Store, all: readonly Conversation[]): Promise<readonly TitledConversation[]> =>
  Promise.all(all.map(async (one) => ({ ...one, title: await conversationTitle(store, one) })));

/** What the conversation of a session is called. */
export async function sessionTitle(store: Store, id: SessionId): Promise<string> {
  const chain = await store.sessions.chain(id);
  const [root] = chain;
  if (!root) return '';
  const title = chain.findLast((session) => session.title !== undefined)?.title;
  return conversationTitle(store, { root, ...(title === undefined ? {} : { title }) });
}
