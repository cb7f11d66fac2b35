/** The file of a store before SQLite opens it: what it is, and how a new one is made. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';

/** What the first 100 bytes of a database say (sqlite.org/fileformat.html#the_database_header). */
export interface FileHeader {
  readonly userVersion: number;
  readonly applicationId: number;
}

/** Written into every store: `PALI`. */
export const applicationId = 0x50414c49;

const magic = 'SQLite format 3\0';
const userVersionAt = 60;
const applicationIdAt = 68;

/** The header of a file; `empty` for one without content, `foreign` for no database, undefined for no file. */
export function readHeader(path: string): FileHeader | 'empty' | 'foreign' | undefined {
  const bytes = Buffer.alloc(100);
  let length: number;
  try {
    const file = openSync(path, 'r');
    try {
      length = readSync(file, bytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path, 'cannot be read', error);
  }
  if (length === 0) return 'empty';
  if (length < bytes.length || bytes.toString('latin1', 0, magic.length) !== magic) return 'foreign';
  return { userVersion: bytes.readUInt32BE(userVersionAt), applicationId: bytes.readUInt32BE(applicationIdAt) };
}

/** The mode of every file of a store; of a folder that is made for it, the same with leave to enter. */
export const ownerOnly = 0o600;

/** Makes the file for a new store, for its owner alone; the files that SQLite puts beside it get the same mode. */
export function createFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', ownerOnly));
  } catch (error) {
    throw isRefused(error) ? readOnly(path, error) : unreadable(path, 'cannot be made', error);
  }
}

/** Refuses a file that cannot be written, or whose folder cannot: SQLite would only say so at the first write. */
export function requireWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw readOnly(path, error);
  }
}

/** True while a store has a write-ahead log: somebody has it open, or crashed. */
export const hasLog = (path: string): boolean => existsSync(`${path}-wal`);

/** The permissions of a file; undefined where there is no file. */
export const fileMode = (path: string): number | undefined => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  return mode === undefined ? undefined : mode & 0o777;
};

export const setFileMode = (path: string, mode: number): void => chmodSync(path, mode);

/**
 * Lets `fill` write a new file beside `path`, and gives it that name when it is whole. Throws `BAD_OPTION` for a file that
 * exists, and for a write-ahead log that an earlier store of that name left: it would be played into the new one.
 * Returns the bytes of the file.
 */
export function createWhole(path: string, fill: (partial: string) => void): number {
  for (const known of [path, `${path}-wal`, `${path}-journal`]) if (existsSync(known)) throw occupied(known);
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  createFile(partial);
  try {
    fill(partial);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  return statSync(path).size;
}

const occupied = (path: string): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', `${path} exists and was not touched. Name a new file, or move that one away.`, {
    evidence: { path },
  });

const unreadable = (path: string, what: string, cause: unknown): PalimpsestError =>
  new PalimpsestError(
    'STORE_UNREADABLE',
    `The store ${path} ${what} (${reason(cause)}). Expected a file in a folder that may be read and written.`,
    { evidence: { path }, cause },
  );

const readOnly = (path: string, cause: unknown): PalimpsestError =>
  new PalimpsestError(
    'STORE_READ_ONLY',
    `The store ${path} may only be read (${reason(cause)}). Allow writing to the file and its folder, or open it for reading.`,
    { evidence: { path }, cause },
  );

const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const reason = (error: unknown): string => systemCode(error) ?? 'unknown reason';
const isMissing = (error: unknown): boolean => systemCode(error) === 'ENOENT';
const isRefused = (error: unknown): boolean => ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '');
