/** What of an excerpt a model is shown: the best window of it, as large as the model can hold. */

import { nowhere, refAt } from '../../compression/record.ts';
import { serialize, unforged } from '../../compression/summarize/serialize.ts';
import {
  learntWindow,
  learnWindow,
  namedWindow,
  type Summarizer,
  type SummarizerError,
} from '../../compression/summarize/summarizer.ts';
import type { MessageId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import { scanTerms } from '../../store/terms/scan.ts';
import { estimateTextTokens } from '../../tokens/estimate.ts';
import type { Message, ResultContent } from '../../transcript/message.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import { readableText } from '../../transcript/text.ts';
import {
  type Lineage,
  type LineageNumbers,
  lineageNumbers,
  lineageOf,
  type ReadableStore,
  readLineage,
} from '../read/lineage.ts';
import { parseQuery, type Query } from '../search/query.ts';
import { rankingWeights, wantedTerms } from '../search/wanted-terms.ts';
import type { FoundGroup, FoundMessage } from './discover.ts';

/** What a model reads of an excerpt, and the messages that it is from. */
export interface ShownWindow {
  readonly text: string;
  /** Each at the place that its label names, so that both name the same; nothing is said in those between. */
  readonly messages: readonly Message[];
  /** The ids of those that are shown, by place. */
  readonly ids: ReadonlyMap<number, MessageId>;
}

/** The records in the window that bears most on the query, of at most so many characters. */
export function shownWindow(
  excerpt: Excerpt,
  query: string,
  { characters, summarizer }: { readonly characters: number; readonly summarizer: Summarizer },
): ShownWindow {
  const { text, starts } = excerpt;
  const { from, to } = bestWindow(text, query, fitting(text, summarizer, characters));
  const first = starts.findLastIndex(({ at }) => at <= from);
  const start = starts[first]?.at ?? from;
  const next = Math.min(to, starts[first + 1]?.at ?? to);
  const opening = start < from ? cutRecord(text, { start, from, end: next }) : text.slice(from, next);
  const shown = starts.filter(({ at, place }, i) => i >= first && at < to && place >= 0);
  const marks = { before: from > 0 ? `${leftOut}\n\n` : '', after: to < text.length ? `\n\n${leftOut}` : '' };
  return {
    text: `${marks.before}${opening}${text.slice(next, to).toWellFormed()}${marks.after}`,
    messages: inPlace(shown),
    ids: new Map(shown.map(({ place, stored }) => [place, stored.id])),
  };
}

function inPlace(shown: readonly RecordStart[]): readonly Message[] {
  const size = shown.reduce((most, { place }) => Math.max(most, place + 1), 0);
  const messages = Array.from({ length: size }, () => silent);
  for (const { place, stored } of shown) messages[place] = stored.message;
  return messages;
}

const silent: Message = { role: 'assistant', parts: [] };

/** The rest of a record whose beginning is left out, below its label: what a record says must not look like a label. */
function cutRecord(text: string, { start, from, end }: { start: number; from: number; end: number }): string {
  const label = text.slice(start, text.indexOf('\n', start));
  return `${label}\n${unforged(text.slice(from, end).toWellFormed())}`;
}

const leftOut = '[… more of the conversation left out …]';

/** Of a small model's window this share is filled with records; the rest is for its answer. */
const windowShare = 0.7;

/** Remembers what a model has refused: no other conversation is sent as much of. */
export function learnFromRefusal(summarizer: Summarizer, refusal: SummarizerError, shown: string): void {
  const half = Math.ceil(estimateTextTokens(shown) / 2 / windowShare);
  const named = namedWindow(refusal);
  learnWindow(summarizer, named === undefined ? { tokens: half, isNamed: false } : { tokens: named, isNamed: true });
}

/** As many characters as the model's window holds, at most those wanted. */
function fitting(text: string, summarizer: Summarizer, characters: number): number {
  const contextLength = learntWindow(summarizer)?.tokens ?? summarizer.contextLength;
  if (contextLength === undefined) return characters;
  const sample = text.slice(0, characters);
  const tokens = estimateTextTokens(sample);
  const room = contextLength * windowShare;
  return tokens <= room ? characters : Math.floor((sample.length * room) / tokens);
}

// Which stretch of a long text bears most on a query: where it stands word for word, else where all its words stand
// close together, else where most of them are. A quarter of the stretch lies before the place.

interface TextWindow {
  readonly from: number;
  readonly to: number;
}

/** Characters on each side of a word in which all others must stand. */
const proximity = 200;
const shareBefore = 0.25;

/** The best stretch of so many characters; the start of the text where nothing of the query stands in it. */
export function bestWindow(text: string, query: string, characters: number): TextWindow {
  if (text.length <= characters) return { from: 0, to: text.length };
  const from = bestStart(matchesIn(text, parseQuery(query)), { length: text.length, characters });
  return { from, to: from + characters };
}

/** Places that count, in order: those of the first kind that there are any of. */
function matchesIn(text: string, query: Query): readonly number[] {
  const phrases = phrasePlaces(text.toLowerCase(), query);
  if (phrases.length > 0) return phrases;
  const byTerm = termPlaces(text, query);
  const together = placesTogether(byTerm);
  return together.length > 0 ? together : byTerm.flat().sort((a, b) => a - b);
}

function phrasePlaces(lower: string, { leaves }: Query): readonly number[] {
  const whole = leaves.length > 1 ? [leaves.map(({ text }) => text).join(' ')] : [];
  const quoted = leaves.flatMap(({ type, text }) => (type === 'phrase' ? [text] : []));
  const phrases = [...whole, ...quoted].map((phrase) => phrase.toLowerCase().replaceAll(/\s+/g, ' ').trim());
  return [...new Set(phrases)].flatMap((phrase) => placesOf(phrase, lower)).sort((a, b) => a - b);
}

function placesOf(phrase: string, text: string): readonly number[] {
  const places: number[] = [];
  if (phrase === '') return places;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + phrase.length)) places.push(at);
  return places;
}

/** The places of each term that occurs. */
function termPlaces(text: string, query: Query): readonly (readonly number[])[] {
  const byTerm = new Map(wantedTerms(query, rankingWeights.terms).map(({ term }): [string, number[]] => [term, []]));
  const { terms, starts } = scanTerms(text);
  for (const [i, term] of terms.entries()) byTerm.get(term)?.push(starts[i] ?? 0);
  return [...byTerm.values()].filter((places) => places.length > 0);
}

/** Places of the rarest term that all others stand beside. */
function placesTogether(byTerm: readonly (readonly number[])[]): readonly number[] {
  const [rarest, ...others] = byTerm.toSorted((a, b) => a.length - b.length);
  if (!rarest || others.length === 0) return [];
  return rarest.filter((at) => others.every((places) => hasWithin(places, at - proximity, at + proximity)));
}

function hasWithin(sorted: readonly number[], from: number, to: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (sorted[low] ?? Number.POSITIVE_INFINITY) <= to;
}

/** The start of the window that covers most of the places, the first of several. */
function bestStart(
  places: readonly number[],
  { length, characters }: { readonly length: number; readonly characters: number },
): number {
  let best = { start: 0, count: 0 };
  let first = 0;
  let end = 0;
  for (const place of places) {
    const start = Math.max(0, Math.min(Math.floor(place - characters * shareBefore), length - characters));
    while (first < places.length && (places[first] ?? 0) < start) first++;
    while (end < places.length && (places[end] ?? 0) < start + characters) end++;
    if (end - first > best.count) best = { start, count: end - first };
  }
  return best.start;
}

// What of a conversation a model reads to sum it up: records around the hits, as far as a window holds them.

/** The records of a conversation around its hits. */
export interface Excerpt {
  /** Records one below the other; lines in brackets stand for what was left out. */
  readonly text: string;
  /** Where in the text each record begins, in order, and the message that it is of. */
  readonly starts: readonly RecordStart[];
}

interface RecordStart {
  readonly at: number;
  /** Its number less one: the label is the ref that `expand` takes in that conversation. */
  readonly place: number;
  readonly stored: StoredMessage;
}

/** Hits of a conversation that its excerpt reaches out from. */
const mostHits = 8;
/** Messages that are read at once. */
const step = 60;
/** What a message is taken to add, whatever its length: records are cut, and have labels. */
const countedCharacters = { least: 30, most: 6_000 } as const;

/** Reads around the hits of a group, about a quarter of `characters` before each and the rest behind it. */
export async function excerptOf(store: ReadableStore, group: FoundGroup, characters: number): Promise<Excerpt> {
  const lineage = await lineageOf(store, group.tip.id);
  const read = new Map<number, StoredMessage>();
  for (const found of group.hits.slice(0, mostHits)) {
    const at = placeIn(lineage, found);
    if (at === undefined) continue;
    await readOn({ store, lineage, read }, { at, by: step, characters: characters * 0.75 });
    await readOn({ store, lineage, read }, { at: at - 1, by: -step, characters: characters * 0.25 });
  }
  const { placeOf } = await lineageNumbers(store, lineage);
  return written(read, { size: lineage.size, hits: group.hits, placeOf });
}

function placeIn({ sessions }: Lineage, { hit }: FoundMessage): number | undefined {
  const found = sessions.find(({ session }) => session.id === hit.sessionId);
  return found && found.start + Math.max(0, hit.position - found.opening);
}

interface KnownPlaces {
  readonly store: ReadableStore;
  readonly lineage: Lineage;
  /** By place in the lineage. */
  readonly read: Map<number, StoredMessage>;
}

/** Reads from a place on, in steps, until the texts have so many characters. */
async function readOn(
  { store, lineage, read }: KnownPlaces,
  { at, by, characters }: { readonly at: number; readonly by: number; readonly characters: number },
): Promise<void> {
  let left = characters;
  for (let from = at; left > 0 && from >= 0 && from < lineage.size; from += by) {
    const range = by > 0 ? { from, to: from + by } : { from: Math.max(0, from + by + 1), to: from + 1 };
    const places = Array.from({ length: Math.min(range.to, lineage.size) - range.from }, (_, i) => range.from + i);
    if (!places.every((place) => read.has(place))) {
      const messages = await readLineage(store, lineage, range);
      for (const [i, stored] of messages.entries()) read.set(range.from + i, stored);
    }
    for (const place of places) left -= counted(read.get(place));
  }
}

function counted(stored: StoredMessage | undefined): number {
  const { least, most } = countedCharacters;
  return stored ? Math.max(least, Math.min(most, readableText(stored.message).length)) : 0;
}

interface Found extends Pick<LineageNumbers, 'placeOf'> {
  /** Messages of the lineage. */
  readonly size: number;
  readonly hits: readonly FoundMessage[];
}

function written(read: ReadonlyMap<number, StoredMessage>, { size, hits, placeOf }: Found): Excerpt {
  const places = [...read.keys()].sort((a, b) => a - b);
  const passages = new Map(hits.map(({ stored, passage }) => [stored.id, passage.text]));
  const messages = places.flatMap((place) => read.get(place) ?? []);
  const shown = messages.map(({ id, message }, i) => ({
    ref: refAt(placeOf(places[i] ?? nowhere)),
    message: aroundPassage(redactedMessage(message), passages.get(id)),
  }));
  // Nobody counts the tokens of a window that is given in characters.
  const { records } = serialize(shown, () => 0);
  const starts: RecordStart[] = [];
  const pieces: string[] = [];
  let length = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length + between.length;
  };
  /** Messages before the one at an index that were not read. */
  const unread = (at: number): number => (places[at] ?? size) - at;
  let known = 0;
  for (const { at, text } of records) {
    if (unread(at) > known) add(leftOutOfGroup(unread(at) - known));
    known = unread(at);
    const stored = messages[at];
    if (stored) starts.push({ at: length, place: placeOf(places[at] ?? nowhere), stored });
    add(text);
  }
  if (unread(places.length) > known) add(leftOutOfGroup(unread(places.length) - known));
  return { text: pieces.join(between), starts };
}

/** What divides two records. */
const between = '\n\n';
const leftOutOfGroup = (messages: number): string =>
  `[… ${messages} ${messages === 1 ? 'message' : 'messages'} left out …]`;

/** Records are cut in their middle: of a text that is longer, what surrounds the passage is taken instead. */
const longest = 5_800;
const beforePassage = 1_500;

function aroundPassage(message: Message, passage: string | undefined): Message {
  if (passage === undefined) return message;
  const cut = (text: string): string => {
    const at = text.length > longest ? text.indexOf(passage) : -1;
    if (at < 0) return text;
    const from = Math.max(0, Math.min(at - beforePassage, text.length - longest));
    return `[… ${from} characters left out …]${text.slice(from, from + longest).toWellFormed()}[… the rest left out …]`;
  };
  const cutContent = (one: ResultContent): ResultContent =>
    one.type === 'text' ? { ...one, text: cut(one.text) } : one;
  const parts = message.parts.map((part) => {
    if (part.type === 'text') return { ...part, text: cut(part.text) };
    return part.type === 'toolResult' ? { ...part, content: part.content.map(cutContent) } : part;
  });
  return { ...message, parts };
}
