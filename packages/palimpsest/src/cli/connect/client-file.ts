/** The file of a client, read byte for byte and written whole. */
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import type { FileClient } from '../../clients/client-list.ts';
import { readSmallFile } from '../../config/files.ts';
import { exists } from '../open-store.ts';
import { outputFile } from '../output-file.ts';
import type { Terminal } from '../terminal.ts';

/** A file as it is now. */
export interface FileNow {
  readonly path: string;
  /** With a mark of the byte order, where it has one; empty where there is no file. */
  readonly text: string;
  /** Undefined where there is no file. */
  readonly bytes: Uint8Array | undefined;
}

/** The files that a client may have, the one to change first: the first that is there, or the place for a new one. Throws `BAD_CONFIG` without a home. */
export async function clientPaths(
  client: FileClient,
  { env, platform, cwd }: Terminal,
): Promise<readonly [string, ...string[]]> {
  const folder = client.folder(env, platform);
  if (folder === undefined)
    throw new PalimpsestError('BAD_CONFIG', 'expected the environment to name your home folder: set HOME');
  const pathOf = (name: string): string => resolve(cwd, join(folder, name));
  const paths = client.files.map(pathOf);
  const areThere = await Promise.all(paths.map(exists));
  const first = paths.find((_, at) => areThere[at]) ?? pathOf(client.made ?? client.files[0]);
  return [first, ...paths.filter((path) => path !== first)];
}

/** Throws `FILE_UNREADABLE` for what is no file, is too large for settings, or is no UTF-8. */
export async function readClientFile(path: string): Promise<FileNow> {
  try {
    // Looks at what it is before it reads, and so never waits for a pipe.
    if ((await readSmallFile(path)) === undefined) return { path, text: '', bytes: undefined };
    const bytes = await readFile(path);
    return { path, bytes, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `Cannot read ${path}: ${reason}. Nothing was changed.`;
    throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path }, cause });
  }
}

/** Throws `FILE_UNREADABLE` for a file that its owner has closed to writing: replacing it would work, and is not wanted. */
export async function requireWritable(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || (found.mode & 0o222) !== 0) return;
  const message = `${path} is read-only: make it writable (chmod u+w) if it may be changed. Nothing was changed.`;
  throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path } });
}

/** Gives the folders that had to be made, from the outside in. A file keeps its mode, and a link stays one. */
export async function writeClientFile(path: string, text: string, terminal: Terminal): Promise<readonly string[]> {
  const made = await missingFolders(dirname(path));
  await mkdir(dirname(path), { recursive: true });
  await (await outputFile(path, { terminal, force: true })).write([text]);
  return made;
}

export const removeClientFile = (path: string): Promise<void> => rm(path, { force: true });

async function missingFolders(folder: string): Promise<readonly string[]> {
  if ((await exists(folder)) || dirname(folder) === folder) return [];
  return [...(await missingFolders(dirname(folder))), folder];
}
