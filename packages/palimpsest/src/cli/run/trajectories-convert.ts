/** `palimpsest trajectories convert`: from the words typed to the report of what was written. */
import type { TrajectoryFormat, TrajectoryLayout } from '@palimpsest/core/trajectories';
import { type ConversionReport, convertTrajectoryFiles } from '../../trajectory/convert-files.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { badOption, given } from '../option-values.ts';
import { interruptible, movingLine } from '../progress.ts';
import { type ColumnOf, gives, right, tableOf } from '../render/table.ts';
import { counted, firstOf, linesOf, megabytes, oneLine, thousands } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writeReport } from '../terminal.ts';
import { brokenLines, bytesOf, outputOf, progressText, refuseStores } from './trajectories-compress.ts';
import { type SessionFlags, withRecords } from './trajectories-sessions.ts';
import { type SettingFlags, settingsFor } from './trajectories-settings.ts';

interface ConvertFlags extends SettingFlags, SessionFlags {
  readonly output?: string;
  readonly to?: TrajectoryFormat;
  readonly calls?: TrajectoryLayout['calls'];
  readonly reasoning?: TrajectoryLayout['reasoning'];
  readonly force?: boolean;
  readonly resume?: boolean;
  readonly dryRun?: boolean;
  readonly errors?: string;
}

export async function runTrajectoriesConvert({ words, flags, terminal }: Call<ConvertFlags>): Promise<ExitCode> {
  const { to, calls, reasoning, force, resume, dryRun, errors } = flags;
  if (to === undefined) throw badOption('expected --to as sharegpt, openai-chat or anthropic, got nothing');
  if (calls !== undefined && to !== 'sharegpt')
    throw badOption(`expected --calls beside --to sharegpt, got it beside --to ${to}: leave --calls out`);
  const config = await settingsFor(flags, terminal);
  const output = outputOf(flags, terminal, 'converted.jsonl');
  await refuseStores(output, { inputs: flags.fromSessions ? [] : words, terminal, store: flags.store });
  const layout = { to, ...given({ calls, reasoning }) };
  const line = movingLine(terminal, 200);
  return withRecords({ words, flags, terminal, layout }, async ({ inputs, from, notes }) => {
    // What comes of the store is written so from the start.
    let report: ConversionReport;
    try {
      report = await interruptible(terminal, (signal) =>
        convertTrajectoryFiles({
          layout: from ? { to } : layout,
          inputs,
          output,
          config,
          cwd: terminal.cwd,
          ...(from ? { from } : { stdin: bytesOf(terminal, signal) }),
          ...given({ resume, force, dryRun, errorsFile: errors }),
          signal,
          onProgress: (progress) => line.show((elapsedMs) => progressText(progress, elapsedMs)),
        }),
      );
    } finally {
      line.erase();
    }
    await tell(report, { flags, terminal, notes });
    return report.counts.broken > 0 ? exitCodes.finding : exitCodes.fine;
  });
}

interface Around {
  readonly flags: ConvertFlags;
  readonly terminal: Terminal;
  readonly notes: readonly string[];
}

async function tell(report: ConversionReport, { flags, terminal, notes }: Around): Promise<void> {
  if (terminal.json) return writeJson(terminal, { command: 'trajectories convert', to: flags.to, ...report, notes });
  await writeLines(terminal.stderr, brokenLines(report, flags.errors));
  await writeNotes(terminal, notes);
  if (!terminal.quiet) await writeReport(terminal, reportLines(report, terminal));
}

type FileReport = ConversionReport['files'][number];

const columns: readonly ColumnOf<FileReport>[] = [
  ['file', ({ input }) => oneLine(input), gives],
  ['records', ({ read }) => thousands(read), right],
  ['written', ({ written }) => thousands(written), right],
  ['broken', ({ broken }) => thousands(broken), right],
];

const mostFiles = 20;

function reportLines(report: ConversionReport, terminal: Terminal): readonly string[] {
  const { files, counts, converted, repaired, leftOut, seconds, dryRun, outputBytes } = report;
  const rows = files.length > 1 ? [...files.slice(0, mostFiles), { input: 'all', output: '', ...counts }] : files;
  const same = counts.read - counts.broken - converted;
  const fields = Object.entries(leftOut).map(([name, count]) => `  ${oneLine(name)}: ${counted(count, 'record')}`);
  const place = files.length === 1 ? oneLine(files[0]?.output ?? '') : counted(files.length, 'file');
  return linesOf(
    tableOf(rows, columns, { screen: stdoutScreen(terminal) }),
    files.length > mostFiles && `  and ${counted(files.length - mostFiles, 'more file')}, counted in all`,
    `${counted(counts.read, 'record')} in ${seconds.toFixed(1)} s: ${thousands(converted)} converted, ${thousands(same)} were of that format`,
    repaired > 0 && `${counted(repaired, 'record')} changed to be valid, such as a call without a result`,
    fields.length > 0 && [
      'left out, because the format has no place for it:',
      ...firstOf(fields, mostFiles, (rest) => `  and ${rest} more`),
    ],
    dryRun
      ? `dry run: nothing was written; ${megabytes(outputBytes)} would be`
      : `wrote ${megabytes(outputBytes)} to ${place}`,
  );
}
