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
   * The share, 0 to 1, of the words' weight that stands beside one of the places: in the same passage, or half as much
   * in the one before or behind it.
   */
  support(places: readonly number[], words: readonly string[], reach?: 0 | 1): Support;
}

export interface Support {
  readonly share: number;
  /** The passage that has it. */
  readonly passage: number;
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

  function nearest(line: ClaimLine, among = (_: number): boolean => true): readonly Near[] {
    const words = distinct(line.words);
    const rare = words
      .map((word) => ({ word, weight: weightOf(word), places: source.passagesWith(word) }))
      .filter(({ weight, places }) => weight > 0 && places.length > 0 && places.length <= maxPlaces)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, searchWords);
    const scores = new Map<number, number>();
    for (const { weight, places } of rare) {
      for (const place of places) if (among(place)) scores.set(place, (scores.get(place) ?? 0) + weight);
    }
    const best = topOf(scores, (place) => (line.scope === source.messageOf(place) ? 0.5 : 0));
    const all = words.reduce((sum, word) => sum + weightOf(word), 0);
    return best
      .map((passage) => ({ passage, coverage: all === 0 ? 0 : shareIn(source.text(passage), words) / all }))
      .sort((a, b) => b.coverage - a.coverage);
  }

  function shareIn(text: string, words: readonly string[]): number {
    const there = new Set<string>();
    wordsOf(text, (word) => there.add(word));
    return words.reduce((sum, word) => sum + (there.has(word) ? weightOf(word) : 0), 0);
  }

  function support(places: readonly number[], words: readonly string[], reach: 0 | 1 = 1): Support {
    const all = words.reduce((sum, word) => sum + weightOf(word), 0);
    const scores = new Map<number, number>();
    const wanted = new Set(places);
    for (const word of new Set(words)) {
      const weight = weightOf(word);
      const said = source.passagesWith(word);
      if (weight === 0 || said.length > maxPlaces * 3) continue;
      const told = new Map<number, number>();
      for (const at of said) {
        for (const [place, share] of [
          [at, 1],
          [at - 1, 0.5],
          [at + 1, 0.5],
        ] as const) {
          if ((reach === 1 || share === 1) && wanted.has(place) && (told.get(place) ?? 0) < share)
            told.set(place, share);
        }
      }
      for (const [place, share] of told) scores.set(place, (scores.get(place) ?? 0) + weight * share);
    }
    let best = { share: 0, passage: places.at(-1) ?? -1 };
    for (const [passage, score] of scores) {
      const share = all === 0 ? 0 : score / all;
      if (share > best.share) best = { share, passage };
    }
    return best;
  }

  return { weightOf, weightOfPlaces, nearest, support };
}

/** The places with the highest scores. */
function topOf(scores: ReadonlyMap<number, number>, bonus: (place: number) => number): readonly number[] {
  const top: Scored[] = [];
  for (const [place, plain] of scores) {
    const score = plain + bonus(place);
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
