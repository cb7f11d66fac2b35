/** What an error of the driver means to a caller. The numbers are SQLite's result codes (sqlite.org/rescode.html). */
import { type ErrorCode, PalimpsestError } from '../../shared/errors.ts';

interface Meaning {
  readonly code: ErrorCode;
  readonly message: string;
}

const meanings: Readonly<Record<number, Meaning>> = {
  5: {
    code: 'STORE_BUSY',
    message: 'another process kept it locked. Nothing was written: try again, or allow a longer busy time.',
  },
  7: { code: 'STORE_UNREADABLE', message: 'there was not enough memory. Nothing was written.' },
  8: {
    code: 'STORE_READ_ONLY',
    message: 'its file or folder is read-only. Nothing was written: make both writable, or open the store for reading.',
  },
  10: {
    code: 'STORE_UNREADABLE',
    message: 'the disk reported a read or write error. Nothing was written: check the disk.',
  },
  11: {
    code: 'STORE_DAMAGED',
    message:
      'part of it cannot be read. Restore a backup, or run `palimpsest doctor --repair`, which copies what can be read to a new file.',
  },
  13: { code: 'STORE_FULL', message: 'its disk is full. Nothing was written: free some space and try again.' },
  14: {
    code: 'STORE_UNREADABLE',
    message: 'its file cannot be opened. Expected a readable and writable file and folder: check both.',
  },
  18: { code: 'BAD_MESSAGES', message: 'one text is larger than the limit of a store (1 GB). Nothing was written.' },
  26: {
    code: 'STORE_FOREIGN',
    message: 'the file is not an SQLite database. It was not changed: name another file, or restore a backup.',
  },
};

/** SQLite's locked-by-another codes: worth another try. */
export const isBusy = (error: unknown): boolean => resultCode(error) === 5 || resultCode(error) === 6;

/** SQLite's codes for what may only be read, or not be opened. */
export const isRefused = (error: unknown): boolean => resultCode(error) === 8 || resultCode(error) === 14;

/** The error that a caller gets for what the driver threw; what is no failure of the store stays as it is. */
export function storeFailure(error: unknown, where: string): unknown {
  const code = resultCode(error);
  const meaning = code === undefined ? undefined : meanings[code === 6 ? 5 : code];
  if (!meaning) return error;
  return new PalimpsestError(meaning.code, `The store ${where}: ${meaning.message}`, {
    evidence: { path: where, sqlite: code },
    cause: error,
  });
}

/** Extended codes of `SQLITE_IOERR` for what concerns writing: write, fsync, fsync of the folder, truncate, lock, close. */
const writeErrors: ReadonlySet<number | undefined> = new Set([778, 1034, 1290, 1546, 3850, 4106]);

/** The error for a copy that could not be written; what went wrong in reading the store stays as it is. */
export function copyFailure(
  error: unknown,
  { path, bytes }: { readonly path: string; readonly bytes: number },
): unknown {
  const code = resultCode(error);
  const about = { evidence: { path, sqlite: code }, cause: error };
  const rest = 'No copy was kept, and the store was not changed';
  if (code === 13) {
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    const message = `There is no room for the copy ${path}, which needs up to ${size}. ${rest}: free some space on its disk, or name a file on another disk.`;
    return new PalimpsestError('STORE_FULL', message, about);
  }
  const isOfCopy = code === 8 || code === 14 || writeErrors.has(extendedCode(error));
  if (!isOfCopy) return error;
  const message = `The copy ${path} cannot be written. ${rest}: check its folder and disk, or name another file.`;
  return new PalimpsestError('STORE_UNREADABLE', message, about);
}

/** The primary result code of an error of the driver. */
function resultCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
