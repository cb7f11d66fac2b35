/** `palimpsest trajectories compress`: from the words typed to the report of what was done. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '@palimpsest/core/settings';
import {
  type CompressTrajectoryFilesOptions,
  compressTrajectoryFiles,
  type TrajectoryReport,
} from '../../trajectory/compress-files.ts';
import type { TrajectoryProgress } from '../../trajectory/run-progress.ts';
import type { TrajectoryConfig } from '../../trajectory/settings/config.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { badOption, given, pathOf } from '../option-values.ts';
import { outputFile } from '../output-file.ts';
import { interruptible, movingLine } from '../progress.ts';
import { type ColumnOf, gives, right, tableOf } from '../render/table.ts';
import { counted, firstOf, linesOf, megabytes, oneLine, percent, thousands } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writeReport } from '../terminal.ts';
import { estimateText, modelNotes, plannedText, usedText } from './trajectories-model.ts';
import { type QueueFlags, queueFor } from './trajectories-queue.ts';
import { type SessionFlags, type TakenRecords, withRecords } from './trajectories-sessions.ts';
import { type SettingFlags, settingsFor } from './trajectories-settings.ts';

interface CompressFlags extends SettingFlags, SessionFlags, QueueFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly errors?: string;
}

export async function runTrajectoriesCompress({ words, flags, terminal }: Call<CompressFlags>): Promise<ExitCode> {
  const config = await settingsFor(flags, terminal);
  const output = outputOf(flags, terminal, 'compressed.jsonl');
  await refuseStores(output, { inputs: flags.fromSessions ? [] : words, terminal, store: flags.store });
  const layout = { to: config.compression.format ?? 'sharegpt' };
  return withRecords({ words, flags, terminal, layout }, (records) =>
    compress(records, { config, output, flags, terminal }),
  );
}

interface Run extends Around {
  readonly output: string;
}

async function compress({ inputs, from, notes }: TakenRecords, { output, ...around }: Run): Promise<ExitCode> {
  const { config, flags, terminal } = around;
  const line = movingLine(terminal, 200);
  const options: CompressTrajectoryFilesOptions = {
    inputs,
    output,
    config,
    cwd: terminal.cwd,
    ...given({ from, queue: queueFor(flags, terminal) }),
    ...given({ resume: flags.resume, force: flags.force, dryRun: flags.dryRun, errorsFile: flags.errors }),
    env: terminal.env,
    onProgress: (progress) => line.show((elapsedMs) => progressText(progress, elapsedMs)),
    onEstimate: (estimate) => {
      const text = estimateText(estimate, config);
      if (!terminal.json && !terminal.quiet) terminal.stderr.write(`palimpsest: note: ${text}\n`);
    },
  };
  let report: TrajectoryReport;
  try {
    report = await interruptible(terminal, (signal) =>
      compressTrajectoryFiles({ ...options, signal, ...(from ? {} : { stdin: bytesOf(terminal, signal) }) }),
    );
  } finally {
    line.erase();
  }
  await tell(report, around, notes);
  return report.counts.broken > 0 ? exitCodes.finding : exitCodes.fine;
}

/** Where a run writes; `usual` is what a dry run calls it where nothing was named. */
export function outputOf(
  { output, dryRun }: { readonly output?: string; readonly dryRun?: boolean },
  terminal: Terminal,
  usual: string,
): string {
  if (output === '-')
    throw badOption('expected -o as a file or a folder, got "-": a run that may be gone on with needs a place');
  if (output !== undefined) {
    pathOf(output, terminal);
    return output;
  }
  // Nothing is written; the name only says what would be.
  if (dryRun) return usual;
  throw badOption('expected -o FILE, or -o FOLDER for several inputs, got neither');
}

/** What holds conversations or memories is never replaced, whatever `--force` says. Whether a file is there is asked later. */
export async function refuseStores(output: string, { terminal, ...rules }: StoreRules): Promise<void> {
  const isFolder = (await stat(resolve(terminal.cwd, output)).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder) await outputFile(output, { terminal, force: true, ...rules });
}

interface StoreRules {
  readonly inputs: readonly string[];
  readonly terminal: Terminal;
  readonly store: string | undefined;
}

/** Standard input, which is not waited for after an abort. */
export async function* bytesOf({ stdin }: Terminal, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.addEventListener('abort', () => stdin.destroy?.(), { once: true });
  for await (const chunk of stdin) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** `12.3 of 45.0 MB (27 %), 31.0 MB/s, 1,234 records/s, 2 min left, 3 broken: runs/a.jsonl` */
export function progressText(progress: TrajectoryProgress, elapsedMs: number): string {
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

async function tell(
  report: TrajectoryReport,
  { config, flags, terminal }: Around,
  before: readonly string[],
): Promise<void> {
  const notes = [...before, ...notesOf(report, config)];
  if (terminal.json) return writeJson(terminal, { command: 'trajectories compress', ...report, notes });
  await writeLines(terminal.stderr, brokenLines(report, flags.errors));
  await writeNotes(terminal, notes);
  if (!terminal.quiet) await writeReport(terminal, reportLines(report, terminal));
}

function notesOf({ counts, metrics, model }: TrajectoryReport, { processing }: TrajectoryConfig): readonly string[] {
  const over = figure(metrics, 'summary', 'trajectories_still_over_limit');
  return linesOf(
    modelNotes(model),
    over > 0 &&
      `${counted(over, 'record')} could not be brought under the target: what must stay in them is larger${processing.saveOverLimit ? '' : `; ${thousands(counts.dropped)} dropped`}`,
  );
}

/** Every broken record as `file:line: what`, the first ones. Not silenced by `--quiet`: it is an error. */
export function brokenLines(
  { broken, counts }: Pick<TrajectoryReport, 'broken' | 'counts'>,
  errors: string | undefined,
): readonly string[] {
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

function reportLines(report: TrajectoryReport, terminal: Terminal): readonly string[] {
  const { files, counts, metrics, model, seconds, dryRun, outputBytes } = report;
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
    !dryRun && model && usedText(model),
    dryRun ? dryLines(report) : `wrote ${megabytes(outputBytes)} to ${placeOf(report)}`,
  );
}

const placeOf = ({ files }: TrajectoryReport): string => {
  const [first] = files;
  return files.length === 1 ? oneLine(first?.output ?? '') : counted(files.length, 'file');
};

function dryLines(report: TrajectoryReport): readonly string[] {
  const files = firstOf(
    report.files.map(({ input, output }) => `  ${oneLine(input)} → ${oneLine(output)}`),
    mostFiles,
    (rest) => `  and ${thousands(rest)} more`,
  );
  return linesOf(
    `dry run: nothing was written; ${megabytes(report.outputBytes)} would be`,
    files,
    report.model && plannedText(report.model),
  );
}
