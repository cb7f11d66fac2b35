/** Names of messages as people and models write them (`m42`, `m40-m45`, `m3, m7`), and the originals that they bring back. */
import { type Inherited, numbersOf } from '../compression/numbering.ts';
import { nowhere } from '../compression/record.ts';
import type { Ref } from '../compression/result.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { Message, SourceSpan } from '../transcript/message.ts';

/** The ref of the message at an index. */
export const refOf = (at: number): Ref => `m${at + 1}`;

/** More messages than this are never meant by one range typed by hand; it keeps a typing error from filling the memory. */
const longestRange = 100_000;

/** Some thousands of refs; whoever wants more of a conversation asks for a range. */
const mostChars = 20_000;

/**
 * The indexes that a text of refs names, in the order of the text, each once. Single refs and ranges, divided by commas
 * or spaces; the `m` and brackets around may be left out. Throws `BAD_OPTION` for a text that names nothing, or has
 * more than 20,000 characters, and
 * `ID_UNKNOWN`, with the valid range and the nearest ref, for a message that does not exist. `least`: 0 where `m0` is one.
 */
export function indexesOf(refs: string, count: number, least = 1): readonly number[] {
  if (refs.length > mostChars) throw tooManyRefs(refs, count);
  const words = refs
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?(?:-|–|—|\.\.+) ?/g, '-')
    .split(/[ ,;]+/)
    .filter(Boolean);
  if (words.length === 0) throw badRef(refs, count);
  return [...new Set([...new Set(words)].flatMap((word) => indexesOfWord(word, count, least)))];
}

function indexesOfWord(word: string, count: number, least: number): readonly number[] {
  const match = /^\[?m?(\d{1,15})(?:-m?(\d{1,15}))?\]?$/i.exec(word);
  if (!match) throw badRef(word, count);
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  for (const number of [first, last]) if (number < least || number > count) throw unknownRef(number, count);
  const [low, high] = first <= last ? [first, last] : [last, first];
  if (high - low >= longestRange) throw badRef(word, count);
  return Array.from({ length: high - low + 1 }, (_, i) => low - 1 + i);
}

function tooManyRefs(refs: string, count: number): PalimpsestError {
  const message = `expected at most ${mostChars} characters of refs, got ${refs.length}: name a range, such as m40-m45; ${validRefs(count)}`;
  return new PalimpsestError('BAD_OPTION', message, { evidence: { characters: refs.length, count } });
}

function badRef(word: string, count: number): PalimpsestError {
  const message = `expected a message such as m42, a range such as m40-m45, or a list of them, got ${JSON.stringify(word.slice(0, 40))}: ${validRefs(count)}`;
  return new PalimpsestError('BAD_OPTION', message, { evidence: { ref: word.slice(0, 40), count } });
}

function unknownRef(number: number, count: number): PalimpsestError {
  const nearest = count === 0 ? '' : `; the nearest is ${refOf(number < 1 ? 0 : count - 1)}`;
  return new PalimpsestError('ID_UNKNOWN', `there is no message m${number}: ${validRefs(count)}${nearest}`, {
    evidence: { ref: `m${number}`, count },
  });
}

/** The error for a message that was compressed before the conversation came here. */
export function goneRef(place: number, { tag }: Inherited): PalimpsestError {
  const ref = refOf(place);
  const where = tag.keptIn === undefined ? 'where the conversation was compressed' : `in ${tag.keptIn}`;
  const message = `${ref} is not here: it was compressed earlier and is part of the handoff (m0). Expand it ${where}.`;
  return new PalimpsestError('ID_UNKNOWN', message, { evidence: { ref } });
}

const validRefs = (count: number): string =>
  count === 0 ? 'the conversation has no messages' : `the conversation has m1 to ${refOf(count - 1)}`;

// Brings back the original of what a stub or a line of a summary stands for.

/** A message that was brought back. */
export interface Expanded {
  readonly ref: Ref;
  /** Index in the conversation. */
  readonly at: number;
  /** The very message that was read, with everything it carries. */
  readonly message: Message;
}

/**
 * The messages that refs name, in the order asked for: `m42`, `m40-m45`, `m3,m7`. The list is the conversation as it
 * was before the compression that wrote the refs. In a list that was compressed already, a ref names the message that it
 * named there. Throws `BAD_OPTION` for a text that is no ref and `ID_UNKNOWN` for a message that does not exist or that
 * was compressed away before; then the error says where it is kept, as far as the handoff tells. `m0` is that handoff.
 *
 * @example
 * import { expand, fromOpenAiChat } from '@palimpsest/core';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }]);
 * const [first] = expand(messages, 'm1');
 * first?.message === messages[0]; // true
 */
export function expand(messages: readonly Message[], refs: string): readonly Expanded[] {
  const { numbers, inherited } = numbersOf(messages);
  const places = new Map(numbers.map((number, at) => [number - 1, at]));
  if (inherited) places.set(nowhere, messages.indexOf(inherited.message));
  const count = numbers.reduce((most, number) => Math.max(most, number), 0);
  return indexesOf(refs, count, inherited ? 0 : 1).flatMap((place) => {
    const at = places.get(place);
    const message = messages[at ?? -1];
    if (at === undefined && inherited) throw goneRef(place, inherited);
    return message && at !== undefined ? [{ ref: refOf(place), at, message }] : [];
  });
}

// Cuts the bytes of some messages out of the file they were read from, while it streams by.

/** The spans of some messages, in their order; a record that became several messages is there once. */
export function spansOf(messages: readonly Message[]): readonly SourceSpan[] {
  const byStart = new Map<number, SourceSpan>();
  for (const message of messages) for (const span of message.source ?? []) byStart.set(span.start, span);
  return [...byStart.values()];
}

/**
 * The exact bytes of each span, in the order of the spans. `source` is the file that they were counted in,
 * uncompressed; it is read no further than needed. Throws `FILE_UNREADABLE` when it ends before the last span: then
 * it is not the same file any more.
 */
export async function sourceRanges(
  source: AsyncIterable<Uint8Array>,
  spans: readonly SourceSpan[],
): Promise<readonly Uint8Array[]> {
  const ranges = spans.map((span) => ({ ...span, bytes: new Uint8Array(span.end - span.start) }));
  const waiting = [...ranges].sort((a, b) => a.start - b.start);
  const end = spans.reduce((last, span) => Math.max(last, span.end), 0);
  let next = 0;
  let offset = 0;
  for await (const chunk of source) {
    const chunkEnd = offset + chunk.length;
    for (let at = next; at < waiting.length; at++) {
      const range = waiting[at];
      if (!range || range.start >= chunkEnd) break;
      const from = Math.max(range.start, offset);
      const to = Math.min(range.end, chunkEnd);
      if (from < to) range.bytes.set(chunk.subarray(from - offset, to - offset), from - range.start);
      if (at === next && range.end <= chunkEnd) next++;
    }
    offset = chunkEnd;
    if (offset >= end) break;
  }
  if (offset >= end) return ranges.map((range) => range.bytes);
  const message = `the file ends at byte ${offset}, but the message ends at byte ${end}: the file changed since it was read`;
  throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { offset, end } });
}
