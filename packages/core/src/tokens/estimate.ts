/**
 * Guesses how many tokens a text has for models whose tokenizer is not public. One linear pass cuts the text roughly as
 * o200k_base does, into words, numbers, runs of symbols, white space and runs of each script, and prices each piece with
 * the mean that o200k_base gives to such pieces; a factor a family then leads from o200k_base to the model.
 */
import { asEstimate, type TokenEstimate } from './amount.ts';
import { type Family, familyFactors } from './families.ts';

// Coarse classes of UTF-16 units for estimating: what a unit is to a tokenizer, by number ranges only.

/** Letters of Latin script come first, so that one comparison asks for them. */
const kinds = {
  lower: 0,
  upper: 1,
  /** A Latin letter beyond ASCII. */
  accented: 2,
  lastLetter: 2,
  digit: 3,
  blank: 4,
  newline: 5,
  /** An ASCII sign. */
  sign: 6,
  /** A sign beyond ASCII. */
  symbol: 7,
  /** Half of a character beyond the first plane, or a mark that belongs to emoji. */
  surrogate: 8,
  han: 9,
  kana: 10,
  hangul: 11,
  greek: 12,
  cyrillic: 13,
  hebrew: 14,
  arabic: 15,
  /** The scripts of India and its neighbours. */
  indic: 16,
  thai: 17,
  otherLetter: 18,
  end: 19,
} as const;

/** First unit of each range and the kind of its units, up to the next range. */
const ranges: readonly (readonly [number, number])[] = [
  [0x00, kinds.sign],
  [0x09, kinds.blank],
  [0x0a, kinds.newline],
  [0x0b, kinds.blank],
  [0x0d, kinds.newline],
  [0x0e, kinds.sign],
  [0x20, kinds.blank],
  [0x21, kinds.sign],
  [0x30, kinds.digit],
  [0x3a, kinds.sign],
  [0x41, kinds.upper],
  [0x5b, kinds.sign],
  [0x61, kinds.lower],
  [0x7b, kinds.sign],
  [0x7f, kinds.symbol],
  [0xc0, kinds.accented],
  [0x02b0, kinds.symbol],
  [0x0370, kinds.greek],
  [0x0400, kinds.cyrillic],
  [0x0530, kinds.otherLetter],
  [0x0590, kinds.hebrew],
  [0x0600, kinds.arabic],
  [0x0780, kinds.otherLetter],
  [0x0900, kinds.indic],
  [0x0e00, kinds.thai],
  [0x0f00, kinds.otherLetter],
  [0x1e00, kinds.accented],
  [0x1f00, kinds.greek],
  [0x2000, kinds.symbol],
  [0x200d, kinds.surrogate],
  [0x200e, kinds.symbol],
  [0x2e80, kinds.han],
  [0x3000, kinds.symbol],
  [0x3040, kinds.kana],
  [0x3100, kinds.otherLetter],
  [0x3130, kinds.hangul],
  [0x3190, kinds.symbol],
  [0x3400, kinds.han],
  [0xa000, kinds.otherLetter],
  [0xac00, kinds.hangul],
  [0xd7b0, kinds.otherLetter],
  [0xd800, kinds.surrogate],
  [0xe000, kinds.symbol],
  [0xf900, kinds.han],
  [0xfb00, kinds.accented],
  [0xfb1d, kinds.hebrew],
  [0xfb50, kinds.arabic],
  [0xfe00, kinds.surrogate],
  [0xfe10, kinds.symbol],
  [0xff66, kinds.kana],
  [0xffa0, kinds.symbol],
];

/** The kind of each of the 65,536 units. */
const unitKinds: Uint8Array = new Uint8Array(0x10000);
for (const [index, [first, kind]] of ranges.entries()) unitKinds.fill(kind, first, ranges[index + 1]?.[0] ?? 0x10000);

/** Tokens by kind of text, as o200k_base would count them, unrounded. */
export interface ClassTokens {
  /** Words in Latin letters, with the blank or sign before them. */
  words: number;
  digits: number;
  /** Signs, white space and emoji. */
  symbols: number;
  /** Han, kana and hangul. */
  cjk: number;
  /** Every other script. */
  scripts: number;
}

/**
 * An estimate of the number of tokens, a whole number; 0 only for the empty text. The error against o200k_base is a few
 * per cent on prose, code, JSON, Chinese, Japanese and Korean, and up to a fifth on the rest (`bench/tokens.ts` prints it).
 *
 * @example
 * import { estimateTextTokens } from '@palimpsest/core';
 * const tokens = estimateTextTokens('Move the ledgers.', 'claude');
 */
export function estimateTextTokens(text: string, family: Family = 'openai'): TokenEstimate {
  const tokens = classTokens(text);
  const factors = familyFactors[family];
  const sum =
    tokens.words * factors.words +
    tokens.digits * factors.digits +
    tokens.symbols * factors.symbols +
    tokens.cjk * factors.cjk +
    tokens.scripts * factors.scripts;
  return asEstimate(Math.ceil(sum));
}

/** The pass over a text, one piece at a time. */
interface Scan {
  readonly text: string;
  /** Where the next piece starts, and the kind of its first unit. */
  at: number;
  kind: number;
  /** What a word costs here, which depends on what stands before it and goes into its piece. */
  wordCosts: readonly number[];
  /** Set right after a run of signs, which takes the line breaks that follow. */
  afterSigns: boolean;
  /** Words and numbers in a row without anything between them: many of them are not language. */
  chain: number;
  letters: number;
  accented: number;
  readonly tokens: ClassTokens;
}

/** The estimate by kind of text; their sum is the estimate for o200k_base. */
export function classTokens(text: string): ClassTokens {
  const scan: Scan = {
    text,
    at: 0,
    kind: kindAt(text, 0),
    wordCosts: pieceCosts.none,
    afterSigns: false,
    chain: 0,
    letters: 0,
    accented: 0,
    tokens: { words: 0, digits: 0, symbols: 0, cjk: 0, scripts: 0 },
  };
  while (scan.at < text.length) takePiece(scan);
  // English words are mostly one token; the more accents, the less a text is English and the more its words cost.
  if (scan.accented > 0) scan.tokens.words *= 1 + 0.42 * Math.min(1, (scan.accented / scan.letters) * 26);
  return scan.tokens;
}

function takePiece(scan: Scan): void {
  const { kind } = scan;
  if (kind <= kinds.lastLetter) takeWord(scan);
  else if (kind === kinds.blank || kind === kinds.newline) takeSpace(scan);
  else if (kind === kinds.sign || kind === kinds.symbol) takeSigns(scan);
  else if (kind === kinds.digit) takeDigits(scan);
  else if (kind === kinds.surrogate) takeSurrogates(scan);
  else takeScript(scan);
}

/** The kind of the unit at an index; `kinds.end` after the last one. */
function kindAt(text: string, index: number): number {
  return index < text.length ? (unitKinds[text.charCodeAt(index)] as number) : kinds.end; // a unit has 16 bits
}

/** Capitals and then small letters: `fooBar` is two words and `HTTPServer` is one. */
function takeWord(scan: Scan): void {
  const { text, at: start } = scan;
  let { at, kind } = scan;
  while (kind === kinds.upper) kind = kindAt(text, ++at);
  const capitals = at - start;
  while (kind === kinds.lower) kind = kindAt(text, ++at);
  for (; kind === kinds.lower || kind === kinds.accented; kind = kindAt(text, ++at)) {
    if (kind === kinds.accented) scan.accented++;
  }
  const size = at - start;
  scan.letters += size;
  const costs = capitals === size && size > 1 ? pieceCosts.capitals : scan.wordCosts;
  // A chain with capitals is base64 or the like, whose words are in no vocabulary.
  scan.tokens.words += costOf(costs, size) * (scan.chain > 4 && capitals > 0 ? 1.6 : 1);
  finish(scan, at, kind);
  scan.chain++;
}

/** Three digits are a token. */
function takeDigits(scan: Scan): void {
  const { text, at: start } = scan;
  let { at, kind } = scan;
  while (kind === kinds.digit) kind = kindAt(text, ++at);
  scan.tokens.digits += Math.ceil((at - start) / 3);
  finish(scan, at, kind);
  scan.chain++;
}

/**
 * White space up to the last line break is a token; of the rest, the last blank goes to what follows and what is before
 * it is a token. Line breaks right after signs are part of those.
 */
function takeSpace(scan: Scan): void {
  const { text, afterSigns, at: first } = scan;
  let { at, kind } = scan;
  if (afterSigns) while (kind === kinds.newline) kind = kindAt(text, ++at);
  const start = at;
  let rest = at;
  for (; kind === kinds.blank || kind === kinds.newline; kind = kindAt(text, at)) {
    at++;
    if (kind === kinds.newline) rest = at;
  }
  // A token has up to some 16 line breaks.
  scan.tokens.symbols += (rest > start ? 1 : 0) + Math.floor((rest - first) / 16);
  finish(scan, at, kind);
  scan.chain = 0;
  const blanks = at - rest;
  if (blanks === 0) return;
  const joins = kind !== kinds.digit && kind !== kinds.end;
  const before = joins ? blanks - 1 : blanks;
  // A token of white space has up to some 80 blanks.
  if (before > 0) scan.tokens.symbols += Math.ceil(before / 80) + (kind === kinds.digit && blanks > 1 ? 1 : 0);
  if (joins) scan.wordCosts = text.charCodeAt(at - 1) === 0x20 ? pieceCosts.blank : pieceCosts.sign;
}

/** A lone sign before a word goes into the word's piece; a run of signs is a piece, cheap if it repeats one sign. */
function takeSigns(scan: Scan): void {
  const { text, tokens, at: start } = scan;
  let { at, kind } = scan;
  let wide = 0;
  let changes = 0;
  for (; kind === kinds.sign || kind === kinds.symbol; kind = kindAt(text, ++at)) {
    const changed = at === start || text.charCodeAt(at) !== text.charCodeAt(at - 1);
    if (changed) changes++;
    if (kind === kinds.symbol) wide += changed ? 1 : 0.12;
  }
  const size = at - start;
  const joins = scan.wordCosts !== pieceCosts.blank && size === 1 && kind <= kinds.lastLetter;
  finish(scan, at, kind);
  scan.chain = 0;
  if (joins) {
    scan.wordCosts = pieceCosts.sign;
    if (wide > 0) tokens.symbols += 0.7;
    return;
  }
  scan.afterSigns = true;
  if (wide > 0) tokens.symbols += Math.max(1, wide);
  else if (changes === 1 && size > 3) tokens.symbols += 1 + Math.floor(size / 24);
  else tokens.symbols += costOf(pieceCosts.signs, size);
}

/** Emoji and rare characters: two units each, and marks that join or colour them. */
function takeSurrogates(scan: Scan): void {
  const { text, at: start } = scan;
  let { at, kind } = scan;
  while (kind === kinds.surrogate) kind = kindAt(text, ++at);
  scan.tokens.symbols += ((at - start) / 2) * 1.8;
  finish(scan, at, kind);
}

/** A run of one script. */
function takeScript(scan: Scan): void {
  const { text, at: start, kind: script } = scan;
  let { at, kind } = scan;
  while (kind === script) kind = kindAt(text, ++at);
  const costs = scriptCosts[script] ?? { piece: 0, unit: 1 };
  const cost = costs.piece + costs.unit * (at - start);
  if (script === kinds.han || script === kinds.kana || script === kinds.hangul) scan.tokens.cjk += cost;
  else scan.tokens.scripts += cost;
  finish(scan, at, kind);
}

function finish(scan: Scan, at: number, kind: number): void {
  scan.at = at;
  scan.kind = kind;
  scan.wordCosts = pieceCosts.none;
  scan.afterSigns = false;
}

/** The mean cost of a piece by its length; past the end of the table each further unit costs the same. */
function costOf(costs: readonly number[], size: number): number {
  const last = costs.length - 1;
  // The index is in range: a piece has at least one unit.
  return size <= last ? (costs[size] as number) : (costs[last] as number) + (size - last) * 0.35;
}

// What o200k_base charges for a piece, by kind and length: means over some 3 million pieces of agent transcripts,
// code, chats and JSON. Only the means are kept here.

/** By length; index 0 is not used. */
const pieceCosts = {
  /** A word after a blank. */
  blank: [0, 1, 1, 1, 1.01, 1.02, 1.03, 1.04, 1.09, 1.1, 1.11, 1.1, 1.12, 1.17, 1.2, 1.42, 1.9],
  /** A word after a lone sign, with that sign. */
  sign: [0, 1.01, 1.2, 1.45, 1.38, 1.47, 1.68, 1.57, 1.87, 1.95, 1.93, 2.05, 2.4, 3, 2.6, 3.4, 3.6],
  /** A word after anything else: inside an identifier, after a digit or a line break. */
  none: [0, 1, 1.05, 1.18, 1.1, 1.19, 1.18, 1.17, 1.19, 1.5, 1.3, 1.25, 1.8, 1.7, 1.8, 3, 4.5],
  /** Capitals only. */
  capitals: [0, 1, 1.03, 1.47, 1.43, 1.9, 1.87, 2.3, 2.7, 3.1, 3.1, 3.3, 4, 4.2, 4.5, 5.5, 6],
  /** A run of signs. */
  signs: [0, 1, 1.01, 1.08, 1.6, 1.7, 2.05, 2.95, 3.2, 3.7, 3.7, 4.2, 5],
} as const;

/** What a run of a script costs: so much a run and so much a unit. */
const scriptCosts: Readonly<Record<number, { readonly piece: number; readonly unit: number }>> = {
  [kinds.han]: { piece: 0.2, unit: 0.76 },
  [kinds.kana]: { piece: 0.2, unit: 0.65 },
  [kinds.hangul]: { piece: 0.35, unit: 0.57 },
  [kinds.greek]: { piece: 0.5, unit: 0.3 },
  [kinds.cyrillic]: { piece: 0.45, unit: 0.19 },
  [kinds.hebrew]: { piece: 0.5, unit: 0.3 },
  [kinds.arabic]: { piece: 0.5, unit: 0.3 },
  [kinds.indic]: { piece: 0.3, unit: 0.3 },
  [kinds.thai]: { piece: 0.3, unit: 0.42 },
  [kinds.otherLetter]: { piece: 0.5, unit: 0.9 },
};
