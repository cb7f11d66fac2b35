/** What the bytes of a file are as a text: without the mark at its start, with the line endings that it has. Pure. */

export interface TextContent {
  /** As in the file, but for the mark. */
  readonly raw: string;
  /** The same with `\n` at the end of every line: what a model reads. */
  readonly text: string;
  readonly hasMark: boolean;
  /** The ending of most lines. */
  readonly ending: '\n' | '\r\n';
}

/** Undefined for what is no UTF-8 text. */
export function textOf(bytes: Uint8Array): TextContent | undefined {
  if (bytes.subarray(0, 8_000).includes(0)) return undefined;
  let raw: string;
  try {
    raw = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const hasMark = raw.startsWith('\uFEFF');
  if (hasMark) raw = raw.slice(1);
  const text = raw.replaceAll('\r\n', '\n');
  const pairs = raw.length - text.length;
  const lines = text.split('\n').length - 1;
  return { raw, text, hasMark, ending: pairs * 2 > lines ? '\r\n' : '\n' };
}

/** A new text as the file is to hold it: with its mark and its line endings. */
export function inEndings(text: string, { hasMark, ending }: Pick<TextContent, 'hasMark' | 'ending'>): string {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return `${hasMark ? '\uFEFF' : ''}${ending === '\r\n' ? plain.replaceAll('\n', '\r\n') : plain}`;
}

/** What a file is that is no text, by its first bytes. */
export function kindOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  const known: readonly (readonly [RegExp, string])[] = [
    [/^\x89PNG/, 'a PNG image'],
    [/^\xff\xd8\xff/, 'a JPEG image'],
    [/^GIF8/, 'a GIF image'],
    [/^RIFF.{4}WEBP/s, 'a WebP image'],
    [/^%PDF/, 'a PDF document'],
    [/^PK\x03\x04/, 'a ZIP archive'],
    [/^\x1f\x8b/, 'a gzip archive'],
    [/^\x7fELF/, 'a program'],
    [/^SQLite format/, 'an SQLite database'],
    [/^(?:\xff\xfe|\xfe\xff)/, 'a text in UTF-16'],
  ];
  return known.find(([pattern]) => pattern.test(start))?.[1] ?? 'a binary file';
}
