/**
 * Cuts text into the pieces that are merged on their own: the split patterns of the encodings, written as scanners
 * over UTF-8 bytes. A regular expression goes back over long runs again and again; these read a character at most
 * three times.
 */
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

// The character classes that the split patterns of the encodings ask for, as bit flags, so that one test answers "is
// it one of these". Read from UTF-8 bytes.

/** `\p{Lu}` and `\p{Lt}` */
const upper = 1;
/** `\p{Ll}` */
const lower = 2;
/** `\p{Lm}` and `\p{Lo}`: letters without case. */
const caseless = 4;
/** `\p{M}` */
const mark = 8;
/** `\p{N}` */
const digit = 16;
/** `\s` as Unicode and Rust define it (White_Space); JavaScript's differs in U+0085 and U+FEFF. */
const space = 32;
/** `\r` or `\n`; they carry `space` too. */
const newline = 64;
const other = 128;

/** `\p{L}` */
const letter: number = upper | lower | caseless;

/** The class by code point; 0 where it was not asked for yet. The system gives memory only to pages that are used. */
const classes = new Uint8Array(0x110000);

const tests: readonly (readonly [number, RegExp])[] = [
  [lower, /^\p{Ll}/u],
  [upper, /^[\p{Lu}\p{Lt}]/u],
  [caseless, /^[\p{Lm}\p{Lo}]/u],
  [mark, /^\p{M}/u],
  [digit, /^\p{N}/u],
  [space | newline, /^[\r\n]/u],
  [space, /^\p{White_Space}/u],
];

/**
 * Letters, marks and numbers that came with Unicode 17.0, first and last of each range. tiktoken 1.0.22 knows Unicode
 * 16.0, to which they are unassigned; found by putting every code point to both.
 */
const addedInUnicode17: readonly (readonly [number, number])[] = [
  [0x088f, 0x088f],
  [0x0c5c, 0x0c5c],
  [0x0cdc, 0x0cdc],
  [0x1acf, 0x1add],
  [0x1ae0, 0x1aeb],
  [0xa7ce, 0xa7cf],
  [0xa7d2, 0xa7d2],
  [0xa7d4, 0xa7d4],
  [0xa7f1, 0xa7f1],
  [0x10940, 0x10959],
  [0x10ec5, 0x10ec7],
  [0x10efa, 0x10efb],
  [0x11b60, 0x11b67],
  [0x11db0, 0x11ddb],
  [0x11de0, 0x11de9],
  [0x16ea0, 0x16eb8],
  [0x16ebb, 0x16ed3],
  [0x16ff2, 0x16ff6],
  [0x187f8, 0x187ff],
  [0x18d09, 0x18d1e],
  [0x18d80, 0x18df2],
  [0x1e6c0, 0x1e6de],
  [0x1e6e0, 0x1e6f5],
  [0x1e6fe, 0x1e6ff],
  [0x2b73a, 0x2b73f],
  [0x2cea2, 0x2cead],
  [0x323b0, 0x33479],
];
for (const [first, last] of addedInUnicode17) classes.fill(other, first, last + 1);

// The blocks that a long text visits widely, so that it does not run a pattern for each of their characters.
classes.fill(caseless, 0x3400, 0x4dc0);
classes.fill(caseless, 0x4e00, 0xa000);
classes.fill(caseless, 0xac00, 0xd7a4);
for (let code = 0; code < 0x80; code++) learn(code);

/** The class of the character that starts at `bytes[index]`, plus the number of its bytes shifted left by 8. */
function classAt(bytes: Uint8Array, index: number): number {
  const lead = byteAt(bytes, index);
  return lead < 0x80 ? (classes[lead] as number) | 0x100 : wideClassAt(bytes, index);
}

/** How many bytes the character behind a result of `classAt` takes. */
const widthOf = (found: number): number => found >> 8;

/** A byte of valid UTF-8 at an index that the caller keeps in range; a check here costs a tenth of the speed. */
function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}

function wideClassAt(bytes: Uint8Array, index: number): number {
  const lead = byteAt(bytes, index);
  const second = byteAt(bytes, index + 1) & 0x3f;
  if (lead < 0xe0) return classOf(((lead & 0x1f) << 6) | second) | 0x200;
  const third = byteAt(bytes, index + 2) & 0x3f;
  if (lead < 0xf0) return classOf(((lead & 0x0f) << 12) | (second << 6) | third) | 0x300;
  const fourth = byteAt(bytes, index + 3) & 0x3f;
  return classOf(((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth) | 0x400;
}

function classOf(code: number): number {
  return classes[code] || learn(code);
}

function learn(code: number): number {
  const text = String.fromCodePoint(code);
  const found = tests.find(([, pattern]) => pattern.test(text))?.[0] ?? other;
  classes[code] = found;
  return found;
}
