/** The file of a store before SQLite opens it: what may name it, what it is, and how a new one is made. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';

/** What SQLite adds to the name of a database for the files that it keeps beside it. */
export const databaseEndings = ['-wal', '-shm', '-journal'] as const;

/** What the first bytes of a database are (sqlite.org/fileformat.html#the_database_header). */
export const databaseMagic = 'SQLite format 3\0';

/** Of a write-ahead log with checksums in either byte order, and of a rollback journal. */
const otherMagics = ['377f0682', '377f0683', 'd9d505f920a163d7'];

/** The first number in the index of a write-ahead log (sqlite.org/walformat.html#the_wal_index_header). */
const indexVersion = 3_007_000;

/** True for the first 16 bytes of a database, of its log, of the log's index or of its journal. */
export function isOfDatabase(head: Buffer): boolean {
  if (head.toString('latin1', 0, databaseMagic.length) === databaseMagic) return true;
  if (otherMagics.some((magic) => head.toString('hex').startsWith(magic))) return true;
  return head.length >= 8 && [head.readUInt32LE(0), head.readUInt32BE(0)].includes(indexVersion);
}

/** What the first 100 bytes of a database say (sqlite.org/fileformat.html#the_database_header). */
export interface FileHeader {
  readonly userVersion: number;
  readonly applicationId: number;
  /** True for one that keeps a write-ahead log. */
  readonly hasLog: boolean;
}

/** Written into every store: `PALI`. */
export const applicationId = 0x50414c49;

const userVersionAt = 60;
const applicationIdAt = 68;
/** 2 for a database with a write-ahead log, 1 for one with a rollback journal. */
const readVersionAt = 19;

/** The header of a file; `empty` for one without content, `foreign` for no database, undefined for no file. */
export function readHeader(path: string): FileHeader | 'empty' | 'foreign' | undefined {
  using file = openBytes(path);
  if (!file) return undefined;
  if (file.size === 0) return 'empty';
  const bytes = file.read(0, 100);
  if (bytes.length < 100 || bytes.toString('latin1', 0, databaseMagic.length) !== databaseMagic) return 'foreign';
  return {
    userVersion: bytes.readUInt32BE(userVersionAt),
    applicationId: bytes.readUInt32BE(applicationIdAt),
    hasLog: bytes[readVersionAt] === 2,
  };
}

/** A file that is read piece by piece. */
export interface FileBytes {
  readonly size: number;
  /** Bytes from a place on; fewer where the file ends. */
  read(at: number, length: number): Buffer;
}

/** Opens a file for reading alone; undefined for one that is not there. */
export function openBytes(path: string): (FileBytes & Disposable) | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(path, 'cannot be read', error);
  }
  return {
    size: fstatSync(file).size,
    read: (at, length) => {
      const bytes = Buffer.alloc(length);
      try {
        return bytes.subarray(0, readSync(file, bytes, 0, length, at));
      } catch (error) {
        throw unreadable(path, 'cannot be read', error);
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

/** The mode of every file of a store; of a folder that is made for it, the same with leave to enter. */
export const ownerOnly = 0o600;

/** How a new file is made. */
interface NewFile {
  /** The name that people know it by. @default its path */
  readonly named?: string;
  /** @default false */
  readonly mustBeNew?: boolean;
}

/** Makes the file for a new store, for its owner alone; the files that SQLite puts beside it get the same mode. */
export function createFile(path: string, { named = path, mustBeNew = false }: NewFile = {}): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, mustBeNew ? 'ax' : 'a', ownerOnly));
  } catch (error) {
    throw isRefused(error) ? readOnly(named, error) : unreadable(named, 'cannot be made', error);
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
 * exists, for the name of a file that belongs to another database, and for a write-ahead log that an earlier store of that
 * name left: it would be played into the new one. Returns the bytes of the file.
 */
export async function createWhole(path: string, fill: (partial: string) => Promise<void>): Promise<number> {
  requireNoFile(path);
  // A name that nobody else has: what lies here under any other one may be somebody's only copy.
  const partial = join(dirname(path), `.palimpsest-${randomBytes(6).toString('hex')}.tmp`);
  createFile(partial, { named: path, mustBeNew: true });
  try {
    await fill(partial);
    syncFile(partial);
    giveName(partial, path);
  } finally {
    for (const ending of ['', ...databaseEndings]) rmSync(`${partial}${ending}`, { force: true });
  }
  return statSync(path).size;
}

function requireNoFile(path: string): void {
  for (const ending of ['', ...databaseEndings]) if (isThere(`${path}${ending}`)) throw occupied(`${path}${ending}`);
  const ending = databaseEndings.find((one) => path.toLowerCase().endsWith(one));
  const database = ending === undefined ? undefined : path.slice(0, -ending.length);
  if (database === undefined || !isThere(database)) return;
  const message = `${path} is a name that SQLite uses for a file of ${database}: name another file.`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { path } });
}

/** A link counts, wherever it leads. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Names a whole file. A second name never takes the place of a file that came meanwhile, as `rename` would. */
export function giveName(partial: string, path: string): void {
  try {
    linkSync(partial, path);
    rmSync(partial, { force: true });
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw occupied(path);
    // A file system without hard links; the place was free a moment ago.
    renameSync(partial, path);
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const occupied = (path: string): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', `${path} already exists: name another file, or move this one away.`, {
    evidence: { path },
  });

export const unreadable = (path: string, what: string, cause: unknown): PalimpsestError =>
  new PalimpsestError(
    'STORE_UNREADABLE',
    `The store ${path} ${what} (${reason(cause)}). Expected a readable and writable file and folder.`,
    { evidence: { path }, cause },
  );

const readOnly = (path: string, cause: unknown): PalimpsestError =>
  new PalimpsestError(
    'STORE_READ_ONLY',
    `The store ${path} is read-only (${reason(cause)}). Make the file and its folder writable, or open it for reading.`,
    { evidence: { path }, cause },
  );

const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const reason = (error: unknown): string => systemCode(error) ?? 'unknown reason';
const isMissing = (error: unknown): boolean => systemCode(error) === 'ENOENT';
const isRefused = (error: unknown): boolean => ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '');

/**
 * Throws `BAD_OPTION` for what is no path. An address such as `file:store.db` is none: SQLite would open the file that it
 * means, and everything else one of that very name.
 */
export function requireStorePath(path: unknown): asserts path is string {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new PalimpsestError('BAD_OPTION', 'Expected the path of a store: a file, or `:memory:`.');
  }
  if (!/^file:/i.test(path)) return;
  const message = `Expected the path of a store, not the address ${path}: give the path alone, or ./${path} for a file of that name.`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { path } });
}
