/** What a conversation is called wherever it is shown: by its title, else by how its first request begins. */
import { redact } from '../../redaction/redact.ts';
import { shortened } from '../../shared/graphemes.ts';
import type { Conversation } from '../../store/session-store.ts';
import { cleanTitle } from '../../store/title.ts';
import type { Message, Transcript } from '../../transcript/message.ts';
import { isFromPerson } from '../../transcript/origin.ts';
import { messageText } from '../../transcript/text.ts';
import { cleanPiece, longestMaskedWhole } from './clean-text.ts';
import { type Lineage, type ReadableStore, titleOf } from './lineage.ts';

/** Characters of a request that stands for a title. */
const requestCharacters = 80;
/** Requests begin within so many messages of a session: before them stand system prompts and what hosts say. */
const mostBeforeRequest = 40;

/** The title of a conversation in a store, without credentials; empty where it has none and nobody asked anything. */
export async function conversationTitle(
  store: ReadableStore,
  { title, root }: Pick<Conversation, 'title' | 'root'>,
): Promise<string> {
  if (title !== undefined) return redact(title);
  for (let at = 0; at < mostBeforeRequest; at++) {
    const [stored] = await store.messages.view(root.id, { from: at, to: at + 1 });
    if (!stored) break;
    if (isRequest(stored.message)) return openingOf(stored.message);
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
  const request = messages.slice(0, mostBeforeRequest).find(isRequest);
  return request ? openingOf(request) : '';
}

const isRequest = (message: Message): boolean => isFromPerson(message) && messageText(message).trim() !== '';

function openingOf(message: Message): string {
  const said = message.parts.filter((part) => part.type === 'text');
  const { text } = cleanPiece({ ...message, parts: said }, { from: 0, max: longestMaskedWhole });
  const line = text
    .slice(0, 20 * requestCharacters)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  return shortened(line, requestCharacters);
}
