/** Reads a text once, from front to back, and tells what in it can be searched for. */
import {
  astral,
  classes,
  classOfAstral,
  dense,
  digit,
  gap,
  joiner,
  letter,
  lower,
  upper,
  variant,
} from './characters.ts';
import { fold } from './fold.ts';
import { type Interest, markOf } from './interest.ts';
import { stem } from './stem.ts';

/** What a term stands for. */
export const termKinds = {
  /** A word: its stem, or as it is written where it is no English word. */
  word: 0,
  /** A whole name of several words, such as a path, an identifier or an address. */
  name: 1,
  /** A character of a script without spaces. */
  character: 2,
  /** Two such characters that stand side by side. */
  pair: 3,
} as const;

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

/** Names that are longer are known by their words, and by their last segment. */
export const longestName = 80;
/** Longer runs without a gap are no words: encoded bytes, a minified line. They are not indexed. */
export const longestWord = 64;

/**
 * The terms of a text. The text is expected in NFC, as `normalize()` gives it. Linear in its length. With an interest,
 * only terms that may be of it, and some others.
 */
export function scanTerms(text: string, interest?: Interest): ScannedTerms {
  const found: ScannedTerms = { terms: [], kinds: [], starts: [], ends: [], ordinals: [], words: 0 };
  const scanner: Scanner = { text, table: classes(), found, interest };
  let at = 0;
  while (at < text.length) at = step(scanner, at);
  return found;
}

interface Scanner {
  readonly text: string;
  readonly table: Uint8Array;
  readonly found: ScannedTerms;
  readonly interest: Interest | undefined;
}

/** Takes what begins at a place; the place behind it. */
function step(scanner: Scanner, at: number): number {
  const type = classAt(scanner, at);
  if (type === gap || type === joiner) return at + 1;
  if (type === dense) return denseRun(scanner, at);
  if (type === variant) return variantRun(scanner, at);
  return nameRun(scanner, at);
}

function classAt({ text, table }: Scanner, at: number): number {
  const type = table[text.charCodeAt(at)] ?? gap;
  if (type !== astral) return type;
  const codePoint = text.codePointAt(at) ?? 0;
  return codePoint > 0xffff ? classOfAstral(codePoint) : gap;
}

function add(found: ScannedTerms, term: string, [kind, start, end]: Place): void {
  found.terms.push(term);
  found.kinds.push(kind);
  found.starts.push(start);
  found.ends.push(end);
  found.ordinals.push(found.words);
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

type Place = readonly [kind: number, start: number, end: number];

/** Characters of a script without spaces. */
function denseRun(scanner: Scanner, start: number): number {
  const { text, found, interest } = scanner;
  let before = '';
  let mattered = false;
  let at = start;
  while (at < text.length && classAt(scanner, at) === dense) {
    const size = isHighSurrogate(text.charCodeAt(at)) ? 2 : 1;
    const matters = interest === undefined || interest[markOf(text.charCodeAt(at), 0)] === 1;
    const character = matters || mattered ? text.slice(at, at + size) : '';
    if (at > start) {
      if (mattered) add(found, before + character, [termKinds.pair, at - before.length, at + size]);
      found.words++;
    }
    if (matters) add(found, character, [termKinds.character, at, at + size]);
    before = matters ? character : '';
    mattered = matters;
    at += size;
  }
  return at;
}

/** Other forms of usual characters: their terms are those of the usual ones, and stand for the whole run. */
function variantRun(scanner: Scanner, start: number): number {
  let end = start + 1;
  while (end < scanner.text.length && scanner.table[scanner.text.charCodeAt(end)] === variant) end++;
  const usual = fold(scanner.text.slice(start, end));
  // What has no usual form would come back here for ever.
  if (usual === scanner.text.slice(start, end)) return end;
  const { terms, kinds, words } = scanTerms(usual);
  terms.forEach((term, i) => {
    add(scanner.found, term, [kinds[i] ?? termKinds.word, start, end]);
  });
  scanner.found.words += words;
  return end;
}

/** Words, and the whole name when several are joined by punctuation without a space between. */
function nameRun(scanner: Scanner, start: number): number {
  const { text, found } = scanner;
  let at = start;
  let end = wordRun(scanner, at);
  let segment = start;
  while (true) {
    const next = afterJoiners(scanner, end);
    if (next === undefined) break;
    if (isSlash(text.charCodeAt(next - 1))) segment = next;
    at = next;
    end = wordRun(scanner, at);
  }
  if (at === start) return end;
  if (end - start <= longestName && mayMatter(scanner, start, end))
    add(found, foldedWord(text.slice(start, end)), [termKinds.name, start, end]);
  const hasOwnSegment =
    segment > start && segment < at && end - segment <= longestName && mayMatter(scanner, segment, end);
  if (hasOwnSegment) add(found, foldedWord(text.slice(segment, end)), [termKinds.name, segment, end]);
  return end;
}

/** Where the next word of a name begins: behind at most three joining characters. */
function afterJoiners({ text, table }: Scanner, end: number): number | undefined {
  for (let at = end; at <= end + 3 && at < text.length; at++) {
    const type = table[text.charCodeAt(at)] ?? gap;
    if (type >= lower && type <= letter) return at > end ? at : undefined;
    if (type !== joiner) return undefined;
  }
  return undefined;
}

/** One word; where it mixes cases, its pieces too. */
function wordRun(scanner: Scanner, start: number): number {
  const { text, table } = scanner;
  let seen = 0;
  let turns = 0;
  let before = gap;
  let at = start;
  while (at < text.length) {
    const type = table[text.charCodeAt(at)] === astral ? classAt(scanner, at) : (table[text.charCodeAt(at)] ?? gap);
    if (type < lower || type > letter) break;
    if (type === upper && before !== gap && before !== upper) turns++;
    if (type === lower && before === upper && at > start + 1) turns++;
    seen |= 1 << type;
    before = type;
    at += isHighSurrogate(text.charCodeAt(at)) ? 2 : 1;
  }
  addWord(scanner, { start, end: at }, { seen, turns });
  return at;
}

const onlyLower = 1 << lower;
const hasLetter = 1 << letter;
const hasDigit = 1 << digit;

function addWord(
  scanner: Scanner,
  { start, end }: { readonly start: number; readonly end: number },
  { seen, turns }: { readonly seen: number; readonly turns: number },
): void {
  const { text, found } = scanner;
  const length = end - start;
  if (length > longestWord || isElision(text, start, length)) return;
  found.words++;
  // Pieces of a word and folded letters begin otherwise than the word.
  if ((seen & hasLetter) === 0 && !(turns > 0 ? anyMatters(scanner, start, end) : mayMatter(scanner, start, end)))
    return;
  const raw = text.slice(start, end);
  if (seen === onlyLower) {
    add(found, stem(raw), [termKinds.word, start, end]);
    return;
  }
  const isEncoded = length > 24 && turns > 3 && (seen & hasDigit) !== 0;
  if (turns > 0 && (seen & hasLetter) === 0 && !isEncoded) addPieces(found, raw, start);
  const folded = (seen & hasLetter) === 0 ? raw.toLowerCase() : foldedWord(raw);
  if (folded === '') return;
  const isWord = (seen & hasDigit) === 0 && (seen & hasLetter) === 0;
  const kind = turns > 0 ? termKinds.name : termKinds.word;
  add(found, isWord || /^[a-z]+$/.test(folded) ? stem(folded) : folded, [kind, start, end]);
}

/** `readFile` → read, file; `HTTPServer` → http, server. A piece of one letter says nothing. */
function addPieces(found: ScannedTerms, raw: string, start: number): void {
  for (const piece of raw.matchAll(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g)) {
    const [text] = piece;
    if (text.length < 2 || text.length === raw.length) continue;
    const at = start + piece.index;
    const term = text.toLowerCase();
    add(found, /\d/.test(term) ? term : stem(term), [termKinds.word, at, at + text.length]);
  }
}

/** The `s` of `it's`, the `ll` of `we'll`. */
function isElision(text: string, start: number, length: number): boolean {
  if (length > 2 || start < 2) return false;
  const before = text.charCodeAt(start - 1);
  return before === 39 || before === 0x2019;
}

/** Some letters have forms with a space in them, which no term may have. */
const foldedWord = (text: string): string => fold(text).replaceAll(/\s/g, '');

const isSlash = (code: number): boolean => code === 47 || code === 92;
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
