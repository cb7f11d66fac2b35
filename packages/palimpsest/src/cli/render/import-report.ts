/** What a person reads after an import. */
import type { ImportOutcome } from '@palimpsest/core/store';
import type { FileOutcome } from '../import/import-files.ts';
import { type ImportTotals, readFiles, totalsByFormat, totalsOf } from '../import/import-totals.ts';
import { type NextStep, nextSteps } from './next-steps.ts';
import type { Screen } from './screen.ts';
import { type Column, table } from './table.ts';
import { counted, oneLine, thousands } from './text.ts';

export interface ImportReport {
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
