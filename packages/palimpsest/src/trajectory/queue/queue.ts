/**
 * A queue in a PostgreSQL database: pg-boss has the jobs, with their leases and retries; our tables have the bytes of batches and
 * of results. A job and what it is about change in one transaction.
 */
import { randomUUID } from 'node:crypto';
import { PalimpsestError } from '@palimpsest/core';
import { isObject, parseJson } from '@palimpsest/core/settings';
import type { JobSpec } from '../work/job.ts';
import { Database, type Sql, shownUrl } from './connection.ts';
import { type BossClass, type BossDatabase, loadQueuePackages, type PgBoss, type Row } from './packages.ts';
import * as tables from './tables.ts';
import type { PackedBatch, PackedResult } from './wire.ts';

/** A run as its workers see it. */
export interface QueuedRun {
  readonly id: string;
  /** Of the Palimpsest that started it. */
  readonly version: string;
  readonly spec: JobSpec;
  readonly workerMegabytes: number;
  readonly leaseSeconds: number;
}

/** A run as it is listed. */
export interface QueuedRunReport {
  readonly id: string;
  readonly version: string;
  /** The name of its output. */
  readonly title: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Seconds since the process that started it was heard of. */
  readonly silentSeconds: number;
  /** Batches without a result. */
  readonly waiting: number;
  /** Results that are not written yet. */
  readonly done: number;
}

/** Which batch of a run, by its file and its first record. */
export interface BatchKey {
  readonly file: number;
  readonly first: number;
}

/** A batch that this process is to work on. */
export interface HeldJob {
  readonly id: string;
  readonly run: QueuedRun;
  readonly key: BatchKey;
}

interface NewJob extends Pick<HeldJob, 'id' | 'key'> {
  readonly priority?: number;
}

/** The batches that the process of the output itself works on; nobody else has this name for them. */
export const localWorker = 'local';

export interface OpenQueueOptions {
  /** Seconds that the server may be gone before an act fails. */
  readonly patienceSeconds: number;
}

/** Opens the queue, and makes what it needs in the database. Throws `QUEUE_UNREACHABLE`, and `BAD_OPTION` without the packages. */
export async function openQueue(url: string, { patienceSeconds }: OpenQueueOptions): Promise<Queue> {
  const { Pool, Boss } = await loadQueuePackages();
  const pool = new Pool({
    connectionString: url,
    application_name: 'palimpsest',
    max: 6,
    connectionTimeoutMillis: 10_000,
    query_timeout: 120_000,
    keepAlive: true,
  });
  const database = new Database(pool, { shownUrl: shownUrl(url), patienceMs: patienceSeconds * 1_000 });
  try {
    await database.query('select 1');
    const boss = await tables.aloneIn(database, async () => {
      await tables.prepareTables(database);
      return startBoss(Boss, database);
    });
    return new Queue(database, boss);
  } catch (error) {
    await database.close();
    throw database.failure(error);
  }
}

async function startBoss(Boss: BossClass, database: Database): Promise<PgBoss> {
  const boss = new Boss({
    db: database.forBoss,
    schema: tables.bossSchema,
    supervise: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: 1,
  });
  // What fails in its own rounds fails in our acts as well, and is told of there.
  boss.on('error', () => undefined);
  await boss.start();
  return boss;
}

const queueOf = (run: string): string => `trajectories-${run}`;

/** Longest time for a batch, whatever its worker says. */
const longestSeconds = 12 * 3_600;

export class Queue {
  readonly #database: Database;
  readonly #boss: PgBoss;

  constructor(database: Database, boss: PgBoss) {
    this.#database = database;
    this.#boss = boss;
  }

  /** A run that is there goes on with these settings. */
  addRun(run: QueuedRun, { title, retries }: { readonly title: string; readonly retries: number }): Promise<void> {
    return this.#act(async () => {
      const { id, version, spec, workerMegabytes, leaseSeconds } = run;
      const options = {
        heartbeatSeconds: leaseSeconds,
        expireInSeconds: longestSeconds,
        retryLimit: retries,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 10,
      };
      // The queue first: a worker that knows of the run looks into it.
      await this.#boss.createQueue(queueOf(id), options);
      await this.#boss.updateQueue(queueOf(id), options);
      const values = [id, version, JSON.stringify(spec), workerMegabytes, leaseSeconds, title];
      await this.#database.query(tables.insertRun, values);
    });
  }

  runs(): Promise<readonly QueuedRun[]> {
    return this.#act(async () => (await this.#database.query(tables.selectRuns)).map(runOf));
  }

  reports(): Promise<readonly QueuedRunReport[]> {
    return this.#act(async () => (await this.#database.query(tables.selectRunReports)).map(reportOf));
  }

  /** Takes a run away with all its batches and jobs; false where there is none. */
  removeRun(id: string): Promise<boolean> {
    return this.#act(async () => {
      const isThere = (await this.#database.query(tables.deleteRun, [id])).length > 0;
      if (await this.#boss.getQueue(queueOf(id))) await this.#boss.deleteQueue(queueOf(id));
      return isThere;
    });
  }

  /** Tells that the process of the output lives, and takes jobs from workers that do not. False for a run that is gone. */
  watchRun(id: string): Promise<boolean> {
    return this.#act(async () => {
      if ((await this.#database.query(tables.markSeen, [id])).length === 0) return false;
      await this.#boss.supervise(queueOf(id));
      return true;
    });
  }

  /** Hands in a batch, once: where it is there already, its result or its job is waited for. Gives the id of its job. */
  addBatch(run: string, key: BatchKey, batch: PackedBatch): Promise<string> {
    const { hash, form, bytes, ends } = batch;
    const place = [run, key.file, key.first];
    const id = randomUUID();
    const insert = (sql: Sql): Promise<readonly Row[]> =>
      sql.query(tables.insertBatch, [...place, id, hash, form, bytes, ends]);
    return this.#transaction(async (sql) => {
      if ((await insert(sql)).length > 0) return this.#send(run, { id, key }, sql);
      const [old] = await sql.query(tables.selectBatch, place);
      const job = String(old?.job);
      if (old?.hash === hash) {
        if (old.is_done === true || !(await this.#isLost({ run, job, worker: old.worker }, sql))) return job;
        return this.#sendAgain(run, { id: job, key }, sql);
      }
      // Another input stood there before.
      await this.#boss.deleteJob(queueOf(run), [job], { db: sql.forBoss });
      await sql.query(tables.deleteBatch, place);
      await insert(sql);
      return this.#send(run, { id, key }, sql);
    });
  }

  /** True for a job that nobody will do: it failed, it is gone, or the process that did it here was killed. */
  async #isLost(
    { run, job, worker }: { readonly run: string; readonly job: string; readonly worker: unknown },
    { forBoss }: Sql,
  ): Promise<boolean> {
    const state = await this.#stateOf(run, job, forBoss);
    // A job that was fetched a moment ago has no worker yet. Where that was another machine, both do it, and the first result counts.
    const isOurs = worker === localWorker || worker === null;
    return state.name === 'gone' || state.name === 'failed' || (state.name === 'active' && isOurs);
  }

  /** Puts the job of a batch into the queue anew, with all its retries. */
  resend(run: string, job: Pick<HeldJob, 'id' | 'key'>): Promise<string> {
    return this.#transaction((sql) => this.#sendAgain(run, job, sql));
  }

  /** What became of a job, and what its last failure was. */
  stateOf(run: string, job: string): Promise<JobState> {
    return this.#act(() => this.#stateOf(run, job));
  }

  async #stateOf(run: string, job: string, db?: BossDatabase): Promise<JobState> {
    const [found] = await this.#boss.findJobs(queueOf(run), { id: job, ...(db && { db }) });
    if (!found) return { name: 'gone', reason: undefined };
    const value = isObject(found.output) ? (found.output.value ?? found.output) : undefined;
    const reason = isObject(value) && typeof value.message === 'string' ? value.message : undefined;
    const name = found.state === 'active' || found.state === 'failed' ? found.state : 'waiting';
    return found.state === 'completed' ? { name: 'gone', reason } : { name, reason };
  }

  /** Results of some of these batches, the first ones first. */
  results(run: string, keys: readonly BatchKey[], most: number): Promise<readonly Row[]> {
    const values = [run, keys.map(({ file }) => file), keys.map(({ first }) => first), most];
    return this.#act(() => this.#database.query(tables.selectResults, values));
  }

  /** Forgets the batches up to a record of a file: what became of them is on the disk. */
  settle(run: string, file: number, records: number): Promise<void> {
    return this.#transaction(async ({ query, forBoss }) => {
      const jobs = (await query(tables.deleteSettled, [run, file, records])).map(({ job }) => String(job));
      if (jobs.length > 0) await this.#boss.deleteJob(queueOf(run), jobs, { db: forBoss });
    });
  }

  /** Takes up to so many jobs of a run for this process, whose lease begins. */
  take(run: QueuedRun, most: number): Promise<readonly HeldJob[]> {
    return this.#act(async () => {
      const jobs = await this.#boss.fetch(queueOf(run.id), { batchSize: most }).catch((error: unknown) => {
        // It ended since we heard of it.
        if (/does not exist/.test(String(error))) return [];
        throw error;
      });
      return jobs.flatMap(({ id, data }) => {
        const key = keyOf(data);
        return key ? [{ id, run, key }] : [];
      });
    });
  }

  /** The batch of a job; undefined where nobody waits for it any more. */
  batchOf({ run, key }: HeldJob, worker: string): Promise<Row | undefined> {
    return this.#act(
      async () => (await this.#database.query(tables.takeBatch, [run.id, key.file, key.first, worker]))[0],
    );
  }

  /** The result and the end of the job are one. Of two results of a batch, the first counts. */
  finish({ id, run, key }: HeldJob, hash: unknown, { result, output }: PackedResult): Promise<void> {
    return this.#transaction(async ({ query, forBoss }) => {
      await query(tables.insertResult, [run.id, key.file, key.first, hash, result, output]);
      await this.#boss.complete(queueOf(run.id), id, null, { db: forBoss });
    });
  }

  async drop({ id, run }: HeldJob): Promise<void> {
    await this.#act(() => this.#boss.complete(queueOf(run.id), id, null));
  }

  /** Somebody else may try. */
  async fail({ id, run }: HeldJob, message: string): Promise<void> {
    await this.#act(() => this.#boss.fail(queueOf(run.id), id, { message }));
  }

  /** Extends the leases of jobs of a run. */
  async touch(run: string, ids: readonly string[]): Promise<void> {
    await this.#act(() => this.#boss.touch(queueOf(run), [...ids]));
  }

  /** Gives jobs of a run back that were not done; that costs them no retry. */
  release(run: string, ids: readonly string[]): Promise<void> {
    return this.#transaction(async (sql) => {
      for (const { job, file, first } of await sql.query(tables.selectHeld, [run, ids]))
        await this.#sendAgain(run, { id: String(job), key: { file: Number(file), first: Number(first) } }, sql);
    });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false }).catch(() => undefined);
    await this.#database.close();
  }

  async #send(run: string, { id, key, priority = 0 }: NewJob, { forBoss }: Sql): Promise<string> {
    await this.#boss.send(queueOf(run), key, { id, priority, db: forBoss });
    return id;
  }

  /** Before all that is new: somebody waits for it. */
  async #sendAgain(run: string, job: Pick<HeldJob, 'id' | 'key'>, sql: Sql): Promise<string> {
    await this.#boss.deleteJob(queueOf(run), [job.id], { db: sql.forBoss });
    return this.#send(run, { ...job, priority: 1 }, sql);
  }

  #transaction<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#act(() => this.#database.transaction(act));
  }

  async #act<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw this.#database.failure(error);
    }
  }
}

/** What became of a job; `gone` for one that is done or deleted. */
export interface JobState {
  readonly name: 'waiting' | 'active' | 'failed' | 'gone';
  /** Why it failed the last time. */
  readonly reason: string | undefined;
}

function keyOf(data: unknown): BatchKey | undefined {
  if (!isObject(data) || typeof data.file !== 'number' || typeof data.first !== 'number') return undefined;
  return { file: data.file, first: data.first };
}

function runOf({ id, version, spec, worker_megabytes, lease_seconds }: Row): QueuedRun {
  return {
    id: String(id),
    version: String(version),
    // Written by a Palimpsest of that version, and only one of the same works by it.
    spec: parseJson(String(spec)) as unknown as JobSpec,
    workerMegabytes: Number(worker_megabytes),
    leaseSeconds: Number(lease_seconds),
  };
}

function reportOf({ id, version, title, started_at, silent_seconds, waiting, done }: Row): QueuedRunReport {
  return {
    id: String(id),
    version: String(version),
    title: String(title),
    startedAt: started_at instanceof Date ? started_at.toISOString() : String(started_at),
    silentSeconds: Math.max(0, Math.round(Number(silent_seconds))),
    waiting: Number(waiting),
    done: Number(done),
  };
}

/** For a batch that cannot be done. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300);

/** True where the queue itself failed, not what was done with it. */
export const isQueueFailure = (error: unknown): boolean =>
  PalimpsestError.isInstance(error) && error.code === 'QUEUE_UNREACHABLE';
