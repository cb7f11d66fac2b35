/** What of an excerpt a model is shown: the best window of it, as large as the model can hold. */

import { unforged } from '../../compression/summarize/serialize.ts';
import type { Summarizer, SummarizerError } from '../../compression/summarize/summarizer.ts';
import { learntWindow, learnWindow, namedWindow } from '../../compression/summarize/summarizer.ts';
import type { MessageId } from '../../store/ids.ts';
import { scanTerms } from '../../store/terms/scan.ts';
import { estimateTextTokens } from '../../tokens/estimate.ts';
import type { Message } from '../../transcript/message.ts';
import { parseQuery, type Query } from '../search/query.ts';
import { wantedTerms } from '../search/wanted-terms.ts';
import { rankingWeights } from '../search/weights.ts';
import type { Excerpt, RecordStart } from './excerpt.ts';

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
