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

/** The first matches of the whole query, else of its longest word; those within the same excerpt count once. */
export function matchesIn(line: string, query: string, limit: number): readonly LineMatch[] {
  const words = query.split(/\s+/).filter(Boolean);
  const longest = words.toSorted((one, other) => other.length - one.length)[0];
  const phrase = placesOf(line, words.map(escaped).join('\\s+'), limit);
  const places = phrase.length > 0 || longest === undefined ? phrase : placesOf(line, escaped(longest), limit);
  return places.map((at) => ({ char: at + 1, text: excerpt(line, at) }));
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

function excerpt(line: string, at: number): string {
  const from = beforePair(line, Math.max(0, at - aroundChars));
  const to = beforePair(line, Math.min(line.length, at + 2 * aroundChars));
  return `${from > 0 ? '…' : ''}${line.slice(from, to).toWellFormed()}${to < line.length ? '…' : ''}`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
