/** Bodies of messages, packed where that pays: transcripts are JSON full of paths, code and repeated field names. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Shorter ones gain less than they cost, in UTF-16 units. */
const packedFrom = 2_048;

/** A text as it is, or the Zstandard frame of its UTF-8. */
export function packed(text: string): string | Uint8Array {
  if (text.length < packedFrom) return text;
  const frame = zstdCompressSync(text);
  return frame.length < text.length ? frame : text;
}

/** The text of a body. Throws when the frame is broken. */
export const unpacked = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : zstdDecompressSync(body).toString('utf8');
