/**
 * The place of a store on disk: whether the file that was opened is still there, and whether what lies beside it is its
 * own. SQLite finds the log of a database by its name alone, and would play that of one file into another.
 */
import { randomBytes } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { PalimpsestError } from '../../shared/errors.ts';
import { readHeader, unreadable } from './file.ts';
import { databaseEndings } from './file-kind.ts';

/** Tells a file from every other one, whatever its name; undefined where nothing is. An empty one is no store any more. */
export type FileIdentity = string | undefined;

const emptied = ' (empty)';

/** One `stat`. Throws `STORE_UNREADABLE` where that cannot be told, as after the loss of a network disk. */
export function fileIdentity(path: string): FileIdentity {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}${found.size > 0n ? '' : emptied}`;
  } catch (error) {
    throw unreadable(path, 'can no longer be checked', error);
  }
}

/** What became of a write when the file was found to be another one. */
const outcomes = {
  before: 'Nothing was written.',
  after: 'The last write went to the file that was open, not to the file that has its name now.',
} as const;

/** Throws `STORE_REPLACED` unless the file that was opened is still at its path. */
export function requireSameFile(path: string, opened: FileIdentity, when: keyof typeof outcomes): void {
  const found = fileIdentity(path);
  if (found === opened) return;
  const what =
    found === undefined
      ? 'was moved or deleted'
      : found === `${opened}${emptied}`
        ? 'was emptied'
        : 'was replaced by another file';
  const advice = 'Close it, put the right file in place, and open it again.';
  throw new PalimpsestError(
    'STORE_REPLACED',
    `The store ${path} ${what} while it was open. ${outcomes[when]} ${advice}`,
    {
      evidence: { path, isThere: found !== undefined },
    },
  );
}

/** True where a file was emptied that is still the one that was opened. */
export const isEmptied = (path: string, opened: FileIdentity): boolean => fileIdentity(path) === `${opened}${emptied}`;

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
 * one that never had a log. A log that holds anything is kept under a name of its own. Whoever has that earlier file open
 * goes on with what it has, and hears of it at its next write.
 *
 * A log beside an empty file may be all that is left of it: then `STORE_REPLACED` is thrown.
 */
export function clearStrays(path: string, { readOnly }: { readonly readOnly: boolean }): void {
  const place = realPath(path);
  const before = strays(place);
  // Looked at after its log: whoever makes a store makes the file first, and gives it a log last.
  const header = readHeader(place);
  const isOwn = typeof header === 'object' && header.hasLog;
  const isLogFree = !before.some(({ ending, size }) => ending === '-wal' && size > 0);
  if (before.length === 0 || isOwn || header === 'foreign' || (header !== undefined && isLogFree)) return;
  // Half of a store that is being made by another process may be a journal, which is its own.
  if (header !== undefined && before.every(({ ending }) => ending === '-journal')) return;
  if (header === 'empty' || readOnly) throw strayLog(path, header === 'empty' ? 'is empty' : 'is read-only');
  const aside = `${place}.left-${randomBytes(4).toString('hex')}`;
  for (const { ending, size } of before) {
    if (header !== undefined && ending === '-journal') continue;
    if (size > 0 && ending !== '-shm') renameSync(`${place}${ending}`, `${aside}${ending}`);
    else rmSync(`${place}${ending}`, { force: true });
  }
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
