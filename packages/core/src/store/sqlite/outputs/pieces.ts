/** A text in pieces of bounded size, each small enough to be read alone, packed where that pays. */
import { deflateSync, inflateSync } from 'node:zlib';
import { PalimpsestError } from '../../../shared/errors.ts';

/** How the bytes of a piece are made. UTF-16 is for text with halves of surrogate pairs, which UTF-8 cannot hold. */
export type Encoding = 'utf8' | 'utf8+deflate' | 'utf16' | 'utf16+deflate';

export interface Piece {
  /** The line that its first character belongs to, from 1. */
  readonly firstLine: number;
  readonly encoding: Encoding;
  readonly body: Uint8Array;
}

/** UTF-16 units in a piece: some thousand lines, unpacked in about a millisecond. */
export const pieceCharacters = 131_072;

/** Packed only when it saves at least a tenth. */
const worthIt = 0.9;

/** Cuts a text and packs each piece. */
export function packText(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let firstLine = 1;
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start);
    const piece = text.slice(start, end);
    pieces.push({ firstLine, ...pack(piece) });
    firstLine += breaksIn(piece);
    start = end;
  }
  return pieces;
}

/** The text of a piece. Throws `STORE_DAMAGED`. */
export function unpack(encoding: string, body: Uint8Array): string {
  try {
    const bytes = encoding.endsWith('+deflate')
      ? inflateSync(body)
      : Buffer.from(body.buffer, body.byteOffset, body.length);
    return bytes.toString(encoding.startsWith('utf16') ? 'utf16le' : 'utf8');
  } catch (cause) {
    throw new PalimpsestError(
      'STORE_DAMAGED',
      'A piece of a saved output cannot be unpacked. Run `palimpsest doctor`, and restore a backup.',
      { cause },
    );
  }
}

/** Lines of a text; one that ends with a line break has no empty line behind it. */
export const lineCount = (text: string): number => breaksIn(text) + (text === '' || text.endsWith('\n') ? 0 : 1);

function pack(text: string): { encoding: Encoding; body: Uint8Array } {
  const name = text.isWellFormed() ? 'utf8' : 'utf16';
  const bytes = Buffer.from(text, name === 'utf8' ? 'utf8' : 'utf16le');
  const packed = deflateSync(bytes, { level: 1 });
  return packed.length < bytes.length * worthIt
    ? { encoding: `${name}+deflate`, body: packed }
    : { encoding: name, body: bytes };
}

/** Never between the halves of a surrogate pair. */
function pieceEnd(text: string, start: number): number {
  const end = start + pieceCharacters;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
