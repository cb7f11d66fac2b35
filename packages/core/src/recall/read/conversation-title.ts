/** What a conversation is called wherever it is shown: by its title, else by how its first request begins. */
import { redact } from '../../redaction/redact.ts';
import type { Conversation } from '../../store/session-store.ts';
import { cleanTitle, firstRequestTitle, mostBeforeRequest, requestTitle } from '../../store/title.ts';
import type { Transcript } from '../../transcript/message.ts';
import { type Lineage, type ReadableStore, titleOf } from './lineage.ts';

/** The title of a conversation in a store, without credentials; empty where it has none and nobody asked anything. */
export async function conversationTitle(
  store: ReadableStore,
  { title, root }: Pick<Conversation, 'title' | 'root'>,
): Promise<string> {
  if (title !== undefined) return redact(title);
  for (let at = 0; at < mostBeforeRequest; at++) {
    const [stored] = await store.messages.view(root.id, { from: at, to: at + 1 });
    if (!stored) break;
    const request = requestTitle(stored.message);
    if (request !== undefined) return request;
  }
  return '';
}

/** The same, of a conversation that is being read. */
export function lineageTitle(store: ReadableStore, lineage: Lineage): Promise<string> {
  const title = titleOf(lineage);
  return conversationTitle(store, { root: lineage.root, ...(title === undefined ? {} : { title }) });
}

/** The same, of a conversation in a file. */
export function transcriptTitle({ title, messages }: Pick<Transcript, 'title' | 'messages'>): string {
  const given = title === undefined ? undefined : cleanTitle(title, 'source');
  if (given !== undefined) return redact(given);
  return firstRequestTitle(messages) ?? '';
}
