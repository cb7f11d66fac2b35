/** Compresses files of trajectories: on all cores, in order, and so that a run that was stopped can go on. */
import { join, resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { checkKnownOptions, type JsonObject } from '@palimpsest/core/settings';
import { addSums, emptySum } from '@palimpsest/core/trajectories';
import { packageVersion } from '../config/package.ts';
import { type BrokenLine, Consumer } from './consume.ts';
import { type CostEstimate, estimateCost } from './model/estimate.ts';
import { type Environment, hasModel, type ReadyModel, readyModel } from './model/open-desk.ts';
import type { ModelUse, SummaryDesk } from './model/summary-desk.ts';
import { openRunner } from './open-runner.ts';
import type { TrajectoryQueueOptions } from './queue/queue-options.ts';
import { type FilePlan, identityOf, planFiles } from './read/find-inputs.ts';
import type { Bytes } from './read/unpack.ts';
import type { RecordSource } from './record-source.ts';
import { metricsOf } from './run-metrics.ts';
import { progressOf, type TrajectoryProgress } from './run-progress.ts';
import { resolveTrajectoryConfig, type TrajectoryConfig, type TrajectorySettings } from './settings/config.ts';
import { decidingSettings, jobSpecOf, splitLimitsOf } from './settings/job-spec.ts';
import { stepsOf } from './steps.ts';
import type { JobSpec } from './work/job.ts';
import { addTallies, type RecordTask, type Tally } from './work/task.ts';
import { tokenizerOf } from './work/tokenizer.ts';
import type { JobRunner } from './work/worker-pool.ts';
import { refuseErrorsFile } from './write/errors-file.ts';
import {
  type FileCounts,
  type FileState,
  fileStart,
  type Journal,
  type JournalStart,
  noCounts,
} from './write/journal.ts';
import { metricsPath } from './write/metrics-path.ts';
import { copyWhole, firstLines, makeFolderOf, type RunPaths, removeFiles, writeWhole } from './write/partial-output.ts';
import { journalToResume } from './write/resume.ts';
import { lockRun } from './write/run-lock.ts';
import { diskOutput, dryOutput, type RunOutput } from './write/run-output.ts';

/** What is compressed, and where to. */
export interface CompressTrajectoryFilesOptions {
  /** Files, folders, patterns such as `runs/*.jsonl`, and `-` for `stdin`. Empty with `from`. */
  readonly inputs: readonly string[];
  /** Records that are in no file, such as those of `sessionRecords`, in place of inputs. */
  readonly from?: RecordSource;
  /** A file for one input file, else a folder. Names that end with `.gz` or `.zst` are packed. */
  readonly output: string;
  /** Settings that are not the defaults. @default {} */
  readonly config?: TrajectorySettings;
  /** Goes on with an earlier run that was stopped. @default false */
  readonly resume?: boolean;
  /** Replaces outputs that are there, and starts anew where an earlier run was not finished. @default false */
  readonly force?: boolean;
  /** Counts everything and writes nothing. @default false */
  readonly dryRun?: boolean;
  /** A file for the list of broken records, one JSON object a line. */
  readonly errorsFile?: string;
  /** A queue through which other machines do the work as well. @default this process alone */
  readonly queue?: TrajectoryQueueOptions;
  /** Where relative names begin. @default the working directory */
  readonly cwd?: string;
  /** What is read for `-`. */
  readonly stdin?: Bytes;
  /** Where the key of a model is looked for that writes summaries. @default no variables */
  readonly env?: Environment;
  readonly signal?: AbortSignal;
  /** Hears how far the run is, many times a second. */
  readonly onProgress?: (progress: TrajectoryProgress) => void;
  /** Hears, before a model is asked for the first time, what its summaries will cost, where the inputs are files. */
  readonly onEstimate?: (estimate: CostEstimate) => void;
}

/** What was done to a file. */
export interface TrajectoryFileReport extends FileCounts {
  readonly input: string;
  readonly output: string;
  /** With the names of other tools: summary, tokens, turns, averages, summarization, processing. */
  readonly metrics: JsonObject;
}

/** What a run did. */
export interface TrajectoryReport {
  readonly dryRun: boolean;
  /** True where it went on with an earlier one. */
  readonly resumed: boolean;
  readonly files: readonly TrajectoryFileReport[];
  readonly counts: FileCounts;
  /** The sum over all files, as in the file of metrics. */
  readonly metrics: JsonObject;
  /** What a model was asked; in a dry run, what it would be. Absent where none writes. */
  readonly model?: ModelUse;
  /** What a conversion met: `converted` and `repaired` records, and `left out NAME` for each field that was. */
  readonly tally?: Tally;
  /** The first records that were not compressed; `counts.broken` tells how many there are. */
  readonly broken: readonly BrokenLine[];
  /** Bytes written. */
  readonly outputBytes: number;
  readonly seconds: number;
}

/** Of the broken records a report holds so many. */
const mostBroken = 10;

/**
 * Compresses trajectories in files. The same inputs and settings give the same outputs, whatever the number of workers and
 * however often the run was stopped and gone on with.
 *
 * @throws BAD_CONFIG for settings that cannot be; BAD_OPTION for outputs that are there, and for a run that cannot be gone on with;
 *   FILE_UNREADABLE for what cannot be read or written; INTERRUPTED after an abort; SUMMARY_FAILED where a model cannot be asked
 *   any more, and COST_CAP where its cap is reached. What was done until then is kept beside the output for `resume`.
 *
 * @example
 * import { compressTrajectoryFiles } from 'palimpsest';
 * const { counts } = await compressTrajectoryFiles({
 *   inputs: ['runs'],
 *   output: 'short',
 *   config: { compression: { targetMaxTokens: 8_000 } },
 * });
 */
export function compressTrajectoryFiles(options: CompressTrajectoryFilesOptions): Promise<TrajectoryReport> {
  checkKnownOptions<CompressTrajectoryFilesOptions>('compressTrajectoryFiles', options, knownOptions);
  return runTrajectoryFiles(options, undefined);
}

/** The same run with another task for each record. */
export async function runTrajectoryFiles(
  options: CompressTrajectoryFilesOptions,
  task: RecordTask | undefined,
): Promise<TrajectoryReport> {
  const { output, cwd = '', dryRun = false, resume = false, force = false, from } = options;
  if (from && options.inputs.length > 0)
    throw new PalimpsestError(
      'BAD_OPTION',
      'expected inputs or records from elsewhere, got both: leave one of them out',
    );
  const inputs = from ? ['-'] : options.inputs;
  const config = resolveTrajectoryConfig(options.config ?? {});
  if (options.queue) refuseQueue(config, { dryRun, task });
  // A name that nobody knows should be told of before anything is made.
  await tokenizerOf(config.tokenizer.name);
  const plan = await planFiles(inputs, {
    cwd: resolve(cwd),
    output,
    suffix: config.output.outputSuffix,
    source: from?.name,
    hasMetrics: config.metrics.enabled,
  });
  const model = hasModel(config) && !dryRun && !task ? await readyModel(config, options.env ?? {}) : undefined;
  const run = { options, config, plan, model, task, spec: { ...jobSpecOf(config), ...(task && { task }) } };
  if (dryRun) return work(run, dryOutput(), undefined);
  const paths = runPaths(plan);
  await makeFolderOf(paths.journal);
  await using _lock = await lockRun(paths.lock);
  const start = await journalStart(run, force);
  const old = await journalToResume({ plan, paths, start, resume, force, hasMetrics: config.metrics.enabled });
  const errorsFile = errorsPathOf(options);
  const kept = [...Object.values(paths), ...sumPathOf(run)];
  const mayReplace = { force: force || old?.start.force === true, isResumed: old !== undefined };
  if (errorsFile !== undefined) await refuseErrorsFile(errorsFile, { files: plan.files, kept, ...mayReplace });
  const disk = await diskOutput({ paths, start: old?.start ?? start, old });
  const report = await work({ ...run, paths }, disk, old);
  // The run is over once its journal is gone.
  await removeFiles([paths.journal, paths.broken, paths.answers, paths.queue]);
  return report;
}

const errorsPathOf = ({ cwd = '', errorsFile }: CompressTrajectoryFilesOptions): string | undefined =>
  errorsFile === undefined ? undefined : resolve(cwd, errorsFile);

/** The metrics of all files, where there may be several. */
const sumPathOf = ({ plan, config: { metrics } }: Pick<Run, 'plan' | 'config'>): readonly string[] =>
  metrics.enabled && plan.folder !== undefined ? [join(plan.folder, metrics.outputFile)] : [];

/** Keys of models stay where they are, and what is only counted needs no other machine. */
function refuseQueue(
  { summarization: { model } }: TrajectoryConfig,
  { dryRun, task }: { readonly dryRun: boolean; readonly task: RecordTask | undefined },
): void {
  const usesModel = model === null ? undefined : 'a model for summaries (summarization.model)';
  const other = dryRun ? 'a dry run' : task ? 'a conversion' : usesModel;
  if (other === undefined) return;
  throw new PalimpsestError('BAD_OPTION', `expected a queue or ${other}, got both: omit one of them`);
}

export const knownOptions = {
  inputs: true,
  from: true,
  output: true,
  config: true,
  resume: true,
  force: true,
  dryRun: true,
  errorsFile: true,
  queue: true,
  cwd: true,
  stdin: true,
  env: true,
  signal: true,
  onProgress: true,
  onEstimate: true,
} as const;

interface Run {
  readonly options: CompressTrajectoryFilesOptions;
  readonly config: TrajectoryConfig;
  readonly plan: FilePlan;
  /** Absent in a dry run, and where no model writes. */
  readonly model: ReadyModel | undefined;
  /** Undefined to compress. */
  readonly task: RecordTask | undefined;
  readonly spec: JobSpec;
  /** Absent in a dry run. */
  readonly paths?: ReturnType<typeof runPaths>;
}

function runPaths({ files, folder }: FilePlan): RunPaths & { readonly lock: string; readonly queue: string } {
  const stem = folder === undefined ? `${files[0]?.output ?? ''}.partial` : join(folder, '.partial');
  return {
    journal: `${stem}.journal`,
    broken: `${stem}.errors`,
    answers: `${stem}.answers`,
    lock: `${stem}.lock`,
    queue: `${stem}.queue`,
  };
}

async function journalStart({ plan, config, task, options }: Run, force: boolean): Promise<JournalStart> {
  const inputs = await Promise.all(plan.files.map(identityOf));
  return {
    type: 'run',
    version: 1,
    options: {
      version: packageVersion(),
      ...decidingSettings(config),
      ...options.from?.identity,
      ...(task && { task: task.type, ...(task.type === 'convert' && layoutNames(task.options)) }),
    },
    force,
    inputs,
  };
}

/** `convert.to` and what else decides how records are written. */
const layoutNames = (layout: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(layout).map(([name, value]) => [`convert.${name}`, String(value)]));

async function work(run: Run, output: RunOutput, old: Journal | undefined): Promise<TrajectoryReport> {
  try {
    await using opened = await openRunner(run, old !== undefined);
    await tellEstimate(run, old);
    const { runner, desk } = opened;
    const report = await workWith(run, { output: opened.settling(output), old, runner, desk });
    await opened.end();
    return report;
  } finally {
    await output.close();
  }
}

async function tellEstimate({ options, config, plan, model }: Run, old: Journal | undefined): Promise<void> {
  const { onEstimate } = options;
  if (!onEstimate || !model || old) return;
  const estimate = await estimateCost(config, plan.files);
  if (estimate) onEstimate(estimate);
}

interface Tools {
  readonly output: RunOutput;
  readonly old: Journal | undefined;
  readonly runner: JobRunner;
  readonly desk: SummaryDesk | undefined;
}

async function workWith(run: Run, { output, old, runner, desk }: Tools): Promise<TrajectoryReport> {
  const { options, config, plan, paths, spec } = run;
  const { stdin = options.from?.bytes } = options;
  const signal = anySignal(options.signal, desk?.stopped);
  const [startedAt, startMs] = [new Date(), performance.now()];
  const states = new Map<number, FileState>(old?.done.map((state) => [state.file, state]));
  const broken: BrokenLine[] = [];
  const progress = progressOf(plan.files, old, options.onProgress);
  const times = (): { startedAt: Date; seconds: number } => ({
    startedAt,
    seconds: (performance.now() - startMs) / 1_000,
  });
  const consumer = new Consumer({
    files: plan.files,
    from: old?.point,
    output,
    sample: spec.sample,
    maxRecordBytes: splitLimitsOf(config).maxRecordBytes,
    checkpointMs: config.processing.checkpointSeconds * 1_000,
    onBroken: (line) => {
      if (broken.length < mostBroken) broken.push(line);
    },
    onStep: progress,
    onFile: async (state) => {
      states.set(state.file, state);
      if (paths) await writeMetrics(run, state, times());
    },
  });
  const startOf = (file: number): FileState | undefined =>
    states.has(file) ? undefined : old?.point?.file === file ? old.point : fileStart(file, 0);
  const limits = splitLimitsOf(config);
  try {
    for await (const step of stepsOf({ files: plan.files, startOf, limits, runner, stdin, signal }))
      await consumer.take(step);
  } catch (error) {
    if (!signal?.aborted) throw error;
    await consumer.point();
    if (desk?.stopped.aborted) throw desk.stopped.reason;
    throw interrupted(signal.reason);
  }
  const all = plan.files.flatMap((_, at) => states.get(at) ?? []);
  // What an earlier run met is in the list, too.
  const first = paths ? (await firstLines(paths.broken, mostBroken)).map(brokenLineOf) : broken;
  const report = reportOf(run, { states: all, times: times(), broken: first, isResumed: old !== undefined, desk });
  if (paths) await writeRest(run, paths, report);
  return report;
}

function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 0 ? AbortSignal.any(given) : undefined;
}

/** Only we write the list. */
const brokenLineOf = (line: string): BrokenLine => JSON.parse(line) as BrokenLine;

function interrupted(cause: unknown): PalimpsestError {
  const message = 'interrupted: everything until then is kept beside the output; go on with --resume';
  return new PalimpsestError('INTERRUPTED', message, { cause });
}

/** Tells how far the run is, over all files. */
interface Outcome {
  readonly states: readonly FileState[];
  readonly times: { readonly startedAt: Date; readonly seconds: number };
  readonly broken: readonly BrokenLine[];
  readonly isResumed: boolean;
  readonly desk: SummaryDesk | undefined;
}

function reportOf({ options, plan, task }: Run, { states, times, broken, isResumed, desk }: Outcome): TrajectoryReport {
  const counts = states.reduce((sum, state) => addCounts(sum, state.counts), noCounts);
  const sum = states.reduce((all, state) => addSums(all, state.sum), emptySum);
  return {
    dryRun: options.dryRun ?? false,
    resumed: isResumed,
    files: states.map((state) => ({
      input: plan.files[state.file]?.name ?? '',
      output: plan.files[state.file]?.output ?? '',
      ...state.counts,
      metrics: metricsOf(state.sum, state.counts, times),
    })),
    counts,
    metrics: metricsOf(sum, counts, times),
    ...(desk && { model: desk.use() }),
    ...(task && { tally: states.map(({ tally }) => tally).reduce<Tally>(addTallies, {}) }),
    broken,
    outputBytes: states.reduce((all, { outputBytes }) => all + outputBytes, 0),
    seconds: times.seconds,
  };
}

const addCounts = (a: FileCounts, b: FileCounts): FileCounts => ({
  read: a.read + b.read,
  written: a.written + b.written,
  dropped: a.dropped + b.dropped,
  broken: a.broken + b.broken,
});

async function writeMetrics({ plan, config }: Run, state: FileState, times: Outcome['times']): Promise<void> {
  const output = plan.files[state.file]?.output;
  if (output === undefined || !config.metrics.enabled) return;
  await writeWhole(metricsPath(output), jsonText(metricsOf(state.sum, state.counts, times)));
}

/** What belongs to the whole run: the sum, and the list of broken records where it was asked for. */
async function writeRest(run: Run, paths: RunPaths, report: TrajectoryReport): Promise<void> {
  for (const path of sumPathOf(run)) await writeWhole(path, jsonText(report.metrics));
  const errorsFile = errorsPathOf(run.options);
  if (errorsFile !== undefined) await copyWhole(paths.broken, errorsFile);
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
