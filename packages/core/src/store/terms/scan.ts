/** Reads a text once, from front to back, and tells what in it can be searched for, and where. */
import { classes, digit, hasLetter, lower, type Stretch, type Visitor, walk } from './walk.ts';
import { fold, irregularForms, stem, termKinds, termOfName, termsOfWord } from './word-terms.ts';

export { termKinds } from './word-terms.ts';

/** Terms in the order of the text, each with the place it stands for; lists of equal length. */
export interface ScannedTerms {
  readonly terms: string[];
  /** Values of `termKinds`. */
  readonly kinds: number[];
  readonly starts: number[];
  readonly ends: number[];
  /** How many words and pairs there are. */
  words: number;
  /** For each term how many of them stand before it. */
  readonly ordinals: number[];
}

/**
 * The terms of a text. The text is expected in NFC, as `normalize()` gives it. Linear in its length. With an interest,
 * only terms that may be of it, and some others.
 */
export function scanTerms(text: string, interest?: Interest): ScannedTerms {
  const found: ScannedTerms = { terms: [], kinds: [], starts: [], ends: [], ordinals: [], words: 0 };
  const scanner: Scanner = { text, table: classes(), found, interest };
  walk(text, visitorOf(scanner));
  return found;
}

interface Scanner {
  readonly text: string;
  readonly table: Uint8Array;
  readonly found: ScannedTerms;
  readonly interest: Interest | undefined;
}

function visitorOf(scanner: Scanner): Visitor {
  const { text, found } = scanner;
  return {
    word: (stretch) => addWord(scanner, stretch),
    name: ({ start, end }) => {
      const term = mayMatter(scanner, start, end) ? termOfName(text.slice(start, end)) : '';
      if (term !== '') add(found, term, [termKinds.name, start, end]);
    },
    character: ({ start, end }) => {
      if (characterMatters(scanner, start)) add(found, text.slice(start, end), [termKinds.character, start, end]);
    },
    pair: ({ start, end }) => {
      if (characterMatters(scanner, start)) add(found, text.slice(start, end), [termKinds.pair, start, end]);
      found.words++;
    },
    variants: (stretch) => addVariants(scanner, stretch),
  };
}

type Place = readonly [kind: number, start: number, end: number];

function add(found: ScannedTerms, term: string, [kind, start, end]: Place): void {
  found.terms.push(term);
  found.kinds.push(kind);
  found.starts.push(start);
  found.ends.push(end);
  found.ordinals.push(found.words);
}

function addWord(scanner: Scanner, { start, end, seen, turns }: Stretch): void {
  const { text, found } = scanner;
  found.words++;
  // Pieces of a word and folded letters begin otherwise than the word.
  if ((seen & hasLetter) === 0 && !(turns > 0 ? anyMatters(scanner, start, end) : mayMatter(scanner, start, end)))
    return;
  termsOfWord(text.slice(start, end), { seen, turns }, (term, kind, place) => {
    add(found, term, [kind, start + place.start, start + place.end]);
  });
}

/** False when no wanted term begins like the text does at a place; letters beyond ASCII may fold into any. */
function mayMatter({ text, interest }: Scanner, start: number, end: number): boolean {
  if (!interest) return true;
  const first = text.charCodeAt(start);
  const second = end > start + 1 ? text.charCodeAt(start + 1) : 0;
  return first > 127 || second > 127 || interest[markOf(first, second)] === 1;
}

/** The same for the pieces of a word in mixed cases. */
function anyMatters(scanner: Scanner, start: number, end: number): boolean {
  if (mayMatter(scanner, start, end)) return true;
  for (let at = start + 1; at < end; at++) {
    const { text, table } = scanner;
    // A piece goes on in lower case, but behind a digit a new one begins.
    const isWithin = table[text.charCodeAt(at)] === lower && table[text.charCodeAt(at - 1)] !== digit;
    if (!isWithin && mayMatter(scanner, at, end)) return true;
  }
  return false;
}

/** The same for a character of a script without spaces, and for the pair that it begins. */
const characterMatters = ({ text, interest }: Scanner, start: number): boolean =>
  interest === undefined || interest[markOf(text.charCodeAt(start), 0)] === 1;

/** Other forms of usual characters: their terms are those of the usual ones, and stand for the whole run. */
function addVariants({ text, found }: Scanner, { start, end }: Stretch): void {
  const usual = usualForm(text, start, end);
  if (usual === undefined) return;
  const { terms, kinds, words } = scanTerms(usual);
  terms.forEach((term, i) => {
    add(found, term, [kinds[i] ?? termKinds.word, start, end]);
  });
  found.words += words;
}

/** A run of variants in usual characters; undefined for what has no usual form, which would come back for ever. */
export function usualForm(text: string, start: number, end: number): string | undefined {
  const run = text.slice(start, end);
  const usual = fold(run);
  return usual === run ? undefined : usual;
}

// Tells at a glance that a word is none of some terms, so that a text is searched much faster than it is indexed.

/** Marks by the first two characters of the words that may become a wanted term. */
export type Interest = Uint8Array;

const size = 4_096;

/** The mark of a word by its first two code units, in lower case; 0 for a missing one. */
const markOf = (first: number, second: number): number => (lowered(first) * 31 + lowered(second)) & (size - 1);

const lowered = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Interest in some terms. Words with letters beyond ASCII, and those that mix cases, are always looked at. */
export function interestIn(terms: Iterable<string>): Interest {
  const marks: Interest = new Uint8Array(size);
  const wanted = new Set(terms);
  const note = (word: string): void => {
    marks[markOf(word.charCodeAt(0), word.length > 1 ? word.charCodeAt(1) : 0)] = 1;
    // A pair is noticed by its first character, wherever the second one is.
    marks[markOf(word.charCodeAt(0), 0)] = 1;
  };
  for (const term of wanted) note(fold(term));
  for (const term of wanted) note(term);
  for (const [form, base] of irregularForms) if (wanted.has(stem(base))) note(form);
  return marks;
}
