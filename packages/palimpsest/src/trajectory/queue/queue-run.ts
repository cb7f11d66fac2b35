/**
 * A run whose jobs are done by a queue: batches go in, at most so many at a time; results come out in any order and are taken
 * only once. What is on the disk is forgotten by the queue.
 */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PalimpsestError, type Tokenizer } from '@palimpsest/core';
import { packageVersion } from '../../config/package.ts';
import { type JobResult, type JobSpec, recordNumbers, runJob, type TrajectoryJob } from '../work/job.ts';
import { tokenizerOf } from '../work/tokenizer.ts';
import type { JobRunner } from '../work/worker-pool.ts';
import type { FileState } from '../write/journal.ts';
import { firstLines, removeFiles, writeWhole } from '../write/partial-output.ts';
import type { RunOutput } from '../write/run-output.ts';
import { type BatchKey, localWorker, messageOf, openQueue, type Queue, type QueuedRun } from './queue.ts';
import { resolveQueueOptions, type TrajectoryQueueOptions } from './queue-options.ts';
import { workOnQueue } from './queue-worker.ts';
import { packBatch, unpackResult } from './wire.ts';

interface StartOptions {
  readonly spec: JobSpec;
  readonly workers: number;
  readonly workerMegabytes: number;
  /** Where the name of the run in the queue is kept, so that it can be gone on with. */
  readonly idFile: string;
  readonly isResumed: boolean;
  readonly output: string;
}

/** Who does the jobs of a run that a queue has. */
export interface QueueRun extends JobRunner {
  /** The same output; the queue forgets what is safe there. */
  readonly settling: (output: RunOutput) => RunOutput;
  /** The run is over: nothing of it stays in the queue. */
  readonly end: () => Promise<void>;
}

/** Starts a run in a queue, or goes on with the one that was there. Throws `QUEUE_UNREACHABLE` and `BAD_OPTION`. */
export async function startQueueRun(given: TrajectoryQueueOptions, options: StartOptions): Promise<QueueRun> {
  const resolved = resolveQueueOptions(given);
  const { leaseSeconds, retries, patienceSeconds } = resolved;
  const { spec, workerMegabytes, idFile, isResumed, output } = options;
  const queue = await openQueue(resolved.url, { patienceSeconds });
  try {
    const [old] = await firstLines(idFile, 1);
    if (old && !isResumed) await queue.removeRun(old);
    const id = isResumed && old ? old : randomBytes(4).toString('hex');
    await writeWhole(idFile, `${id}\n`);
    const run: QueuedRun = { id, version: packageVersion(), spec, workerMegabytes, leaseSeconds };
    await queue.addRun(run, { title: basename(output), retries });
    const tokenizer = await tokenizerOf(spec.tokenizer);
    return new Coordinator({ ...options, queue, run, tokenizer, given: resolved });
  } catch (error) {
    await queue.close();
    throw error;
  }
}

interface CoordinatorOptions extends StartOptions {
  readonly queue: Queue;
  readonly run: QueuedRun;
  readonly tokenizer: Tokenizer;
  readonly given: ReturnType<typeof resolveQueueOptions>;
}

/** A batch whose result is waited for. */
interface Pending {
  readonly key: BatchKey;
  readonly job: TrajectoryJob;
  /** Of its job in the queue; undefined before it is there. */
  id: string | undefined;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

const [firstPauseMs, longestPauseMs, watchMs] = [10, 200, 2_000];
/** Results that are fetched at once: each may be as large as a batch. */
const mostResults = 8;
/** Nobody takes a batch for so long: the person may have forgotten to start workers. */
const lonelyMs = 15_000;

class Coordinator implements QueueRun {
  readonly width: number;
  readonly #options: CoordinatorOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #stop = new AbortController();
  readonly #local: Promise<unknown>;
  readonly #watching: Promise<void>;
  /** Batches go in one after the other, so that the first ones are done first. */
  #sending: Promise<void> = Promise.resolve();
  #failure: unknown;
  #watchedMs = performance.now();
  #takenMs = performance.now();
  #isLonely = false;

  constructor(options: CoordinatorOptions) {
    const { given, queue, run, workers } = options;
    this.#options = options;
    // One more waits to be written.
    this.width = given.inFlight - 1;
    const { signal } = this.#stop;
    const local = given.local ? workOnQueue({ queue, run, name: localWorker, workers, signal }) : Promise.resolve();
    this.#local = local.catch((error: unknown) => this.#fail(error));
    this.#watching = this.#watch().catch((error: unknown) => this.#fail(error));
  }

  run(job: TrajectoryJob, file = 0): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      const pending: Pending = { key: { file, first: job.first }, job, id: undefined, resolve, reject };
      this.#pending.set(nameOf(pending.key), pending);
      const batch = packBatch(job);
      // Told where it is waited for.
      batch.catch(() => undefined);
      const { queue, run } = this.#options;
      this.#sending = this.#sending
        .then(async () => {
          if (this.#stop.signal.aborted) return;
          pending.id = await queue.addBatch(run.id, pending.key, await batch);
        })
        .catch((error: unknown) => this.#fail(error));
    });
  }

  settling(output: RunOutput): RunOutput {
    const { queue, run } = this.#options;
    return {
      begin: (state, path) => output.begin(state, path),
      write: (bytes) => output.write(bytes),
      cut: (outputBytes) => output.cut(outputBytes),
      lengths: () => output.lengths(),
      addBroken: (lines) => output.addBroken(lines),
      point: async (state: FileState) => {
        await output.point(state);
        // A queue that failed keeps what it has: to go on, that is no hindrance.
        if (!this.#failure) await queue.settle(run.id, state.file, state.records);
      },
      finish: async (state: FileState, path: string) => {
        await output.finish(state, path);
        await queue.settle(run.id, state.file + 1, 0);
      },
      close: () => output.close(),
    };
  }

  async end(): Promise<void> {
    const { queue, run, idFile } = this.#options;
    await this.#halt();
    await queue.removeRun(run.id);
    await removeFiles([idFile]);
  }

  async close(): Promise<void> {
    await this.#halt();
    await this.#options.queue.close();
  }

  /** Ends all that goes on beside the one who waits. */
  async #halt(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#local, this.#watching, this.#sending]);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }

  /** Fetches results, and looks after the run now and then. */
  async #watch(): Promise<void> {
    const { queue, run } = this.#options;
    const { signal } = this.#stop;
    for (let pauseMs = firstPauseMs; !signal.aborted && !this.#failure; ) {
      const waiting = [...this.#pending.values()].filter(({ id }) => id !== undefined);
      const keys = waiting.map(({ key }) => key);
      const rows = keys.length > 0 ? await queue.results(run.id, keys, mostResults) : [];
      for (const row of rows) {
        const pending = this.#pending.get(nameOf({ file: Number(row.file), first: Number(row.first) }));
        if (pending) await this.#settle(pending, () => unpackResult(row, pending.job, run.spec));
      }
      if (performance.now() - this.#watchedMs >= watchMs) await this.#lookAfter();
      pauseMs = rows.length > 0 ? firstPauseMs : Math.min(2 * pauseMs, longestPauseMs);
      if (rows.length === 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Hands over a result; where there is none that can be trusted, the records as they are. */
  async #settle(pending: Pending, result: () => JobResult): Promise<void> {
    this.#pending.delete(nameOf(pending.key));
    this.#takenMs = performance.now();
    try {
      pending.resolve(result());
    } catch (error) {
      pending.resolve(await this.#kept(pending.job, messageOf(error)));
    }
  }

  /** What becomes of a batch that nobody can do: every record stays, and is told of. */
  #kept(job: TrajectoryJob, why: string): Promise<JobResult> {
    const { run, tokenizer } = this.#options;
    const message = `no worker could compress its batch (${why}): it stays as it is`;
    const reason = { code: 'INTERNAL', message: message.slice(0, 300) };
    const passed = Object.fromEntries(recordNumbers(job).map((number) => [number, reason]));
    return runJob({ ...job, passed }, { spec: run.spec, tokenizer });
  }

  async #lookAfter(): Promise<void> {
    const { queue, run } = this.#options;
    this.#watchedMs = performance.now();
    if (!(await queue.watchRun(run.id))) throw removed(run.id);
    const [first] = [...this.#pending.values()].filter(({ id }) => id !== undefined);
    if (first?.id === undefined) return;
    const state = await queue.stateOf(run.id, first.id);
    switch (state.name) {
      case 'active':
        this.#takenMs = performance.now();
        return;
      case 'waiting':
        return this.#tellOfLoneliness();
      case 'failed': {
        // The next one may have failed with it.
        this.#watchedMs = 0;
        const why = `given up after ${this.#options.given.retries + 1} tries: ${state.reason ?? 'for no reason told'}`;
        return this.#settle(first, () => {
          throw new Error(why);
        });
      }
      case 'gone':
        // Its result may have come since; else its job was deleted.
        if ((await queue.results(run.id, [first.key], 1)).length === 0)
          await queue.resend(run.id, { id: first.id, key: first.key });
    }
  }

  #tellOfLoneliness(): void {
    if (this.#isLonely || performance.now() - this.#takenMs < lonelyMs) return;
    this.#isLonely = true;
    this.#options.given.onNotice(
      'no worker takes a batch: start `palimpsest trajectories work --queue …` somewhere, or resume without --no-local',
    );
  }
}

const nameOf = ({ file, first }: BatchKey): string => `${file}:${first}`;

const removed = (id: string): PalimpsestError =>
  new PalimpsestError(
    'QUEUE_UNREACHABLE',
    `run ${id} was removed from the queue by somebody else: go on with --resume, which hands it in anew`,
    { evidence: { run: id } },
  );
