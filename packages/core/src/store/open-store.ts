/** The door to the store: opens it, and makes one of a backup. */

import { PalimpsestError } from '../shared/errors.ts';
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import { aClock, type Clock } from '../shared/timers.ts';
import { requireStorePath } from './sqlite/file.ts';
import type { RescueReport, Store } from './store.ts';

/** Which store is opened, and how. */
export interface StoreOptions {
  /** The file; its folder is made when it is missing. `:memory:` for a store that ends with the process. */
  readonly path: string;
  /** Opens a store that exists, and never writes to it. @default false */
  readonly readOnly?: boolean;
  /** How long a call waits for other processes before it throws `STORE_BUSY`. @default 5000 */
  readonly busyMilliseconds?: number;
  /**
   * Lets writes that are asked for in the same moment share a transaction, for a process that writes for many at a time. Each is kept
   * whole or not at all, and settles once it is kept; where the disk fails them, all of that moment fail. @default false
   */
  readonly gathersWrites?: boolean;
  /** What the times of messages and leases are taken from. @default that of the platform */
  readonly clock?: Pick<Clock, 'now'>;
}

const knownOptions: KnownOptions<StoreOptions> = {
  path: true,
  readOnly: true,
  busyMilliseconds: true,
  gathersWrites: true,
  clock: aClock,
};

const defaultBusyMilliseconds = 5_000;

/**
 * Opens a store, and makes it when it is not there. Several processes may have one open at once.
 *
 * Throws `STORE_FOREIGN`, `STORE_NEWER`, `STORE_REPLACED`, `STORE_READ_ONLY`, `STORE_UNREADABLE`, `STORE_DAMAGED`, `STORE_FULL`, `STORE_BUSY`
 * or `STORE_ENGINE`, and `BAD_OPTION` for an option that makes no sense; a file that cannot be opened is left as it was.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  checkKnownOptions('openStore', options, knownOptions);
  const {
    path,
    readOnly = false,
    busyMilliseconds = defaultBusyMilliseconds,
    gathersWrites = false,
    clock = {},
  } = options;
  const { now = Date.now } = clock;
  requireStorePath(path);
  if (!(busyMilliseconds >= 0 && busyMilliseconds <= 3_600_000)) {
    const message = `Expected busyMilliseconds between 0 and 3,600,000, not ${busyMilliseconds}.`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { busyMilliseconds } });
  }
  // Only a process that opens a store loads the driver.
  const { openSqliteStore } = await withSqlite(() => import('./sqlite/store.ts'));
  return openSqliteStore({ path, readOnly, busyMilliseconds, gathersWrites, clock: () => Math.floor(now()) });
}

/**
 * Makes a store of a backup that `care.backup` wrote; the backup stays as it is. Refuses a file that exists. Returns the
 * bytes of the new store.
 */
export async function restoreStore(from: string, to: string): Promise<number> {
  for (const path of [from, to]) requireStorePath(path);
  const { restoreDatabase } = await withSqlite(() => import('./sqlite/care.ts'));
  return restoreDatabase(from, to);
}

/**
 * Takes everything that can be read out of a damaged store into a new file, also where the store cannot be opened: cut
 * short, or with pages of zeros. The damaged one is only read. Refuses a file that exists; throws `STORE_DAMAGED` where
 * nothing of a store is left. Returns what the new file holds and what is missing.
 */
export async function rescueStore(from: string, to: string): Promise<RescueReport> {
  for (const path of [from, to]) requireStorePath(path);
  const { rescueDatabase } = await withSqlite(() => import('./sqlite/rescue/rescue.ts'));
  return rescueDatabase(from, to, Date.now);
}

/** Loads what needs SQLite, which an older Node does not have; that alone would be told in words of its loader. */
async function withSqlite<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_BUILTIN_MODULE')) throw error;
    const { version } = await import('node:process');
    const message = `Expected a Node with SQLite, 24.15 or newer; this is Node ${version}, which has no SQLite. Install a newer version.`;
    throw new PalimpsestError('STORE_ENGINE', message, { evidence: { version }, cause: error });
  }
}
