/**
 * Which places of a passage are marked. Scripts without spaces are found by single characters and by pairs of them, and
 * these stand in other words too: what is marked is what a word of the query matched. Pure.
 */
import type { Occurrence } from './occurrences.ts';
import type { Leaf } from './query.ts';
import type { WantedTerm } from './wanted-terms.ts';

/** First character and the one after the last. */
export type Mark = readonly [start: number, end: number];

/** What of a query decides about marks. */
export interface Marking {
  /** Places, in the list of wanted terms, of characters that are parts of a longer word. */
  readonly parts: ReadonlySet<number>;
  /** The katakana words of the query: runs, because katakana stands for whole words. */
  readonly katakana: readonly string[];
}

export function markingOf(leaves: readonly Leaf[], wanted: readonly WantedTerm[]): Marking {
  const parts = wanted.flatMap(({ isPart }, at) => (isPart ? [at] : []));
  return { parts: new Set(parts), katakana: leaves.flatMap(({ text }) => runsIn(text)) };
}

/** The marks in a text, in order, without overlaps; where no word is matched whole, what else was. */
export function marksIn(
  text: string,
  occurrences: readonly Pick<Occurrence, 'term' | 'start' | 'end'>[],
  { parts, katakana }: Marking,
): readonly Mark[] {
  const all = merged(occurrences);
  const ofMore = merged(occurrences.filter(({ term }) => !parts.has(term)));
  const ofWords = ofMore.flatMap((mark) => withoutOtherWords(mark, text, katakana));
  return [ofWords, ofMore, all].find((marks) => marks.length > 0) ?? [];
}

function merged(places: readonly Pick<Occurrence, 'start' | 'end'>[]): readonly Mark[] {
  const joined: [number, number][] = [];
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/** Katakana, its length mark, and half-width forms. */
const katakanaRun = /[\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f]+/g;

const runsIn = (text: string): readonly string[] => text.match(katakanaRun)?.map((run) => run.normalize('NFKC')) ?? [];

/** The mark without its katakana that are no word of the query. */
function withoutOtherWords([from, to]: Mark, text: string, words: readonly string[]): readonly Mark[] {
  const kept: Mark[] = [];
  let start = from;
  for (const { 0: run, index } of text.slice(from, to).matchAll(katakanaRun)) {
    if (isOfWord(run.normalize('NFKC'), words)) continue;
    if (from + index > start) kept.push([start, from + index]);
    start = from + index + run.length;
  }
  return start < to ? [...kept, [start, to]] : kept;
}

/** The word itself, or most of its beginning: サーバ is サーバー too. */
const isOfWord = (run: string, words: readonly string[]): boolean =>
  words.some((word) => run.includes(word) || (word.startsWith(run) && run.length * 4 >= word.length * 3));
