/** Opens what a command reads: a file, standard input, gzip or plain, as a stream of the bytes of the text. */
import { createReadStream } from 'node:fs';
import { access, readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { PalimpsestError } from '@palimpsest/core';
import { nearest } from '@palimpsest/core/settings';
import { badOption } from './option-values.ts';
import { systemCode } from './system-code.ts';
import type { Terminal } from './terminal.ts';

type Bytes = AsyncIterable<Uint8Array>;
type Pieces = AsyncGenerator<Uint8Array, void, undefined>;

export interface OpenInput {
  /** For reports: the path as it was typed, or `-`. */
  readonly label: string;
  readonly path?: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What was noticed while the bytes came; complete after the last. */
  readonly notes: readonly string[];
}

type OnBytes = (bytes: number, size: number | undefined) => void;

/**
 * Opens a file, or standard input for `-` and for nothing when something is piped in. Throws `BAD_OPTION` when there is
 * nothing to read, `FILE_UNREADABLE` when it cannot be read and `TRANSCRIPT_BROKEN` for damaged gzip data.
 */
export async function openInput(file: string | undefined, terminal: Terminal, onBytes?: OnBytes): Promise<OpenInput> {
  const notes: string[] = [];
  if (file === undefined || file === '-') {
    if (file === undefined && terminal.stdin.isTTY)
      throw badOption('expected a transcript FILE, or "-" for standard input, got neither');
    return { label: '-', bytes: unpacked(watched(asBytes(terminal.stdin), undefined, onBytes), notes), notes };
  }
  const path = resolve(terminal.cwd, file);
  const size = await sizeOf(path, file);
  return { label: file, path, bytes: unpacked(watched(fileBytes(path, file), size, onBytes), notes), notes };
}

async function* watched(source: Bytes, size: number | undefined, onBytes: OnBytes | undefined): Pieces {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    onBytes?.(bytes, size);
    yield chunk;
  }
}

async function sizeOf(path: string, label: string): Promise<number> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return found.size;
  } catch (cause) {
    throw await unreadable({ path, label }, cause);
  }
  throw new PalimpsestError('FILE_UNREADABLE', `${label} is a folder: name one of the files in it`, {
    evidence: { path: label },
  });
}

async function* fileBytes(path: string, label: string): Pieces {
  try {
    // A megabyte at a time: large logs are read several times faster than in the default 64 KB.
    yield* asBytes(createReadStream(path, { highWaterMark: 1 << 20 }));
  } catch (cause) {
    throw await unreadable({ path, label }, cause);
  }
}

async function* asBytes(source: AsyncIterable<Uint8Array | string>): Pieces {
  const encoder = new TextEncoder();
  for await (const chunk of source) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
}

/** Throws `FILE_UNREADABLE` where there is no file, with the nearest name. */
export async function requireFile(path: string, label: string): Promise<void> {
  try {
    await access(path);
  } catch (cause) {
    throw await unreadable({ path, label }, cause);
  }
}

async function unreadable({ path, label }: { path: string; label: string }, cause: unknown): Promise<PalimpsestError> {
  const problem = (message: string): PalimpsestError =>
    new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path: label }, cause });
  switch (systemCode(cause)) {
    case 'ENOENT':
    case 'ENOTDIR': {
      const target = await readlink(path).catch(() => undefined);
      if (target !== undefined)
        return problem(`${label} is a link to ${target}, which does not exist: name the file itself`);
      // Without a folder there is nothing to guess from.
      const near = nearest(basename(path), await readdir(dirname(path)).catch(() => []));
      return problem(`there is no file ${label}: ${near ? `did you mean ${near}?` : 'check the path'}`);
    }
    case 'EACCES':
    case 'EPERM':
      return problem(`${label} cannot be read: check its permissions`);
    default:
      return problem(`${label} cannot be read: ${reasonOf(cause)}`);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The same bytes; gzip data, told by its first two bytes and not by a name, is unpacked. */
async function* unpacked(source: Bytes, notes: string[]): Pieces {
  const rest = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let known = 0;
  while (known < 2) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    known += value.length;
  }
  const all = joined(first, rest);
  const [a, b] = first.flatMap((chunk) => [...chunk.subarray(0, 2)]);
  if (a === 0x1f && b === 0x8b) yield* gunzipped(all, notes);
  else yield* all;
}

async function* joined(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): Pieces {
  try {
    yield* first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* gunzipped(source: Bytes, notes: string[]): Pieces {
  const gunzip = createGunzip();
  const pieces: Uint8Array[] = [];
  gunzip.on('data', (piece: Uint8Array) => pieces.push(piece));
  const outcome = finished(gunzip, { writable: false }).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    for await (const chunk of source) {
      if (gunzip.readableEnded || gunzip.destroyed) break;
      // One chunk at a time and never `pipe`: a stream that fails at its end drops what it still holds.
      await Promise.race([new Promise<void>((resolve) => gunzip.write(chunk, () => resolve())), outcome]);
      yield* pieces.splice(0);
    }
    await setImmediate();
    yield* pieces.splice(0);
    if (!gunzip.writableEnded && !gunzip.destroyed) gunzip.end();
    const error = await outcome;
    yield* pieces.splice(0);
    if (error !== undefined) notes.push(gzipNote(error));
  } finally {
    gunzip.destroy();
  }
}

/** What to tell about gzip data that ends too early; damage in its middle is thrown. */
function gzipNote(error: unknown): string {
  // A log that is still being written, or a broken download: what was before the end is good.
  if (systemCode(error) === 'Z_BUF_ERROR') return 'the gzip data is cut off; everything before the cut was read';
  const message = `the gzip data is damaged (${reasonOf(error)}): get an intact copy of the file`;
  throw new PalimpsestError('TRANSCRIPT_BROKEN', message, { cause: error });
}
