/** Imports files one after another: a broken one is reported and skipped, and an interruption leaves whole sessions. */
import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type FormatName, formatNames, PalimpsestError, type ReadResult, readTranscripts } from '@palimpsest/core';
import type { JsonValue } from '@palimpsest/core/engine';
import { isJsonObject, parseJson } from '@palimpsest/core/settings';
import { type ImportedSession, importTranscripts, type Store } from '@palimpsest/core/store';
import { importUsage } from '@palimpsest/core/usage';
import { openInput } from './input.ts';
import { given } from './option-values.ts';
import { systemCode } from './system-code.ts';
import type { Terminal } from './terminal.ts';

/** What a file held. */
interface KnownFile {
  readonly format: FormatName;
  readonly sessions: readonly ImportedSession[];
  /** Pieces that could not be read; the rest was imported. */
  readonly skipped: number;
  /** What a person should know of how the file was read. */
  readonly remarks: readonly string[];
}

type ReadOutcome = { readonly status: 'read' } & KnownFile;

/** What was found in a file that could be opened, or why it was not imported. */
type FileResult =
  | ReadOutcome
  /** It holds no messages, or none of the tool asked for. */
  | { readonly status: 'passed'; readonly format?: FormatName; readonly reason: string }
  | { readonly status: 'failed'; readonly reason: string };

/** What became of a file; `bytes` were read, as packed. */
export type FileOutcome = FileResult & { readonly file: string; readonly bytes: number };

export interface ImportSettings {
  readonly store: Store;
  readonly terminal: Terminal;
  readonly version: string;
  /** How every file is to be read. @default told from its content */
  readonly from?: FormatName;
  /** Only conversations of this tool. @default all */
  readonly source?: FormatName;
  readonly project?: string;
  readonly title?: string;
  readonly dryRun: boolean;
  /** True once a person has had enough. */
  readonly isInterrupted: () => boolean;
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface ImportProgress {
  readonly files: number;
  readonly messages: number;
  readonly bytes: number;
}

export interface ImportRun {
  readonly outcomes: readonly FileOutcome[];
  /** Why it ended before the last file. */
  readonly failure?: ImportFailure;
}

/** What the store could not take, as on a full disk; everything before it was kept. */
export interface ImportFailure {
  readonly error: PalimpsestError;
  /** The file that was being imported. */
  readonly file: string;
  /** Messages of it that are in the store, and how many it has; absent where that cannot be told. */
  readonly kept?: number;
  readonly messages?: number;
}

/** The files in their order, up to an interruption, or to what the store cannot take. Throws when the store itself is lost. */
export async function importFiles(files: readonly string[], settings: ImportSettings): Promise<ImportRun> {
  const outcomes: FileOutcome[] = [];
  const done = { files: 0, messages: 0, bytes: 0 };
  for (const file of files) {
    if (settings.isInterrupted()) break;
    const outcome = await importFile(file, settings, (bytes) => {
      settings.onProgress({ ...done, bytes: done.bytes + bytes });
    });
    if (outcome === undefined) break;
    if ('error' in outcome) return { outcomes, failure: outcome };
    outcomes.push(outcome);
    done.files++;
    done.bytes += outcome.bytes;
    if (outcome.status === 'read') done.messages += outcome.sessions.reduce((sum, { messages }) => sum + messages, 0);
    settings.onProgress(done);
  }
  return { outcomes };
}

/** Undefined where a person has had enough before anything of the file was written. */
async function importFile(
  label: string,
  settings: ImportSettings,
  onBytes: (bytes: number) => void,
): Promise<FileOutcome | ImportFailure | undefined> {
  let bytes = 0;
  let read: ReadResult | undefined;
  try {
    // Taken before the file is read: what is written to it meanwhile makes it another one.
    const stamp = await stampOf(label, settings);
    // Tools make the file of a session before they have anything to write.
    if (stamp?.size === 0) return { file: label, bytes, status: 'passed', reason: 'it is empty' };
    const known = stamp && isPlain(settings) ? await knownFile(settings.store, stamp) : undefined;
    if (known) return { file: label, bytes: stamp?.size ?? 0, ...asWanted({ status: 'read', ...known }, settings) };
    const input = await openInput(label, settings.terminal, (count) => {
      bytes = count;
      onBytes(count);
      if (settings.isInterrupted()) throw new PalimpsestError('INTERRUPTED', 'stopped while reading');
    });
    const name = label === '-' ? 'standard input' : label;
    read = await readTranscripts(input.bytes, given({ name, format: settings.from }));
    if (settings.isInterrupted()) return undefined;
    const result = await importRead(read, stamp, settings);
    if (result.status !== 'read') return { file: label, bytes, ...result };
    if (stamp && !settings.dryRun) await rememberFile(settings.store, stamp, result);
    // A packed file that ends too early was read up to there.
    return { file: label, bytes, ...result, skipped: result.skipped + input.notes.length };
  } catch (error) {
    if (isOfStore(error)) return { error, file: label, ...(await keptOf(read, settings)) };
    if (PalimpsestError.isInstance(error) && error.code === 'INTERRUPTED') return undefined;
    return { file: label, bytes, status: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** True where nothing was said that could make something else of a file. */
const isPlain = ({ from, project, title }: ImportSettings): boolean =>
  from === undefined && project === undefined && title === undefined;

async function stampOf(label: string, { terminal, version }: ImportSettings): Promise<FileStamp | undefined> {
  if (label === '-') return undefined;
  const path = resolve(terminal.cwd, label);
  // Whoever opens a file that is missing says what is wrong with it.
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  return { path, size: found.size, modifiedAt: Math.floor(found.mtimeMs), version };
}

/** The result, unless another tool was asked for. */
const asWanted = (result: ReadOutcome, { source }: ImportSettings): FileResult =>
  source === undefined || result.format === source ? result : otherTool(result.format);

const otherTool = (format: FormatName): FileResult => ({ status: 'passed', format, reason: `its format is ${format}` });

/** A title can only be that of one conversation. */
const severalTitles =
  '--title names one conversation, but the file contains several: omit --title, or name another file';

async function importRead(
  { format, transcripts, findings }: ReadResult,
  stamp: FileStamp | undefined,
  settings: ImportSettings,
): Promise<FileResult> {
  const { store, source, project, title, dryRun } = settings;
  if (source !== undefined && format !== source) return otherTool(format);
  const said = transcripts.filter(({ messages }) => messages.length > 0);
  if (said.length === 0) return { status: 'passed', format, reason: 'it contains no messages' };
  const mains = said.filter(({ sideOf }) => sideOf === undefined).length;
  if (title !== undefined && mains > 1) return { status: 'failed', reason: severalTitles };
  const about = given({ path: stamp?.path, modifiedAt: stamp?.modifiedAt, project, title });
  const sessions = await importTranscripts(store, transcripts, { dryRun, ...about });
  const skipped = findings.filter(({ level }) => level === 'skipped').length;
  if (!dryRun) await importUsage(store, transcripts, sessions);
  const remarks = findings.flatMap(({ level, message }) => (level === 'note' ? [message] : []));
  return { status: 'read', format, sessions, skipped, remarks };
}

/** How much of a file is in the store: what another import would not have to add. */
async function keptOf(
  read: ReadResult | undefined,
  { store }: ImportSettings,
): Promise<Pick<ImportFailure, 'kept' | 'messages'>> {
  if (!read) return {};
  try {
    const sessions = await importTranscripts(store, read.transcripts, { dryRun: true });
    const messages = sessions.reduce((sum, session) => sum + session.messages, 0);
    const missing = sessions.reduce((sum, { appended, heldBack }) => sum + appended + heldBack, 0);
    return { kept: messages - missing, messages };
  } catch {
    // What went wrong before is what has to be told.
    return {};
  }
}

/** What concerns the store concerns every file, but for a conversation that somebody else is adding to. */
const isOfStore = (error: unknown): error is PalimpsestError =>
  PalimpsestError.isInstance(error) && error.code.startsWith('STORE_') && error.code !== 'STORE_CONFLICT';

// Files that have not changed since they were imported whole: they need not be read again.

/** What tells whether a file is the same as before, without reading it. */
interface FileStamp {
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** Of Palimpsest: another one may read more in the same file. */
  readonly version: string;
}

/** The path itself stays out of the store's small values: sessions name it, and go when they are deleted. */
const keyOf = ({ path }: FileStamp): string => `import:${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;

/** What an unchanged file held; undefined when it must be read: it is new, has changed, or a session of it was deleted. */
async function knownFile(store: Store, stamp: FileStamp): Promise<KnownFile | undefined> {
  const value = parseJson((await store.meta.get(keyOf(stamp))) ?? 'null');
  if (!isJsonObject(value) || value.stamp !== stampText(stamp)) return undefined;
  const format = formatNames.find((name) => name === value.format);
  const sessions = Array.isArray(value.sessions) ? value.sessions.map(unchanged) : [];
  if (!format || sessions.length === 0) return undefined;
  const all: ImportedSession[] = [];
  for (const session of sessions) {
    if (!session?.sessionId || !(await store.sessions.get(session.sessionId))) return undefined;
    all.push(session);
  }
  const remarks = Array.isArray(value.remarks) ? value.remarks.filter((one) => typeof one === 'string') : [];
  return { format, sessions: all, skipped: typeof value.skipped === 'number' ? value.skipped : 0, remarks };
}

/** Remembers a file that was imported to its end. */
async function rememberFile(
  store: Store,
  stamp: FileStamp,
  { format, sessions, skipped, remarks }: KnownFile,
): Promise<void> {
  const isWhole = sessions.every(({ sessionId, heldBack }) => sessionId !== undefined && heldBack === 0);
  const rows = sessions.map(({ sessionId, sourceId, isSide, messages }) => [sessionId, sourceId, isSide, messages]);
  const value = { stamp: stampText(stamp), format, skipped, remarks, sessions: rows };
  await store.meta.set(keyOf(stamp), isWhole ? JSON.stringify(value) : undefined);
}

/** Raised when an import takes more out of a file than it did: what was imported before is then read again. */
const revision = 2;

const stampText = ({ size, modifiedAt, version }: FileStamp): string => `${size} ${modifiedAt} ${version} ${revision}`;

function unchanged(row: JsonValue): ImportedSession | undefined {
  if (!Array.isArray(row)) return undefined;
  const [sessionId, sourceId, isSide, messages] = row;
  if (typeof sessionId !== 'string' || typeof sourceId !== 'string' || typeof messages !== 'number') return undefined;
  const nothingNew = { outcome: 'unchanged', appended: 0, stored: 0, heldBack: 0 } as const;
  return { sessionId, sourceId, isSide: isSide === true, messages, ...nothingNew };
}

// The files to import: those that were named, and those of other tools on this machine.

export interface Collected {
  /** As a person would name them; `-` for standard input. */
  readonly files: readonly string[];
  /** Folders and files that cannot be looked at, with the reason. */
  readonly unreadable: { readonly label: string; readonly reason: string }[];
  /** Links in folders, which are not followed. */
  links: number;
  /** Files in folders that have another ending than transcripts have. */
  others: number;
}

/** Which files of a folder are taken: their names without the folder, with `/` between folders. */
type NameRule = (name: string) => boolean;

const skippedFolders: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** What transcripts are called; in a folder everything else is left alone. */
const isTranscriptName: NameRule = (name) => /\.(?:jsonl?|ndjson|traj)(?:\.gz)?$/i.test(name);

interface FolderRules {
  readonly cwd: string;
  readonly takes?: NameRule;
}

/**
 * Every named file, and the transcripts of every named folder in the order of their names, so that a session comes
 * before the sub-agents in the folder beside it. Links inside folders are not followed.
 */
export async function collectFiles(paths: readonly string[], { cwd, takes }: FolderRules): Promise<Collected> {
  const found: Collected = { files: [], unreadable: [], links: 0, others: 0 };
  const files = new Map<string, string>();
  for (const path of paths) {
    const isFolder = path !== '-' && (await folderAt(resolve(cwd, path))) !== undefined;
    const labels = isFolder ? await collectFolder(found, path, { cwd, takes: takes ?? isTranscriptName }) : [path];
    for (const label of labels) {
      const key = label === '-' ? label : resolve(cwd, label);
      if (!files.has(key)) files.set(key, label);
    }
  }
  return { ...found, files: [...files.values()] };
}

async function collectFolder(found: Collected, top: string, rules: Required<FolderRules>): Promise<readonly string[]> {
  const root = resolve(rules.cwd, top);
  const names: string[] = [];
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await entriesOf(found, folder, join(top, relative(root, folder)))) {
      const path = join(folder, entry.name);
      const name = relative(root, path).replaceAll('\\', '/');
      if (entry.isSymbolicLink()) found.links++;
      else if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) open.push(path);
      } else if (entry.isFile() && rules.takes(name)) names.push(name);
      else found.others++;
    }
  }
  // By code units, which is the same order on every machine.
  return names.sort().map((name) => join(top, name));
}

async function entriesOf({ unreadable }: Collected, folder: string, label: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    unreadable.push({ label, reason: `the folder cannot be read (${systemCode(error) ?? String(error)})` });
    return [];
  }
}

/** The folder itself where the path is a link to one; undefined for what is none: whoever reads it says what is wrong. */
async function folderAt(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

// Where the tools on a person's machine keep their sessions.

interface SessionFolder {
  readonly tool: FormatName;
  readonly path: string;
  readonly takes: NameRule;
}

/** A folder that was looked into; without `found` it is not there. */
export interface Discovered extends SessionFolder {
  readonly found?: Collected;
}

const isLog: NameRule = (name) => name.endsWith('.jsonl');
const isRollout: NameRule = (name) => /(?:^|\/)rollout-[^/]*\.jsonl$/.test(name);
const isEventLog: NameRule = (name) => /(?:^|\/)events\.jsonl$/.test(name) || /^[^/]+\.jsonl$/.test(name);

/**
 * The folders of every tool that we know to keep logs: the one that a variable of the tool names, and the one below the
 * home folder, where sessions from before may lie. Codex moves sessions that are archived to a folder of their own.
 */
function sessionFolders({ env, platform }: Pick<Terminal, 'env' | 'platform'>): readonly SessionFolder[] {
  const home = (platform === 'win32' ? env.USERPROFILE : undefined) ?? env.HOME;
  const bases = (variable: string | undefined, ...names: readonly string[]): readonly string[] => [
    ...new Set([...(variable ? [variable] : []), ...(home ? [join(home, ...names)] : [])]),
  ];
  const folder = (tool: FormatName, takes: NameRule, paths: readonly string[]): readonly SessionFolder[] =>
    paths.map((path) => ({ tool, path, takes }));
  const codex = bases(env.CODEX_HOME, '.codex');
  const inside = (paths: readonly string[], name: string): readonly string[] => paths.map((path) => join(path, name));
  return [
    ...folder('claude-code', isLog, inside(bases(env.CLAUDE_CONFIG_DIR, '.claude'), 'projects')),
    ...folder('codex', isRollout, inside(codex, 'sessions')),
    ...folder('codex', isRollout, inside(codex, 'archived_sessions')),
    ...folder('pi', isLog, inside(bases(env.PI_CODING_AGENT_DIR, '.pi', 'agent'), 'sessions')),
    ...folder('copilot-cli', isEventLog, inside(bases(undefined, '.copilot'), 'session-state')),
  ];
}

/**
 * Looks into the folders of a tool, or of every one. A folder may itself be a link, as in a home folder under version
 * control; links inside are never followed.
 */
export async function discover(terminal: Terminal, tool: FormatName | undefined): Promise<readonly Discovered[]> {
  const folders = sessionFolders(terminal).filter((folder) => tool === undefined || folder.tool === tool);
  return Promise.all(
    folders.map(async (folder) => {
      const path = await folderAt(folder.path);
      if (path === undefined) return folder;
      return { ...folder, found: await collectFiles([path], { cwd: terminal.cwd, takes: folder.takes }) };
    }),
  );
}
