/** Counts what is in files of trajectories, on all cores. Nothing is written. */
import { resolve } from 'node:path';
import { checkKnownOptions, type KnownOptions } from '@palimpsest/core/settings';
import { addStats, sumStats, type TrajectoryStats } from '@palimpsest/core/trajectories';
import type { BrokenLine } from './consume.ts';
import { type PlannedFile, readableFiles } from './read/find-inputs.ts';
import type { Bytes } from './read/unpack.ts';
import type { RecordSource } from './record-source.ts';
import type { TrajectoryProgress } from './run-progress.ts';
import { resolveTrajectoryConfig, type TrajectorySettings } from './settings/config.ts';
import { jobSpecOf, splitLimitsOf } from './settings/job-spec.ts';
import { type Step, stepsOf } from './steps.ts';
import { tokenizerOf } from './work/tokenizer.ts';
import { startPool } from './work/worker-pool.ts';
import { refuseErrorsFile } from './write/errors-file.ts';
import { fileStart } from './write/journal.ts';
import { copyWhole, makeFolderOf, openGrowing, partialOf, removeFiles } from './write/partial-output.ts';

/** What is counted. */
export interface TrajectoryFileStatsOptions {
  /** Files, folders, patterns, and `-` for `stdin`. Empty with `from`. */
  readonly inputs: readonly string[];
  /** Records that are in no file, in place of inputs. */
  readonly from?: RecordSource;
  /** Numbers of tokens: how many records are over each. @default the target of the settings */
  readonly limits?: readonly number[];
  /** Settings that are not the defaults. @default {} */
  readonly config?: TrajectorySettings;
  /** Where relative names begin. @default the working directory */
  readonly cwd?: string;
  /** What is read for `-`. */
  readonly stdin?: Bytes;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TrajectoryProgress) => void;
  /** A file for the list of broken records, one JSON object a line. */
  readonly errorsFile?: string;
  /** Replaces that file where it is there. @default false */
  readonly force?: boolean;
}

/** What is in the files. */
export interface TrajectoryFileStats {
  readonly files: number;
  readonly stats: TrajectoryStats;
  /** Records that could not be read; the first of them are in `brokenLines`. */
  readonly broken: number;
  readonly brokenLines: readonly BrokenLine[];
  readonly seconds: number;
}

const mostBroken = 10;

/**
 * Counts trajectories in files. What it needs of memory does not grow with the number of records.
 *
 * @throws BAD_CONFIG; BAD_OPTION for a list of errors that would take the place of another file; FILE_UNREADABLE, and the reason of the signal
 *
 * @example
 * import { trajectoryFileStats } from 'palimpsest';
 * const { stats } = await trajectoryFileStats({ inputs: ['runs'], limits: [8_000, 16_000] });
 */
export async function trajectoryFileStats(options: TrajectoryFileStatsOptions): Promise<TrajectoryFileStats> {
  checkKnownOptions<TrajectoryFileStatsOptions>('trajectoryFileStats', options, known);
  const { from, cwd = '', signal, stdin = from?.bytes } = options;
  const startMs = performance.now();
  const config = resolveTrajectoryConfig(options.config ?? {});
  const limits = [...(options.limits ?? [config.compression.targetMaxTokens])].sort((a, b) => a - b);
  await tokenizerOf(config.tokenizer.name);
  const files = await readableFiles(from ? ['-'] : options.inputs, { cwd: resolve(cwd), source: from?.name });
  const errors = options.errorsFile === undefined ? undefined : resolve(cwd, options.errorsFile);
  if (errors !== undefined) await refuseErrorsFile(errors, { files, force: options.force ?? false });
  const spec = { ...jobSpecOf(config), task: { type: 'stats', limits } } as const;
  const workerMegabytes = 192 + 8 * config.processing.maxRecordMegabytes;
  const workers = config.processing.numWorkers ?? navigator.hardwareConcurrency;
  const runner = startPool(spec, { workers, workerMegabytes });
  const counter = new Counter(files, limits, options);
  if (errors !== undefined) await makeFolderOf(errors);
  const list = errors === undefined ? undefined : await openGrowing(partialOf(errors), 0);
  const startOf = (file: number): ReturnType<typeof fileStart> => fileStart(file, 0);
  try {
    const steps = stepsOf({ files, startOf, limits: splitLimitsOf(config), runner, stdin, signal });
    for await (const step of steps) {
      counter.take(step);
      await list?.append(Buffer.from(counter.newBroken()));
    }
    if (errors !== undefined) await copyWhole(partialOf(errors), errors);
  } finally {
    await runner.close();
    await list?.close();
    if (errors !== undefined) await removeFiles([partialOf(errors)]);
  }
  return { files: files.length, ...counter.found(), seconds: (performance.now() - startMs) / 1_000 };
}

const known: KnownOptions<TrajectoryFileStatsOptions> = {
  inputs: true,
  from: true,
  limits: true,
  config: true,
  cwd: true,
  stdin: true,
  signal: true,
  onProgress: true,
  errorsFile: true,
  force: true,
};

class Counter {
  readonly #files: readonly PlannedFile[];
  readonly #options: TrajectoryFileStatsOptions;
  readonly #totalBytes: number | undefined;
  #stats: TrajectoryStats;
  #file = 0;
  #bytesBefore = 0;
  #records = 0;
  #broken = 0;
  readonly #brokenLines: BrokenLine[] = [];
  readonly #unlisted: string[] = [];

  constructor(files: readonly PlannedFile[], limits: readonly number[], options: TrajectoryFileStatsOptions) {
    this.#files = files;
    this.#options = options;
    this.#stats = sumStats([], limits);
    const sizes = files.map(({ size }) => size);
    this.#totalBytes = sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  }

  found(): Pick<TrajectoryFileStats, 'stats' | 'broken' | 'brokenLines'> {
    return { stats: this.#stats, broken: this.#broken, brokenLines: this.#brokenLines };
  }

  /** Lines for the list of broken records, since this was last asked. */
  newBroken(): string {
    return this.#unlisted.splice(0).join('');
  }

  take(step: Step): void {
    switch (step.type) {
      case 'begin':
        this.#file = step.file;
        this.#records = 0;
        return;
      case 'result': {
        const { stats, broken } = step.result;
        if (stats) this.#stats = addStats(this.#stats, stats);
        this.#records += step.batch.count;
        for (const { number, code, message } of broken) this.#tell(number, code, message);
        this.#show(step.bytesRead);
        return;
      }
      case 'piece':
        if (step.piece.isLast) this.#tooLarge(step.piece.number);
        this.#show(step.bytesRead);
        return;
      case 'end':
        if (step.damage !== undefined) this.#tell(this.#records + 1, 'TRAJECTORY_BROKEN', step.damage);
        this.#show(step.bytesRead);
        this.#bytesBefore += this.#files[step.file]?.size ?? 0;
        return;
    }
  }

  #tooLarge(number: number): void {
    this.#records++;
    const message =
      'expected a record that may be parsed, got a larger one: raise processing.max_record_megabytes to count it';
    this.#tell(number, 'TRAJECTORY_BROKEN', message);
  }

  #tell(line: number, code: string, message: string): void {
    const one = { file: this.#files[this.#file]?.name ?? '', line, code, message };
    this.#broken++;
    if (this.#brokenLines.length < mostBroken) this.#brokenLines.push(one);
    this.#unlisted.push(`${JSON.stringify(one)}\n`);
  }

  #show(bytesRead: number): void {
    this.#options.onProgress?.({
      file: this.#files[this.#file]?.name ?? '',
      filesDone: this.#file,
      files: this.#files.length,
      bytes: this.#bytesBefore + bytesRead,
      totalBytes: this.#totalBytes,
      resumedBytes: 0,
      records: this.#stats.trajectories + this.#broken,
      broken: this.#broken,
    });
  }
}
