/** What conversations are called: what a title may look like, and what stands for one where nobody gave any. */
import { PalimpsestError } from '../shared/errors.ts';
import { shortened } from '../shared/graphemes.ts';
import type { Message } from '../transcript/message.ts';
import { isFromPerson, requestOpening } from '../transcript/origin.ts';
import { cleanPiece, longestMaskedWhole } from '../transcript/redact.ts';
import { messageText } from '../transcript/text.ts';
import type { TitleOrigin } from './session-store.ts';

/** Characters at most. */
export const maxTitleCharacters = 100;

/** Control characters, format characters (which have no width), and halves of surrogate pairs. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * A title on one line without characters that cannot be seen; undefined when nothing is left. Throws `BAD_OPTION` for
 * one that is too long; what a tool's own file gives is cut instead, since nobody is there to choose another.
 */
export function cleanTitle(title: string, from: TitleOrigin): string | undefined {
  const clean = title.replaceAll(/\s+/g, ' ').replaceAll(unseen, '').replaceAll(/ +/g, ' ').trim();
  if (clean === '') return undefined;
  const characters = Array.from(clean);
  if (characters.length <= maxTitleCharacters) return clean;
  if (from === 'source')
    return `${characters
      .slice(0, maxTitleCharacters - 1)
      .join('')
      .trimEnd()}…`;
  throw new PalimpsestError(
    'BAD_OPTION',
    `A title has at most ${maxTitleCharacters} characters; this one has ${characters.length}. Shorten it.`,
    { evidence: { characters: characters.length } },
  );
}

/** A title without its number, and the number: `X #3` is the third `X`. */
export function titleNumber(title: string): { readonly base: string; readonly number: number } {
  const [, base, digits] = /^(.*\S) #(\d{1,9})$/.exec(title) ?? [];
  return base === undefined ? { base: title, number: 1 } : { base, number: Number(digits) };
}

/** The title with another number, cut so that both fit. */
export function numberedTitle(base: string, number: number): string {
  const end = ` #${number}`;
  return `${Array.from(base)
    .slice(0, maxTitleCharacters - end.length)
    .join('')
    .trimEnd()}${end}`;
}

/** True when a title that `from` gives may take the place of one that `known` gave. */
export const mayReplace = (from: TitleOrigin, known: TitleOrigin | undefined): boolean =>
  known === undefined || strength[from] >= strength[known];

const strength: Readonly<Record<TitleOrigin, number>> = { user: 2, model: 1, source: 0 };

// A conversation without a title is called by how its first request begins, without credentials.

/** Characters of a request that stands for a title. */
const requestCharacters = 80;
/** Requests begin within so many messages of a session: before them stand system prompts and what hosts say. */
export const mostBeforeRequest = 40;

/** The title that a message gives; undefined for one in which nobody asks anything. */
export function requestTitle(message: Message): string | undefined {
  if (!isFromPerson(message) || messageText(message).trim() === '') return undefined;
  const asked = { ...message, parts: [{ type: 'text' as const, text: requestOpening(message) }] };
  const { text } = cleanPiece(asked, { from: 0, max: longestMaskedWhole });
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
