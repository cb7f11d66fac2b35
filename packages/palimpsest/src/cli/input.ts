/** Opens what a command reads: a file, standard input, gzip or plain, as a stream of the bytes of the text. */
import { createReadStream } from 'node:fs';
import { access, readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { PalimpsestError } from '@palimpsest/core';
import { nearest } from '@palimpsest/core/settings';
import type { Terminal } from './terminal.ts';

export interface OpenInput {
  /** For reports: the path as it was typed, or `-`. */
  readonly label: string;
  /** Absolute path; absent for standard input. */
  readonly path?: string;
  /** The bytes of the text, unpacked. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What was noticed while the bytes came; complete after the last. */
  readonly notes: readonly string[];
}

/**
 * Opens a file, or standard input for `-` and for nothing when something is piped in. `onBytes` hears how much was
 * read so far, of how much, both as packed. Throws `BAD_OPTION` when there
 * is nothing to read, `FILE_UNREADABLE` when it cannot be read and `TRANSCRIPT_BROKEN` for damaged gzip data.
 */
export async function openInput(
  file: string | undefined,
  terminal: Terminal,
  options: { readonly onBytes?: (bytes: number, size: number | undefined) => void } = {},
): Promise<OpenInput> {
  const notes: string[] = [];
  const open = (source: AsyncIterable<Uint8Array>, size?: number): AsyncIterable<Uint8Array> =>
    unpacked(
      watched(source, (bytes) => options.onBytes?.(bytes, size)),
      notes,
    );
  if (file === undefined || file === '-') {
    if (file === undefined && terminal.stdin.isTTY) throw noFile();
    return { label: '-', bytes: open(asBytes(terminal.stdin)), notes };
  }
  const path = resolve(terminal.cwd, file);
  const size = await sizeOf(path, file);
  return { label: file, path, bytes: open(fileBytes(path, file), size), notes };
}

async function* watched(
  source: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}

function noFile(): PalimpsestError {
  return new PalimpsestError('BAD_OPTION', 'expected a transcript FILE, or "-" for standard input, got neither');
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

async function* fileBytes(path: string, label: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // A megabyte at a time: large logs are read several times faster than in the default 64 KB.
    yield* asBytes(createReadStream(path, { highWaterMark: 1 << 20 }));
  } catch (cause) {
    throw await unreadable({ path, label }, cause);
  }
}

async function* asBytes(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, void, undefined> {
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
  const evidence = { path: label };
  switch (systemCode(cause)) {
    case 'ENOENT':
    case 'ENOTDIR': {
      const target = await linkTarget(path);
      if (target !== undefined) {
        const message = `${label} is a link to ${target}, which does not exist: name the file itself`;
        return new PalimpsestError('FILE_UNREADABLE', message, { evidence, cause });
      }
      const near = await nearNames(dirname(path), basename(path));
      const hint = near ? `did you mean ${near}?` : 'check the path';
      return new PalimpsestError('FILE_UNREADABLE', `there is no file ${label}: ${hint}`, { evidence, cause });
    }
    case 'EACCES':
    case 'EPERM':
      return new PalimpsestError('FILE_UNREADABLE', `${label} cannot be read: check its permissions`, {
        evidence,
        cause,
      });
    default: {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return new PalimpsestError('FILE_UNREADABLE', `${label} cannot be read: ${reason}`, { evidence, cause });
    }
  }
}

/** Where a link leads; undefined for what is none. */
async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch {
    // No link, or nothing at all: the caller reports what is missing.
    return undefined;
  }
}

/** The code of a system error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The same bytes; gzip data, told by its first two bytes and not by a name, is unpacked. */
async function* unpacked(
  source: AsyncIterable<Uint8Array>,
  notes: string[],
): AsyncGenerator<Uint8Array, void, undefined> {
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

async function* joined(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* gunzipped(
  source: AsyncIterable<Uint8Array>,
  notes: string[],
): AsyncGenerator<Uint8Array, void, undefined> {
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
  const reason = error instanceof Error ? error.message : String(error);
  const message = `the gzip data is damaged (${reason}): get an intact copy of the file`;
  throw new PalimpsestError('TRANSCRIPT_BROKEN', message, { cause: error });
}

// Guesses which file a mistyped path meant.

/** The file of a folder whose name is nearest to a name; undefined when none is near or the folder cannot be read. */
async function nearNames(folder: string, name: string): Promise<string | undefined> {
  try {
    return nearest(name, await readdir(folder));
  } catch {
    // Without a folder there is nothing to guess from; the caller reports the missing file itself.
    return undefined;
  }
}
