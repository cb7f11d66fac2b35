/** Looks the words of a query up in the index: how rare they are, what they complete to, what else they may be. */
import type { SearchIndex } from '../../store/search-index.ts';
import { fold } from '../../store/terms/fold.ts';
import { stem } from '../../store/terms/stem.ts';
import type { Query } from './query.ts';
import type { Completions } from './required-terms.ts';
import { type TermWeights, type WantedTerm, wantedTerms } from './wanted-terms.ts';

export interface FoundTerms {
  readonly wanted: readonly WantedTerm[];
  /** Rarity of each (BM25's inverse document frequency) times its weight. */
  readonly worth: readonly number[];
  readonly completions: Completions;
  readonly corrected: readonly { readonly from: string; readonly to: string }[];
}

/** How many terms a prefix may stand for. */
const mostCompletions = 40;
/** A corrected word counts less than one that is there as it was written. */
const correctedWeight = 0.8;
/** Shorter words have too many neighbours. */
const shortestCorrected = 4;

/** The terms of a query that occur. Words that are nowhere are tried with one letter changed. */
export async function findTerms(index: SearchIndex, query: Query, weights: TermWeights): Promise<FoundTerms> {
  const completions = await complete(index, query);
  const typed = wantedTerms(query, weights);
  const completed = [...completions.values()].flat().map((term): WantedTerm => ({ term, weight: 1 }));
  const known = await worthOf(index, distinct([...typed, ...completed]));
  const missing = wordsOf(query).filter((word) => known.some(({ term, count }) => count === 0 && term === stem(word)));
  const corrections = await correct(index, missing);
  const better = await worthOf(
    index,
    corrections.map(({ to }): WantedTerm => ({ term: to, weight: correctedWeight })),
  );
  const found = distinct([...known, ...better]).filter(({ count }) => count > 0);
  return {
    wanted: found.map(({ term, weight, followers = [], isPart = false }) => ({ term, weight, followers, isPart })),
    worth: found.map(({ worth }) => worth),
    completions,
    corrected: corrections,
  };
}

interface ValuedTerm extends WantedTerm {
  readonly count: number;
  readonly worth: number;
}

async function worthOf(index: SearchIndex, wanted: readonly WantedTerm[]): Promise<readonly ValuedTerm[]> {
  if (wanted.length === 0) return [];
  const { messages, counts } = await index.frequencies(wanted.map(({ term }) => term));
  return wanted.map((one, i) => {
    const count = counts[i] ?? 0;
    const rarity = Math.log(1 + (Math.max(0, messages - count) + 0.5) / (count + 0.5));
    return { ...one, count, worth: one.weight * rarity };
  });
}

function distinct<T extends WantedTerm>(wanted: readonly T[]): readonly T[] {
  const byTerm = new Map<string, T>();
  for (const one of wanted) if (!byTerm.has(one.term)) byTerm.set(one.term, one);
  return [...byTerm.values()];
}

async function complete(index: SearchIndex, { leaves }: Query): Promise<Completions> {
  const completions = new Map<string, readonly string[]>();
  for (const { type, text } of leaves) {
    if (type !== 'prefix') continue;
    completions.set(text, await termsBeginning(index, fold(text)));
  }
  return completions;
}

/** The index has stems, which may be shorter than the beginning of a word: "configura" begins words with the stem "configur". */
async function termsBeginning(index: SearchIndex, start: string): Promise<readonly string[]> {
  const terms = await index.completions(start, mostCompletions);
  if (!/^[a-z]{3,}$/.test(start)) return terms;
  const longer = start.endsWith('y') ? await index.completions(`${start.slice(0, -1)}i`, mostCompletions) : [];
  const shorter = Array.from({ length: Math.min(4, start.length - 3) }, (_, i) => start.slice(0, start.length - 1 - i));
  const { counts } = await index.frequencies(shorter);
  return [...new Set([...terms, ...longer, ...shorter.filter((_, i) => (counts[i] ?? 0) > 0)])];
}

/** Words that may be misspelled: of Latin letters only, and not too short. */
function wordsOf({ leaves }: Query): readonly string[] {
  const words = leaves
    .filter(({ type }) => type === 'word')
    .map(({ text }) => fold(text).replace(/^[^a-z]+|[^a-z]+$/g, ''));
  return words.filter((word) => word.length >= shortestCorrected && /^[a-z]+$/.test(word));
}

/** For each word the most frequent term that differs from it by one slip of the fingers. */
async function correct(
  index: SearchIndex,
  words: readonly string[],
): Promise<readonly { readonly from: string; readonly to: string }[]> {
  const corrected: { from: string; to: string }[] = [];
  for (const from of words.slice(0, 4)) {
    const variants = [...new Set(misspellings(from).map((word) => stem(word)))];
    const { counts } = await index.frequencies(variants);
    const best = counts.reduce((most, count, i) => (count > (counts[most] ?? 0) ? i : most), 0);
    const to = variants[best];
    if (to !== undefined && (counts[best] ?? 0) > 0) corrected.push({ from, to });
  }
  return corrected;
}

// Words that differ from one by a slip of the fingers.

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Every word with one letter left out, doubled, changed, added, or two neighbours exchanged: some 50 for each letter. */
function misspellings(word: string): readonly string[] {
  const found: string[] = [];
  for (let i = 0; i <= word.length; i++) {
    const [front, back] = [word.slice(0, i), word.slice(i)];
    if (back.length > 0) found.push(front + back.slice(1));
    if (back.length > 1) found.push(front + back.charAt(1) + back.charAt(0) + back.slice(2));
    for (const letter of letters) {
      found.push(front + letter + back);
      if (back.length > 0) found.push(front + letter + back.slice(1));
    }
  }
  return [...new Set(found)].filter((one) => one !== word && one.length > 1);
}
