/** The one path by which everything in an open SQLite database is read and written. */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Instant } from '../ids.ts';
import { type Database, integer, type Row, type Sql, type Work } from '../record/database.ts';
import { isBusy, storeFailure } from './failures.ts';
import { createGathering } from './gathering.ts';
import { termWriter } from './index/search-tables.ts';
import { touchMark } from './mark.ts';
import { type OpenDatabase, Transactions } from './transactions.ts';

export interface Connection extends Database {
  readonly db: DatabaseSync;
  /** The path of the file, for messages. */
  readonly where: string;
  /** Runs `work` after the writes that were asked for before, outside of any transaction. */
  alone<T>(work: Work<T>): Promise<T>;
  /** Waits for the calls under way, lets `last` write, and closes; later calls throw `STORE_CLOSED`. */
  close(last?: Work<void>): Promise<void>;
}

export interface ConnectionOptions {
  readonly where: string;
  readonly clock: () => Instant;
  readonly busyMilliseconds: number;
  /** Writes of one moment share a transaction. */
  readonly gathersWrites: boolean;
}

/** How long SQLite itself waits for a lock; longer waits leave the process free for other work. */
export const lockMilliseconds = 50;

export function createConnection(opened: OpenDatabase, options: ConnectionOptions): Connection {
  const { where, clock, busyMilliseconds, gathersWrites } = options;
  const transactions = new Transactions(opened, where);
  const breathe = createBreath();
  const calls = new Set<Promise<unknown>>();
  let isOpen = true;
  let turns: Promise<unknown> = Promise.resolve();
  let writes: Promise<unknown> = Promise.resolve();
  /** When a write last gave up on a lock that others hold. */
  let gaveUpAt = Number.NEGATIVE_INFINITY;

  /** Remembers a call until it has ended. */
  async function underWay<T>(call: () => Promise<T>): Promise<T> {
    if (!isOpen)
      throw new PalimpsestError('STORE_CLOSED', `The store ${where} is closed. Open it again with openStore.`);
    const result = call();
    calls.add(result);
    try {
      return await result;
    } catch (error) {
      throw storeFailure(error, where);
    } finally {
      calls.delete(result);
    }
  }

  /** One at a time, since all statements of a connection are in the same transaction. */
  const inTurn = <T>(work: () => Promise<T>, milliseconds = busyMilliseconds): Promise<T> =>
    untilFree(() => {
      const result = turns.then(breathe).then(work);
      turns = result.catch(() => undefined);
      return result;
    }, milliseconds);

  /** Waiting for other processes must not let a later write come first. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const askedAt = performance.now();
    // Who stood behind a write that gave up has waited for the same lock.
    const left = (): number => busyMilliseconds - (gaveUpAt >= askedAt ? performance.now() - askedAt : 0);
    const result = writes.then(() => inTurn(work, left()));
    // The next write does not care how this one ended, but for what it waited for.
    writes = result.catch((error: unknown) => {
      if (isBusy(error)) gaveUpAt = performance.now();
    });
    return result;
  }

  const { read, write, apart } = createGathering({ transactions, inTurn, inOrder });
  const connection: Connection = {
    db: opened.db,
    where,
    clock,
    terms: termWriter,
    read: (work) => underWay(() => read(work)),
    write: (work) => underWay(() => (gathersWrites ? write(work) : inOrder(() => transactions.write(work)))),
    rehearse: (work) => underWay(() => apart(() => transactions.rehearse(work))),
    erase: (tables, work) =>
      underWay(() => apart(() => erase(opened.db, () => transactions.write((sql) => rewritten(sql, tables, work))))),
    alone: (work) => underWay(() => apart(() => transactions.outside(work))),
    giveBack: () => giveBack(connection),
    close: async (last = async () => undefined) => {
      if (!isOpen) return;
      isOpen = false;
      await Promise.allSettled(calls);
      await transactions.close(last);
    },
  };
  return connection;
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

/** Tries again while another process holds the lock. Random waits keep two processes from meeting again and again. */
export async function untilFree<T>(work: () => Promise<T>, milliseconds: number): Promise<T> {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 15));
  }
}

/** What is deleted is overwritten in the file, and the log, which still has it, is emptied unless somebody reads from it. */
async function erase<T>(db: DatabaseSync, work: () => Promise<T>): Promise<T> {
  db.exec('pragma secure_delete = on');
  try {
    const result = await work();
    db.exec('pragma wal_checkpoint(truncate)');
    return result;
  } finally {
    db.exec('pragma secure_delete = off');
  }
}

/** Pages keep what stood on them before rows were moved: only pages that are given back whole have nothing left on them. */
async function rewritten<T>(sql: Sql, tables: readonly string[], work: Work<T>): Promise<T> {
  const result = await work(sql);
  for (const table of tables) await sql.run(`create temp table "kept_${table}" as select * from main."${table}"`);
  for (const table of tables.toReversed()) await sql.run(`delete from main."${table}"`);
  for (const table of tables) {
    await sql.run(`insert into main."${table}" select * from temp."kept_${table}"`);
    await sql.run(`drop table temp."kept_${table}"`);
  }
  return result;
}

/** Room of up to this share of the file is kept for what comes next. */
const keptShare = 0.1;
/** Pages a step, of 4 KiB: other processes write in between. */
const step = 1_000;
const vacuumStep = `pragma incremental_vacuum(${step})`;
const selectPages = `
select (select freelist_count from pragma_freelist_count) as free, (select page_count from pragma_page_count) as pages,
  (select auto_vacuum from pragma_auto_vacuum) as mode`;

/** `pragma auto_vacuum` of a file whose pages can be given back; one that was made without it keeps them for later. */
const incremental = 2;

/**
 * Shortens the file by its free pages where they are many. The file itself follows when its log is written back. What
 * was deleted before is gone whatever happens here, so that a store that others keep busy is left to the next deletion.
 */
async function giveBack({ db, read, write }: Connection): Promise<void> {
  const free = async (sql: Sql): Promise<number> => {
    const row: Row = (await sql.get(selectPages)) ?? {};
    const isMuch = integer(row, 'free') > integer(row, 'pages') * keptShare;
    return isMuch && integer(row, 'mode') === incremental ? integer(row, 'free') : 0;
  };
  try {
    for (let [before, left] = [Number.POSITIVE_INFINITY, await read(free)]; left > 0 && left < before; ) {
      before = left;
      left = await write(async (sql) => {
        db.exec(vacuumStep);
        // No row changes by that, but the log must tell whose it is.
        await touchMark(sql);
        return free(sql);
      });
    }
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== 'STORE_BUSY') throw error;
  }
}
