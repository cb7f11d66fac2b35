/** One open database: statements prepared once, and the one path by which everything is read and written. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Instant } from '../ids.ts';
import { isBusy, storeFailure } from './failures.ts';
import { readMark, renewMark } from './mark.ts';
import { clearStrays, isUntouchedLog, type OpenFile } from './place.ts';
import { integer } from './rows.ts';

export interface Connection {
  readonly db: DatabaseSync;
  /** The path of the file, for messages. */
  readonly where: string;
  readonly clock: () => Instant;
  /** A statement, prepared at its first use. */
  sql(text: string): StatementSync;
  /**
   * Runs `work` alone in one write transaction, after the writes that were asked for before. All of it is kept, or none
   * when it throws. While another process writes, it is tried again from the start until the busy time is over.
   */
  write<T>(work: () => T): Promise<T>;
  /** Runs `work` over one unchanging state of the database. */
  read<T>(work: () => T): Promise<T>;
  /** Runs `work` after the writes that were asked for before, outside of any transaction. */
  alone<T>(work: () => T): Promise<T>;
  /** Waits for the calls under way, then closes; later calls throw `STORE_CLOSED`. */
  close(last?: () => void): Promise<void>;
}

/** An open database, and the file that it is in; none for one in memory. */
export interface OpenDatabase {
  readonly db: DatabaseSync;
  readonly file?: OpenFile;
  /** Closed after the database where nothing may be written any more, and before it otherwise. */
  readonly guard?: DatabaseSync;
}

export interface ConnectionOptions {
  readonly where: string;
  readonly clock: () => Instant;
  readonly busyMilliseconds: number;
}

/** How long SQLite itself waits for a lock; longer waits leave the process free for other work. */
export const lockMilliseconds = 50;

export function createConnection({ db, file, guard }: OpenDatabase, options: ConnectionOptions): Connection {
  const { where, clock, busyMilliseconds } = options;
  const statements = new Map<string, StatementSync>();
  const breathe = createBreath();
  let open = true;
  const calls = new Set<Promise<unknown>>();
  let writes: Promise<unknown> = Promise.resolve();
  let lastVersion: unknown;
  let counted: number | undefined;

  function sql(text: string): StatementSync {
    const known = statements.get(text);
    if (known) return known;
    const statement = db.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  async function attempt<T>(work: () => T): Promise<T> {
    await breathe();
    try {
      return await untilFree(work, busyMilliseconds);
    } catch (error) {
      throw storeFailure(error, where);
    }
  }

  /** Remembers a call until it has ended. */
  async function underWay<T>(call: () => Promise<T>): Promise<T> {
    requireOpen(open, where);
    const result = call();
    calls.add(result);
    try {
      return await result;
    } finally {
      calls.delete(result);
    }
  }

  function inTurn<T>(work: () => T): Promise<T> {
    const result = writes.then(() => attempt(work));
    // The next write does not care how this one ended.
    writes = result.catch(() => undefined);
    return result;
  }

  /** All of `work` is kept, or none of it; what a file kept that is no longer the store is not acknowledged. */
  function inTransaction<T>(work: () => T): T {
    return inSameFile(() => {
      db.exec('begin immediate');
      try {
        const before = changes();
        const result = work();
        const isChanged = file !== undefined && changes() !== before;
        if (isChanged) renewMark({ sql });
        file?.requireSame('before', newest);
        const version = dataVersion();
        const known = version === lastVersion ? counted : undefined;
        counted = known === undefined ? file && readMark(db)?.count : known + (isChanged ? 1 : 0);
        lastVersion = version;
        db.exec('commit');
        return result;
      } catch (error) {
        counted = undefined;
        // SQLite has rolled back by itself where it could not go on, as on a full disk.
        if (db.isTransaction) db.exec('rollback');
        throw error;
      }
    });
  }

  function inSameFile<T>(work: () => T): T {
    try {
      const result = work();
      file?.requireSame('after', newest);
      return result;
    } catch (error) {
      if (isReplaced(error)) leaveFile();
      // A file that was emptied or cut fails in many ways, and that it is another one now is what has to be told.
      else file?.requireSame('before', newest);
      throw error;
    }
  }

  /** The newest count that a file of this store can hold. What others wrote is told by the log, which they share. */
  function newest(): number {
    const isAlone = counted !== undefined && dataVersion() === lastVersion;
    const count = isAlone ? counted : readMark(db)?.count;
    return count === undefined ? Number.POSITIVE_INFINITY : count + (db.isTransaction ? 1 : 0);
  }

  /** How many rows this connection has changed so far. */
  const changes = (): number => integer(sql('select total_changes() as n').get() ?? {}, 'n');

  /** Changes when another connection writes to the database, and not by what this one writes. */
  function dataVersion(): unknown {
    return sql('pragma data_version').get()?.data_version;
  }

  /**
   * Brings everything that was acknowledged from the log into the file that is open, wherever that is now, and empties the
   * log: under its name, it would be played into the file that has come. A log that somebody wrote to since may be that of
   * the new file already, and is left alone. A file that was overwritten takes nothing any more.
   */
  function leaveFile(): void {
    try {
      if (file?.found(newest) === 'overwritten') return;
      if (dataVersion() === lastVersion || isUntouchedLog(where)) db.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // The file that was open cannot be read any more, as when it was emptied: then nothing is brought anywhere.
    }
  }

  async function close(last: () => void = () => undefined): Promise<void> {
    if (!open) return;
    open = false;
    await Promise.allSettled(calls);
    let isOverwritten = false;
    try {
      const found = file?.found(newest) ?? 'same';
      isOverwritten = found === 'overwritten';
      if (found === 'same') last();
      else leaveFile();
    } finally {
      statements.clear();
      if (!isOverwritten) guard?.close();
      db.close();
      if (isOverwritten) leaveLog();
    }
  }

  /** Nobody may play the log of a file that was overwritten into what has come. */
  function leaveLog(): void {
    guard?.close();
    try {
      clearStrays(where, { readOnly: guard === undefined });
    } catch {
      // Beside an empty file it may be all that is left; and whoever opens the newcomer looks at the log again.
    }
  }

  return {
    db,
    where,
    clock,
    sql,
    write: (work) => underWay(() => inTurn(() => inTransaction(work))),
    read: (work) => underWay(() => attempt(() => inSnapshot(db, work))),
    alone: (work) =>
      underWay(() =>
        inTurn(() =>
          inSameFile(() => {
            file?.requireSame('before', newest);
            return work();
          }),
        ),
      ),
    close,
  };
}

/** How long calls may follow each other before the process gets to do something else. */
const breathMilliseconds = 20;

/** SQLite answers at once, so that a loop of calls would keep timers, signals and streams from ever being heard. */
function createBreath(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < breathMilliseconds) return;
    await setImmediate();
    last = performance.now();
  };
}

const isReplaced = (error: unknown): boolean => PalimpsestError.isInstance(error) && error.code === 'STORE_REPLACED';

/** Runs `work` over one state of the database. */
function inSnapshot<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin');
  try {
    return work();
  } finally {
    endSnapshot(db);
  }
}

/** A damaged page makes even this commit fail; there is nothing to keep, and what was read stays true. */
function endSnapshot(db: DatabaseSync): void {
  try {
    db.exec('commit');
  } catch {
    if (db.isTransaction) db.exec('rollback');
  }
}

/** Tries again while another process holds the lock. Random waits keep two processes from meeting again and again. */
export async function untilFree<T>(work: () => T, milliseconds: number): Promise<T> {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 15));
  }
}

function requireOpen(open: boolean, where: string): void {
  if (open) return;
  throw new PalimpsestError('STORE_CLOSED', `The store ${where} is closed. Open it again with openStore.`);
}
