/** A worker that does jobs: one after the other, or many at once where they wait for a model. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { SummaryAnswer, SummaryAsk } from '../model/summary-desk.ts';
import { askingSummarizer } from './ask-desk.ts';
import { type JobResult, type JobSpec, type JobTools, runJob, type TrajectoryJob } from './job.ts';
import { openSlots, type SlotLimits } from './slots.ts';
import { tokenizerOf } from './tokenizer.ts';

/** What a worker is started with. */
export interface WorkerOrder {
  readonly spec: JobSpec;
  /** The number of the record that is under way, how many were begun, and the job that it belongs to. */
  readonly under: Float64Array;
  /** Set where a model writes the summaries: what may wait for it at once. */
  readonly asking?: SlotLimits;
}

/** What it is told. */
export type JobOrder =
  | { readonly type: 'job'; readonly id: number; readonly job: TrajectoryJob }
  | { readonly type: 'answer'; readonly id: number; readonly answer: SummaryAnswer };

/** What it says. */
export type WorkerNews =
  | { readonly type: 'done'; readonly id: number; readonly result: JobResult }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | { readonly type: 'ask'; readonly id: number; readonly ask: SummaryAsk };

type Under = (number: number, id: number) => void;

if (parentPort) serve(parentPort);

function serve(port: MessagePort): void {
  // Only `startPool` starts this file, with such an order.
  const { spec, under, asking } = workerData as WorkerOrder;
  const tokenizer = tokenizerOf(spec.tokenizer);
  const slots = asking && openSlots(asking);
  let isResting = true;
  const onRecord: Under = (number, id) => {
    under[0] = number;
    under[1] = (under[1] ?? 0) + 1;
    under[2] = id;
    if (!slots || !isResting) return;
    isResting = false;
    // What waits for a model is not under way: only work that does not let go is.
    setImmediate(() => {
      isResting = true;
      under[0] = 0;
    });
  };
  const { ask, heard } = askOver(port, onRecord);
  const toolsFor = async (id: number): Promise<JobTools> => {
    const tools = { spec, tokenizer: await tokenizer, onRecord: (number: number) => onRecord(number, id) };
    if (!slots) return tools;
    const { mode = 'value' } = spec.options;
    const asked = { tokenizer: tools.tokenizer, mode, timeoutMs: spec.timeoutMs };
    return {
      ...tools,
      slots,
      summarizer: (number) => askingSummarizer({ ...asked, ask: (one) => ask(one, { number, id }) }),
    };
  };
  const work = async (id: number, job: TrajectoryJob): Promise<void> => {
    try {
      const result = await runJob(job, await toolsFor(id));
      if (!slots) under[0] = 0;
      port.postMessage({ type: 'done', id, result } satisfies WorkerNews, [result.bytes.buffer]);
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      port.postMessage({ type: 'failed', id, message } satisfies WorkerNews);
    }
  };
  let last: Promise<void> = Promise.resolve();
  port.on('message', (order: JobOrder) => {
    if (order.type === 'answer') heard(order.id, order.answer);
    else if (slots) void work(order.id, order.job);
    else last = last.then(() => work(order.id, order.job));
  });
}

interface Asker {
  readonly number: number;
  readonly id: number;
}

/** Questions over a port. */
function askOver(
  port: MessagePort,
  onRecord: Under,
): {
  readonly ask: (ask: SummaryAsk, asker: Asker) => Promise<SummaryAnswer>;
  readonly heard: (id: number, answer: SummaryAnswer) => void;
} {
  const waiting = new Map<number, (answer: SummaryAnswer) => void>();
  let asks = 0;
  return {
    ask: (ask, { number, id }) =>
      new Promise((resolve) => {
        const at = ++asks;
        waiting.set(at, (answer) => {
          onRecord(number, id);
          resolve(answer);
        });
        port.postMessage({ type: 'ask', id: at, ask } satisfies WorkerNews);
      }),
    heard: (id, answer) => {
      waiting.get(id)?.(answer);
      waiting.delete(id);
    },
  };
}
