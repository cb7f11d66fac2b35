/**
 * Finds the words of a line: one pass over its characters, no backtracking, no copy of what is not kept.
 *
 * A token is a run of letters, digits and the signs that names are made of (`_ $ @ ~ . / # + : -`). What kind of name
 * it is shows in the characters seen on the way, so the many plain words cost nothing but a counter.
 */

/** What a token was made of. */
export const seen = {
  lower: 1,
  upper: 2,
  digit: 4,
  slash: 8,
  dot: 16,
  underscore: 32,
  dash: 64,
  colon: 128,
  /** An upper-case letter after a lower-case one: camelCase. */
  hump: 256,
  /** Han, kana or hangul. */
  cjk: 512,
  /** Any other letter outside ASCII. */
  letter: 1024,
  hash: 2048,
  at: 4096,
} as const;

/** Takes a token: its first character, the one after its last, and the `seen` bits of what it is made of. */
export type TokenSink = (start: number, end: number, bits: number) => void;

/** A stretch of a text: from its first character to before its last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Calls `sink` for every token of the stretch, in order. */
export function scanTokens(text: string, { from, to }: Stretch, sink: TokenSink): void {
  let start = -1;
  let bits = 0;
  let previous = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const bit = code === comma ? thousands(text, i, previous) : (bitOf[code] ?? 0);
    if (bit === 0) {
      if (start >= 0) sink(start, i, bits);
      start = -1;
      continue;
    }
    if (start < 0) {
      start = i;
      bits = bit;
    } else {
      bits |= bit;
      if (bit === seen.upper && previous === seen.lower) bits |= seen.hump;
    }
    previous = bit;
  }
  if (start >= 0) sink(start, to, bits);
}

const comma = 44;

/** A comma belongs to a number when digits stand on both sides: 12,345. */
function thousands(text: string, at: number, previous: number): number {
  const next = text.charCodeAt(at + 1);
  return previous === seen.digit && next >= 48 && next <= 57 ? seen.digit : 0;
}

/** The bit of a UTF-16 unit outside ASCII; 0 for white space, punctuation, symbols and private use. */
function wideBit(code: number): number {
  if (code >= 0x3040 && code <= 0x30ff) return code === 0x30fb ? 0 : seen.cjk;
  if ((code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af) || code === 0x3005) return seen.cjk;
  if (code < 0xc0) return code === 0xb5 || code === 0xaa || code === 0xba ? seen.letter : 0;
  if (code === 0xd7 || code === 0xf7) return 0;
  if (code >= 0x2000 && code <= 0x2bff) return 0;
  if (code >= 0x2e00 && code <= 0x303f) return 0;
  if (code >= 0xd800 && code <= 0xf8ff) return 0;
  if (code >= 0xfe00 && code <= 0xfe4f) return 0;
  return code >= 0xff00 ? fullWidthBit(code) : seen.letter;
}

function fullWidthBit(code: number): number {
  if ((code >= 0xff21 && code <= 0xff3a) || (code >= 0xff41 && code <= 0xff5a)) return seen.letter;
  if (code >= 0xff10 && code <= 0xff19) return seen.digit;
  return code >= 0xff66 && code <= 0xff9f ? seen.cjk : 0;
}

/** The bit of every UTF-16 unit: a table, because every character of every message goes through it. */
const bitOf = Uint16Array.from({ length: 0x10000 }, (_, code) => (code < 128 ? 0 : wideBit(code)));
for (let c = 97; c <= 122; c++) bitOf[c] = seen.lower;
for (let c = 65; c <= 90; c++) bitOf[c] = seen.upper;
for (let c = 48; c <= 57; c++) bitOf[c] = seen.digit;
for (const [signs, bit] of [
  ['/', seen.slash],
  ['.', seen.dot],
  ['_$', seen.underscore],
  ['-+', seen.dash],
  [':', seen.colon],
  ['#', seen.hash],
  ['@~', seen.at],
] as const) {
  for (const sign of signs) bitOf[sign.charCodeAt(0)] = bit;
}
