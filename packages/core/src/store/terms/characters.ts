/** What a character is to the index: part of a word, a script that is written without spaces, or what joins a name. */

/** Ends a word. */
export const gap = 0;
export const lower = 1;
export const upper = 2;
export const digit = 3;
/** Letters and numbers outside ASCII, and their marks. */
export const letter = 4;
/** Scripts written without spaces between words: each character is a term, and each pair of neighbours. */
export const dense = 5;
/** May stand inside a path, an identifier or an address, between two words. */
export const joiner = 6;
/** Another form of a usual character: full-width letters, half-width kana, single jamo, old code points of Han. */
export const variant = 7;
/** The first half of a character above U+FFFF. */
export const astral = 8;

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
export function classOfAstral(codePoint: number): number {
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
