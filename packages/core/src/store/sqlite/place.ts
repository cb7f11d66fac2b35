/**
 * The place of a store on disk: whether the file that was opened is still there, and whether what lies beside it is its
 * own. SQLite finds the log of a database by its name alone, and would play that of one file into another.
 */
import { randomBytes } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { PalimpsestError } from '../../shared/errors.ts';
import { databaseEndings, type FileHeader, readHeader, unreadable } from './file.ts';
import { type Mark, markInFile, marksInLog, markVersion } from './mark.ts';

/** Tells a file from every other one, whatever its name; undefined where nothing is. An empty one is no store any more. */
export type FileIdentity = string | undefined;

const emptied = ' (empty)';

interface Look {
  readonly identity: FileIdentity;
  /** Changes whenever the file is written, by whomever. */
  readonly state: string;
}

/** One `stat`. Throws `STORE_UNREADABLE` where that cannot be told, as after the loss of a network disk. */
function lookAt(path: string): Look {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!found) return { identity: undefined, state: '' };
    const { dev, ino, size, ctimeNs } = found;
    return { identity: `${dev}:${ino}${size > 0n ? '' : emptied}`, state: `${ctimeNs}:${size}` };
  } catch (error) {
    throw unreadable(path, 'can no longer be checked', error);
  }
}

export const fileIdentity = (path: string): FileIdentity => lookAt(path).identity;

/** What became of a write when the file was found to be another one. */
const outcomes = {
  before: 'Nothing was written.',
  after: 'The last write went to the file that was open, not to the file that has its name now.',
} as const;

type When = keyof typeof outcomes;

/** Throws `STORE_REPLACED` unless the file that was opened is still at its path. */
export function requireSameFile(path: string, opened: FileIdentity, when: When): void {
  const found = fileIdentity(path);
  if (found !== opened) throw replaced(path, whatBecame(found, opened), when);
}

const whatBecame = (found: FileIdentity, opened: FileIdentity): string =>
  found === undefined
    ? 'was moved or deleted'
    : found === `${opened}${emptied}`
      ? 'was emptied'
      : 'was replaced by another file';

function replaced(path: string, what: string, when: When): PalimpsestError {
  const advice = 'Close it, put the right file in place, and open it again.';
  const message = `The store ${path} ${what} while it was open. ${outcomes[when]} ${advice}`;
  return new PalimpsestError('STORE_REPLACED', message, {
    evidence: { path, isThere: what !== whatBecame(undefined, '') },
  });
}

/** The file of an open store, and what this process has seen of it. */
export interface OpenFile {
  /**
   * Throws `STORE_REPLACED` unless the file that was opened is still at its path, with a state of this store in it. `newest`
   * tells the count of the mark that no state in the file can have passed.
   */
  requireSame(when: When, newest: () => number): void;
  /** Whether its place or its content is another one now. */
  found(newest: () => number): 'same' | 'elsewhere' | 'overwritten';
}

/**
 * Keeps an eye on a file that was just opened. Its content is looked at only after somebody wrote to it, be it SQLite
 * itself: with a log that is now and then. A store whose mark is not in the file yet is told by its place alone.
 */
export function openFile(path: string, identity: FileIdentity, mark: Mark | undefined): OpenFile {
  let state = '';
  let seen: Mark | undefined;

  function isContentSame(look: Look, newest: () => number): boolean {
    if (!mark || look.state === state) return true;
    const content = markInFile(path);
    if (content ? content.id !== mark.id || content.count > newest() : seen) return false;
    if (content && seen && content.count < seen.count) return false;
    [state, seen] = [look.state, content];
    return true;
  }

  function requireSame(when: When, newest: () => number): void {
    const look = lookAt(path);
    if (look.identity !== identity) throw replaced(path, whatBecame(look.identity, identity), when);
    if (!isContentSame(look, newest)) throw replaced(path, 'was overwritten by another file', when);
  }

  function found(newest: () => number): 'same' | 'elsewhere' | 'overwritten' {
    const look = lookAt(path);
    if (look.identity === `${identity}${emptied}`) return 'overwritten';
    if (look.identity !== identity) return 'elsewhere';
    return isContentSame(look, newest) ? 'same' : 'overwritten';
  }

  requireSame('before', () => Number.POSITIVE_INFINITY);
  return { requireSame, found };
}

/** The same for an empty file and for what it becomes. */
export const withoutSize = (identity: FileIdentity): FileIdentity => identity?.replace(emptied, '');

/** True when nobody has written to the log beside a path since the file there came, or there is none. */
export function isUntouchedLog(path: string): boolean {
  const place = realPath(path);
  const [file, log] = [place, `${place}-wal`].map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }));
  return file === undefined || log === undefined || log.mtimeNs < file.ctimeNs;
}

/**
 * Takes away what an earlier file of this name left beside it, where that is certain: there is no file of that name, or
 * one that never had a log, or the marks in file and log are of different stores or of states that never met. A log that holds anything is kept under a name of its own. Whoever has that earlier file open
 * goes on with what it has, and hears of it at its next write.
 *
 * Returns whether the file was parted from the log of another one. A log beside an empty file may be all that is left of it: then `STORE_REPLACED` is thrown.
 */
export function clearStrays(path: string, { readOnly }: { readonly readOnly: boolean }): boolean {
  const place = realPath(path);
  const before = strays(place);
  // Looked at after its log: whoever makes a store makes the file first, and gives it a log last.
  const header = readHeader(place);
  const isOwn = typeof header === 'object' && header.hasLog && !isForeignLog(place, header);
  const isLogFree = !before.some(({ ending, size }) => ending === '-wal' && size > 0);
  if (before.length === 0 || isOwn || header === 'foreign' || (header !== undefined && isLogFree)) return false;
  // Half of a store that is being made by another process may be a journal, which is its own.
  if (header !== undefined && before.every(({ ending }) => ending === '-journal')) return false;
  if (header === 'empty' || readOnly) throw strayLog(path, header === 'empty' ? 'is empty' : 'may only be read');
  const aside = `${place}.left-${randomBytes(4).toString('hex')}`;
  for (const { ending, size } of before) {
    if (header !== undefined && ending === '-journal') continue;
    if (size > 0 && ending !== '-shm') renameSync(`${place}${ending}`, `${aside}${ending}`);
    else rmSync(`${place}${ending}`, { force: true });
  }
  return header !== undefined;
}

/**
 * True for the log of another store, or of another state of this one. A log begins with the transaction behind the last one
 * that is wholly in the file, and the file gets nothing that is not in the log.
 */
function isForeignLog(path: string, { userVersion }: FileHeader): boolean {
  const log = marksInLog(`${path}-wal`);
  // Only the transaction that parts a store from the log of another one has this count, and gives it a new id.
  if (!log || log.first.count === 0) return false;
  const content = markInFile(path);
  // One of an older schema has none; in a newer one the page of the mark is damaged, and the log may hold it whole.
  if (!content) return userVersion < markVersion && log.first.count > 1;
  if (content.id !== log.first.id || content.count < log.first.count - 1) return true;
  if (content.count <= log.last.count) return false;
  // Others may have written on between the two looks: only what is in no later log either is foreign.
  const later = marksInLog(`${path}-wal`);
  return later !== undefined && content.count > later.last.count;
}

interface Stray {
  readonly ending: (typeof databaseEndings)[number];
  readonly size: number;
}

function strays(path: string): readonly Stray[] {
  return databaseEndings.flatMap((ending) => {
    const found = statSync(`${path}${ending}`, { throwIfNoEntry: false });
    return found ? [{ ending, size: found.size }] : [];
  });
}

/** SQLite keeps the log beside the file itself, and not beside a link to it. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is there yet.
    return path;
  }
}

function strayLog(path: string, why: string): PalimpsestError {
  const message =
    `The store ${path} ${why}, but beside it is ${path}-wal, the log of another file or of its earlier content. ` +
    'Nothing was changed: put the right file back, or move the log away.';
  return new PalimpsestError('STORE_REPLACED', message, { evidence: { path } });
}
