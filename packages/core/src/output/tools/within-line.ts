/** Where the words of a query stand in one long line: JSON and minified code have all they hold in a line. Pure. */
import { beforePair } from '../preview.ts';

/** A match in a line. */
export interface LineMatch {
  /** The character of the line at which it begins, from 1. */
  readonly char: number;
  /** The match with what stands around it. */
  readonly text: string;
}

const aroundChars = 160;
const mostWords = 8;

/** How matches are taken. */
export interface MatchOptions {
  readonly limit: number;
  /** Makes a piece of the line fit to be shown. @default the piece as it stands */
  readonly show?: (line: string, piece: { readonly start: number; readonly end: number }) => string;
}

/** The first matches of the whole query, else of its rarest word; those within the same excerpt count once. */
export function matchesIn(
  line: string,
  query: string,
  { limit, show = asItStands }: MatchOptions,
): readonly LineMatch[] {
  const words = [...new Set(query.split(/\s+/).filter(Boolean))];
  const phrase = placesOf(line, words.map(escaped).join('\\s+'), limit);
  const places = phrase.length > 0 ? phrase : placesOfRarest(line, words, limit);
  return places.map((at) => ({ char: at + 1, text: excerpt(line, at, show) }));
}

/** Of words that are equally rare, the longest tells most. */
function placesOfRarest(line: string, words: readonly string[], limit: number): readonly number[] {
  const found = words
    .toSorted((one, other) => other.length - one.length)
    .slice(0, mostWords)
    .map((word) => placesOf(line, escaped(word), limit))
    .filter((places) => places.length > 0);
  return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

function placesOf(line: string, pattern: string, limit: number): readonly number[] {
  const places: number[] = [];
  if (pattern === '') return places;
  const expression = new RegExp(pattern, 'gi');
  while (places.length < limit) {
    const match = expression.exec(line);
    if (!match) break;
    places.push(match.index);
    expression.lastIndex = Math.max(expression.lastIndex, match.index + aroundChars);
  }
  return places;
}

function excerpt(line: string, at: number, show: NonNullable<MatchOptions['show']>): string {
  const start = beforePair(line, Math.max(0, at - aroundChars));
  const end = beforePair(line, Math.min(line.length, at + 2 * aroundChars));
  return `${start > 0 ? '…' : ''}${show(line, { start, end }).toWellFormed()}${end < line.length ? '…' : ''}`;
}

const asItStands: NonNullable<MatchOptions['show']> = (line, { start, end }) => line.slice(start, end);

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
