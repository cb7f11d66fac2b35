/** What an encoded stretch of a text says in plain words. */

export interface Decoded {
  readonly text: string;
  /** Where the encoded stretch stands. */
  readonly start: number;
  readonly end: number;
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
      /(?:\\u\{?|\\x|&#x|u\+)([\da-f]{2,6})[};]?\s?|&#(\d{2,6});/gi,
      (whole, hex: string | undefined, decimal: string | undefined) => {
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    );

const rotate = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

const forms: readonly { readonly found: RegExp; readonly decode: (text: string) => string }[] = [
  { found: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g, decode: fromBase64 },
  { found: /(?<![\da-f])(?:[\da-f]{2}[ :]?){8,}/gi, decode: fromHex },
  { found: /(?<![^\s"'(=])[^\s%"']{0,60}%[\da-f]{2}[^\s"']{6,}/gi, decode: fromPercent },
  { found: /(?:(?:\\u\{?|\\x|&#x|u\+)[\da-f]{2,6}[};]?\s?|&#\d{2,6};){4,}/gi, decode: fromEscapes },
];

/** What base64, hex, percent and character escapes hold, where that is text. Linear. */
export function decodeAll(text: string): readonly Decoded[] {
  return forms.flatMap(({ found, decode }) =>
    [...text.matchAll(found)].flatMap(({ 0: run, index }) => {
      const plain = decode(run);
      return isText(plain) ? [{ text: plain, start: index, end: index + run.length }] : [];
    }),
  );
}

/** The whole text by the alphabet turned by 13, and turned around. */
export const turned = (text: string): readonly string[] => [rotate(text), [...text].reverse().join('')];

const isText = (text: string): boolean =>
  text.length > 5 && !/[\ufffd\u0000-\u0008\u000e-\u001f]/.test(text) && /\p{L}{2}/u.test(text);
