/** Text for property tests: full Unicode and what the split patterns care about. */
import fc from 'fast-check';

/** White space of every kind, and what looks like it but is not. */
const spaces = [
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '\v',
  '\f',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2028',
];
const notSpaces = ['\u200b', '\ufeff', '\u180e', '\u200d', '\ufe0f', '\u3000'];
const words = [
  'abc',
  ' word',
  'Don',
  'HTTPServer',
  'fooBar',
  'x',
  'ÀÉ',
  'ſ',
  'ǅ',
  'ʰ',
  'ª',
  'ß',
  'İ',
  '中国',
  'の',
  '한국',
];
const contractions = ["'s", "'S", "'ſ", "'re", "'VE", "'Ll", "'d", "'m", "'t", "'", "''s"];
const marks = ['\u0301', 'e\u0301', '\u0301A', '\u093f', 'A\u0301A', '\u20dd'];
const digits = ['1', '12', '123', '1234', '٣', '½', 'Ⅻ', '1\u0301'];
const signs = [
  '/',
  '//',
  '!',
  '!!\n',
  ' {',
  '});\n',
  '<|endoftext|>',
  '—',
  '─',
  '€',
  '😀',
  '👩‍👩‍👧',
  '_',
  '\u0000',
  '\u007f',
];
const halves = ['\ud83d', '\ude00', '\udc00\ud800'];

/** A string of pieces that meet at every kind of boundary. */
export const patternText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...spaces, ...notSpaces) },
      { weight: 6, arbitrary: fc.constantFrom(...words, ...contractions) },
      { weight: 4, arbitrary: fc.constantFrom(...marks, ...digits, ...signs, ...halves) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));

/** Any sequence of code points, halves of surrogate pairs included. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 0x7f }) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
      { weight: 2, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }) },
    ),
    { maxLength: 80 },
  )
  .map((codes) => String.fromCodePoint(...codes));
