/** A memory file on disk: read whole or not at all, and put in place of exactly the one that was read. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';

/** What a file held when it was read. */
export interface FileState {
  readonly text: string;
  /** Another one for another file, and after every write to this one. */
  readonly identity: string;
  /** Milliseconds since 1970 of the last write. */
  readonly savedAt: number;
}

/** Larger ones are no notes: they are left alone. */
const maxBytes = 64 * 1024 * 1024;

/** Makes the folder, for its owner alone; one that is there stays as it is. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(folder, 'cannot be made', error);
  }
}

/**
 * What a file holds; undefined for one that is not there. @throws FILE_UNREADABLE for one that cannot be read, for a link,
 * and for bytes that are no UTF-8: none of them is empty, and none may be overwritten
 */
export function readState(path: string): FileState | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unusable(path, codeOf(error) === 'ELOOP' ? 'is a link' : 'cannot be read', error);
  }
  try {
    const { dev, ino, mtimeNs, size, isPlain } = lookAt(file);
    if (!isPlain) throw unusable(path, 'is no plain file');
    if (size > maxBytes) throw unusable(path, `has more than ${maxBytes} bytes`);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
    return { text, identity: `${dev}:${ino}:${mtimeNs}`, savedAt: Number(mtimeNs / 1_000_000n) };
  } catch (error) {
    if (PalimpsestError.isInstance(error)) throw error;
    throw unusable(path, error instanceof TypeError ? 'is no UTF-8 text' : 'cannot be read', error);
  } finally {
    closeSync(file);
  }
}

function lookAt(file: number) {
  const found = fstatSync(file, { bigint: true });
  return { ...found, isPlain: found.isFile() };
}

export const isSame = (a: FileState | undefined, b: FileState | undefined): boolean =>
  a?.identity === b?.identity && a?.text === b?.text;

/** Where the file that is replaced stays until it is known to be the one that was read. */
export const asideOf = (path: string): string => `${path}.before`;

/** What a file holds while somebody may be replacing it; never mistakes the moment between two files for none. */
export function readSettled(path: string): FileState | undefined {
  return readState(path) ?? readState(asideOf(path)) ?? readState(path);
}

/**
 * Puts a text in place of the file that was read, unless another one has come. A plain `rename` would destroy what an editor
 * saved between the last look and the rename. So the old file is moved aside first, which takes exactly what is there, and
 * the new one gets the name only while it is free:
 *
 *     temp written, synced    look again    path → aside    temp → path if free    folder synced
 *
 * Whoever calls looks at what lies aside afterwards (`takeAside`). Returns false when nothing was replaced.
 *
 * @throws FILE_UNREADABLE when it cannot be written, as on a full disk; the old file is as it was
 */
export function replaceFile(path: string, text: string, expected: FileState | undefined): boolean {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeNew(temporary, text);
    if (!isSame(readState(path), expected)) return false;
    if (expected && !moved(path, asideOf(path))) return false;
    if (!isNamed(temporary, path)) return false;
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (PalimpsestError.isInstance(error)) throw error;
    throw unusable(
      path,
      codeOf(error) === 'ENOSPC' ? 'cannot be written: the disk is full' : 'cannot be written',
      error,
    );
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** What lies aside of a file, if anything. */
export const readAside = (path: string): FileState | undefined => readState(asideOf(path));

export const dropAside = (path: string): void => rmSync(asideOf(path), { force: true });

/** Gives a file back its name after a crash between the two moves. */
export function bringBack(path: string): void {
  if (readState(path) || !readAside(path)) return;
  if (isNamed(asideOf(path), path)) dropAside(path);
}

/** Deletes what a killed process left half-written. Whoever calls holds the lock: nobody else is writing. */
export function dropTemporaries(folder: string): void {
  for (const name of readdirSync(folder))
    if (/\.[0-9a-f]{12}\.tmp$/.test(name)) rmSync(join(folder, name), { force: true });
}

/** What has a name; a link is not followed. */
export function kindAt(path: string): 'none' | 'file' | 'folder' | 'link' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'none';
  if (found.isSymbolicLink()) return 'link';
  return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
}

/** Gives another name to what is there, a link itself and not what it leads to. @throws FILE_UNREADABLE */
export function moveAway(path: string, to: string): void {
  try {
    renameSync(path, to);
  } catch (error) {
    throw unusable(path, 'cannot be moved aside', error);
  }
}

/** A small file that may be lost: written whole, but not waited for. */
export function writeNote(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeNew(temporary, text, { isSynced: false });
    renameSync(temporary, path);
  } catch (error) {
    throw unusable(path, 'cannot be written', error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Adds lines to the end of a file, on the disk when it returns. */
export function appendLines(path: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants;
  try {
    const file = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
    try {
      // A line that a crash cut short must not take the next one with it.
      const isCut = !/(?:^|\n)$/.test(readFileSync(file, 'utf8'));
      writeAll(file, `${isCut ? '\n' : ''}${lines.join('\n')}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unusable(path, 'cannot be written', error);
  }
}

/** Takes lines out of a file that is written by `appendLines`. */
export function dropLines(path: string, isDropped: (line: string) => boolean): void {
  const text = readState(path)?.text;
  if (text === undefined) return;
  const kept = text.split('\n').filter((line) => !isDropped(line));
  if (kept.join('\n') !== text) writeNote(path, kept.join('\n'));
}

/** True for a folder below one that a version control system checked out. */
export function isInCheckout(folder: string): boolean {
  const path = resolve(folder);
  return existsSync(join(path, '.git')) || (dirname(path) !== path && isInCheckout(dirname(path)));
}

/** What is in a folder; nothing in one that is not there. @throws FILE_UNREADABLE where it cannot be read */
export const namesIn = (folder: string): readonly string[] => listed(folder).map(({ name }) => name);

/** The folders in a folder, links left out. */
export const foldersIn = (folder: string): readonly string[] =>
  listed(folder).flatMap((one) => (one.isDirectory() ? one.name : []));

function listed(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw unusable(folder, 'cannot be read', error);
  }
}

/** Makes a file for its owner alone; throws where there is one. */
export function writeNew(path: string, text: string, { isSynced = true }: { readonly isSynced?: boolean } = {}): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeAll(file, text);
    if (isSynced) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A disk that is nearly full takes a part without a word. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

function moved(path: string, to: string): boolean {
  try {
    renameSync(path, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Names a file unless another one has the name. */
function isNamed(file: string, path: string): boolean {
  try {
    linkSync(file, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A file system without hard links; the name was free a moment ago.
    renameSync(file, path);
  }
  return true;
}

function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } catch {
    // Some file systems cannot; the file itself is on the disk.
  } finally {
    closeSync(file);
  }
}

const unusable = (path: string, what: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError(
    'FILE_UNREADABLE',
    `The memory ${path} ${what}${cause === undefined ? '' : ` (${codeOf(cause)})`}. It was left as it is: expected a plain text file in UTF-8, in a folder that can be written to.`,
    { evidence: { path, reason: cause === undefined ? undefined : codeOf(cause) }, cause },
  );

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason';
