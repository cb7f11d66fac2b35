/** The files to import: those that were named, and those of other tools on this machine. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { FormatName } from '@palimpsest/core';
import { systemCode } from '../input.ts';
import type { Terminal } from '../terminal.ts';

/** What was found. */
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

/** A folder of sessions. */
interface SessionFolder {
  readonly tool: FormatName;
  readonly path: string;
  /** Which of its files are sessions. */
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
