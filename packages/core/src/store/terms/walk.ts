/** Walks through a text once, from front to back, and hands over what it is made of. */
// What a character is to the index: part of a word, a script that is written without spaces, or what joins a name.

/** Ends a word. */
const gap = 0;
export const lower = 1;
const upper = 2;
export const digit = 3;
/** Letters and numbers outside ASCII, and their marks. */
const letter = 4;
/** Scripts written without spaces between words: each character is a term, and each pair of neighbours. */
const dense = 5;
/** May stand inside a path, an identifier or an address, between two words. */
const joiner = 6;
/** Another form of a usual character: full-width letters, half-width kana, single jamo, old code points of Han. */
const variant = 7;
/** The first half of a character above U+FFFF. */
const astral = 8;

const joiners = '_-./\\:@#+~&=?%$';

/**
 * Han, kana, Hangul, Bopomofo, and the scripts of South-East Asia that use no spaces (Thai, Lao, Myanmar, Khmer), by
 * first and last code unit; the rest of Han lies above U+FFFF.
 */
const denseRanges: readonly (readonly [number, number])[] = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x3005, 0x3007],
  [0x3021, 0x3029],
  [0x3031, 0x303c],
  [0x3041, 0x312f],
  [0x31a0, 0x31bf],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
];

const variantRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x11ff],
  [0x2e80, 0x2fdf],
  [0x3131, 0x318e],
  [0x3200, 0x33ff],
  [0xf900, 0xfaff],
  [0xff10, 0xff19],
  [0xff21, 0xff3a],
  [0xff41, 0xff5a],
  [0xff66, 0xffdc],
];

let table: Uint8Array | undefined;

/** The class of every code unit; made at the first use, in a few milliseconds. */
export function classes(): Uint8Array {
  table ??= makeTable();
  return table;
}

/** The class of a character above U+FFFF: a picture is found like a word of one character. */
function classOfAstral(codePoint: number): number {
  if (codePoint >= 0x20000 && codePoint <= 0x3ffff) return dense;
  const character = String.fromCodePoint(codePoint);
  if (/[\p{L}\p{N}]/u.test(character)) return letter;
  return /\p{Extended_Pictographic}/u.test(character) ? dense : gap;
}

function makeTable(): Uint8Array {
  const made = new Uint8Array(0x10000);
  for (let code = 0x80; code < 0x10000; code++) {
    if (/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(code))) made[code] = letter;
  }
  for (const [first, last] of denseRanges) {
    for (let code = first; code <= last; code++) if (made[code] === letter) made[code] = dense;
  }
  for (const [first, last] of variantRanges) {
    for (let code = first; code <= last; code++) if (made[code] === letter) made[code] = variant;
  }
  made.fill(astral, 0xd800, 0xdc00);
  made.fill(upper, 65, 91).fill(lower, 97, 123).fill(digit, 48, 58);
  for (const character of joiners) made[character.charCodeAt(0)] = joiner;
  return made;
}

/** A stretch of the text; the walker reuses the object, and the codes are another text's afterwards. */
export interface Stretch {
  start: number;
  end: number;
  /** Classes of its characters, one bit each; set for words. */
  seen: number;
  /** How often a word changes its case from one piece to the next; set for words. */
  turns: number;
  /** The code units of the whole text: reading them here costs a third of reading them in the text. */
  readonly codes: Uint16Array;
}

/** Takes the stretches in the order of their ends. */
export interface Visitor {
  /** Letters and digits without a gap: at most `longestWord` of them, and no elision. */
  word(stretch: Stretch): void;
  /** Several words that are joined by punctuation, or the last segment of them: at most `longestName` characters. */
  name(stretch: Stretch): void;
  /** A character of a script without spaces. */
  character(stretch: Stretch): void;
  /** Two such characters that stand side by side, before the second one of them. */
  pair(stretch: Stretch): void;
  /** Other forms of usual characters. */
  variants(stretch: Stretch): void;
}

/** Names that are longer are known by their words, and by their last segment. */
export const longestName = 80;
/** Longer runs without a gap are no words: encoded bytes, a minified line. They are not indexed. */
export const longestWord = 64;

export const hasLower: number = 1 << lower;
export const hasDigit: number = 1 << digit;
/** Letters outside ASCII. */
export const hasLetter: number = 1 << letter;

/** Hands over all of a text, which is expected in NFC, as `normalize()` gives it. Linear in its length. */
export function walk(text: string, visitor: Visitor): void {
  const codes = codesOf(text);
  const stretch: Stretch = { start: 0, end: 0, seen: 0, turns: 0, codes };
  const walker: Walker = { codes, table: classes(), visitor, stretch };
  const { table } = walker;
  let at = 0;
  while (at < text.length) {
    const type = table[codes[at] ?? 0];
    if (type === gap || type === joiner) at++;
    else at = step(walker, at);
  }
  if (codes.length <= mostSpared) spare = codes;
}

interface Walker {
  readonly codes: Uint16Array;
  readonly table: Uint8Array;
  readonly visitor: Visitor;
  readonly stretch: Stretch;
}

/** The memory of the last text; one walk within another takes its own. */
let spare: Uint16Array | undefined;
const mostSpared = 1_048_576;

/** The code units of a text, and a gap behind them that ends whatever runs up to it. */
function codesOf(text: string): Uint16Array {
  const isEnough = spare !== undefined && spare.length > text.length;
  const codes = isEnough && spare ? spare : new Uint16Array(Math.max(16_384, Math.ceil(text.length * 1.25) + 1));
  spare = undefined;
  for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  codes[text.length] = 0;
  return codes;
}

/** Takes what begins at a place; the place behind it. */
function step(walker: Walker, at: number): number {
  const type = classAt(walker, at);
  if (type === gap) return at + 1;
  if (type === dense) return denseRun(walker, at);
  if (type === variant) return variantRun(walker, at);
  return nameRun(walker, at);
}

/** The class of the character that begins at a place. */
function classAt({ codes, table }: Walker, at: number): number {
  const type = table[codes[at] ?? 0] ?? gap;
  return type === astral ? classOfPair(codes[at] ?? 0, codes[at + 1] ?? 0) : type;
}

function classOfPair(high: number, low: number): number {
  const isPair = low >= 0xdc00 && low < 0xe000;
  return isPair ? classOfAstral(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)) : gap;
}

function between({ stretch }: Walker, start: number, end: number): Stretch {
  stretch.start = start;
  stretch.end = end;
  return stretch;
}

/** Characters of a script without spaces. */
function denseRun(walker: Walker, start: number): number {
  const { codes, visitor } = walker;
  let before = start;
  let at = start;
  while (classAt(walker, at) === dense) {
    const end = at + sizeAt(codes, at);
    if (at > start) visitor.pair(between(walker, before, end));
    visitor.character(between(walker, at, end));
    before = at;
    at = end;
  }
  return at;
}

function variantRun(walker: Walker, start: number): number {
  let end = start + 1;
  while (walker.table[walker.codes[end] ?? 0] === variant) end++;
  walker.visitor.variants(between(walker, start, end));
  return end;
}

/** Words, and the whole name when several are joined by punctuation without a space between. */
function nameRun(walker: Walker, start: number): number {
  const { codes, visitor } = walker;
  let at = start;
  let end = wordRun(walker, at);
  let segment = start;
  while (true) {
    const next = afterJoiners(walker, end);
    if (next === 0) break;
    if (isSlash(codes[next - 1] ?? 0)) segment = next;
    at = next;
    end = wordRun(walker, at);
  }
  if (at === start) return end;
  if (end - start <= longestName) visitor.name(between(walker, start, end));
  if (segment > start && segment < at && end - segment <= longestName) visitor.name(between(walker, segment, end));
  return end;
}

/** Where the next word of a name begins: behind at most three joining characters; 0 without one. */
function afterJoiners({ codes, table }: Walker, end: number): number {
  if (table[codes[end] ?? 0] !== joiner) return 0;
  for (let at = end + 1; at <= end + 3; at++) {
    const type = table[codes[at] ?? 0] ?? gap;
    if (type >= lower && type <= letter) return at;
    if (type !== joiner) return 0;
  }
  return 0;
}

/** One word; the place behind it. */
function wordRun(walker: Walker, start: number): number {
  const { codes, table, visitor } = walker;
  let at = start;
  // Most words are of small letters only.
  while (table[codes[at] ?? 0] === lower) at++;
  let seen = at > start ? 1 << lower : 0;
  let before = at > start ? lower : gap;
  let turns = 0;
  for (;;) {
    let type = table[codes[at] ?? 0] ?? gap;
    let size = 1;
    if (type === astral) {
      type = classAt(walker, at);
      size = 2;
    }
    if (type < lower || type > letter) break;
    if (type === upper && before !== gap && before !== upper) turns++;
    if (type === lower && before === upper && at > start + 1) turns++;
    seen |= 1 << type;
    before = type;
    at += size;
  }
  if (at - start > longestWord || isElision(codes, start, at)) return at;
  const stretch = between(walker, start, at);
  stretch.seen = seen;
  stretch.turns = turns;
  visitor.word(stretch);
  return at;
}

/** The `s` of `it's`, the `ll` of `we'll`. */
function isElision(codes: Uint16Array, start: number, end: number): boolean {
  if (end - start > 2 || start < 2) return false;
  const before = codes[start - 1];
  return before === 39 || before === 0x2019;
}

const isSlash = (code: number): boolean => code === 47 || code === 92;

/** Units of the character that begins at a place. */
function sizeAt(codes: Uint16Array, at: number): number {
  const code = codes[at] ?? 0;
  return code >= 0xd800 && code < 0xdc00 ? 2 : 1;
}
