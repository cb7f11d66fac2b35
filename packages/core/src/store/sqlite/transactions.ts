/**
 * Transactions of one open database, and the file that they go to: what a file kept that is no longer the store is not
 * acknowledged. SQLite holds one transaction at a time, so callers must wait for each other.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { PalimpsestError } from '../../shared/errors.ts';
import { integer, type Sql, type Work } from '../record/database.ts';
import { isBusy } from './failures.ts';
import { readMark, renewMark } from './mark.ts';
import { clearStrays, isUntouchedLog, type OpenFile } from './place.ts';
import { statementsOf } from './sql.ts';

/** An open database, and the file that it is in; none for one in memory. */
export interface OpenDatabase {
  readonly db: DatabaseSync;
  readonly file?: OpenFile;
  /** Closed after the database where nothing may be written any more, and before it otherwise. */
  readonly guard?: DatabaseSync;
}

/** Writes in one transaction, each of which is kept or not at all. */
interface Gathering {
  readonly end: PromiseWithResolvers<void>;
  writes: number;
}

/** What was done in a transaction with others. */
export interface Among<T> {
  readonly result: T;
  /** Settles once that transaction is kept, and rejects where it could not be. */
  readonly end: Promise<void>;
}

export class Transactions {
  readonly sql: Sql;
  readonly #opened: OpenDatabase;
  /** The path of the file. */
  readonly #where: string;
  readonly #selectChanges: StatementSync;
  readonly #selectVersion: StatementSync;
  /** How transactions begin, and how one ends that has read, each prepared once. */
  readonly #acts: Readonly<Record<'read' | 'write' | 'end' | 'part' | 'keepPart', StatementSync>>;
  #gathering: Gathering | undefined;
  /** Rows that this connection had changed when it last wrote. */
  #changes: number;
  /** The count in the mark of the newest state, and the version that SQLite gave it; unknown after a failure. */
  #count: number | undefined;
  #version: unknown;

  constructor(opened: OpenDatabase, where: string) {
    this.#opened = opened;
    this.#where = where;
    this.sql = statementsOf(opened.db);
    this.#selectChanges = opened.db.prepare('select total_changes() as n');
    this.#selectVersion = opened.db.prepare('pragma data_version');
    this.#acts = {
      read: opened.db.prepare('begin'),
      write: opened.db.prepare('begin immediate'),
      end: opened.db.prepare('commit'),
      part: opened.db.prepare('savepoint part'),
      keepPart: opened.db.prepare('release part'),
    };
    this.#changes = this.#changedRows();
  }

  /** All of `work` is kept, or none of it. */
  write<T>(work: Work<T>): Promise<T> {
    return this.#writing(async () => {
      const result = await work(this.sql);
      await this.#renewMark();
      this.#opened.db.exec('commit');
      return result;
    });
  }

  /** As `write`, in one transaction with others, which `keep` ends; gives how many are in it. */
  async gather<T>(work: Work<T>): Promise<Among<T> & { readonly writes: number }> {
    this.#requireTransaction();
    const result = await this.#inFile(() => (this.#gathering ? this.#part(work) : this.#first(work)));
    const gathering = this.#requireTransaction();
    if (!gathering) throw gaveUp(this.#where);
    const { end, writes } = gathering;
    return { result, end: end.promise, writes };
  }

  /** The transaction of what is gathered. */
  get gathered(): object | undefined {
    return this.#gathering;
  }

  /**
   * Keeps what was gathered, or what `which` is of it; who waits for it hears how that went. Throws where others have the file locked:
   * then it is still there, to be kept or to be dropped.
   */
  async keep(which: object | undefined = this.gathered): Promise<void> {
    const gathering = this.#requireTransaction();
    if (!gathering || gathering !== which) return;
    try {
      await this.#inSameFile(async () => {
        try {
          await this.#renewMark();
          this.#opened.db.exec('commit');
        } catch (error) {
          if (!this.#isLocked(error)) this.#takeBack();
          throw error;
        }
      });
      this.#gathering = undefined;
      gathering.end.resolve();
    } catch (error) {
      if (this.#isLocked(error)) throw error;
      this.drop(error);
    }
  }

  /** True for a commit that others are in the way of: the transaction goes on. */
  readonly #isLocked = (error: unknown): boolean => isBusy(error) && this.#opened.db.isTransaction;

  /** Takes back what was gathered, or what `which` is of it. */
  drop(why: unknown, which: object | undefined = this.gathered): void {
    const gathering = this.#gathering;
    if (!gathering || gathering !== which) return;
    this.#gathering = undefined;
    gathering.end.reject(why);
    this.#takeBack();
  }

  /** Nothing of it is kept. */
  rehearse<T>(work: Work<T>): Promise<T> {
    return this.#writing(async () => {
      const result = await work(this.sql);
      this.#opened.db.exec('rollback');
      return result;
    });
  }

  /** As `read`, where writes are gathered, which are a part of what it reads. Undefined where there are none. */
  async readAmong<T>(work: Work<T>): Promise<Among<PromiseSettledResult<T>> | undefined> {
    const gathering = this.#requireTransaction();
    if (!gathering) return undefined;
    const [result] = await Promise.allSettled([this.#among(work)]);
    return { result, end: gathering.end.promise };
  }

  /** Over one unchanging state. */
  async read<T>(work: Work<T>): Promise<T> {
    const { db } = this.#opened;
    this.#acts.read.run();
    try {
      return await work(this.sql);
    } finally {
      try {
        this.#acts.end.run();
      } catch {
        // A damaged page makes even this commit fail; there is nothing to keep, and what was read stays true.
        if (db.isTransaction) db.exec('rollback');
      }
    }
  }

  /** Outside of any transaction. */
  outside<T>(work: Work<T>): Promise<T> {
    return this.#inSameFile(() => {
      this.#opened.file?.requireSame('before', this.#newest);
      return work(this.sql);
    });
  }

  async close(last: Work<void>): Promise<void> {
    const { db, file, guard } = this.#opened;
    let isOverwritten = false;
    try {
      const found = file?.found(this.#newest) ?? 'same';
      isOverwritten = found === 'overwritten';
      if (found === 'same') await last(this.sql);
      else this.#leaveFile();
    } finally {
      if (!isOverwritten) guard?.close();
      db.close();
      if (isOverwritten) this.#leaveLog();
    }
  }

  #writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#inSameFile(() => {
      this.#acts.write.run();
      return this.#orNothing(work);
    });
  }

  async #orNothing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#takeBack();
      throw error;
    }
  }

  #takeBack(): void {
    const { db } = this.#opened;
    this.#count = undefined;
    // SQLite has rolled back by itself where it could not go on, as on a full disk.
    if (db.isTransaction) db.exec('rollback');
  }

  /** Until another one has joined it, it is the whole transaction. */
  async #first<T>(work: Work<T>): Promise<T> {
    this.#acts.write.run();
    const result = await this.#orNothing(() => work(this.sql));
    const end = Promise.withResolvers<void>();
    // Whoever waits for it hears of it, which may be nobody.
    end.promise.catch(() => undefined);
    this.#gathering = { end, writes: 1 };
    return result;
  }

  async #part<T>(work: Work<T>): Promise<T> {
    this.#acts.part.run();
    const result = await this.#among(async (sql) => {
      try {
        const done = await work(sql);
        this.#acts.keepPart.run();
        return done;
      } catch (error) {
        if (this.#opened.db.isTransaction) this.#opened.db.exec('rollback to part; release part');
        throw error;
      }
    });
    if (this.#gathering) this.#gathering.writes++;
    return result;
  }

  /** Where SQLite has rolled back by itself, all that was gathered is gone. */
  async #among<T>(work: Work<T>): Promise<T> {
    try {
      return await work(this.sql);
    } catch (error) {
      if (!this.#opened.db.isTransaction) this.drop(error);
      throw error;
    }
  }

  /** The transaction of what is gathered; none where SQLite has rolled it back, and who met that did not say so. */
  #requireTransaction(): Gathering | undefined {
    if (this.#gathering && !this.#opened.db.isTransaction) this.drop(gaveUp(this.#where));
    return this.#gathering;
  }

  #inSameFile<T>(work: () => Promise<T>): Promise<T> {
    return this.#inFile(async () => {
      const result = await work();
      this.#opened.file?.requireSame('after', this.#newest);
      return result;
    });
  }

  /** Whatever fails is looked at: it may be that the file is another one. */
  async #inFile<T>(work: () => Promise<T>): Promise<T> {
    const { file } = this.#opened;
    try {
      return await work();
    } catch (error) {
      if (PalimpsestError.isInstance(error) && error.code === 'STORE_REPLACED') this.#leaveFile();
      // A file that was emptied or cut fails in many ways, and that it is another one now is what has to be told.
      else file?.requireSame('before', this.#newest);
      throw error;
    }
  }

  /** Counts the transaction, if it has changed anything, and looks whether it goes to the file that was opened. */
  async #renewMark(): Promise<void> {
    const { db, file } = this.#opened;
    if (!file) return;
    const changes = this.#changedRows();
    const isChanged = changes !== this.#changes;
    if (isChanged) await renewMark(this.sql);
    this.#changes = isChanged ? changes + 1 : changes;
    file.requireSame('before', this.#newest);
    const version = this.#dataVersion();
    const isKnown = version === this.#version && this.#count !== undefined;
    this.#count = isKnown ? (this.#count ?? 0) + (isChanged ? 1 : 0) : readMark(db)?.count;
    this.#version = version;
  }

  /** The newest count that a file of this store can hold. What others wrote is told by the log, which they share. */
  readonly #newest = (): number => {
    const { db } = this.#opened;
    const isAlone = this.#count !== undefined && this.#dataVersion() === this.#version;
    const count = isAlone ? this.#count : readMark(db)?.count;
    return count === undefined ? Number.POSITIVE_INFINITY : count + (db.isTransaction ? 1 : 0);
  };

  /** Changes when another connection writes to the database, and not by what this one writes. */
  #dataVersion(): unknown {
    return this.#selectVersion.get()?.data_version;
  }

  /** How many rows this connection has changed so far. */
  #changedRows(): number {
    return integer(this.#selectChanges.get() ?? {}, 'n');
  }

  /**
   * Brings everything that was acknowledged from the log into the file that is open, wherever that is now, and empties the
   * log: under its name, it would be played into the file that has come. A log that somebody wrote to since may be that of
   * the new file already, and is left alone. A file that was overwritten takes nothing any more.
   */
  #leaveFile(): void {
    const { db, file } = this.#opened;
    try {
      if (file?.found(this.#newest) === 'overwritten') return;
      if (this.#dataVersion() === this.#version || isUntouchedLog(this.#where))
        db.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // The file that was open cannot be read any more, as when it was emptied: then nothing is brought anywhere.
    }
  }

  /** Nobody may play the log of a file that was overwritten into what has come. */
  #leaveLog(): void {
    const { guard } = this.#opened;
    guard?.close();
    try {
      clearStrays(this.#where, { readOnly: guard === undefined });
    } catch {
      // Beside an empty file it may be all that is left; and whoever opens the newcomer looks at the log again.
    }
  }
}

const gaveUp = (where: string): PalimpsestError =>
  new PalimpsestError(
    'STORE_UNREADABLE',
    `The store ${where}: SQLite took back a transaction that it could not go on with. Nothing of it was written: check the disk and the memory.`,
    { evidence: { path: where } },
  );
