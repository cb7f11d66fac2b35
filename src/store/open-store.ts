/** The door to the store: opens it, and makes one of a backup. */
import { PalimpsestError } from '../shared/errors.ts';
import type { Instant } from './ids.ts';
import type { Store } from './store.ts';

/** Which store is opened, and how. */
export interface StoreOptions {
  /** The file; its folder is made when it is missing. `:memory:` for a store that ends with the process. */
  readonly path: string;
  /** Opens a store that exists, and never writes to it. @default false */
  readonly readOnly?: boolean;
  /** How long a call waits for other processes before it throws `STORE_BUSY`. @default 5000 */
  readonly busyMilliseconds?: number;
  /** @default the time of the system */
  readonly clock?: () => Instant;
}

const defaultBusyMilliseconds = 5_000;

/**
 * Opens a store, and makes it when it is not there. Several processes may have one open at once.
 *
 * Throws `STORE_FOREIGN`, `STORE_NEWER`, `STORE_READ_ONLY`, `STORE_UNREADABLE`, `STORE_DAMAGED`, `STORE_FULL`, `STORE_BUSY`
 * or `STORE_ENGINE`; a file that cannot be opened is left as it was.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { path, readOnly = false, busyMilliseconds = defaultBusyMilliseconds, clock = Date.now } = options;
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new PalimpsestError('BAD_OPTION', 'Expected the path of a store: a file, or `:memory:`.');
  }
  if (!(busyMilliseconds >= 0 && busyMilliseconds <= 3_600_000)) {
    const message = `Expected busyMilliseconds between 0 and 3,600,000, not ${busyMilliseconds}.`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { busyMilliseconds } });
  }
  // Only a process that opens a store loads the driver.
  const { openSqliteStore } = await import('./sqlite/store.ts');
  return openSqliteStore({ path, readOnly, busyMilliseconds, clock: () => Math.floor(clock()) });
}

/**
 * Makes a store of a backup that `care.backup` wrote; the backup stays as it is. Refuses a file that exists. Returns the
 * bytes of the new store.
 */
export async function restoreStore(from: string, to: string): Promise<number> {
  const { restoreDatabase } = await import('./sqlite/care/copy.ts');
  return restoreDatabase(from, to);
}
