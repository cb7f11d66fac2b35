/** Bodies packed for the way, piece by piece, as a server does that sends each event at once. */
import { once } from 'node:events';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib';

/** As `content-encoding` names it. */
export type PackingName = 'gzip' | 'deflate' | 'br' | 'zstd';
export const packings: readonly PackingName[] = ['gzip', 'deflate', 'br', 'zstd'];

const makers: Readonly<Record<PackingName, () => Transform>> = {
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
  deflate: () => createDeflate({ flush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
};

/** What is sent for each of the pieces; what ends the body goes with the last one. */
export async function packed(name: PackingName, pieces: readonly Uint8Array[]): Promise<readonly Buffer[]> {
  const stream = makers[name]();
  const sent: Buffer[] = [];
  let now: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => now.push(bytes));
  for (const [at, piece] of pieces.entries()) {
    if (at + 1 < pieces.length) await new Promise((resolve) => stream.write(piece, resolve));
    else {
      stream.end(piece);
      await once(stream, 'end');
    }
    sent.push(Buffer.concat(now));
    now = [];
  }
  return sent;
}
