/** Opens the file of a store, so that a file which is none, or not ours to change, is left as it was. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Instant } from '../ids.ts';
import { text } from '../record/database.ts';
import { lockMilliseconds, untilFree } from './connection.ts';
import { isRefused, storeFailure } from './failures.ts';
import { applicationId, createFile, hasLog, readHeader, requireWritable } from './file.ts';
import { markInFile, readMark, setNewMark } from './mark.ts';
import { latestVersion, migrate, requireKnownVersion, schemaVersion } from './migrations/migrate.ts';
import { clearStrays, fileIdentity, openFile, requireSameFile, withoutSize } from './place.ts';
import type { OpenDatabase } from './transactions.ts';

export interface DatabaseOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  readonly readOnly: boolean;
  /** Reads an older schema too, for copies of it. */
  readonly anyVersion?: boolean;
  readonly busyMilliseconds: number;
  /** @default false */
  readonly gathersWrites?: boolean;
  readonly clock: () => Instant;
}

/** The path of a store that ends with its process. */
export const memoryPath = ':memory:';

/** A database with the newest schema. Throws the `STORE_…` error that says why there is none. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { path, readOnly, busyMilliseconds } = options;
  const open = async (): Promise<DatabaseSync> => (readOnly ? openForReading(options) : openForWriting(options));
  try {
    if (path === memoryPath) return { db: await untilFree(open, busyMilliseconds) };
    const isParted = clearStrays(path, { readOnly });
    prepareFile(path, readOnly);
    return await untilFree(() => openSame({ ...options, isParted }, open), busyMilliseconds);
  } catch (error) {
    throw storeFailure(error, path);
  }
}

interface Opening extends DatabaseOptions {
  /** The log of another state of the file was taken away: whoever still has that open must hear of it. */
  readonly isParted: boolean;
}

/** The file that SQLite has open is the one that was there before and after; a new one is empty before. */
async function openSame(
  { path, readOnly, isParted }: Opening,
  open: () => Promise<DatabaseSync>,
): Promise<OpenDatabase> {
  const before = withoutSize(fileIdentity(path));
  const db = await open();
  return closedOnFailure(db, () => {
    const identity = fileIdentity(path);
    requireSameFile(path, before ?? identity, 'before');
    if (isParted) beginAnew(db);
    const mark = readMark(db);
    // A store that was just brought to the newest schema, or parted from another one, has its mark in the log alone.
    if (mark && !readOnly && markInFile(path)?.id !== mark.id) db.exec('pragma wal_checkpoint(passive)');
    const file = openFile(path, identity, mark);
    return { db, file, ...(readOnly ? {} : { guard: openGuard(path) }) };
  });
}

/** The store goes on with an id of its own. */
function beginAnew(db: DatabaseSync): void {
  db.exec('begin immediate');
  setNewMark(db);
  db.exec('commit');
}

/**
 * A second connection to the file, for reading alone. While it is there, the first one is not the last to close, and it
 * itself cannot lock the file: neither writes the log into a file that was overwritten meanwhile.
 */
function openGuard(path: string): DatabaseSync {
  const guard = new DatabaseSync(path, { readOnly: true, timeout: lockMilliseconds });
  return closedOnFailure(guard, () => {
    // A read opens the log, and keeps the file locked from then on.
    schemaVersion(guard);
    return guard;
  });
}

function prepareFile(path: string, readOnly: boolean): void {
  const header = readHeader(path);
  if (header === 'foreign') throw foreign(path, 'not an SQLite database');
  if (header === undefined || header === 'empty') {
    if (readOnly) throw missing(path);
    createFile(path);
    requireWritable(path);
    return;
  }
  // Every store has it: the transaction that makes the schema writes it too.
  if (header.applicationId !== applicationId) throw foreign(path, 'the database of another program');
  requireKnownVersion(header.userVersion, path);
  if (!readOnly) requireWritable(path);
}

async function openForWriting({ path, busyMilliseconds, clock }: DatabaseOptions): Promise<DatabaseSync> {
  const db = new DatabaseSync(path, { timeout: Math.min(lockMilliseconds, busyMilliseconds) });
  try {
    requireEngine(engineOf(db));
    // A new store is made before the WAL is switched on, so that a file either has all of the schema or nothing.
    await migrate(db, path, { clock });
    // A file system without shared memory refuses the WAL; the mode that stays then needs a sync for each commit.
    const mode = text(db.prepare('pragma journal_mode = wal').get() ?? {}, 'journal_mode');
    db.exec(`pragma synchronous = ${mode === 'wal' ? 'normal' : 'full'}`);
    db.exec(settings);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Sizes are in KiB when negative; the WAL is cut back to 64 MB after a large write. */
const settings = `
pragma foreign_keys = on;
pragma cache_size = -65536;
pragma temp_store = memory;
pragma journal_size_limit = 67108864;
pragma wal_autocheckpoint = 4000;
`;

function openForReading({ path, busyMilliseconds, anyVersion }: DatabaseOptions): DatabaseSync {
  const timeout = Math.min(lockMilliseconds, busyMilliseconds);
  const open = (location: string | URL): DatabaseSync => {
    const db = new DatabaseSync(location, { readOnly: true, timeout });
    return closedOnFailure(db, () => {
      requireEngine(engineOf(db));
      const version = schemaVersion(db);
      requireKnownVersion(version, path);
      if (version < latestVersion && !anyVersion) throw older(path, version);
      return db;
    });
  };
  try {
    return open(path);
  } catch (error) {
    if (!isRefused(error) || hasLog(path)) throw error;
    // In a folder that may only be read, SQLite cannot make the files of the WAL; where nobody writes it needs none.
    const location = pathToFileURL(path);
    location.searchParams.set('immutable', '1');
    return open(location);
  }
}

function closedOnFailure<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    db.close();
    throw error;
  }
}

const engineOf = (db: DatabaseSync): string =>
  text(db.prepare('select sqlite_version() as version').get() ?? {}, 'version');

const foreign = (path: string, what: string): PalimpsestError =>
  new PalimpsestError(
    'STORE_FOREIGN',
    `${path} is ${what}, not a Palimpsest store. It was not changed: name another file, or restore a backup. ` +
      'If it was a store, `palimpsest doctor --repair` copies what can still be read to a new file.',
    { evidence: { path } },
  );

const missing = (path: string): PalimpsestError =>
  new PalimpsestError(
    'STORE_UNREADABLE',
    `There is no store ${path}. Name an existing one, or open it for writing to create it.`,
    { evidence: { path } },
  );

const older = (path: string, version: number): PalimpsestError =>
  new PalimpsestError(
    'STORE_READ_ONLY',
    `The store ${path} has schema ${version} and must be upgraded to ${latestVersion}, but it was opened for reading. ` +
      'Open it for writing once.',
    { evidence: { path, version, latestVersion } },
  );

// The oldest SQLite that several processes may write with.

/** Older ones can lose pages when the WAL is reset (sqlite.org/wal.html#the_wal_reset_bug). */
const oldest = [3, 51, 3] as const;

/** Throws `STORE_ENGINE` for a version with the bug. */
export function requireEngine(version: string): void {
  const numbers = version.split('.').map(Number);
  for (const [i, least] of oldest.entries()) {
    const number = numbers[i] ?? 0;
    if (number > least) return;
    if (!(number < least)) continue;
    throw new PalimpsestError(
      'STORE_ENGINE',
      `Expected SQLite ${oldest.join('.')} or newer; this Node brings ${version}, which can damage a store that several ` +
        'processes write to. Use Node 24.15 or newer.',
      { evidence: { version } },
    );
  }
}
