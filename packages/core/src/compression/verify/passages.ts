/** Finds what the conversation says about the same thing as a line of a summary, and where the two differ. */
import type { ClaimLine, LineWord } from './claim-line.ts';
import type { Source } from './source.ts';
import { wordsOf } from './words-of.ts';

/** A passage, and which share of the line's words it has, each weighed by how seldom it is said. */
export interface Near {
  readonly passage: number;
  readonly coverage: number;
}

export interface Passages {
  /** How much a word tells: the log of how seldom it is said; 0 for one that stands in every other passage. */
  weightOf(word: string): number;
  /** How much a word tells that stands in so many passages. */
  weightOfPlaces(count: number): number;
  /** The passages nearest to a line, of all or some, best first. Those that the line names come before equal ones. */
  nearest(line: ClaimLine, among?: (passage: number) => boolean): readonly Near[];
  /**
   * The share, 0 to 1, of the words' weight that stands beside the best of the places, which rise: in the same passage,
   * or half as much in the one before or behind it.
   */
  support(places: readonly number[], words: readonly string[], reach?: 0 | 1): number;
}

/** Of so few, words that stand in many of them still tell what a line is about. */
const fewPassages = 40;
const leastWeight = 0.4;
/** Words said more often than this lead nowhere. */
const maxPlaces = 3_000;
const searchWords = 12;
const kept = 5;

export function createPassages(source: Source): Passages {
  const total = Math.max(1, source.passages);
  // What nobody says cannot lead anywhere, and must not count against the line either: it may be a paraphrase.
  const weightOfPlaces = (count: number): number =>
    count === 0 ? 0 : Math.max(total < fewPassages ? leastWeight : 0, Math.log(total / count) - 0.7);
  const weightOf = (word: string): number => weightOfPlaces(source.passagesWith(word).length);

  // One for all lines, and all zero between them: most lines share words with thousands of passages.
  const scores = new Float64Array(total);

  function nearest(line: ClaimLine, among = (_: number): boolean => true): readonly Near[] {
    const words = distinct(line.words);
    const rare = words
      .map((word) => ({ word, weight: weightOf(word), places: source.passagesWith(word) }))
      .filter(({ weight, places }) => weight > 0 && places.length > 0 && places.length <= maxPlaces)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, searchWords);
    const scored: number[] = [];
    for (const { weight, places } of rare) {
      for (const place of places) {
        if (!among(place)) continue;
        const before = scores[place] ?? 0;
        if (before === 0) scored.push(place);
        scores[place] = before + weight;
      }
    }
    const best = topOf(scored, (place) => (scores[place] ?? 0) + (line.scope === source.messageOf(place) ? 0.5 : 0));
    for (const place of scored) scores[place] = 0;
    const all = words.reduce((sum, word) => sum + weightOf(word), 0);
    return best
      .map((passage) => ({ passage, coverage: all === 0 ? 0 : shareIn(passage, words) / all }))
      .sort((a, b) => b.coverage - a.coverage);
  }

  function shareIn(passage: number, words: readonly string[]): number {
    return words.reduce((sum, word) => sum + (has(source.passagesWith(word), passage) ? weightOf(word) : 0), 0);
  }

  function support(places: readonly number[], words: readonly string[], reach: 0 | 1 = 1): number {
    const all = words.reduce((sum, word) => sum + weightOf(word), 0);
    if (all === 0) return 0;
    const sums = new Float64Array(places.length);
    for (const word of new Set(words)) {
      const weight = weightOf(word);
      const said = source.passagesWith(word);
      if (weight === 0 || said.length > maxPlaces * 3) continue;
      const from = startIn(said, places.length);
      let at = 0;
      for (const [index, place] of places.entries()) {
        at = from(place - 1, at);
        // The next three are the most that can lie at the place or beside it.
        const [one, two, three] = [said[at], said[at + 1], said[at + 2]];
        const isThere = one === place || two === place;
        const isBeside = one === place - 1 || one === place + 1 || two === place + 1 || three === place + 1;
        if (isThere) sums[index] = (sums[index] ?? 0) + weight;
        else if (reach === 1 && isBeside) sums[index] = (sums[index] ?? 0) + weight / 2;
      }
    }
    return sums.reduce((best, sum) => Math.max(best, sum / all), 0);
  }

  return { weightOf, weightOfPlaces, nearest, support };
}

/** Makes something of a passage once, for as long as its source lives. */
export function perPassage<T>(make: (passage: number, source: Source) => T): (passage: number, source: Source) => T {
  const known = new WeakMap<Source, Map<number, T>>();
  return (passage, source) => {
    const own = known.get(source) ?? new Map<number, T>();
    known.set(source, own);
    const found = own.get(passage) ?? make(passage, source);
    own.set(passage, found);
    return found;
  };
}

/** Finds the first of rising numbers that is not below another: step by step for many, by halves for few. */
function startIn(numbers: readonly number[], times: number): (least: number, from: number) => number {
  if (times * Math.log2(numbers.length + 1) > numbers.length) {
    return (least, from) => {
      let at = from;
      while ((numbers[at] ?? Number.POSITIVE_INFINITY) < least) at++;
      return at;
    };
  }
  return (least, from) => firstFrom(numbers, least, from);
}

/** The index of the first of rising numbers that is not below another. */
function firstFrom(numbers: readonly number[], least: number, from: number): number {
  let [low, high] = [from, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

const has = (rising: readonly number[], wanted: number): boolean => rising[firstFrom(rising, wanted, 0)] === wanted;

/** The places with the highest scores. */
function topOf(places: readonly number[], scoreOf: (place: number) => number): readonly number[] {
  const top: Scored[] = [];
  for (const place of places) {
    const score = scoreOf(place);
    const last = top[kept - 1];
    if (last && (score < last.score || (score === last.score && place < last.place))) continue;
    let at = top.length;
    for (let next = top[at - 1]; next && isLess(next, { place, score }); next = top[at - 1]) at--;
    if (at >= kept) continue;
    top.splice(at, 0, { place, score });
    top.length = Math.min(top.length, kept);
  }
  return top.map(({ place }) => place);
}

interface Scored {
  readonly place: number;
  readonly score: number;
}

/** Of equal ones the later passage comes first. */
const isLess = (one: Scored, other: Scored): boolean =>
  one.score < other.score || (one.score === other.score && one.place < other.place);

const distinct = (words: readonly LineWord[]): readonly string[] => [...new Set(words.map(({ word }) => word))];

/** A word of the line that the passage has not, and the word that stands in its place there. */
export interface Substitution {
  readonly word: LineWord;
  /** As the passage writes it. */
  readonly instead: string;
}

/**
 * Where the line and the passage say the same but for single words. A word counts as exchanged when the words on both
 * sides of it stand in the passage around exactly one other word.
 */
export function substitutions(line: ClaimLine, passage: string): readonly Substitution[] {
  const said: LineWord[] = [];
  wordsOf(passage, (word, { start, end, isPiece }) => {
    if (!isPiece) said.push({ word, start, end, isPiece });
  });
  const places = new Map<string, number[]>();
  for (const [at, { word }] of said.entries()) places.set(word, [...(places.get(word) ?? []), at]);
  const own = line.words.filter(({ isPiece }) => !isPiece);
  const found: Substitution[] = [];
  for (const [at, word] of own.entries()) {
    if (places.has(word.word)) continue;
    const [before, after] = [own[at - 1], own[at + 1]];
    const starts = before ? (places.get(before.word) ?? []).map((place) => place + 1) : [0];
    for (const place of starts) {
      const instead = said[place];
      const next = said[place + 1];
      const fits = after ? next?.word === after.word : next === undefined || before !== undefined;
      if (!instead || !fits || (!before && !after)) continue;
      // The passage says it more often than the line does: one of them is what was exchanged.
      if ((places.get(instead.word)?.length ?? 0) <= own.filter((other) => other.word === instead.word).length)
        continue;
      found.push({ word, instead: passage.slice(instead.start, instead.end) });
      break;
    }
  }
  return found;
}
