/**
 * Cuts text into the pieces that are merged on their own: the split patterns of the encodings, written as scanners
 * over UTF-8 bytes. A regular expression goes back over long runs again and again; these read a character at most
 * three times.
 */
import {
  caseless,
  classAt,
  digit,
  letter,
  lower,
  mark,
  newline,
  other,
  space,
  upper,
  widthOf,
} from './character-class.ts';

/** The end of the piece that starts at `from`; `to` is the end of the text, and `from < to`. */
export type Splitter = (bytes: Uint8Array, from: number, to: number) => number;

/**
 * The pattern of o200k_base. With U for `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, L for `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`, P for
 * `[^\r\n\p{L}\p{N}]?` and C for an optional contraction in any case:
 * `P U* L+ C | P U+ L* C | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n/]* | \s*[\r\n]+ | \s+(?!\S) | \s+`
 */
export function splitO200k(bytes: Uint8Array, from: number, to: number): number {
  const first = classAt(bytes, from);
  // A mark is both a P and a U; either way of reading it ends at the same place.
  if (first & (letter | mark)) return contractionEnd(bytes, casedWordEnd(bytes, from, to), to);
  if (first & digit) return digitsEnd(bytes, from, to);
  if (first & newline) return spaceEnd(bytes, from, to);
  const second = from + widthOf(first);
  const word = casedWordEnd(bytes, second, to);
  if (word > second) return contractionEnd(bytes, word, to);
  const symbols = symbolsEnd(bytes, bytes[from] === blank ? second : from, to);
  return symbols > second || first & other ? slashesEnd(bytes, symbols, to) : spaceEnd(bytes, from, to);
}

/**
 * The pattern of cl100k_base:
 * `contraction | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}{1,3} | ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+`
 */
export function splitCl100k(bytes: Uint8Array, from: number, to: number): number {
  const first = classAt(bytes, from);
  if (first & letter) return lettersEnd(bytes, from, to);
  if (first & digit) return digitsEnd(bytes, from, to);
  if (first & newline) return spaceEnd(bytes, from, to);
  const contraction = contractionEnd(bytes, from, to);
  if (contraction > from) return contraction;
  const second = from + widthOf(first);
  const word = lettersEnd(bytes, second, to);
  if (word > second) return word;
  const symbols = symbolsEnd(bytes, bytes[from] === blank ? second : from, to);
  return symbols > second || first & (other | mark) ? newlinesEnd(bytes, symbols, to) : spaceEnd(bytes, from, to);
}

const blank = 0x20;
const apostrophe = 0x27;
const slash = 0x2f;

/**
 * `U* L+`, or else `U+ L*`. Where U* stops at a small letter, L+ takes over. Where it stops at anything else, the
 * pattern gives characters back until L+ can have one, which is the last that is in both; without such a one the
 * second form takes the whole run.
 */
function casedWordEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  let lastInBoth = from;
  let found = classIn(bytes, end, to);
  for (; found & (upper | caseless | mark); found = classIn(bytes, end, to)) {
    end += widthOf(found);
    if (found & (caseless | mark)) lastInBoth = end;
  }
  if (!(found & lower)) return lastInBoth > from ? lastInBoth : end;
  for (; found & (lower | caseless | mark); found = classIn(bytes, end, to)) end += widthOf(found);
  return end;
}

/** The class of the character at `index` and its width; 0, which is in no class, at the end of the text. */
function classIn(bytes: Uint8Array, index: number, to: number): number {
  return index < to ? classAt(bytes, index) : 0;
}

/** `\p{L}*` */
function lettersEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  for (let found = classIn(bytes, end, to); found & letter; found = classIn(bytes, end, to)) end += widthOf(found);
  return end;
}

/** `(?i:'s|'t|'re|'ve|'m|'ll|'d)?` */
function contractionEnd(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] !== apostrophe || from + 1 >= to) return from;
  const first = smallLetter(bytes[from + 1]);
  if (first === 's' || first === 't' || first === 'm' || first === 'd') return from + 2;
  if (from + 2 >= to) return from;
  // U+017F, the long s, is an s to a pattern that ignores case.
  if (bytes[from + 1] === 0xc5 && bytes[from + 2] === 0xbf) return from + 3;
  const pair = first + smallLetter(bytes[from + 2]);
  return pair === 're' || pair === 've' || pair === 'll' ? from + 3 : from;
}

function smallLetter(byte = 0): string {
  return byte < 0x80 ? String.fromCharCode(byte | 0x20) : '';
}

/** `\p{N}{1,3}` */
function digitsEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  let found = classIn(bytes, end, to);
  for (let count = 0; count < 3 && found & digit; count++) {
    end += widthOf(found);
    found = classIn(bytes, end, to);
  }
  return end;
}

/** `[^\s\p{L}\p{N}]*` */
function symbolsEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  let found = classIn(bytes, end, to);
  for (; found & (other | mark); found = classIn(bytes, end, to)) end += widthOf(found);
  return end;
}

/** `[\r\n/]*` */
function slashesEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  while (end < to && (bytes[end] === slash || isNewline(bytes[end]))) end++;
  return end;
}

/** `[\r\n]*` */
function newlinesEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  while (end < to && isNewline(bytes[end])) end++;
  return end;
}

const isNewline = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d;

/** `\s*[\r\n]+ | \s+(?!\S) | \s+`: to the last line break; else all but the last, unless the text ends here. */
function spaceEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  let lastStart = from;
  let afterNewline = from;
  for (let found = classIn(bytes, end, to); found & space; found = classIn(bytes, end, to)) {
    lastStart = end;
    end += widthOf(found);
    if (found & newline) afterNewline = end;
  }
  if (afterNewline > from) return afterNewline;
  return end === to || lastStart === from ? end : lastStart;
}
