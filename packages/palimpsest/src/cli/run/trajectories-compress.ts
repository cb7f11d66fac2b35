/** `palimpsest trajectories compress`: from the words typed to the report of what was done. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { priceOf } from '@palimpsest/core';
import { isJsonObject, type JsonObject } from '@palimpsest/core/settings';
import { moneyLabel } from '@palimpsest/core/usage';
import {
  type CompressTrajectoryFilesOptions,
  compressTrajectoryFiles,
  type TrajectoryProgress,
  type TrajectoryReport,
} from '../../trajectory/compress-files.ts';
import type { TrajectoryConfig } from '../../trajectory/settings/config.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { badOption, given, pathOf } from '../option-values.ts';
import { outputFile } from '../output-file.ts';
import { interruptible, movingLine } from '../progress.ts';
import { type ColumnOf, gives, right, tableOf } from '../render/table.ts';
import { counted, firstOf, linesOf, megabytes, oneLine, percent, thousands } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writeReport } from '../terminal.ts';
import { type QueueFlags, queueFor } from './trajectories-queue.ts';
import { type SettingFlags, settingsFor } from './trajectories-settings.ts';

interface CompressFlags extends SettingFlags, QueueFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly errors?: string;
}

export async function runTrajectoriesCompress({ words, flags, terminal }: Call<CompressFlags>): Promise<ExitCode> {
  const config = await settingsFor(flags, terminal);
  const output = outputOf(flags, terminal);
  await refuseStores(output, words, terminal);
  const line = movingLine(terminal, 200);
  const options: CompressTrajectoryFilesOptions = {
    inputs: words,
    output,
    config,
    cwd: terminal.cwd,
    stdin: bytesOf(terminal),
    ...given({ queue: queueFor(flags, terminal) }),
    ...given({ resume: flags.resume, force: flags.force, dryRun: flags.dryRun, errorsFile: flags.errors }),
    onProgress: (progress) => line.show((elapsedMs) => progressText(progress, elapsedMs)),
  };
  let report: TrajectoryReport;
  try {
    report = await interruptible(terminal, (signal) => compressTrajectoryFiles({ ...options, signal }));
  } finally {
    line.erase();
  }
  await tell(report, { config, flags, terminal });
  return report.counts.broken > 0 ? exitCodes.finding : exitCodes.fine;
}

function outputOf({ output, dryRun }: CompressFlags, terminal: Terminal): string {
  if (output === '-')
    throw badOption('expected -o as a file or a folder, got "-": a run that may be gone on with needs a place');
  if (output !== undefined) {
    pathOf(output, terminal);
    return output;
  }
  // Nothing is written; the name only says what would be.
  if (dryRun) return 'compressed.jsonl';
  throw badOption('expected -o FILE, or -o FOLDER for several inputs, got neither');
}

/** What holds conversations or memories is never replaced, whatever `--force` says. Whether a file is there is asked later. */
async function refuseStores(output: string, inputs: readonly string[], terminal: Terminal): Promise<void> {
  const isFolder = (await stat(resolve(terminal.cwd, output)).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder) await outputFile(output, { terminal, force: true, inputs });
}

async function* bytesOf({ stdin }: Terminal): AsyncGenerator<Uint8Array> {
  for await (const chunk of stdin) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** `12.3 of 45.0 MB (27 %), 31.0 MB/s, 1,234 records/s, 2 min left, 3 broken: runs/a.jsonl` */
function progressText(progress: TrajectoryProgress, elapsedMs: number): string {
  const { bytes, totalBytes, resumedBytes, records, broken, file, files, filesDone } = progress;
  const seconds = Math.max(elapsedMs, 1) / 1_000;
  const rate = (bytes - resumedBytes) / seconds;
  const parts = linesOf(
    totalBytes === undefined ? megabytes(bytes) : `${percent(bytes, totalBytes)} of ${megabytes(totalBytes)}`,
    `${megabytes(rate)}/s`,
    `${thousands(records / seconds)} records/s`,
    totalBytes !== undefined && rate > 0 && leftText((totalBytes - bytes) / rate),
    broken > 0 && counted(broken, 'broken record'),
    files > 1 && `file ${thousands(filesDone + 1)} of ${thousands(files)}`,
  );
  return `${parts.join(', ')}: ${oneLine(file)}`;
}

function leftText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min left` : `${(seconds / 3_600).toFixed(1)} h left`;
}

interface Around {
  readonly config: TrajectoryConfig;
  readonly flags: CompressFlags;
  readonly terminal: Terminal;
}

async function tell(report: TrajectoryReport, { config, flags, terminal }: Around): Promise<void> {
  const notes = notesOf(report, config);
  if (terminal.json)
    return writeJson(terminal, { command: 'trajectories compress', ...report, ...costOf(report, config), notes });
  await writeLines(terminal.stderr, brokenLines(report, flags.errors));
  await writeNotes(terminal, notes);
  if (!terminal.quiet) await writeReport(terminal, reportLines(report, config, terminal));
}

function notesOf(
  { counts, metrics }: TrajectoryReport,
  { summarization, processing }: TrajectoryConfig,
): readonly string[] {
  const over = figure(metrics, 'summary', 'trajectories_still_over_limit');
  return linesOf(
    summarization.model !== null &&
      `summarization.model is set (${summarization.model}), but no model is asked: the summaries are written from extracted facts`,
    over > 0 &&
      `${counted(over, 'record')} could not be brought under the target: what must stay in them is larger${processing.saveOverLimit ? '' : `; ${thousands(counts.dropped)} dropped`}`,
  );
}

/** Every broken record as `file:line: what`, the first ones. Not silenced by `--quiet`: it is an error. */
function brokenLines({ broken, counts }: TrajectoryReport, errors: string | undefined): readonly string[] {
  const lines = broken.map(({ file, line, message }) => `palimpsest: ${oneLine(`${file}:${line}: ${message}`)}`);
  const rest = counts.broken - lines.length;
  const where = errors === undefined ? 'use --errors FILE to list them all' : `all of them are in ${oneLine(errors)}`;
  return linesOf(lines, rest > 0 && `palimpsest: and ${counted(rest, 'more broken record')}; ${where}`);
}

/** A number of the metrics, which have the names of other tools. */
function figure(metrics: JsonObject, section: string, key: string): number {
  const values = metrics[section];
  const value = isJsonObject(values ?? null) ? Reflect.get(Object(values), key) : undefined;
  return typeof value === 'number' ? value : 0;
}

type FileReport = TrajectoryReport['files'][number];

const columns: readonly ColumnOf<FileReport>[] = [
  ['file', ({ input }) => oneLine(input), gives],
  ['records', ({ read }) => thousands(read), right],
  ['compressed', ({ metrics }) => thousands(figure(metrics, 'summary', 'trajectories_compressed')), right],
  ['over target', ({ metrics }) => thousands(figure(metrics, 'summary', 'trajectories_still_over_limit')), right],
  ['broken', ({ broken }) => thousands(broken), right],
  ['tokens', ({ metrics }) => thousands(figure(metrics, 'tokens', 'total_before')), right],
  ['after', ({ metrics }) => thousands(figure(metrics, 'tokens', 'total_after')), right],
];

const mostFiles = 20;

function reportLines(report: TrajectoryReport, config: TrajectoryConfig, terminal: Terminal): readonly string[] {
  const { files, counts, metrics, seconds, dryRun, outputBytes } = report;
  const of = (section: string, key: string): number => figure(metrics, section, key);
  const all: FileReport = { input: 'all', output: '', ...counts, metrics };
  const shown = files.slice(0, mostFiles);
  const rows = files.length > 1 ? [...shown, all] : shown;
  const total = of('summary', 'total_trajectories');
  return linesOf(
    tableOf(rows, columns, { screen: stdoutScreen(terminal) }),
    files.length > mostFiles && `  and ${counted(files.length - mostFiles, 'more file')}, counted in all`,
    `${counted(counts.read, 'record')} in ${seconds.toFixed(1)} s: ${thousands(of('summary', 'trajectories_compressed'))} compressed, ${thousands(of('summary', 'trajectories_skipped_under_target'))} under the target as they were (${thousands(of('summary', 'trajectories_provably_under'))} not counted: their size proves it)`,
    total > 0 &&
      of('tokens', 'total_before') > 0 &&
      `tokens counted: ${thousands(of('tokens', 'total_before'))} → ${thousands(of('tokens', 'total_after'))}`,
    dryRun ? dryLines(report, config) : `wrote ${megabytes(outputBytes)} to ${placeOf(report)}`,
  );
}

const placeOf = ({ files }: TrajectoryReport): string => {
  const [first] = files;
  return files.length === 1 ? oneLine(first?.output ?? '') : counted(files.length, 'file');
};

function dryLines(report: TrajectoryReport, config: TrajectoryConfig): readonly string[] {
  const { cost } = costOf(report, config);
  const files = firstOf(
    report.files.map(({ input, output }) => `  ${oneLine(input)} → ${oneLine(output)}`),
    mostFiles,
    (rest) => `  and ${thousands(rest)} more`,
  );
  return linesOf(
    `dry run: nothing was written; ${megabytes(report.outputBytes)} would be`,
    files,
    cost &&
      `${cost.model} would be asked ${counted(cost.calls, 'time')}: about ${thousands(cost.inputTokens)} tokens in and ${thousands(cost.outputTokens)} out, ${cost.price}`,
  );
}

/** What the summaries of a named model would cost: it reads what goes, and writes what stands for it. */
function costOf(
  { metrics, dryRun }: TrajectoryReport,
  { summarization: { model }, compression }: TrajectoryConfig,
): { readonly cost?: SummaryCost } {
  if (model === null || !dryRun) return {};
  const calls = figure(metrics, 'turns', 'total_regions');
  const perCall = compression.summaryTargetTokens ?? 750;
  const outputTokens = calls * perCall;
  const inputTokens = figure(metrics, 'tokens', 'total_saved') + outputTokens + calls * promptTokens;
  const price = moneyLabel(priceOf(model, { inputTokens, outputTokens }));
  return { cost: { model, calls, inputTokens, outputTokens, price } };
}

/** What is said to a model around the turns. */
const promptTokens = 400;

interface SummaryCost {
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars, for people. */
  readonly price: string;
}
