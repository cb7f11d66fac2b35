/** Which files an import reads: those that were named, and the transcripts in folders. */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { systemCode } from '../input.ts';

/** A file to read. */
export interface ImportFile {
  /** As a person would name it; `-` for standard input. */
  readonly label: string;
}

/** What was found. */
export interface Collected {
  readonly files: readonly ImportFile[];
  /** Folders and files that cannot be looked at, with the reason. */
  readonly unreadable: readonly { readonly label: string; readonly reason: string }[];
  /** Links in folders, which are not followed. */
  readonly links: number;
  /** Files in folders that have another ending than transcripts have. */
  readonly others: number;
}

interface Found {
  readonly files: ImportFile[];
  readonly unreadable: { readonly label: string; readonly reason: string }[];
  links: number;
  others: number;
}

/** Which files of a folder are taken: their names without the folder, with `/` between folders. */
export type NameRule = (name: string) => boolean;

const skippedFolders: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** What transcripts are called; in a folder everything else is left alone. */
export const isTranscriptName: NameRule = (name) => /\.(?:jsonl?|ndjson|traj)(?:\.gz)?$/i.test(name);

/**
 * Every named file, and the transcripts of every named folder in the order of their names, so that a session comes
 * before the sub-agents in the folder beside it. Links inside folders are not followed.
 */
export async function collectFiles(
  paths: readonly string[],
  { cwd, takes = isTranscriptName }: { readonly cwd: string; readonly takes?: NameRule },
): Promise<Collected> {
  const found: Found = { files: [], unreadable: [], links: 0, others: 0 };
  for (const path of paths) {
    if (path !== '-' && (await isFolder(resolve(cwd, path)))) await collectFolder(found, path, { cwd, takes });
    else found.files.push({ label: path });
  }
  const seen = new Set<string>();
  const files = found.files.filter(({ label }) => {
    const path = label === '-' ? label : resolve(cwd, label);
    return !seen.has(path) && seen.add(path);
  });
  return { ...found, files };
}

interface FolderRules {
  readonly cwd: string;
  readonly takes: NameRule;
}

async function collectFolder(found: Found, top: string, { cwd, takes }: FolderRules): Promise<void> {
  const names: string[] = [];
  const open = [resolve(cwd, top)];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const label = join(top, relative(resolve(cwd, top), folder));
    for (const entry of await entriesOf(found, folder, label)) {
      const path = join(folder, entry.name);
      const name = relative(resolve(cwd, top), path).replaceAll('\\', '/');
      if (entry.isSymbolicLink()) found.links++;
      else if (entry.isDirectory()) {
        if (!skippedFolders.has(entry.name)) open.push(path);
      } else if (entry.isFile() && takes(name)) names.push(name);
      else found.others++;
    }
  }
  found.files.push(...names.sort(byUnits).map((name) => ({ label: join(top, name) })));
}

async function entriesOf(found: Found, folder: string, label: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    found.unreadable.push({ label, reason: `the folder cannot be read (${systemCode(error) ?? String(error)})` });
    return [];
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Whoever reads the file says what is wrong with it.
    return false;
  }
}

/** The order of code units, which is the same on every machine. */
const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
