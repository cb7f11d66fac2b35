/** A worker that does jobs, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { type JobResult, type JobSpec, runJob, type TrajectoryJob } from './job.ts';
import { tokenizerOf } from './tokenizer.ts';

/** What a worker is started with. */
export interface WorkerOrder {
  readonly spec: JobSpec;
  /** The number of the record that is under way, and how many jobs were begun. */
  readonly under: Float64Array;
}

/** What it is told. */
export interface JobOrder {
  readonly id: number;
  readonly job: TrajectoryJob;
}

/** What it says. */
export type WorkerNews =
  | { readonly type: 'done'; readonly id: number; readonly result: JobResult }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

const port = parentPort;
if (port) {
  // Only `startPool` starts this file, with such an order.
  const { spec, under } = workerData as WorkerOrder;
  const tokenizer = tokenizerOf(spec.tokenizer);
  let last: Promise<void> = Promise.resolve();
  const work = async ({ id, job }: JobOrder): Promise<void> => {
    try {
      const onRecord = (number: number): void => {
        under[0] = number;
        under[1] = (under[1] ?? 0) + 1;
      };
      const result = await runJob(job, { spec, tokenizer: await tokenizer, onRecord });
      under[0] = 0;
      const news: WorkerNews = { type: 'done', id, result };
      port.postMessage(news, [result.bytes.buffer]);
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      port.postMessage({ type: 'failed', id, message } satisfies WorkerNews);
    }
  };
  port.on('message', (order: JobOrder) => {
    last = last.then(() => work(order));
  });
}
