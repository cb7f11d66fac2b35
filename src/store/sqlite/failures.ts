/** What an error of the driver means to a caller. The numbers are SQLite's result codes (sqlite.org/rescode.html). */
import { type ErrorCode, PalimpsestError } from '../../shared/errors.ts';

interface Meaning {
  readonly code: ErrorCode;
  readonly message: string;
}

const meanings: Readonly<Record<number, Meaning>> = {
  5: {
    code: 'STORE_BUSY',
    message: 'another process kept it locked; nothing was written. Try again, or give it a longer busy time.',
  },
  7: { code: 'STORE_UNREADABLE', message: 'there was not enough memory. Nothing was written.' },
  8: {
    code: 'STORE_READ_ONLY',
    message: 'its file or folder may only be read. Nothing was written: allow writing to both, or open it for reading.',
  },
  10: {
    code: 'STORE_UNREADABLE',
    message: 'the disk refused to read or write. Nothing was written: look at the disk.',
  },
  11: {
    code: 'STORE_DAMAGED',
    message:
      'a part of it cannot be read. Restore a backup, or run `palimpsest doctor --repair`, which takes what can be read into a copy.',
  },
  13: { code: 'STORE_FULL', message: 'there is no room to write. Nothing was written: make room and try again.' },
  14: {
    code: 'STORE_UNREADABLE',
    message: 'its file cannot be opened. Expected a file in a folder that may be read and written: look at both.',
  },
  18: { code: 'BAD_MESSAGES', message: 'one text is larger than a store can take (1 GB). Nothing was written.' },
  26: {
    code: 'STORE_FOREIGN',
    message: 'the file is not a SQLite database. It was not changed: name another file, or restore a backup.',
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
  const rest = 'Nothing of it was kept, and the store is as it was';
  if (code === 13) {
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    const message = `There is no room for the copy ${path} on its disk, which takes up to ${size}. ${rest}: make room on that disk, or name a file on another one.`;
    return new PalimpsestError('STORE_FULL', message, about);
  }
  const isOfCopy = code === 8 || code === 14 || writeErrors.has(extendedCode(error));
  if (!isOfCopy) return error;
  const message = `The copy ${path} cannot be written. ${rest}: look at that folder and its disk, or name a file elsewhere.`;
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
