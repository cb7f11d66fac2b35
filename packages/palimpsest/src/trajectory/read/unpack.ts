/** The bytes behind gzip and Zstandard, which are told by how they begin and not by a name. */
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { frameCutter, isSkippable } from './zstd-frames.ts';

/** Bytes as they come. */
export type Bytes = AsyncIterable<Uint8Array>;

/** How a file is packed. */
export type Packing = 'plain' | 'gzip' | 'zstd';

/** What the first bytes say. */
export function packingOf(head: Uint8Array): Packing {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  // pzstd begins with a frame that tells the size of the next one.
  return isSkippable(head) ? 'zstd' : 'plain';
}

/**
 * Unpacks what is packed. Data that is cut off or damaged ends there: everything before it comes, and `onDamage` is told why
 * nothing more does.
 */
export async function* unpack(source: Bytes, onDamage: (reason: string) => void): AsyncGenerator<Uint8Array> {
  const rest = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  for (let known = 0; known < 4; ) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    known += value.length;
  }
  const packing = packingOf(Buffer.concat(first).subarray(0, 4));
  const all = joined(first, rest);
  if (packing === 'plain') yield* all;
  else yield* decoded(all, packing, onDamage);
}

async function* joined(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

const chunkSize = 256 * 1024;

async function* decoded(
  source: Bytes,
  packing: 'gzip' | 'zstd',
  onDamage: (reason: string) => void,
): AsyncGenerator<Uint8Array> {
  const decoder = packing === 'gzip' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize });
  const cut = packing === 'gzip' ? (chunk: Uint8Array): readonly Uint8Array[] => [chunk] : frameCutter();
  const pieces: Uint8Array[] = [];
  decoder.on('data', (piece: Uint8Array) => pieces.push(piece));
  const outcome = finished(decoder, { writable: false }).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    for await (const chunk of source) {
      for (const piece of cut(chunk)) {
        if (decoder.readableEnded || decoder.destroyed) break;
        // One piece at a time and never `pipe`: a stream that fails at its end drops what it still holds.
        await Promise.race([new Promise<void>((resolve) => decoder.write(piece, () => resolve())), outcome]);
        yield* pieces.splice(0);
      }
      if (decoder.readableEnded || decoder.destroyed) break;
    }
    await setImmediate();
    yield* pieces.splice(0);
    if (!decoder.writableEnded && !decoder.destroyed) decoder.end();
    const error = await outcome;
    yield* pieces.splice(0);
    if (error !== undefined) onDamage(damage(packing, error));
  } finally {
    decoder.destroy();
  }
}

function damage(packing: string, error: unknown): string {
  const isCut = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
  if (isCut) return `expected ${packing} data to its end, but it is cut off here: get the whole file`;
  const reason = error instanceof Error ? error.message : String(error);
  return `expected ${packing} data, but it is damaged from here on (${reason}): get an intact file`;
}
