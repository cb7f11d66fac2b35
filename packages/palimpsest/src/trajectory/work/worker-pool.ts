/** Jobs on all cores. A record that blocks its worker, or fills its memory, is passed by: the rest of its job is done anew. */
import { Worker } from 'node:worker_threads';
import { PalimpsestError } from '@palimpsest/core';
import type { SummaryAnswer, SummaryDesk } from '../model/summary-desk.ts';
import { type BrokenReason, type JobResult, type JobSpec, type TrajectoryJob, timeoutMessage } from './job.ts';
import type { SlotLimits } from './slots.ts';
import type { JobOrder, WorkerNews, WorkerOrder } from './trajectory-worker.ts';

/** Who does jobs: workers of this process, or a queue with workers on other machines. */
export interface JobRunner {
  /** How many jobs should be under way for nobody to be idle. */
  readonly width: number;
  /**
   * The result of a job; the same wherever it is done. The place of its file among the inputs tells jobs of several files apart.
   * Rejects only where nobody could do it.
   */
  readonly run: (job: TrajectoryJob, file?: number) => Promise<JobResult>;
  /** Ends what is under way; its jobs are never done then. */
  readonly close: () => Promise<void>;
}

/** What a pool is started with. */
export interface PoolOptions {
  readonly workers: number;
  /** Memory for what a worker makes of records, in megabytes. */
  readonly workerMegabytes: number;
  /** Where a model writes the summaries: whom workers ask, and what may wait in each of them at once. */
  readonly asking?: { readonly desk: SummaryDesk; readonly limits: SlotLimits };
}

/** A job that was handed in. */
interface Task {
  readonly id: number;
  readonly job: TrajectoryJob;
  /** How often its worker came to an end. */
  readonly deaths: number;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Member {
  readonly worker: Worker;
  /** The record under way, 0 for none, how many were begun, and the job that it belongs to. */
  readonly under: Float64Array;
  /** What it has been given, in its order. */
  tasks: Task[];
  /** What `under` was when it last changed, and when that was. */
  seen: number;
  since: number;
  /** Why it is ended. */
  reason: BrokenReason | undefined;
}

/** One under way, and one that waits in the worker. */
const usualDepth = 2;
/** Jobs that wait for each that a worker has: results are taken in order, and behind one that takes long nobody should be idle. */
const waitingForEach = 3;
/** What a worker on a busy machine needs beside the time of the record itself. */
const graceMs = 1_000;
const mostDeaths = 50;

/** Starts workers, which all do their jobs by one spec. */
export function startPool(spec: JobSpec, { workers, workerMegabytes, asking }: PoolOptions): JobRunner {
  // A job may hold one record alone, which waits for a model.
  const depth = Math.max(usualDepth, asking?.limits.records ?? 0);
  const members: Member[] = [];
  const waiting: Task[] = [];
  let ids = 0;
  let isClosed = false;

  const give = (): void => {
    for (;;) {
      const free = members.filter(({ tasks }) => tasks.length < depth);
      const [member] = free.toSorted((a, b) => a.tasks.length - b.tasks.length);
      const task = member && waiting.shift();
      if (!task) return;
      member.tasks.push(task);
      const { id, job } = task;
      // Not handed over: where the worker comes to an end, another needs them.
      member.worker.postMessage({ type: 'job', id, job } satisfies JobOrder);
    }
  };

  const start = (): void => {
    const under = new Float64Array(new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT));
    const worker = new Worker(new URL(import.meta.resolve('#trajectory-worker')), {
      workerData: { spec, under, ...(asking && { asking: asking.limits }) } satisfies WorkerOrder,
      resourceLimits: { maxOldGenerationSizeMb: workerMegabytes, maxYoungGenerationSizeMb: 8 },
    });
    const member: Member = { worker, under, tasks: [], seen: 0, since: performance.now(), reason: undefined };
    members.push(member);
    worker.on('message', (news: WorkerNews) => {
      if (news.type === 'ask') return void answer(worker, news, asking?.desk);
      const task = member.tasks.find(({ id }) => id === news.id);
      member.tasks = member.tasks.filter((one) => one !== task);
      if (news.type === 'done') task?.resolve(news.result);
      else task?.reject(new Error(`a worker failed: ${news.message}`));
      give();
    });
    worker.on('error', (error) => {
      member.reason ??= reasonOf(error);
    });
    worker.on('exit', () => {
      members.splice(members.indexOf(member), 1);
      if (isClosed) return;
      waiting.unshift(...redone(member));
      start();
    });
    give();
  };

  for (let i = 0; i < workers; i++) start();
  const watch = setInterval(() => watchMembers(members, spec.timeoutMs), Math.min(1_000, spec.timeoutMs));
  return {
    width: workers * depth * (1 + waitingForEach),
    run: (job) =>
      new Promise((resolve, reject) => {
        waiting.push({ id: ++ids, job, deaths: 0, resolve, reject });
        give();
      }),
    close: async () => {
      isClosed = true;
      clearInterval(watch);
      await Promise.all(members.map(({ worker }) => worker.terminate()));
    },
  };
}

/** Asks on behalf of a worker; one that has come to an end meanwhile hears nothing. */
async function answer(worker: Worker, { id, ask }: WorkerNews & { type: 'ask' }, desk?: SummaryDesk): Promise<void> {
  const told: SummaryAnswer = desk ? await desk.ask(ask) : { type: 'unasked' };
  worker.postMessage({ type: 'answer', id, answer: told } satisfies JobOrder);
}

/** Ends the workers whose record takes longer than it may: no signal reaches code that does not let go. */
function watchMembers(members: readonly Member[], timeoutMs: number): void {
  const now = performance.now();
  for (const member of members) {
    const begun = member.under[1] ?? 0;
    if (begun !== member.seen || member.under[0] === 0) {
      member.seen = begun;
      member.since = now;
    } else if (now - member.since > timeoutMs + graceMs && member.reason === undefined) {
      member.reason = { code: 'CALL_TIMEOUT', message: timeoutMessage(timeoutMs) };
      void member.worker.terminate();
    }
  }
}

/** What an ended worker leaves to others; the record at which it ended is passed by. */
function redone({ tasks, under, reason }: Member): readonly Task[] {
  const first = tasks.find(({ id }) => id === under[2]) ?? tasks[0];
  if (!first) return [];
  const rest = tasks.filter((task) => task !== first);
  const number = under[0] ?? 0;
  const why = reason ?? { code: 'INTERNAL', message: 'the worker ended' };
  if (first.deaths >= mostDeaths || (number === 0 && first.deaths > 2)) {
    first.reject(new Error(`a worker ended again and again (${why.message})`));
    return rest;
  }
  const passed = number === 0 ? first.job.passed : { ...first.job.passed, [number]: why };
  const job = passed ? { ...first.job, passed } : first.job;
  return [{ ...first, job, deaths: first.deaths + 1 }, ...rest];
}

function reasonOf(error: unknown): BrokenReason {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  const message = isMemory
    ? 'expected a record that a worker can hold in memory, got one that needs more'
    : `the worker ended at this record (${error instanceof Error ? error.message : String(error)})`;
  return { code: PalimpsestError.isInstance(error) ? error.code : 'INTERNAL', message };
}
