/** What an import did: while it runs, its sums, and its report. */

import type { FormatName } from '@palimpsest/core';
import type { ImportOutcome } from '@palimpsest/core/store';
import type { FileOutcome, ImportProgress } from '../import/import-files.ts';
import { type GlobalFlags, stderrScreen, type Terminal } from '../terminal.ts';
import { type NextStep, nextSteps } from './next-steps.ts';
import { glyph, type Screen } from './screen.ts';
import { type Column, table } from './table.ts';
import { counted, oneLine, thousands } from './text.ts';
import { clip } from './width.ts';

interface ImportReport {
  readonly outcomes: readonly FileOutcome[];
  /** Where the sessions are now. */
  readonly store: string;
  readonly dryRun: boolean;
  /** How many files there were, when a person stopped it before the last. */
  readonly interruptedOf?: number;
  /** What a person can do now. */
  readonly next: readonly NextStep[];
}

/** What became of sessions, in the words of the report; every session has one of these outcomes. */
const outcomeNames: readonly (readonly [ImportOutcome, string])[] = [
  ['new', 'new'],
  ['grown', 'grown'],
  ['branched', 'branched'],
  ['unchanged', 'unchanged'],
  ['waiting', 'just begun'],
];

/** Longer lists are no help; `--json` has them whole. */
const mostListed = 20;

export function importReport(report: ImportReport, screen: Screen): readonly string[] {
  const files = readFiles(report.outcomes);
  return [
    headline(report, totalsOf(files)),
    ...(files.length > 0 ? formatLines(files, screen) : []),
    ...remarkLines(files),
    ...listed(withReason(report.outcomes, 'failed'), 'could not be read'),
    ...listed(withReason(report.outcomes, 'passed'), 'had nothing to import'),
    ...nextSteps(report.next, screen),
  ];
}

function headline({ outcomes, store, dryRun, interruptedOf }: ImportReport, totals: ImportTotals): string {
  const sessions = outcomeNames
    .flatMap(([outcome, name]) =>
      totals.outcomes[outcome] > 0 ? [`${thousands(totals.outcomes[outcome])} ${name}`] : [],
    )
    .join(', ');
  const did = dryRun ? 'would import' : 'imported';
  const where = dryRun ? '' : ` into ${oneLine(store)}`;
  const stopped =
    interruptedOf === undefined ? '' : `stopped after ${outcomes.length} of ${counted(interruptedOf, 'file')}: `;
  const brackets = sessions === '' ? '' : ` (${sessions})`;
  return `${stopped}${did} ${counted(totals.appended, 'message')} of ${counted(totals.sessions, 'session')}${brackets}${where}`;
}

function formatLines(files: ReturnType<typeof readFiles>, screen: Screen): readonly string[] {
  const all = totalsOf(files);
  // Only what occurred: all columns together are wider than a screen.
  const outcomes = outcomeNames.filter(([outcome]) => all.outcomes[outcome] > 0);
  const right = (title: string): Column => ({ title, align: 'right' });
  const counts = ['files', 'sessions', ...outcomes.map(([, name]) => name), 'messages', 'added'];
  const columns = [{ title: 'format' }, ...counts.map(right)];
  const rows = totalsByFormat(files).map(([format, totals]) => [
    format,
    ...[totals.files, totals.sessions, ...outcomes.map(([outcome]) => totals.outcomes[outcome])].map(thousands),
    ...[totals.messages, totals.appended].map(thousands),
  ]);
  const skipped = files.reduce((sum, file) => sum + file.skipped, 0);
  const held = all.heldBack;
  return [
    ...table(columns, rows, { screen }),
    ...(held > 0 ? [`  ${counted(held, 'message')} of sessions still being written: left for the next import`] : []),
    ...(skipped > 0 ? [`  ${counted(skipped, 'piece')} could not be read: palimpsest inspect FILE lists them`] : []),
  ];
}

interface Reasoned {
  readonly file: string;
  readonly reason: string;
}

function remarkLines(files: ReturnType<typeof readFiles>): readonly string[] {
  const marked = files.flatMap(({ file, remarks }) =>
    remarks.length > 0 ? [{ file, reason: remarks.join(' ') }] : [],
  );
  return listed(marked, 'read with remarks');
}

const withReason = (outcomes: readonly FileOutcome[], status: 'failed' | 'passed'): readonly Reasoned[] =>
  outcomes.flatMap((outcome) => (outcome.status === status ? [outcome] : []));

function listed(found: readonly Reasoned[], what: string): readonly string[] {
  if (found.length === 0) return [];
  const lines = found.slice(0, mostListed).map(reasonLine);
  const rest = found.length - lines.length;
  return [
    `  ${counted(found.length, 'file')} ${what}:`,
    ...lines,
    ...(rest > 0 ? [`    … and ${rest} more: --json lists all`] : []),
  ];
}

/** The list of all formats is said once by `palimpsest formats`, not for each file. */
function reasonLine({ file, reason }: Reasoned): string {
  const short = reason.replace(/\. Known formats: .*$/s, '');
  return `    ${oneLine(short.includes(file) ? short : `${file}: ${short}`)}`;
}

// What an import comes to.

/** Sums over files of one format, or over all. */
interface ImportTotals {
  readonly files: number;
  readonly sessions: number;
  /** How many sessions had each outcome. */
  readonly outcomes: Readonly<Record<ImportOutcome, number>>;
  /** Messages in what was read, those that their sessions did not show before, and those of them that no session did. */
  readonly messages: number;
  readonly appended: number;
  readonly stored: number;
  readonly heldBack: number;
}

type ReadFile = Extract<FileOutcome, { readonly status: 'read' }>;

/** Files that were read. */
export const readFiles = (outcomes: readonly FileOutcome[]): readonly ReadFile[] =>
  outcomes.filter((outcome) => outcome.status === 'read');

export function totalsOf(files: readonly ReadFile[]): ImportTotals {
  const sessions = files.flatMap((file) => file.sessions);
  const sum = (of: 'messages' | 'appended' | 'stored' | 'heldBack'): number =>
    sessions.reduce((total, session) => total + session[of], 0);
  const count = (outcome: ImportOutcome): number => sessions.filter((session) => session.outcome === outcome).length;
  return {
    files: files.length,
    sessions: sessions.length,
    outcomes: {
      new: count('new'),
      grown: count('grown'),
      branched: count('branched'),
      unchanged: count('unchanged'),
      waiting: count('waiting'),
    },
    messages: sum('messages'),
    appended: sum('appended'),
    stored: sum('stored'),
    heldBack: sum('heldBack'),
  };
}

/** The same for each format, in the order in which the formats were first met. */
function totalsByFormat(files: readonly ReadFile[]): readonly (readonly [FormatName, ImportTotals])[] {
  const formats = [...new Set(files.map(({ format }) => format))];
  return formats.map((format) => [format, totalsOf(files.filter((file) => file.format === format))]);
}

// How far an import has come, for a person at a terminal: a bar, files, messages, megabytes, and how fast.

/** The whole of what is imported. */
interface ImportSize {
  readonly files: number;
  readonly bytes: number;
}

const everyMs = 100;
const eraseLine = '\r\u001b[2K';
const barWidth = 20;

/** Draws into one line of stderr; nothing where stderr is no terminal, or after `--quiet`. */
export function importProgress(
  terminal: Terminal,
  size: ImportSize,
  flags: GlobalFlags,
): { show(progress: ImportProgress): void; end(): void } {
  const isShown = (terminal.stderr.isTTY ?? false) && !flags.quiet;
  const screen = stderrScreen(terminal, flags);
  const start = terminal.now();
  let next = start + everyMs;
  let isDrawn = false;
  return {
    show(progress) {
      const now = terminal.now();
      if (!isShown || now < next) return;
      next = now + everyMs;
      isDrawn = true;
      const full = Math.round(barWidth * Math.min(1, size.bytes > 0 ? progress.bytes / size.bytes : 1));
      const bar = glyph(screen, '█', '#').repeat(full) + glyph(screen, '░', '.').repeat(barWidth - full);
      terminal.stderr.write(
        eraseLine + clip(`${bar} ${progressText(progress, size, now - start)}`, screen.columns - 1),
      );
    },
    end() {
      if (isDrawn) terminal.stderr.write(eraseLine);
      isDrawn = false;
    },
  };
}

function progressText({ files, messages, bytes }: ImportProgress, size: ImportSize, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (messages / elapsedMs) * 1000 : 0;
  const read = `${(bytes / 1e6).toFixed(1)} of ${(size.bytes / 1e6).toFixed(1)} MB`;
  return `${thousands(files)} of ${thousands(size.files)} files, ${read}, ${thousands(messages)} messages, ${thousands(rate)}/s`;
}
