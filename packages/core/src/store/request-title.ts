/** What a conversation is called that has no title: how its first request begins, without credentials. */
import { shortened } from '../shared/graphemes.ts';
import type { Message } from '../transcript/message.ts';
import { isFromPerson } from '../transcript/origin.ts';
import { cleanPiece, longestMaskedWhole } from '../transcript/redact.ts';
import { messageText } from '../transcript/text.ts';

/** Characters of a request that stands for a title. */
const requestCharacters = 80;
/** Requests begin within so many messages of a session: before them stand system prompts and what hosts say. */
export const mostBeforeRequest = 40;

/** The title that a message gives; undefined for one in which nobody asks anything. */
export function requestTitle(message: Message): string | undefined {
  if (!isFromPerson(message) || messageText(message).trim() === '') return undefined;
  const said = message.parts.filter((part) => part.type === 'text');
  const { text } = cleanPiece({ ...message, parts: said }, { from: 0, max: longestMaskedWhole });
  const line = text
    .slice(0, 20 * requestCharacters)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  return shortened(line, requestCharacters);
}

/** The same of the first messages of a session, the first of them at a position. */
export function firstRequestTitle(messages: readonly Message[], position = 0): string | undefined {
  for (const message of messages.slice(0, Math.max(0, mostBeforeRequest - position))) {
    const title = requestTitle(message);
    if (title !== undefined) return title;
  }
  return undefined;
}

/** A title as it is compared: in any case of letters. */
export const foldedTitle = (title: string): string => title.trim().toLowerCase();
