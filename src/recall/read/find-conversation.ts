/** What a person means by an id, the beginning of one, or the title that is shown of a conversation. */
import type { Session } from '../../store/session-store.ts';
import { conversationTitle } from './conversation-title.ts';
import type { ReadableStore } from './lineage.ts';

/** True for the title in any case. */
export const isTitle = (title: string, wanted: string): boolean => plain(title) === plain(wanted) && title !== '';

/** True for a text that ends in `…`, as where a table has cut it, and the title begins so. */
export function isTitleStart(title: string, wanted: string): boolean {
  const text = plain(wanted);
  const start = text.replace(/\s*(?:…|~|\.\.\.)$/, '');
  return start !== '' && start !== text && plain(title).startsWith(start);
}

const plain = (text: string): string => text.trim().toLowerCase();

/**
 * The tips of the conversations that may be meant, best first: by id and given title as the store finds them, else those
 * that are called so by their first request, else, for a text that ends in `…`, those whose title begins so.
 */
export async function conversationsNamed(store: ReadableStore, wanted: string): Promise<readonly Session[]> {
  const found = await store.sessions.find(wanted);
  return found.length > 0 ? found : await byShownTitle(store, wanted);
}

/** Only where nothing else was found: every conversation of the store is looked at. */
async function byShownTitle(store: ReadableStore, wanted: string): Promise<readonly Session[]> {
  if (wanted.trim() === '') return [];
  const whole: Session[] = [];
  const begun: Session[] = [];
  for (const conversation of await store.sessions.list({ sides: true, limit: Number.MAX_SAFE_INTEGER })) {
    const title = await conversationTitle(store, conversation);
    if (isTitle(title, wanted)) whole.push(conversation.tip);
    else if (isTitleStart(title, wanted)) begun.push(conversation.tip);
  }
  return whole.length > 0 ? whole : begun;
}
