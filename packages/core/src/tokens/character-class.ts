/**
 * The character classes that the split patterns of the encodings ask for, as bit flags, so that one test answers
 * "is it one of these". Read from UTF-8 bytes.
 */

/** `\p{Lu}` and `\p{Lt}` */
export const upper = 1;
/** `\p{Ll}` */
export const lower = 2;
/** `\p{Lm}` and `\p{Lo}`: letters without case. */
export const caseless = 4;
/** `\p{M}` */
export const mark = 8;
/** `\p{N}` */
export const digit = 16;
/** `\s` as Unicode and Rust define it (White_Space); JavaScript's differs in U+0085 and U+FEFF. */
export const space = 32;
/** `\r` or `\n`; they carry `space` too. */
export const newline = 64;
export const other = 128;

/** `\p{L}` */
export const letter: number = upper | lower | caseless;

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
export function classAt(bytes: Uint8Array, index: number): number {
  const lead = byteAt(bytes, index);
  return lead < 0x80 ? (classes[lead] as number) | 0x100 : wideClassAt(bytes, index);
}

/** How many bytes the character behind a result of `classAt` takes. */
export const widthOf = (found: number): number => found >> 8;

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
