/** Names of messages as people and models write them: `m42`, `m40-m45`, `m3, m7`. */
import type { Inherited } from '../compression/numbering.ts';
import type { Ref } from '../compression/result.ts';
import { PalimpsestError } from '../shared/errors.ts';

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
