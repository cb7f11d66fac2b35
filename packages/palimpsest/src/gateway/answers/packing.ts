/** Bodies that were packed for the way (`content-encoding`), read here as they were before. What goes on is never touched. */
import type { Transform } from 'node:stream';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzipSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { HeaderList } from '../middle.ts';

/** Bytes that a packed body may have unpacked: a few kilobytes can stand for gigabytes. */
const mostUnpacked = 256 * 1_024 * 1_024;

interface Packing {
  readonly whole: (
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number; readonly finishFlush?: number },
  ) => Uint8Array;
  readonly stream: () => Transform;
  /** What to end with where more may follow: what can be read so far is given, and an end is not asked for. */
  readonly flush: number;
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;
const gzip: Packing = { whole: gunzipSync, stream: createGunzip, flush: Z_SYNC_FLUSH };
const packings: Readonly<Record<string, Packing>> = {
  gzip,
  'x-gzip': gzip,
  deflate: { whole: inflateSync, stream: createInflate, flush: Z_SYNC_FLUSH },
  br: { whole: brotliDecompressSync, stream: createBrotliDecompress, flush: BROTLI_OPERATION_FLUSH },
  zstd: { whole: zstdDecompressSync, stream: createZstdDecompress, flush: ZSTD_e_flush },
};

const encodingOf = (headers: HeaderList): string => (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase();

const isPlain = (encoding: string): boolean => encoding === '' || encoding === 'identity';

const packingOf = (encoding: string): Packing | undefined =>
  Object.hasOwn(packings, encoding) ? packings[encoding] : undefined;

/** True where what comes can be read as it was said: it is not packed, or in a way that is known. */
export function isReadable(headers: HeaderList): boolean {
  const encoding = encodingOf(headers);
  return isPlain(encoding) || packingOf(encoding) !== undefined;
}

/** True for what has to be unpacked, known or not. */
export const isPacked = (headers: HeaderList): boolean => !isPlain(encodingOf(headers));

/** The value of a header, whatever its case. */
export const headerOf = (headers: HeaderList, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** A body as it was before it was packed; undefined for a packing that is unknown. @throws what zlib throws */
export function unpacked(headers: HeaderList, body: Uint8Array): Uint8Array | undefined {
  const encoding = encodingOf(headers);
  if (isPlain(encoding)) return body;
  return packingOf(encoding)?.whole(body, { maxOutputLength: mostUnpacked });
}

/**
 * What can be read of the start of a body, whose end need not be there; undefined for a packing that is unknown, for what was never
 * packed so, and for what is longer than `mostBytes` once it is unpacked.
 */
export function unpackedStart(
  headers: HeaderList,
  start: Uint8Array,
  mostBytes: number = mostUnpacked,
): Uint8Array | undefined {
  const encoding = encodingOf(headers);
  if (isPlain(encoding)) return start;
  const packing = packingOf(encoding);
  try {
    return packing?.whole(start, { maxOutputLength: mostBytes, finishFlush: packing.flush });
  } catch {
    return undefined;
  }
}

/** Takes an answer piece by piece. */
export interface Unpacking {
  read(bytes: Uint8Array): void;
  /** Fulfilled when all that was read was handed on; false where it could not be unpacked. */
  end(): Promise<boolean>;
}

/** Hands what is read of a packed answer to `take`, unpacked. */
export function unpacking(headers: HeaderList, take: (bytes: Uint8Array) => void): Unpacking {
  const packing = packingOf(encodingOf(headers));
  if (!packing) return { read: () => undefined, end: async () => false };
  const stream = packing.stream();
  let unpackedBytes = 0;
  const done = new Promise<boolean>((resolve) => {
    stream.on('error', () => resolve(false));
    stream.on('end', () => resolve(true));
  });
  stream.on('data', (bytes: Uint8Array) => {
    unpackedBytes += bytes.length;
    if (unpackedBytes > mostUnpacked) stream.destroy(new Error('too large'));
    else take(bytes);
  });
  return {
    read: (bytes) => void (stream.writable && stream.write(bytes)),
    end: () => {
      if (stream.writable) stream.end();
      return done;
    },
  };
}
