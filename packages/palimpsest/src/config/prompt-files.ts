/** The files that a system prompt shows: the person's `SOUL.md`, and `AGENTS.md` and `CLAUDE.md` of the folder that is worked in. */
import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import type { PromptFile } from '@palimpsest/core/prompt';
import { userFolder } from './folders.ts';

/** Where files of a prompt are looked for. */
export interface PlaceOptions {
  /** The folder that is worked in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As `process.platform` names it. */
  readonly platform: string;
  /** False for what is the person's alone. @default true */
  readonly hasProject?: boolean;
}

/** What was found. */
export interface PromptFiles {
  readonly soul?: PromptFile;
  /** Of the project, from the outermost folder to the nearest one. */
  readonly files: readonly PromptFile[];
  /** The folder of the checkout, which may be above the one that is worked in; that one where there is no checkout. */
  readonly root: string;
  /** Files that are there and are not shown, each with the reason. */
  readonly notes: readonly string[];
}

/** In this order in each folder. */
const names = ['AGENTS.md', 'CLAUDE.md'] as const;

/** More than any budget of a prompt takes. */
const usualBytes = 256 * 1_024;

/**
 * Reads them. Never fails, waits for a pipe or a device, or reads a file of a project that lies outside of its checkout: what
 * cannot be shown is told in a note. A file that only refers to the one beside it, or is that one, counts once.
 */
export async function readPromptFiles(options: PlaceOptions): Promise<PromptFiles> {
  const { cwd, env, platform, hasProject = true } = options;
  const notes: string[] = [];
  const own = userFolder(env, platform);
  const soul = own === undefined ? undefined : await readOne(join(own, 'SOUL.md'), { notes });
  const here = await realpath(cwd).catch(() => cwd);
  const root = await checkoutOf(here);
  const found: FoundFile[] = [];
  for (const folder of hasProject ? foldersBetween(root, here) : []) {
    const inFolder: FoundFile[] = [];
    for (const name of names) {
      const one = await readOne(join(folder, name), { notes, root });
      const isNew = one && ![...found, ...inFolder].some(({ real }) => real === one.real);
      if (isNew && !inFolder.some((other) => saysAgain(one, other))) inFolder.push(one);
    }
    found.push(...inFolder);
  }
  return { ...(soul ? { soul: fileOf(soul) } : {}), files: found.map(fileOf), root, notes };
}

/** A file that may be shown. */
export interface FoundFile extends PromptFile {
  /** Without links. */
  readonly real: string;
}

const fileOf = ({ real: _, ...file }: FoundFile): PromptFile => file;

/** A copy, or a line that includes the other one. */
const saysAgain = ({ text }: FoundFile, other: FoundFile): boolean =>
  text === other.text || /^\s*@(?:\.\/)?AGENTS\.md\s*$/i.test(text);

/** The nearest folder with `.git`, which is a file in a worktree; the folder itself where none has it. */
export async function checkoutOf(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, '.git')).catch(() => undefined)) return at;
    if (dirname(at) === at) return folder;
  }
}

/** From the outer one to the inner one. */
export function foldersBetween(root: string, here: string): readonly string[] {
  const folders: string[] = [];
  for (let at = here; at !== root && dirname(at) !== at; at = dirname(at)) folders.push(at);
  return [root, ...folders.reverse()];
}

/** How a file is read. */
export interface Reading {
  /** Told why a file that is there is not read. */
  readonly notes: string[];
  /** The folder that links may not lead out of; absent for the person's own file. */
  readonly root?: string;
  /** The most that is read. @default 262144 */
  readonly mostBytes?: number;
}

/** The beginning of a file; undefined for none, and with a note for what is no file to show. */
export async function readOne(
  path: string,
  { notes, root, mostBytes = usualBytes }: Reading,
): Promise<FoundFile | undefined> {
  try {
    if (!(await lstat(path).catch(absent))) return undefined;
    const real = await realpath(path);
    if (root !== undefined && !isWithin(root, real)) throw refused('it is a link that leads out of the project');
    const read = await readStart(real, mostBytes);
    return read && { path, real, ...read };
  } catch (error) {
    notes.push(`${path} is not shown to the model: ${reasonOf(error)}.`);
    return undefined;
  }
}

/** Nothing for a file that is not there. @throws every other error */
export const absent = (error: unknown): undefined => {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
  throw error;
};

/** True for what lies in a folder. */
export function isWithin(root: string, path: string): boolean {
  const inner = relative(root, path);
  return inner !== '' && !isAbsolute(inner) && inner !== '..' && !/^\.\.[\\/]/.test(inner);
}

/** At most `mostBytes`, in whole lines where it is longer. Opening a pipe would wait for a writer, were it not for the flag. */
async function readStart(
  path: string,
  mostBytes: number,
): Promise<Pick<PromptFile, 'text' | 'unreadBytes'> | undefined> {
  // A link that was put there meanwhile is not followed. Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, flags);
  try {
    const about = await file.stat();
    if (!about.isFile()) throw refused(about.isDirectory() ? 'it is a folder' : 'it is not a file');
    const bytes = Buffer.alloc(Math.min(about.size, mostBytes));
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length, length));
    }
    const unread = Math.max(0, about.size - length);
    const whole = bytes.subarray(0, length);
    const lastLine = unread === 0 ? -1 : whole.lastIndexOf(0x0a);
    const taken = lastLine < 0 ? whole : whole.subarray(0, lastLine + 1);
    const text = decoded(taken, unread > 0);
    const unreadBytes = unread + length - taken.length;
    return text.trim() === '' && unreadBytes === 0 ? undefined : { text, ...(unreadBytes > 0 ? { unreadBytes } : {}) };
  } finally {
    await file.close();
  }
}

/** What is cut may end within a letter. */
function decoded(bytes: Uint8Array, isCut: boolean): string {
  if (bytes.includes(0)) throw refused('it is no text');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    throw refused('it is not UTF-8 text');
  }
}

const refused = (reason: string): PalimpsestError => new PalimpsestError('FILE_UNREADABLE', reason);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const reasons: Readonly<Record<string, string>> = {
  ELOOP: 'it is a link that leads to itself',
  ENOENT: 'it is a link that leads nowhere',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  // What opening a socket says.
  ENXIO: 'it is not a file',
};

function reasonOf(error: unknown): string {
  if (PalimpsestError.isInstance(error)) return error.message;
  const code = String(codeOf(error) ?? '');
  return reasons[code] ?? `it cannot be read (${code || String(error)})`;
}
