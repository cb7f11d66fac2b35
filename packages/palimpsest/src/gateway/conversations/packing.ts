/** Bodies that were packed for the way (`content-encoding`), read here as they were before. What goes on is never touched. */
import type { Transform } from 'node:stream';
import {
  brotliDecompressSync,
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
  readonly whole: (bytes: Uint8Array, limit: { readonly maxOutputLength: number }) => Uint8Array;
  readonly stream: () => Transform;
}

const gzip: Packing = { whole: gunzipSync, stream: createGunzip };
const packings: Readonly<Record<string, Packing>> = {
  gzip,
  'x-gzip': gzip,
  deflate: { whole: inflateSync, stream: createInflate },
  br: { whole: brotliDecompressSync, stream: createBrotliDecompress },
  zstd: { whole: zstdDecompressSync, stream: createZstdDecompress },
};

const encodingOf = (headers: HeaderList): string => (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase();

const isPlain = (encoding: string): boolean => encoding === '' || encoding === 'identity';

/** True where what comes is not what was said, byte for byte. */
export const isPacked = (headers: HeaderList): boolean => !isPlain(encodingOf(headers));

/** The value of a header, whatever its case. */
export const headerOf = (headers: HeaderList, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** A body as it was before it was packed; undefined for a packing that is unknown. @throws what zlib throws */
export function unpacked(headers: HeaderList, body: Uint8Array): Uint8Array | undefined {
  const encoding = encodingOf(headers);
  if (isPlain(encoding)) return body;
  const packing = Object.hasOwn(packings, encoding) ? packings[encoding] : undefined;
  return packing?.whole(body, { maxOutputLength: mostUnpacked });
}

/** Takes an answer piece by piece. */
export interface Unpacking {
  read(bytes: Uint8Array): void;
  /** Fulfilled when all that was read was handed on; false where it could not be unpacked. */
  end(): Promise<boolean>;
}

/** Hands what is read to `take`, unpacked. */
export function unpacking(headers: HeaderList, take: (bytes: Uint8Array) => void): Unpacking {
  const encoding = encodingOf(headers);
  if (isPlain(encoding)) return { read: take, end: async () => true };
  const packing = Object.hasOwn(packings, encoding) ? packings[encoding] : undefined;
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
    // The bytes belong to the relay, which may use their memory again.
    read: (bytes) => void (stream.writable && stream.write(Buffer.from(bytes))),
    end: () => {
      if (stream.writable) stream.end();
      return done;
    },
  };
}
