/** Coarse classes of UTF-16 units for estimating: what a unit is to a tokenizer, by number ranges only. */

/** Letters of Latin script come first, so that one comparison asks for them. */
export const kinds = {
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
export const unitKinds: Uint8Array = new Uint8Array(0x10000);
for (const [index, [first, kind]] of ranges.entries()) unitKinds.fill(kind, first, ranges[index + 1]?.[0] ?? 0x10000);
