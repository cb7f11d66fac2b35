/** `palimpsest import`: conversations of other tools into the store. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FormatName, PalimpsestError } from '@palimpsest/core';
import { type ImportOutcome, openStore } from '@palimpsest/core/store';
import { packageVersion } from '../../config/package.ts';
import { glyph, type Screen } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.ts';
import {
  type Collected,
  collectFiles,
  type Discovered,
  discover,
  type FileOutcome,
  type ImportFailure,
  type ImportProgress,
  type ImportRun,
  importFiles,
} from '../import-files.ts';
import { exists, type OpenedStore, openStoreFor, type StoreFlags, storePlace } from '../open-store.ts';
import { badOption, given } from '../option-values.ts';
import { movingLine } from '../progress.ts';
import { type ColumnOf, right, tableOf } from '../render/table.ts';
import { counted, firstOf, linesOf, type NextStep, nextSteps, oneLine, shellWord, thousands } from '../render/text.ts';
import {
  stderrScreen,
  stdoutScreen,
  type Terminal,
  writeErrorLine,
  writeJson,
  writeNotes,
  writeReport,
} from '../terminal.ts';

interface ImportFlags extends StoreFlags {
  readonly discover?: boolean;
  readonly from?: FormatName;
  readonly source?: FormatName;
  readonly project?: string;
  readonly title?: string;
  readonly dryRun?: boolean;
}

export async function runImport({ words: paths, flags, terminal }: Call<ImportFlags>): Promise<ExitCode> {
  const found = await filesFor(paths, flags, terminal);
  const { files } = found;
  const { dryRun = false, from, source, title } = flags;
  const project = flags.project === undefined ? undefined : resolve(terminal.cwd, flags.project);
  const opened = await openFor(flags, terminal, files.length > 0);
  const size = { files: files.length, bytes: await bytesOf(files, terminal.cwd) };
  const progress = importProgress(terminal, size);
  let isStopped = false;
  // Ctrl-C lets the file that is being written come to its end; one that is only being read is given up.
  const forget = terminal.onInterrupt?.(() => {
    isStopped = true;
    progress.end();
    void writeNotes(terminal, ['stopping after the current file; press Ctrl-C again to stop at once']);
  });
  let run: ImportRun;
  try {
    const { store } = opened;
    const settings = { store, terminal, version: packageVersion(), dryRun, onProgress: progress.show };
    const about = given({ from, source, project, title });
    run = await importFiles(files, { ...settings, ...about, isInterrupted: () => isStopped });
    if (run.failure && isLost(run.failure.error)) throw run.failure.error;
  } finally {
    progress.end();
    forget?.();
    await opened.store.close();
  }
  const { failure } = run;
  const unreadable = failure ? [] : found.unreadable;
  const failed = unreadable.map(
    ({ label, reason }): FileOutcome => ({ file: label, bytes: 0, status: 'failed', reason }),
  );
  const outcomes = [...run.outcomes, ...failed];
  await report({ found, opened, outcomes, isStopped, failure }, flags, terminal);
  if (failure) return exitCodeOf(failure.error);
  return isStopped ? exitCodes.interrupted : exitCodeFor(outcomes);
}

/** Then nobody can say what is in the file that the store has become. */
const isLost = ({ code }: PalimpsestError): boolean => code === 'STORE_REPLACED' || code === 'STORE_DAMAGED';

interface FoundFiles extends Collected {
  readonly folders: readonly Discovered[];
}

async function filesFor(paths: readonly string[], flags: ImportFlags, terminal: Terminal): Promise<FoundFiles> {
  if (paths.length === 0 && !flags.discover)
    throw badOption(
      'expected PATH (a transcript or a folder of transcripts) or --discover (your own sessions on this machine), got neither',
    );
  const folders = flags.discover ? await discover(terminal, flags.source) : [];
  const named = await collectFiles(paths, { cwd: terminal.cwd });
  const all = [named, ...folders.flatMap(({ found }) => found ?? [])];
  return {
    folders,
    files: all.flatMap(({ files }) => files),
    unreadable: all.flatMap((one) => one.unreadable),
    links: all.reduce((sum, { links }) => sum + links, 0),
    others: named.others,
  };
}

/** Without files, and for a dry run, no store is made: where there is none, everything would be new. */
async function openFor(flags: ImportFlags, terminal: Terminal, hasFiles: boolean): Promise<OpenedStore> {
  if (!flags.dryRun && hasFiles) return openStoreFor(flags, terminal, { mayBeNew: true });
  const place = await storePlace(flags, terminal);
  if (await exists(place.path)) return openStoreFor(flags, terminal, { readOnly: true });
  return { ...place, store: await openStore({ path: ':memory:' }) };
}

async function bytesOf(files: readonly string[], cwd: string): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += (await stat(resolve(cwd, file)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

/** Some files failed, or all of them did. */
function exitCodeFor(outcomes: readonly FileOutcome[]): ExitCode {
  const failed = outcomes.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return exitCodes.fine;
  return failed === outcomes.length ? exitCodes.input : exitCodes.finding;
}

const barWidth = 20;

/** How far an import has come: a bar, files, messages, megabytes, and how fast. */
function importProgress(terminal: Terminal, size: { readonly files: number; readonly bytes: number }) {
  const line = movingLine(terminal, 100);
  const screen = stderrScreen(terminal);
  const text = ({ files, messages, bytes }: ImportProgress, elapsedMs: number): string => {
    const full = Math.round(barWidth * Math.min(1, size.bytes > 0 ? bytes / size.bytes : 1));
    const bar = glyph(screen, '█', '#').repeat(full) + glyph(screen, '░', '.').repeat(barWidth - full);
    const rate = elapsedMs > 0 ? (messages / elapsedMs) * 1000 : 0;
    const read = `${(bytes / 1e6).toFixed(1)} of ${(size.bytes / 1e6).toFixed(1)} MB`;
    return `${bar} ${thousands(files)} of ${thousands(size.files)} files, ${read}, ${thousands(messages)} messages, ${thousands(rate)}/s`;
  };
  return {
    show: (progress: ImportProgress): void => line.show((elapsedMs) => text(progress, elapsedMs)),
    end: line.erase,
  };
}

interface Ended {
  readonly found: FoundFiles;
  readonly opened: OpenedStore;
  readonly outcomes: readonly FileOutcome[];
  readonly isStopped: boolean;
  /** What the store could not take. */
  readonly failure: ImportFailure | undefined;
}

async function report(ended: Ended, flags: ImportFlags, terminal: Terminal): Promise<void> {
  const { found, opened, failure } = ended;
  const notes = [...opened.notes, ...notesOn(found)];
  if (terminal.json) {
    await writeJson(terminal, documentOf(ended, { dryRun: flags.dryRun ?? false, notes }));
    if (failure) await writeErrorLine(terminal, failure.error.message);
    return;
  }
  await writeNotes(terminal, notes);
  if (failure) await writeErrorLine(terminal, `${failure.error.message} ${keptText(ended, failure)}`);
  if (terminal.quiet) return;
  const folders = found.folders.flatMap(({ tool, path, found: inside }) =>
    inside === undefined ? [] : [`found ${counted(inside.files.length, 'file')} of ${tool} in ${path}`],
  );
  await writeReport(terminal, [...folders, ...importReport(ended, flags, stdoutScreen(terminal))]);
}

function documentOf(
  { found, opened, outcomes, isStopped, failure }: Ended,
  { dryRun, notes }: { readonly dryRun: boolean; readonly notes: readonly string[] },
): object {
  const folders = found.folders.map(({ tool, path, found: inside }) => {
    return { tool, path, files: inside?.files.length ?? null };
  });
  const failed = outcomes.filter(({ status }) => status === 'failed').length;
  return {
    command: 'import',
    store: opened.path,
    dryRun,
    interrupted: isStopped,
    folders,
    files: outcomes,
    totals: { failed, ...totalsOf(readFiles(outcomes)) },
    notes,
    ...(failure && failureJson(failure)),
  };
}

const failureJson = ({ error: { code, message, evidence }, file, kept, messages }: ImportFailure): object => ({
  error: { code, message, evidence },
  stoppedAt: { file, kept: kept ?? null, messages: messages ?? null },
});

/** What is in the store all the same, and how to go on. */
function keptText({ found, outcomes }: Ended, { file, kept, messages }: ImportFailure): string {
  const { appended, sessions } = totalsOf(readFiles(outcomes));
  const whole = `${counted(outcomes.length, 'file')} of ${found.files.length} with ${counted(appended, 'new message')} of ${counted(sessions, 'session')}`;
  const part = kept ? `, and ${thousands(kept)} of ${counted(messages ?? kept, 'message')} of ${file}` : '';
  return `What was imported before that is kept: ${whole}${part}. Repeat the import to continue.`;
}

function notesOn({ folders, files, links, others }: FoundFiles): readonly string[] {
  const places = folders.map(({ path }) => path).join(', ');
  const none =
    folders.length > 0
      ? `no sessions were found in ${places}`
      : 'the folder contains no file with the name of a transcript (.json, .jsonl, .ndjson, .traj)';
  return linesOf(
    files.length === 0 && none,
    links > 0 && `${counted(links, 'link')} in folders ${links === 1 ? 'was' : 'were'} not followed`,
    others > 0 && `${counted(others, 'other file')} in folders ${others === 1 ? 'was' : 'were'} skipped`,
  );
}

/** What became of sessions, in the words of the report; every session has one of these outcomes. */
const outcomeNames: readonly (readonly [ImportOutcome, string])[] = [
  ['new', 'new'],
  ['grown', 'grown'],
  ['branched', 'branched'],
  ['unchanged', 'unchanged'],
  ['waiting', 'just begun'],
];

function importReport(ended: Ended, flags: ImportFlags, screen: Screen): readonly string[] {
  const { outcomes } = ended;
  const files = readFiles(outcomes);
  const remarked = files.filter(({ remarks }) => remarks.length > 0);
  return linesOf(
    headline(ended, flags.dryRun ?? false),
    files.length > 0 && formatLines(files, screen),
    listed(
      remarked.map(({ file, remarks }) => ({ file, reason: remarks.join(' ') })),
      'read with remarks',
    ),
    listed(
      outcomes.filter((outcome) => outcome.status === 'failed'),
      'could not be read',
    ),
    listed(
      outcomes.filter((outcome) => outcome.status === 'passed'),
      'had nothing to import',
    ),
    nextSteps(stepsAfter(ended, flags), screen),
  );
}

function headline({ found, opened, outcomes, isStopped, failure }: Ended, dryRun: boolean): string {
  const totals = totalsOf(readFiles(outcomes));
  const became = outcomeNames.filter(([outcome]) => totals.outcomes[outcome] > 0);
  const counts = became.map(([outcome, name]) => `${thousands(totals.outcomes[outcome])} ${name}`).join(', ');
  const all = counted(found.files.length, 'file');
  const stopped = isStopped || failure ? `stopped after ${outcomes.length} of ${all}: ` : '';
  const did = `${dryRun ? 'would import' : 'imported'} ${counted(totals.appended, 'message')}`;
  const brackets = counts === '' ? '' : ` (${counts})`;
  const where = dryRun ? '' : ` into ${oneLine(opened.path)}`;
  return `${stopped}${did} of ${counted(totals.sessions, 'session')}${brackets}${where}`;
}

function formatLines(files: readonly ReadFile[], screen: Screen): readonly string[] {
  const all = totalsOf(files);
  // In the order in which the formats were first met.
  const rows = [...Map.groupBy(files, ({ format }) => format)].map(([format, own]) => ({ format, ...totalsOf(own) }));
  type Row = (typeof rows)[number];
  const count = (title: string, of: (row: Row) => number): ColumnOf<Row> => [title, (row) => thousands(of(row)), right];
  // Only what occurred: all columns together are wider than a screen.
  const occurred = outcomeNames.filter(([outcome]) => all.outcomes[outcome] > 0);
  const columns: readonly ColumnOf<Row>[] = [
    ['format', ({ format }) => format],
    count('files', (row) => row.files),
    count('sessions', ({ sessions }) => sessions),
    ...occurred.map(([outcome, name]) => count(name, ({ outcomes }) => outcomes[outcome])),
    count('messages', ({ messages }) => messages),
    count('added', ({ appended }) => appended),
  ];
  const skipped = files.reduce((sum, file) => sum + file.skipped, 0);
  const held = counted(all.heldBack, 'message');
  return linesOf(
    tableOf(rows, columns, { screen }),
    all.heldBack > 0 && `  ${held} of sessions still being written: left for the next import`,
    skipped > 0 && `  ${counted(skipped, 'piece')} could not be read: palimpsest inspect FILE lists them`,
  );
}

function listed(found: readonly { readonly file: string; readonly reason: string }[], what: string): readonly string[] {
  if (found.length === 0) return [];
  const lines = found.map(({ file, reason }) => {
    // The list of all formats is said once by `palimpsest formats`, not for each file.
    const short = reason.replace(/\. Known formats: .*$/s, '');
    return `    ${oneLine(short.includes(file) ? short : `${file}: ${short}`)}`;
  });
  const shown = firstOf(lines, 20, (rest) => `    … and ${rest} more: --json lists all`);
  return [`  ${counted(found.length, 'file')} ${what}:`, ...shown];
}

/** What can be done with what is kept now; nothing where there is nothing. */
function stepsAfter({ outcomes, isStopped }: Ended, flags: ImportFlags): readonly NextStep[] {
  if (totalsOf(readFiles(outcomes)).sessions === 0 || isStopped) return [];
  const at = flags.store === undefined ? '' : ` --store ${shellWord(flags.store)}`;
  if (flags.dryRun) return [[`palimpsest import ${flags.discover ? '--discover' : 'PATH'}${at}`, 'import them']];
  return [
    [`palimpsest sessions list${at}`, 'list the conversations'],
    [`palimpsest search WORDS${at}`, 'search what was said in them'],
    [`palimpsest usage${at}`, 'what the last active conversation used and cost'],
    [`palimpsest insights${at}`, 'what all conversations cost in the last 30 days'],
  ];
}

type ReadFile = Extract<FileOutcome, { readonly status: 'read' }>;

const readFiles = (outcomes: readonly FileOutcome[]): readonly ReadFile[] =>
  outcomes.filter((outcome) => outcome.status === 'read');

/** Sums over files of one format, or over all: messages in what was read, those new to their sessions, those new to all. */
function totalsOf(files: readonly ReadFile[]) {
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
