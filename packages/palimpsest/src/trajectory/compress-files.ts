/** Compresses files of trajectories: on all cores, in order, and so that a run that was stopped can go on. */
import { join, resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { checkKnownOptions, type JsonObject } from '@palimpsest/core/settings';
import { addSums, emptySum } from '@palimpsest/core/trajectories';
import { packageVersion } from '../config/package.ts';
import { type BrokenLine, Consumer } from './consume.ts';
import type { TrajectoryQueueOptions } from './queue/queue-options.ts';
import { type QueueRun, startQueueRun } from './queue/queue-run.ts';
import { type FilePlan, identityOf, planFiles } from './read/find-inputs.ts';
import type { Bytes } from './read/unpack.ts';
import { metricsOf } from './run-metrics.ts';
import { resolveTrajectoryConfig, type TrajectoryConfig, type TrajectorySettings } from './settings/config.ts';
import { decidingSettings, jobSpecOf, splitLimitsOf } from './settings/job-spec.ts';
import { stepsOf } from './steps.ts';
import { tokenizerOf } from './work/tokenizer.ts';
import { type JobRunner, type PoolOptions, startPool } from './work/worker-pool.ts';
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
  /** Files, folders, patterns such as `runs/*.jsonl`, and `-` for `stdin`. */
  readonly inputs: readonly string[];
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
  readonly signal?: AbortSignal;
  /** Hears how far the run is, many times a second. */
  readonly onProgress?: (progress: TrajectoryProgress) => void;
}

/** How far a run is. */
export interface TrajectoryProgress {
  /** The file under way, as it was named. */
  readonly file: string;
  readonly filesDone: number;
  readonly files: number;
  /** Bytes of all inputs that are done, packed as they are; with what an earlier run did. */
  readonly bytes: number;
  /** Undefined where an input is standard input. */
  readonly totalBytes: number | undefined;
  /** Bytes that an earlier run did. */
  readonly resumedBytes: number;
  readonly records: number;
  readonly broken: number;
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
 *   FILE_UNREADABLE for what cannot be read or written; INTERRUPTED after an abort. What was done until then is kept beside the
 *   output for `resume`.
 *
 * @example
 * import { compressTrajectoryFiles } from 'palimpsest';
 * const { counts } = await compressTrajectoryFiles({
 *   inputs: ['runs'],
 *   output: 'short',
 *   config: { compression: { targetMaxTokens: 8_000 } },
 * });
 */
export async function compressTrajectoryFiles(options: CompressTrajectoryFilesOptions): Promise<TrajectoryReport> {
  checkKnownOptions<CompressTrajectoryFilesOptions>('compressTrajectoryFiles', options, knownOptions);
  const { inputs, output, cwd = '', dryRun = false, resume = false, force = false } = options;
  const config = resolveTrajectoryConfig(options.config ?? {});
  if (options.queue) refuseQueue(config, dryRun);
  // A name that nobody knows should be told of before anything is made.
  await tokenizerOf(config.tokenizer.name);
  const plan = await planFiles(inputs, { cwd: resolve(cwd), output, suffix: config.output.outputSuffix });
  const run = { options, config, plan };
  if (dryRun) return work(run, dryOutput(), undefined);
  const paths = runPaths(plan);
  await makeFolderOf(paths.journal);
  await using _lock = await lockRun(paths.lock);
  const start = await journalStart(run, force);
  const old = await journalToResume({ plan, paths, start, resume, force });
  const disk = await diskOutput({ paths, start: old?.start ?? start, old });
  const report = await work({ ...run, paths }, disk, old);
  // The run is over once its journal is gone.
  await removeFiles([paths.journal, paths.broken, paths.queue]);
  return report;
}

/** Keys of models stay where they are, and what is only counted needs no other machine. */
function refuseQueue({ summarization: { model } }: TrajectoryConfig, dryRun: boolean): void {
  const other = dryRun ? 'a dry run' : model === null ? undefined : 'a model for summaries (summarization.model)';
  if (other === undefined) return;
  throw new PalimpsestError('BAD_OPTION', `expected a queue or ${other}, got both: omit one of them`);
}

const knownOptions = {
  inputs: true,
  output: true,
  config: true,
  resume: true,
  force: true,
  dryRun: true,
  errorsFile: true,
  queue: true,
  cwd: true,
  stdin: true,
  signal: true,
  onProgress: true,
} as const;

interface Run {
  readonly options: CompressTrajectoryFilesOptions;
  readonly config: TrajectoryConfig;
  readonly plan: FilePlan;
  /** Absent in a dry run. */
  readonly paths?: ReturnType<typeof runPaths>;
}

function runPaths({ files, folder }: FilePlan): RunPaths & { readonly lock: string; readonly queue: string } {
  const stem = folder === undefined ? `${files[0]?.output ?? ''}.partial` : join(folder, '.partial');
  return { journal: `${stem}.journal`, broken: `${stem}.errors`, lock: `${stem}.lock`, queue: `${stem}.queue` };
}

async function journalStart({ plan, config }: Run, force: boolean): Promise<JournalStart> {
  const inputs = await Promise.all(plan.files.map(identityOf));
  return {
    type: 'run',
    version: 1,
    options: { version: packageVersion(), ...decidingSettings(config) },
    force,
    inputs,
  };
}

async function work(run: Run, output: RunOutput, old: Journal | undefined): Promise<TrajectoryReport> {
  const { config } = run;
  const { processing } = config;
  const workers = processing.numWorkers ?? navigator.hardwareConcurrency;
  const pool = { workers, workerMegabytes: workerMegabytesOf(processing) };
  try {
    const queued = await queueRunOf(run, pool, old !== undefined);
    const runner = queued ?? startPool(jobSpecOf(config), pool);
    try {
      const report = await workWith(run, { output: queued?.settling(output) ?? output, old, runner });
      await queued?.end();
      return report;
    } finally {
      await runner.close();
    }
  } finally {
    await output.close();
  }
}

async function queueRunOf(
  { options: { queue }, config, paths, plan }: Run,
  pool: PoolOptions,
  isResumed: boolean,
): Promise<QueueRun | undefined> {
  if (!queue || !paths) return undefined;
  const output = plan.folder ?? plan.files[0]?.output ?? '';
  return startQueueRun(queue, { spec: jobSpecOf(config), ...pool, idFile: paths.queue, isResumed, output });
}

/** Room for the largest record: its bytes, its text, what it is parsed to, and what becomes of it. */
const workerMegabytesOf = ({ maxRecordMegabytes }: TrajectoryConfig['processing']): number =>
  192 + 8 * maxRecordMegabytes;

interface Tools {
  readonly output: RunOutput;
  readonly old: Journal | undefined;
  readonly runner: JobRunner;
}

async function workWith(run: Run, { output, old, runner }: Tools): Promise<TrajectoryReport> {
  const { options, config, plan, paths } = run;
  const { signal, stdin } = options;
  const [startedAt, startMs] = [new Date(), performance.now()];
  const states = new Map<number, FileState>(old?.done.map((state) => [state.file, state]));
  const broken: BrokenLine[] = [];
  const progress = progressOf(run, old);
  const times = (): { startedAt: Date; seconds: number } => ({
    startedAt,
    seconds: (performance.now() - startMs) / 1_000,
  });
  const consumer = new Consumer({
    files: plan.files,
    from: old?.point,
    output,
    sample: jobSpecOf(config).sample,
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
    throw interrupted(signal.reason);
  }
  const all = plan.files.flatMap((_, at) => states.get(at) ?? []);
  // What an earlier run met is in the list, too.
  const first = paths ? (await firstLines(paths.broken, mostBroken)).map(brokenLineOf) : broken;
  const report = reportOf(run, { states: all, times: times(), broken: first, isResumed: old !== undefined });
  if (paths) await writeRest(run, paths, report);
  return report;
}

/** Only we write the list. */
const brokenLineOf = (line: string): BrokenLine => JSON.parse(line) as BrokenLine;

function interrupted(cause: unknown): PalimpsestError {
  const message = 'interrupted: everything until then is kept beside the output; go on with --resume';
  return new PalimpsestError('INTERRUPTED', message, { cause });
}

/** Tells how far the run is, over all files. */
function progressOf({ options, plan }: Run, old: Journal | undefined): (state: FileState, bytesRead: number) => void {
  const { files } = plan;
  const sizes = files.map(({ size }) => size);
  const totalBytes = sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const before = (file: number): number => sizes.slice(0, file).reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const resumedBytes = old ? before(old.point?.file ?? old.done.length) : 0;
  let [file, startBytes, records, broken] = [-1, 0, 0, 0];
  let counted: FileState | undefined;
  for (const { counts } of old?.done ?? []) {
    records += counts.read;
    broken += counts.broken;
  }
  return (state, bytesRead) => {
    if (state.file !== file) {
      records += counted?.counts.read ?? 0;
      broken += counted?.counts.broken ?? 0;
      file = state.file;
      startBytes = before(file);
    }
    counted = state;
    options.onProgress?.({
      file: files[file]?.name ?? '',
      filesDone: file,
      files: files.length,
      bytes: startBytes + bytesRead,
      totalBytes,
      resumedBytes,
      records: records + state.counts.read,
      broken: broken + state.counts.broken,
    });
  };
}

interface Outcome {
  readonly states: readonly FileState[];
  readonly times: { readonly startedAt: Date; readonly seconds: number };
  readonly broken: readonly BrokenLine[];
  readonly isResumed: boolean;
}

function reportOf({ options, plan }: Run, { states, times, broken, isResumed }: Outcome): TrajectoryReport {
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
async function writeRest({ options, plan, config }: Run, paths: RunPaths, report: TrajectoryReport): Promise<void> {
  if (config.metrics.enabled && plan.folder !== undefined)
    await writeWhole(join(plan.folder, config.metrics.outputFile), jsonText(report.metrics));
  if (options.errorsFile !== undefined) await copyWhole(paths.broken, resolve(options.cwd ?? '', options.errorsFile));
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
