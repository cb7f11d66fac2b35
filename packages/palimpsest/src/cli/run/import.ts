/** `palimpsest import`: conversations of other tools into the store. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type FormatName, PalimpsestError } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { packageVersion } from '../../config/package-version.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.ts';
import { type Collected, collectFiles, type Discovered, discover, type ImportFile } from '../import/collect-files.ts';
import { type FileOutcome, type ImportFailure, type ImportRun, importFiles } from '../import/import-files.ts';
import { type OpenedStore, openStoreFor, type StoreFlags, storePlace } from '../open-store.ts';
import { importProgress, importReport, readFiles, totalsOf } from '../render/import-report.ts';
import type { NextStep } from '../render/next-steps.ts';
import { counted, shellWord, thousands } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeErrorLine, writeJson, writeNotes, writeReport } from '../terminal.ts';

export interface ImportFlags extends StoreFlags {
  readonly discover?: boolean;
  readonly from?: FormatName;
  readonly source?: FormatName;
  readonly project?: string;
  readonly title?: string;
  readonly dryRun?: boolean;
}

export async function runImport(paths: readonly string[], flags: ImportFlags, terminal: Terminal): Promise<ExitCode> {
  const found = await filesFor(paths, flags, terminal);
  const opened = await openFor(flags, terminal, found.files.length > 0);
  const size = { files: found.files.length, bytes: await bytesOf(found.files, terminal.cwd) };
  const progress = importProgress(terminal, size, flags);
  const stop = interruptions(terminal, () => {
    progress.end();
    void writeNotes(terminal, [stopping], flags);
  });
  let run: ImportRun;
  try {
    const { from, source, project, title } = flags;
    run = await importFiles(found.files, {
      store: opened.store,
      terminal,
      version: packageVersion(),
      dryRun: flags.dryRun ?? false,
      isInterrupted: stop.isInterrupted,
      onProgress: progress.show,
      ...(from ? { from } : {}),
      ...(source ? { source } : {}),
      ...(project === undefined ? {} : { project: resolve(terminal.cwd, project) }),
      ...(title === undefined ? {} : { title }),
    });
    if (run.failure && isLost(run.failure.error)) throw run.failure.error;
  } finally {
    progress.end();
    stop.end();
    await opened.store.close();
  }
  const { failure } = run;
  const outcomes = [...run.outcomes, ...(failure ? [] : unreadable(found))];
  const isStopped = stop.isInterrupted();
  await report({ found, opened, outcomes, isStopped, ...(failure ? { failure } : {}) }, flags, terminal);
  if (failure) return exitCodeOf(failure.error);
  return isStopped ? exitCodes.interrupted : exitCodeFor(outcomes);
}

/** Then nobody can say what is in the file that the store has become. */
const isLost = ({ code }: PalimpsestError): boolean => code === 'STORE_REPLACED' || code === 'STORE_DAMAGED';

interface FoundFiles extends Collected {
  readonly folders: readonly Discovered[];
}

async function filesFor(paths: readonly string[], flags: ImportFlags, terminal: Terminal): Promise<FoundFiles> {
  if (paths.length === 0 && !flags.discover) {
    const message =
      'expected PATH (a transcript or a folder of transcripts) or --discover (your own sessions on this machine), got neither';
    throw new PalimpsestError('BAD_OPTION', message);
  }
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
  const isThere = (await stat(place.path).catch(() => undefined)) !== undefined;
  if (isThere) return openStoreFor(flags, terminal, { readOnly: true });
  return { ...place, store: await openStore({ path: ':memory:' }) };
}

const unreadable = ({ unreadable: all }: Collected): readonly FileOutcome[] =>
  all.map(({ label, reason }) => ({ file: label, bytes: 0, status: 'failed', reason }));

const stopping = 'stopping after the current file; press Ctrl-C again to stop at once';

/** Ctrl-C lets the file that is being written come to its end; one that is only being read is given up. */
function interruptions(terminal: Terminal, onStop: () => void): { isInterrupted: () => boolean; end: () => void } {
  let wasInterrupted = false;
  const forget = terminal.onInterrupt?.(() => {
    wasInterrupted = true;
    onStop();
  });
  return { isInterrupted: () => wasInterrupted, end: () => forget?.() };
}

async function bytesOf(files: readonly ImportFile[], cwd: string): Promise<number> {
  let bytes = 0;
  for (const { label } of files) bytes += (await stat(resolve(cwd, label)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

/** Some files failed, or all of them did. */
function exitCodeFor(outcomes: readonly FileOutcome[]): ExitCode {
  const failed = outcomes.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return exitCodes.fine;
  return failed === outcomes.length ? exitCodes.input : exitCodes.finding;
}

interface Ended {
  readonly found: FoundFiles;
  readonly opened: OpenedStore;
  readonly outcomes: readonly FileOutcome[];
  readonly isStopped: boolean;
  /** What the store could not take. */
  readonly failure?: ImportFailure;
}

async function report(ended: Ended, flags: ImportFlags, terminal: Terminal): Promise<void> {
  const { found, opened, outcomes, isStopped, failure } = ended;
  const dryRun = flags.dryRun ?? false;
  const notes = [...opened.notes, ...notesOn(found)];
  if (flags.json) {
    const totals = {
      failed: outcomes.filter(({ status }) => status === 'failed').length,
      ...totalsOf(readFiles(outcomes)),
    };
    const folders = found.folders.map(({ tool, path, found: inside }) => ({
      tool,
      path,
      files: inside?.files.length ?? null,
    }));
    const about = { command: 'import', store: opened.path, dryRun, interrupted: isStopped, folders };
    const stopped = failure && { error: errorDocument(failure.error), stoppedAt: stopOf(failure) };
    await writeJson(terminal.stdout, { ...about, files: outcomes, totals, notes, ...stopped });
    if (failure) await writeErrorLine(terminal, failure.error.message, flags);
    return;
  }
  await writeNotes(terminal, notes, flags);
  if (failure) await writeErrorLine(terminal, `${failure.error.message} ${keptText(ended, failure)}`, flags);
  if (flags.quiet) return;
  const text = {
    outcomes,
    store: opened.path,
    dryRun,
    next: stepsAfter(ended, flags),
    ...(isStopped || failure ? { interruptedOf: found.files.length } : {}),
  };
  const folders = found.folders.flatMap((folder) => folderLine(folder));
  await writeReport(terminal, [...folders, ...importReport(text, stdoutScreen(terminal, flags))], flags);
}

/** What can be done with what is kept now; nothing where there is nothing. */
function stepsAfter(
  { outcomes, isStopped }: Ended,
  { store, dryRun, discover: isDiscovery }: ImportFlags,
): readonly NextStep[] {
  const { sessions } = totalsOf(readFiles(outcomes));
  if (sessions === 0 || isStopped) return [];
  const at = store === undefined ? '' : ` --store ${shellWord(store)}`;
  if (dryRun) {
    const what = isDiscovery ? '--discover' : 'PATH';
    return [[`palimpsest import ${what}${at}`, 'import them']];
  }
  return [
    [`palimpsest sessions list${at}`, 'list the conversations'],
    [`palimpsest search WORDS${at}`, 'search what was said in them'],
    [`palimpsest usage${at}`, 'what the last active conversation used and cost'],
    [`palimpsest insights${at}`, 'what all conversations cost in the last 30 days'],
  ];
}

const errorDocument = ({ code, message, evidence }: PalimpsestError): object => ({ code, message, evidence });
const stopOf = ({ file, kept, messages }: ImportFailure): object => ({
  file,
  kept: kept ?? null,
  messages: messages ?? null,
});

/** What is in the store all the same, and how to go on. */
function keptText({ found, outcomes }: Ended, { file, kept, messages }: ImportFailure): string {
  const { appended, sessions } = totalsOf(readFiles(outcomes));
  const whole = `${counted(outcomes.length, 'file')} of ${found.files.length} with ${counted(appended, 'new message')} of ${counted(sessions, 'session')}`;
  const part = kept ? `, and ${thousands(kept)} of ${counted(messages ?? kept, 'message')} of ${file}` : '';
  return `What was imported before that is kept: ${whole}${part}. Repeat the import to continue.`;
}

const folderLine = ({ tool, path, found }: Discovered): readonly string[] =>
  found === undefined ? [] : [`found ${counted(found.files.length, 'file')} of ${tool} in ${path}`];

function notesOn({ folders, files, links, others }: FoundFiles): readonly string[] {
  const places = folders.map(({ path }) => path).join(', ');
  return [
    ...(folders.length > 0 && files.length === 0 ? [`no sessions were found in ${places}`] : []),
    ...(folders.length === 0 && files.length === 0
      ? ['the folder contains no file with the name of a transcript (.json, .jsonl, .ndjson, .traj)']
      : []),
    ...(links > 0 ? [`${counted(links, 'link')} in folders ${links === 1 ? 'was' : 'were'} not followed`] : []),
    ...(others > 0 ? [`${counted(others, 'other file')} in folders ${others === 1 ? 'was' : 'were'} skipped`] : []),
  ];
}
