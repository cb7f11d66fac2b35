/** What an encoded stretch of a text says in plain words. */

export interface Decoded {
  readonly text: string;
  /** Where the encoded stretch stands. */
  readonly start: number;
  readonly end: number;
  /** Addresses are percent-encoded as a matter of course: readable words in one are no secret. */
  readonly isUsual?: boolean;
  /** Nobody writes words so but to hide them. */
  readonly isOdd?: boolean;
}

/** Longer stretches are files: their beginning tells enough. */
const longest = 4_096;

const read = (bytes: Uint8Array): string => new TextDecoder('utf-8').decode(bytes.slice(0, longest));

const fromBase64 = (text: string): string => {
  const clean = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^A-Za-z0-9+/]/g, '');
  const whole = clean.slice(0, Math.min(longest, clean.length - (clean.length % 4 === 1 ? 1 : 0)));
  return read(
    Uint8Array.from(atob(whole.slice(0, whole.length - (whole.length % 4 === 1 ? 1 : 0))), (sign) =>
      sign.charCodeAt(0),
    ),
  );
};

const fromHex = (text: string): string =>
  read(Uint8Array.from(text.slice(0, longest).match(/[\da-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16)));

const fromPercent = (text: string): string =>
  fromHex(
    text.replaceAll(
      /%([\da-f]{2})|([^%])/gi,
      (_, pair: string | undefined, sign: string | undefined) =>
        pair ?? (sign?.charCodeAt(0) ?? 32).toString(16).padStart(2, '0').slice(-2),
    ),
  );

const fromEscapes = (text: string): string =>
  text
    .slice(0, longest)
    .replaceAll(
      /(?:\\u\{?|\\x|&#x|u\+)([\da-f]{2,6})(?:[};]|(?<=u\+[\da-f]{2,6})\s)?|&#(\d{2,7});/gi,
      (whole, hex: string | undefined, decimal: string | undefined) => {
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    );

const fromCodes =
  (base: number) =>
  (text: string): string =>
    (text.slice(0, longest).match(/[\da-f]+/gi) ?? [])
      .map((digits) => Number.parseInt(digits, base))
      .map((code) => (code < 0x11_0000 ? String.fromCodePoint(code) : ''))
      .join('');

const fromBits = (text: string): string =>
  read(
    Uint8Array.from(
      text
        .slice(0, longest)
        .replaceAll(/[^01]/g, '')
        .match(/[01]{8}/g) ?? [],
      (bits) => Number.parseInt(bits, 2),
    ),
  );

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function fromBase32(text: string): string {
  const bits = [...text.slice(0, longest)].map((sign) => base32.indexOf(sign)).filter((value) => value >= 0);
  return fromBits(bits.map((value) => value.toString(2).padStart(5, '0')).join(''));
}

const morse = new Map(
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'
    .split(' ')
    .map((code, index) => [code, String.fromCharCode(97 + index)] as const),
);

const fromMorse = (text: string): string =>
  text
    .slice(0, longest)
    .replaceAll(/[·•]/g, '.')
    .replaceAll(/[–—−_]/g, '-')
    .split(/ ?[/|] ?| {2,}|\n/)
    .map((word) =>
      word
        .split(' ')
        .map((code) => morse.get(code) ?? '')
        .join(''),
    )
    .join(' ');

const brailleDots = '⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵';
const brailleLetters = 'abcdefghijklmnopqrstuvwxyz';

const fromBraille = (text: string): string =>
  [...text].map((sign) => brailleLetters[brailleDots.indexOf(sign)] ?? (/[\u2800\s]/.test(sign) ? ' ' : '')).join('');

/** Bytes in the selectors behind a sign: nobody sees them. */
const fromSelectors = (text: string): string =>
  read(
    Uint8Array.from([...text].slice(0, longest), (sign) => {
      const code = sign.codePointAt(0) ?? 0;
      return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
    }),
  );

const forms: readonly {
  readonly found: RegExp;
  readonly decode: (text: string) => string;
  readonly isUsual?: (text: string) => boolean;
  readonly isOdd?: true;
}[] = [
  { found: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g, decode: fromBase64 },
  { found: /(?<![A-Za-z0-9])[A-Z2-7]{16,}={0,6}(?![A-Za-z0-9])/g, decode: fromBase32 },
  {
    found: /(?<![\da-f])(?:(?:0x|\\x)?[\da-f]{2}[ :,]{0,2}){8,}/gi,
    decode: (run) => fromHex(run.replaceAll(/0x|\\x/gi, '')),
  },
  {
    found: /(?<![\w%])[^\s%"'：，。]{0,60}%[\da-f]{2}[^\s"']{6,}/gi,
    decode: fromPercent,
    isUsual: (run) => /^\(?<?\w{2,12}:\/\/|^\/|[?&]/.test(run),
  },
  { found: /(?:=[\dA-F]{2}[^\s=]{0,3}){6,}/g, decode: (run) => fromPercent(run.replaceAll('=', '%')) },
  { found: /(?:(?:\\u\{?|\\x|&#x|u\+)[\da-f]{2,6}[};]?\s?|&#\d{2,7};){4,}/gi, decode: fromEscapes },
  { found: /(?<![\d.])(?:\d{2,3}[ ,]{1,2}){7,}\d{2,3}(?![\d.])/g, decode: fromCodes(10) },
  { found: /(?:\\[0-3][0-7]{2}){6,}/g, decode: fromCodes(8), isOdd: true },
  { found: /(?<!\d)(?:[01]{8}[ ,]?){5,}/g, decode: fromBits, isOdd: true },
  {
    found: /(?<![\w.-])(?:[.\-·•–—−_]{1,5}(?: ?[/|] ?| {1,3}|\n)){5,}[.\-·•–—−_]{1,5}/g,
    decode: fromMorse,
    isOdd: true,
  },
  { found: /[\u2800-\u283f][\u2800-\u283f\s]{7,}/g, decode: fromBraille, isOdd: true },
  { found: /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{5,}/gu, decode: fromSelectors, isOdd: true },
];

/** What stretches of codes hold, where that is text. Linear. */
export function decodeAll(text: string): readonly Decoded[] {
  return forms.flatMap(({ found, decode, isUsual, isOdd = false }) =>
    [...text.matchAll(found)].flatMap(({ 0: run, index }) => {
      const plain = decode(run);
      return isText(plain)
        ? [{ text: plain, start: index, end: index + run.length, isUsual: isUsual?.(run) ?? false, isOdd }]
        : [];
    }),
  );
}

const isText = (text: string): boolean =>
  text.length > 5 && !/[\ufffd\u0000-\u0008\u000e-\u001f]/.test(text) && /\p{L}{2}/u.test(text);

/** Several words, as people write them: not the name of a thing, and not bytes that happen to be letters. */
export const isProse = (text: string): boolean =>
  /^[\p{L}\p{M}\p{N}\p{P}\p{Zs}\p{Sc}\n$+<=>|~^`]+$/u.test(text) &&
  (/(?:\p{L}{2,}[,.:;!?]? +){2}\p{L}{2,}/u.test(text) ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u.test(text));

/** Bytes that begin so are a picture, an archive, a document, a key of SSH or a program. */
const fileStarts = /^(?:iVBOR|\/9j\/|R0lG|UklG|JVBER|UEsD|H4sI|AAAA|PHN2|PD94|Qk0|T2dn|SUQz|AAEAAAA|d09G|f0VM|TVqQ)/;

const tokens = /(?<![\w+/=:.@-])(?!sha\d{1,3}-)[\w+/-]{28,}={0,2}(?![\w+/.])/g;

/** Runs of signs that are neither words nor the number of a thing: nobody can see what they say. Linear. */
export function unreadableIn(text: string): readonly Decoded[] {
  return [...text.matchAll(tokens)].flatMap(({ 0: run, index }) => {
    const count = (signs: RegExp): number => run.match(signs)?.length ?? 0;
    const isMixed = count(/[a-z]/g) > 3 && count(/[A-Z]/g) > 3 && count(/\d/g) > 1;
    const turns = count(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g);
    const isRandom = isMixed && turns > run.length / 4 && !fileStarts.test(run);
    return isRandom ? [{ text: run, start: index, end: index + run.length }] : [];
  });
}
