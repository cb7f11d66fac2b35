/**
 * Which stretch of a long text bears most on a query: where it stands word for word, else where all its words stand
 * close together, else where most of them are. A quarter of the stretch lies before the place.
 */

import { scanTerms } from '../../store/terms/scan.ts';
import { parseQuery, type Query } from '../search/query.ts';
import { wantedTerms } from '../search/wanted-terms.ts';
import { rankingWeights } from '../search/weights.ts';

export interface TextWindow {
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
