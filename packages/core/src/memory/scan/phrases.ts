/**
 * Finds what lists of patterns match, in one walk over the text. The lists are long, a text speaks of little, and the engine
 * takes half a second to read all of them: here an alternative is read when what it begins with first stands in a text.
 */
import { alternativesOf, longestOpening, openingsOf } from './openings.ts';

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** For each list the places where it matches, in order. */
export type PhraseScan = (text: string) => readonly (readonly Place[])[];

interface PhraseOptions {
  /** No letter, digit or `_` may stand before or behind a match. */
  readonly isOfWords: boolean;
}

/**
 * The places that `matchAll` finds for the pattern of each list, whose sources are alternatives: of two that match at one
 * place the first counts, and matches do not overlap. None may match nothing. Time grows with the text and not with the lists.
 */
export function createPhraseScan(lists: readonly (readonly string[])[], { isOfWords }: PhraseOptions): PhraseScan {
  const phrases = lists.flatMap((sources, list) =>
    sources
      .flatMap(alternativesOf)
      .map((source): Phrase => ({ list, source, isPlain: !/[\\^$.*+?()[\]{}|]/.test(source) })),
  );
  const tried = triedAfter(phrases);
  return (text) => {
    const found = lists.map((): Place[] => []);
    const inWord = isOfWords ? wordUnits(text) : undefined;
    for (let start = 0; start < text.length; start++) {
      if (inWord?.[start - 1] === 1 || isSecondUnit(text, start)) continue;
      for (const number of triedAt(tried, text, start)) {
        const phrase = phrases[number];
        const places = phrase && found[phrase.list];
        if (!places || (places.at(-1)?.end ?? 0) > start) continue;
        const end = endOf(phrase, { text, start, isOfWords });
        if (end !== undefined && (!phrase.isPlain || inWord?.[end] !== 1)) places.push({ start, end });
      }
    }
    return found;
  };
}

interface Phrase {
  readonly list: number;
  readonly source: string;
  /** Every sign stands for itself. */
  readonly isPlain: boolean;
  /** Of one that is not plain; made when it is first tried, for there are thousands of them. */
  pattern?: RegExp;
}

interface Trial extends PhraseOptions {
  readonly text: string;
  readonly start: number;
}

/** Where the phrase ends that begins at a place; undefined where it does not stand there. */
function endOf(phrase: Phrase, { text, start, isOfWords }: Trial): number | undefined {
  const { source, isPlain } = phrase;
  if (isPlain) return text.startsWith(source, start) ? start + source.length : undefined;
  phrase.pattern ??= new RegExp(isOfWords ? `(?:${source})(?![\\p{L}\\d_])` : source, 'uy');
  phrase.pattern.lastIndex = start;
  return phrase.pattern.test(text) ? phrase.pattern.lastIndex : undefined;
}

/** The numbers of the phrases that may begin with a string, in order. */
type Tried = ReadonlyMap<string, readonly number[]>;

function triedAfter(phrases: readonly Phrase[]): Tried {
  const tried = new Map<string, number[]>();
  for (const [number, { source }] of phrases.entries())
    for (const opening of openingsOf(source)) {
      const numbers = tried.get(opening);
      if (numbers) numbers.push(number);
      else tried.set(opening, [number]);
    }
  return tried;
}

/** The phrases that may begin at a place. A phrase may begin in several ways, of which a place has at most one. */
function triedAt(tried: Tried, text: string, start: number): readonly number[] {
  let found = tried.get('') ?? none;
  for (let length = 1; length <= longestOpening; length++) {
    const more = tried.get(text.slice(start, start + length));
    if (more) found = found.length === 0 ? more : [...found, ...more].sort((a, b) => a - b);
    if (start + length >= text.length) break;
  }
  return found;
}

const none: readonly number[] = [];

const isSecondUnit = (text: string, at: number): boolean =>
  isBetween(text.charCodeAt(at), 0xdc00, 0xdfff) && isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff);

const isBetween = (unit: number, first: number, last: number): boolean => unit >= first && unit <= last;

/** 1 for each unit of a letter, a digit or `_`. */
function wordUnits(text: string): Uint8Array {
  const units = new Uint8Array(text.length);
  for (const { 0: run, index } of text.matchAll(/[\p{L}\d_]+/gu)) units.fill(1, index, index + run.length);
  return units;
}
