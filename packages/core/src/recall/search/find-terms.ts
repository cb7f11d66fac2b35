/** Looks the words of a query up in the index, and whether a message has what the query requires. */
import type { SearchIndex } from '../../store/search-index.ts';
import type { Field } from '../../store/terms/index-terms.ts';
import { fold, stem } from '../../store/terms/word-terms.ts';
import type { Completions, Leaf, Query, Requirement } from './query.ts';
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

// Whether a message has, word for word, what a query requires.

/** The texts of a message, prepared once for any number of questions. */
interface PlainTexts {
  /** In lower case, with single spaces. */
  readonly texts: readonly string[];
  /** Stems and single characters of each text, divided and surrounded by spaces; made when first needed. */
  units(at: number): string;
}

/** Prepares the texts of a message. */
export function plainTexts(fields: readonly Field[]): PlainTexts {
  const texts = fields.map(({ text }) => plain(text));
  const units: (string | undefined)[] = [];
  return {
    texts,
    units(at) {
      const known = units[at] ?? ` ${unitsOf(texts[at] ?? '').join(' ')} `;
      units[at] = known;
      return known;
    },
  };
}

const plain = (text: string): string => fold(text).replaceAll(/\s+/g, ' ').trim();

/** True when the texts have what is required. */
export function fulfils(texts: PlainTexts, requirement: Requirement): boolean {
  switch (requirement.type) {
    case 'and':
      return requirement.of.every((one) => fulfils(texts, one));
    case 'or':
      return requirement.of.some((one) => fulfils(texts, one));
    case 'not':
      return !fulfils(texts, requirement.of);
    case 'word':
    case 'phrase':
    case 'prefix':
      return holds(texts, requirement);
  }
}

function holds(texts: PlainTexts, { type, text }: Leaf): boolean {
  const needle = plain(text);
  const isName = type === 'word' && (/[^\p{L}\p{N}\p{M}]/u.test(trimmed(needle)) || isDense(needle));
  if (type === 'prefix' || isName) {
    const wanted = type === 'prefix' ? needle : trimmed(needle);
    return texts.texts.some((one) => hasAt(one, wanted, { wholeEnd: type !== 'prefix' }));
  }
  const words = unitsOf(needle);
  const sequence = ` ${words.join(' ')} `;
  return words.length > 0 && texts.texts.some((one, at) => isLike(one, needle) && texts.units(at).includes(sequence));
}

/** A quick look that spares most texts the slow one: whether words that begin like these stand in a row. */
function isLike(text: string, needle: string): boolean {
  const starts = (needle.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, 4)
    .map((word) => word.slice(0, Math.max(1, word.length - 3)));
  let from = 0;
  const [first = ''] = starts;
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, from)) {
    if (starts.every((start, i) => i === 0 || text.slice(at, at + reach * (i + 1)).includes(start))) return true;
    from = at + 1;
  }
  return false;
}

/** Characters of a word with what stands around it, generously. */
const reach = 80;

/** Without the punctuation that a sentence puts around a name; what a name begins with is part of it. */
const trimmed = (text: string): string => text.replace(/[\s.,;:!?'"、。，！？)\]}]+$/u, '').replace(/^['"([{]+/, '');

const wordCharacter = /[\p{L}\p{N}]/u;

/** True when a text stands in another one, not in the middle of a word. */
function hasAt(text: string, wanted: string, { wholeEnd }: { readonly wholeEnd: boolean }): boolean {
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (isEdge(text, at) && (!wholeEnd || isEdge(text, end))) return true;
  }
  return false;
}

/** True where a word may begin or end: not between two characters of one word. */
function isEdge(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  const after = text.charAt(at);
  if (!wordCharacter.test(before) || !wordCharacter.test(after)) return true;
  return denseCharacter.test(before) || denseCharacter.test(after);
}

/** Scripts without spaces, as `store/terms` knows them: each character is a word. */
const dense =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}ー々\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\p{Extended_Pictographic}';
const denseCharacter = new RegExp(`(?![\\d#*])[${dense}]`, 'u');
const unit = new RegExp(`(?![\\d#*])[${dense}]|(?:(?![${dense}])[\\p{L}\\p{M}]|\\p{N})+`, 'gu');

/** True for a text of a script without spaces alone. */
const isDense = (text: string): boolean =>
  text !== '' && [...text].every((character) => denseCharacter.test(character));

/** Stems of words, and single characters. */
const unitsOf = (text: string): readonly string[] =>
  (text.match(unit) ?? []).map((one) => (/^[a-z]+$/.test(one) ? stem(one) : one));
