/** A short quotation from the message that decides a claim: the line of it that says most about the claim. */
import type { Message, WrongClaim } from '@palimpsest/core';
import { outcomeOf } from '@palimpsest/core/engine';
import { messageText, readableText, redactedMessage, toolResults } from '@palimpsest/core/formats';
import { type CallsById, kindOf, kindTitles, previewOf } from '../message-kinds.ts';
import { oneLine } from './text.ts';
import { clip } from './width.ts';

export interface QuoteOptions {
  readonly calls: CallsById;
  readonly claim: WrongClaim;
  /** Columns. */
  readonly room: number;
}

/** More of a message than this is not looked at. */
const mostChars = 200_000;

/** `bash node --test: "# fail 1"`; what the message is about, and its line nearest to the claim. */
export function quoteFrom(original: Message, { calls, claim, room }: QuoteOptions): string {
  const message = redactedMessage(original);
  const text = messageText(message).trim() || readableText(message);
  const about = `${claim.correction ?? ''} ${claim.text} ${claim.why}`;
  const failure = claim.type === 'status' ? failureIn(message, calls) : undefined;
  const line = oneLine(failure ?? nearestLine(text.slice(0, mostChars), wordsIn(about)));
  const who =
    toolResults(message).length > 0
      ? clip(previewOf(message, calls), Math.floor(room / 2))
      : kindTitles[kindOf(message)];
  const left = room - who.length - 4;
  return left < 8 || line === '' ? clip(who, room) : `${who}: "${clip(line, left)}"`;
}

/** What a person would look at first in the result of a call that failed. */
function failureIn(message: Message, calls: CallsById): string | undefined {
  const [result] = toolResults(message);
  return result && outcomeOf(calls.get(result.callId), result).firstErrorLine;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_./-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? []).filter(
      (word) => word.length > 1 || /\p{N}|\p{Lo}/u.test(word),
    ),
  );
}

function nearestLine(text: string, wanted: ReadonlySet<string>): string {
  let best = '';
  let most = -1;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    let shared = 0;
    for (const word of wordsIn(line)) if (wanted.has(word)) shared += 1 + Math.min(word.length, 12) / 12;
    if (shared <= most) continue;
    most = shared;
    best = line;
  }
  return best;
}
