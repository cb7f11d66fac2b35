/** A worker of queues: takes batches of any run, does them with worker threads, and keeps their leases until they are done. */
import { setTimeout as delay } from 'node:timers/promises';
import { PalimpsestError } from '@palimpsest/core';
import { packageVersion } from '../../config/package.ts';
import { type JobRunner, startPool } from '../work/worker-pool.ts';
import { type HeldJob, isQueueFailure, messageOf, type Queue, type QueuedRun } from './queue.ts';
import { packResult, unpackBatch } from './wire.ts';

export interface QueueWorkerOptions {
  readonly queue: Queue;
  /** Its name in the queue. */
  readonly name: string;
  /** Worker threads. */
  readonly workers: number;
  /** The only run to work on. @default all of this version */
  readonly run?: QueuedRun;
  /** Ends after so long without work. @default never */
  readonly idleMs?: number;
  readonly signal: AbortSignal;
  readonly onNotice?: (message: string) => void;
  readonly onBatch?: (batches: number) => void;
}

/** What a worker did. */
export interface QueueWorkReport {
  readonly batches: number;
  /** Batches that it could not do. */
  readonly failed: number;
}

/** Works until it is stopped or has been idle for long enough. Throws `QUEUE_UNREACHABLE`; `BAD_OPTION` for runs of another version. */
export async function workOnQueue(options: QueueWorkerOptions): Promise<QueueWorkReport> {
  const worker = new QueueWorker(options);
  try {
    return await worker.work();
  } finally {
    await worker.close();
  }
}

const [firstPauseMs, longestPauseMs, listMs] = [20, 1_000, 2_000];
/** Of the worker in the process that hands the batches in. */
const longestOwnPauseMs = 100;
/** Runs whose threads are kept. */
const mostPools = 3;

class QueueWorker {
  readonly #options: QueueWorkerOptions;
  readonly #held = new Map<string, HeldJob>();
  /** Threads by run, the one that was used last at the end. */
  readonly #pools = new Map<string, JobRunner>();
  readonly #toldOf = new Set<string>();
  #runs: readonly QueuedRun[] = [];
  #listedMs = Number.NEGATIVE_INFINITY;
  #turn = 0;
  #failure: unknown;
  #report: QueueWorkReport = { batches: 0, failed: 0 };
  #wake: () => void = () => undefined;
  #beat: NodeJS.Timeout | undefined;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  async work(): Promise<QueueWorkReport> {
    const { signal, idleMs, workers, run } = this.#options;
    const longestMs = run ? longestOwnPauseMs : longestPauseMs;
    let [pauseMs, busyMs] = [firstPauseMs, performance.now()];
    // One under way in each thread, and one that waits there.
    const most = 2 * workers;
    while (!signal.aborted) {
      if (this.#failure) throw this.#failure;
      const taken = this.#held.size < most ? await this.#take(most - this.#held.size) : 0;
      if (taken > 0 || this.#held.size > 0) busyMs = performance.now();
      else if (idleMs !== undefined && performance.now() - busyMs >= idleMs) break;
      pauseMs = taken > 0 ? firstPauseMs : Math.min(2 * pauseMs, longestMs);
      if (taken === 0) await this.#pause(pauseMs);
    }
    return this.#report;
  }

  /** Ends at once; what was not done is given back. */
  async close(): Promise<void> {
    const { queue } = this.#options;
    clearInterval(this.#beat);
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
    // Where that cannot be done, its lease ends.
    for (const [run, ids] of this.#heldByRun()) await queue.release(run, ids).catch(() => undefined);
  }

  async #take(most: number): Promise<number> {
    const { queue } = this.#options;
    const runs = await this.#runsToWorkOn();
    let taken = 0;
    // Each run is asked first in its turn.
    this.#turn++;
    for (let i = 0; i < runs.length && taken < most; i++) {
      const run = runs[(this.#turn + i) % runs.length];
      const jobs = run ? await queue.take(run, most - taken) : [];
      for (const job of jobs) this.#begin(job);
      taken += jobs.length;
    }
    return taken;
  }

  async #runsToWorkOn(): Promise<readonly QueuedRun[]> {
    const { queue, run } = this.#options;
    if (run) return [run];
    if (performance.now() - this.#listedMs < listMs) return this.#runs;
    const isFirst = this.#listedMs === Number.NEGATIVE_INFINITY;
    const [own, others] = byVersion(await queue.runs());
    this.#listedMs = performance.now();
    this.#runs = own;
    for (const other of others) {
      if (isFirst && own.length === 0) throw otherVersion(other);
      if (!this.#toldOf.has(other.id)) this.#options.onNotice?.(otherVersion(other).message);
      this.#toldOf.add(other.id);
    }
    return this.#runs;
  }

  #begin(job: HeldJob): void {
    this.#held.set(job.id, job);
    this.#keepLeases();
    const done = this.#do(job).then(
      (isDone) => this.#count(isDone),
      (error: unknown) => {
        this.#failure ??= error;
      },
    );
    void done.finally(() => {
      this.#held.delete(job.id);
      this.#wake();
    });
  }

  #count(isDone: boolean): void {
    const { batches, failed } = this.#report;
    this.#report = isDone ? { batches: batches + 1, failed } : { batches, failed: failed + 1 };
    this.#options.onBatch?.(this.#report.batches);
  }

  /** False for a batch that failed; throws where the queue itself does. */
  async #do(job: HeldJob): Promise<boolean> {
    const { queue, name } = this.#options;
    const row = await queue.batchOf(job, name);
    if (!row) {
      await queue.drop(job);
      return true;
    }
    try {
      const batch = unpackBatch(row);
      const result = await (await this.#poolOf(job.run)).run(batch, job.key.file);
      await queue.finish(job, row.hash, await packResult(result, batch));
      return true;
    } catch (error) {
      if (isQueueFailure(error)) throw error;
      await queue.fail(job, messageOf(error));
      return false;
    }
  }

  async #poolOf(run: QueuedRun): Promise<JobRunner> {
    const { workers } = this.#options;
    const { workerMegabytes } = run;
    const pool = this.#pools.get(run.id) ?? startPool(run.spec, { workers, workerMegabytes });
    this.#pools.delete(run.id);
    this.#pools.set(run.id, pool);
    const busy = new Set([...this.#held.values()].map((job) => job.run.id));
    for (const [id, old] of this.#pools) {
      if (this.#pools.size <= mostPools) break;
      if (busy.has(id)) continue;
      this.#pools.delete(id);
      await old.close();
    }
    return pool;
  }

  /** Says at least three times a lease that the work goes on. */
  #keepLeases(): void {
    if (this.#beat) return;
    const { queue } = this.#options;
    let isBusy = false;
    const beat = async (): Promise<void> => {
      if (isBusy) return;
      isBusy = true;
      try {
        for (const [run, ids] of this.#heldByRun()) await queue.touch(run, ids);
      } catch (error) {
        // A run that was removed has no leases. Where the queue is gone, its next act tells.
        this.#failure ??= isQueueFailure(error) && this.#held.size > 0 ? error : undefined;
      } finally {
        isBusy = false;
      }
    };
    this.#beat = setInterval(() => void beat(), beatMs);
  }

  #heldByRun(): ReadonlyMap<string, readonly string[]> {
    const all = Map.groupBy(this.#held.values(), ({ run }) => run.id);
    return new Map([...all].map(([run, jobs]) => [run, jobs.map(({ id }) => id)]));
  }

  /** Until a batch is done, the time is over or the worker is stopped. */
  async #pause(pauseMs: number): Promise<void> {
    const ended = new AbortController();
    this.#wake = () => ended.abort();
    if (this.#options.signal.aborted) return;
    await delay(pauseMs, undefined, { signal: ended.signal }).catch(() => undefined);
  }
}

/** pg-boss takes no shorter one. */
export const shortestLeaseSeconds = 10;
const beatMs = (shortestLeaseSeconds * 1_000) / 3;

function byVersion(runs: readonly QueuedRun[]): readonly [own: readonly QueuedRun[], others: readonly QueuedRun[]] {
  const version = packageVersion();
  return [runs.filter((run) => run.version === version), runs.filter((run) => run.version !== version)];
}

const otherVersion = ({ id, version }: QueuedRun): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `run ${id} was started by palimpsest ${version}, and this is ${packageVersion()}: install the same version on all machines`,
    { evidence: { run: id, expected: version, got: packageVersion() } },
  );
