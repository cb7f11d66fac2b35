/** `palimpsest trajectories stats`: from the words typed to the figures and their bars. */
import {
  type Octave,
  type OverLimit,
  octavesOf,
  percentileOf,
  type SpeakerCounts,
  statsJson,
  type TrajectoryStats,
  tokensAfter,
} from '@palimpsest/core/trajectories';
import { type Screen, styled } from '../../terminal/screen.ts';
import { type TrajectoryFileStats, trajectoryFileStats } from '../../trajectory/stats-files.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { given, tokenCountOf } from '../option-values.ts';
import { interruptible, movingLine } from '../progress.ts';
import { type ColumnOf, gives, right, stackedBar, tableOf } from '../render/table.ts';
import { counted, fill, linesOf, oneLine, percent, thousands } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writeReport } from '../terminal.ts';
import { brokenLines, bytesOf, progressText } from './trajectories-compress.ts';
import { type SessionFlags, withRecords } from './trajectories-sessions.ts';
import { type SettingFlags, settingsFor } from './trajectories-settings.ts';

interface StatsFlags extends Omit<SettingFlags, 'targetTokens'>, SessionFlags {
  readonly targetTokens?: readonly string[];
  readonly errors?: string;
  readonly force?: boolean;
}

export async function runTrajectoriesStats({ words, flags, terminal }: Call<StatsFlags>): Promise<ExitCode> {
  const { targetTokens, errors, force, ...rest } = flags;
  const config = await settingsFor(rest, terminal);
  const limits = targetTokens && [...new Set(targetTokens.map((text) => tokenCountOf('--target-tokens', text)))];
  const layout = { to: config.compression.format ?? 'sharegpt' } as const;
  const line = movingLine(terminal, 200);
  return withRecords({ words, flags, terminal, layout }, async ({ inputs, from, notes }) => {
    let found: TrajectoryFileStats;
    try {
      found = await interruptible(
        terminal,
        (signal) =>
          trajectoryFileStats({
            inputs,
            config,
            cwd: terminal.cwd,
            ...(from ? { from } : { stdin: bytesOf(terminal, signal) }),
            ...given({ limits, errorsFile: errors, force }),
            signal,
            onProgress: (progress) => line.show((elapsedMs) => progressText(progress, elapsedMs)),
          }),
        'interrupted: nothing was counted to the end',
      );
    } finally {
      line.erase();
    }
    await tell(found, { errors, terminal, notes });
    return found.broken > 0 ? exitCodes.finding : exitCodes.fine;
  });
}

interface Around {
  readonly errors: string | undefined;
  readonly terminal: Terminal;
  readonly notes: readonly string[];
}

async function tell(found: TrajectoryFileStats, { errors, terminal, notes }: Around): Promise<void> {
  const { stats, files, broken, brokenLines: list, seconds } = found;
  if (terminal.json) {
    const figures = { ...statsJson(stats), broken, broken_lines: list };
    return writeJson(terminal, { command: 'trajectories stats', files, ...figures, seconds, notes });
  }
  const counts = { read: 0, written: 0, dropped: 0, broken };
  await writeLines(terminal.stderr, brokenLines({ broken: list, counts }, errors));
  await writeNotes(terminal, notes);
  await writeReport(terminal, reportLines(found, stdoutScreen(terminal)));
}

/** Nothing is filled in where nothing was counted. */
function reportLines({ stats, files, broken, seconds }: TrajectoryFileStats, screen: Screen): readonly string[] {
  const { trajectories, formats } = stats;
  const kinds = Object.entries(formats).map(([name, count]) => `${name} ${thousands(count)}`);
  const head = `${counted(trajectories, 'trajectory').replace(/ys$/, 'ies')} in ${counted(files, 'file')}, ${seconds.toFixed(1)} s`;
  return linesOf(
    styled(head, 'bold', screen),
    kinds.length > 0 && `formats: ${kinds.join(', ')}`,
    broken > 0 && `${counted(broken, 'record')} could not be read`,
    trajectories > 0 && [
      '',
      ...lengthLines(stats, screen),
      '',
      ...spreadLines(stats, screen),
      '',
      ...speakerLines(stats, screen),
      ...toolLines(stats, screen),
      '',
      ...limitLines(stats, screen),
    ],
  );
}

/** `  8K–16K  ██████  12  34 %` */
function lengthLines({ lengths, trajectories }: TrajectoryStats, screen: Screen): readonly string[] {
  const octaves = octavesOf(lengths);
  const labels = octaves.map((octave) => rangeText(octave, screen));
  const most = Math.max(...octaves.map(({ count }) => count));
  const [labelWidth, countWidth] = [widest(labels), thousands(most).length];
  const width = Math.max(8, Math.min(50, screen.columns - labelWidth - countWidth - 14));
  return [
    styled('length in tokens', 'bold', screen),
    ...octaves.map(({ count }, at) => {
      const bar = stackedBar([count], { whole: most, width }, screen);
      const room = ' '.repeat(width - Math.min(width, cellsIn(count, most, width)));
      const label = fill(labels[at] ?? '', labelWidth, 'right');
      return `  ${label}  ${bar}${room}  ${fill(thousands(count), countWidth, 'right')}  ${fill(percent(count, trajectories), 6, 'right')}`;
    }),
  ];
}

/** As `stackedBar` has it. */
const cellsIn = (count: number, most: number, width: number): number =>
  count === 0 ? 0 : Math.max(1, Math.round((width * count) / most));

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));

const rangeText = ({ from, below }: Octave, { unicode }: Screen): string =>
  `${sizeText(from)}${unicode ? '–' : '-'}${sizeText(below)}`;

/** `512`, `8K`, `2M`: powers of two from 512 on. */
function sizeText(size: number): string {
  if (size < 1_024) return String(size);
  return size < 1_048_576 ? `${size / 1_024}K` : `${size / 1_048_576}M`;
}

interface SpreadRow {
  readonly name: string;
  readonly values: readonly number[];
}

function spreadLines(stats: TrajectoryStats, screen: Screen): readonly string[] {
  const { lengths, turnCounts, longest, mostTurns, turns, tokens } = stats;
  const shares = [0.5, 0.9, 0.99];
  const rows: readonly SpreadRow[] = [
    { name: 'tokens', values: [...shares.map((share) => percentileOf(lengths, share, longest)), longest, tokens] },
    {
      name: 'turns',
      values: [
        ...shares.map((share) => percentileOf(turnCounts, share, mostTurns)),
        mostTurns,
        sumOf(Object.values(turns)),
      ],
    },
  ];
  const heads = ['p50', 'p90', 'p99', 'max', 'all'];
  const columns = heads.map(
    (head, at): ColumnOf<SpreadRow> => [head, ({ values }) => thousands(values[at] ?? 0), right],
  );
  return tableOf(rows, [['per trajectory', ({ name }) => name], ...columns], { screen });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

type Speaker = keyof SpeakerCounts;

const speakers: readonly Speaker[] = ['system', 'human', 'gpt', 'tool'];

function speakerLines({ turns, turnTokens, tokens }: TrajectoryStats, screen: Screen): readonly string[] {
  const columns: readonly ColumnOf<Speaker>[] = [
    ['speaker', (name) => name],
    ['turns', (name) => thousands(turns[name]), right],
    ['tokens', (name) => thousands(turnTokens[name]), right],
    ['share', (name) => percent(turnTokens[name], tokens), right],
    ['per turn', (name) => (turns[name] === 0 ? '–' : thousands(turnTokens[name] / turns[name])), right],
  ];
  return tableOf(
    speakers.filter((name) => turns[name] > 0),
    columns,
    { screen },
  );
}

const mostToolsShown = 15;

function toolLines({ tools, otherTools }: TrajectoryStats, screen: Screen): readonly string[] {
  const all = Object.entries(tools).toSorted(([, a], [, b]) => b.calls - a.calls);
  if (all.length === 0) return [];
  const rest = all.slice(mostToolsShown);
  const calls = sumOf(all.map(([, tool]) => tool.calls)) + otherTools.calls;
  const failures = sumOf(all.map(([, tool]) => tool.failures)) + otherTools.failures;
  const columns: readonly ColumnOf<(typeof all)[number]>[] = [
    ['tool', ([name]) => oneLine(name), gives],
    ['calls', ([, tool]) => thousands(tool.calls), right],
    ['failed', ([, tool]) => thousands(tool.failures), right],
  ];
  const row = ['all', { calls, failures }] as const;
  return linesOf(
    '',
    tableOf([...all.slice(0, mostToolsShown), [...row]], columns, { screen }),
    rest.length > 0 && `  and ${counted(rest.length, 'more tool')}, counted in all`,
  );
}

function limitLines(stats: TrajectoryStats, screen: Screen): readonly string[] {
  const { limits, trajectories, tokens } = stats;
  const columns: readonly ColumnOf<OverLimit>[] = [
    ['target', ({ limit }) => thousands(limit), right],
    ['over it', (one) => thousands(one.trajectories), right],
    ['share', (one) => percent(one.trajectories, trajectories), right],
    ['cannot fit', (one) => thousands(one.cannotFit), right],
    ['tokens after', (one) => thousands(tokensAfter(stats, one)), right],
    ['of now', (one) => percent(tokensAfter(stats, one), tokens), right],
  ];
  return [...tableOf(limits, columns, { screen }), '  tokens after: an estimate of what compress would leave'];
}
