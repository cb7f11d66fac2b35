/** Who does the jobs of a run: workers of this process, with a model where one is named, or all that share a queue. */

import { askingLimits, hasModel, openDesk, type ReadyModel } from './model/open-desk.ts';
import type { SummaryDesk } from './model/summary-desk.ts';
import type { TrajectoryQueueOptions } from './queue/queue-options.ts';
import { startQueueRun } from './queue/queue-run.ts';
import type { FilePlan } from './read/find-inputs.ts';
import type { TrajectoryConfig } from './settings/config.ts';
import type { JobSpec } from './work/job.ts';
import type { RecordTask } from './work/task.ts';
import { type JobRunner, type PoolOptions, startPool } from './work/worker-pool.ts';
import type { RunPaths } from './write/partial-output.ts';
import type { RunOutput } from './write/run-output.ts';

/** What is known of a run when its work begins. */
export interface RunnerOptions {
  readonly options: { readonly queue?: TrajectoryQueueOptions };
  readonly config: TrajectoryConfig;
  readonly plan: FilePlan;
  readonly spec: JobSpec;
  readonly model: ReadyModel | undefined;
  readonly task: RecordTask | undefined;
  /** Absent in a dry run. */
  readonly paths?: RunPaths;
}

/** A runner, and what it is opened with. */
export interface OpenRunner extends AsyncDisposable {
  readonly runner: JobRunner;
  /** Absent where no model writes. */
  readonly desk: SummaryDesk | undefined;
  /** The output, which tells the runner what needs not be kept for it any more. */
  settling(output: RunOutput): RunOutput;
  /** Everything is written. */
  end(): Promise<void>;
}

export async function openRunner(run: RunnerOptions, isResumed: boolean): Promise<OpenRunner> {
  const { processing } = run.config;
  const workers = processing.numWorkers ?? navigator.hardwareConcurrency;
  const pool = { workers, workerMegabytes: workerMegabytesOf(processing) };
  return (await openQueue(run, pool, isResumed)) ?? (await openPool(run, pool, isResumed));
}

/** Room for the largest record: its bytes, its text, what it is parsed to, and what becomes of it. */
const workerMegabytesOf = ({ maxRecordMegabytes }: TrajectoryConfig['processing']): number =>
  192 + 8 * maxRecordMegabytes;

async function openPool(run: RunnerOptions, pool: PoolOptions, isResumed: boolean): Promise<OpenRunner> {
  const { config, model, paths, spec, task } = run;
  const isAsked = hasModel(config) && !task;
  const desk = isAsked ? await openDesk(config, { model, answersPath: paths?.answers, isResumed }) : undefined;
  const asking = desk && { desk, limits: askingLimits(config.processing, pool.workers) };
  const runner = startPool(spec, { ...pool, ...(asking && { asking }) });
  return {
    runner,
    desk,
    settling: (output) => output,
    end: async () => undefined,
    async [Symbol.asyncDispose]() {
      await runner.close();
      await desk?.close();
    },
  };
}

async function openQueue(
  { options: { queue }, spec, paths, plan }: RunnerOptions,
  pool: PoolOptions,
  isResumed: boolean,
): Promise<OpenRunner | undefined> {
  if (!queue || !paths) return undefined;
  const output = plan.folder ?? plan.files[0]?.output ?? '';
  const run = await startQueueRun(queue, { spec, ...pool, idFile: paths.queue, isResumed, output });
  return {
    runner: run,
    desk: undefined,
    settling: (to) => run.settling(to),
    end: () => run.end(),
    [Symbol.asyncDispose]: () => run.close(),
  };
}
