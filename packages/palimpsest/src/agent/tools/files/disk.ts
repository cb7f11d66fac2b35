/** Files of a project on disk: looked at before they are opened, read whole or not at all, and replaced whole. */
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Larger files are no text that a model edits. */
export const mostFileBytes: number = 10 * 1024 * 1024;

export type FoundFile =
  | { readonly type: 'none' }
  | { readonly type: 'folder' }
  /** A pipe, a socket or a device. */
  | { readonly type: 'special' }
  | { readonly type: 'large'; readonly bytes: number }
  | { readonly type: 'unreadable'; readonly reason: string }
  | ReadFile;

export interface ReadFile {
  readonly type: 'file';
  readonly bytes: Uint8Array;
  /** Another one for another content. */
  readonly hash: string;
  readonly mode: number;
}

/** Never waits for a pipe, and never throws. */
export function readFound(path: string): FoundFile {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return { type: 'none' };
    if (found.isDirectory()) return { type: 'folder' };
    if (!found.isFile()) return { type: 'special' };
    if (found.size > mostFileBytes) return { type: 'large', bytes: found.size };
    return readOpened(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  } catch (error) {
    return { type: 'unreadable', reason: reasonOf(error) };
  }
}

function readOpened(file: number): FoundFile {
  try {
    const found = fstatSync(file);
    if (!found.isFile()) return { type: 'special' };
    const bytes = readFileSync(file);
    return { type: 'file', bytes, hash: hashOf(bytes), mode: found.mode & 0o7777 };
  } finally {
    closeSync(file);
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export type Replaced =
  | { readonly type: 'done'; readonly hash: string }
  /** What is there is not what was read. */
  | { readonly type: 'changed' }
  | { readonly type: 'failed'; readonly reason: string };

/**
 * Puts a text in place of the file that was read, or makes a file where none was: whole or not at all, with the mode of the
 * old one. Folders that are missing are made.
 */
export function replaceFound(path: string, text: string, before: ReadFile | undefined): Replaced {
  const bytes = Buffer.from(text, 'utf8');
  const temporary = join(dirname(path), `.palimpsest-${randomBytes(6).toString('hex')}.tmp`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (before) accessSync(path, constants.W_OK);
    writeNew(temporary, bytes, before?.mode);
    const now = readFound(path);
    if (before ? now.type !== 'file' || now.hash !== before.hash : now.type !== 'none') return { type: 'changed' };
    if (before) renameSync(temporary, path);
    else if (!isNamed(temporary, path)) return { type: 'changed' };
    return { type: 'done', hash: hashOf(bytes) };
  } catch (error) {
    return { type: 'failed', reason: reasonOf(error) };
  } finally {
    if (existsSync(temporary)) rmSync(temporary, { force: true });
  }
}

function writeNew(path: string, bytes: Uint8Array, mode: number | undefined): void {
  const file = openSync(path, 'wx');
  try {
    if (mode !== undefined) fchmodSync(file, mode);
    // A disk that is nearly full takes a part without a word.
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Names a file unless another one has the name. */
function isNamed(file: string, path: string): boolean {
  try {
    linkSync(file, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A file system without hard links; the name was free a moment ago.
    renameSync(file, path);
  }
  return true;
}

/** The names in a folder in their order, those of folders with `/`; none where it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`).sort();
  } catch {
    return [];
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not do that there',
  EPERM: 'you may not do that there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a part of the path is a file',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
};

const reasonOf = (error: unknown): string => reasons[codeOf(error)] ?? codeOf(error);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason';
