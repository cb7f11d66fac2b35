/** The one writer of files that a command is told to write: whole or not at all, and never over what somebody needs. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PalimpsestError } from '@palimpsest/core';
import { systemCode } from './input.ts';
import { type OutputRules, type OutputTarget, outputTarget } from './output-target.ts';
import { pathOf } from './path-of.ts';
import type { Terminal } from './terminal.ts';

/** Temporary files that must not outlive the process. */
const unfinished = new Set<string>();

/** Removes what an interrupted write left; synchronous, because nothing runs after it. */
export function removeUnfinished(): void {
  for (const path of unfinished) {
    unfinished.delete(path);
    rmSync(path, { force: true });
  }
}

/** A file that a command may write. */
export interface OutputFile {
  /** Absolute. */
  readonly path: string;
  /** Writes everything, packed where the name ends with `.gz`. Looks again at what is there; throws as `outputFile` does. */
  write(pieces: Iterable<string>): Promise<void>;
}

/**
 * The file that was named for the output of a command, before anything is done: whoever waited for a model should not
 * hear then that the file was there before.
 *
 * Throws `BAD_OPTION` for a file that exists where nobody said `--force`, and always for what the command reads, for a
 * store and for every other database; `FILE_UNREADABLE` where nothing can be written. What was there is then as it was.
 */
export async function outputFile(
  name: string,
  { terminal, ...rules }: OutputRules & { readonly terminal: Terminal },
): Promise<OutputFile> {
  const path = pathOf(name, terminal);
  const target = (): Promise<OutputTarget> => outputTarget({ path, name }, { ...rules, terminal });
  await target();
  return { path, write: async (pieces) => write(await target(), pieces, { path, name }) };
}

async function write(
  target: OutputTarget,
  pieces: Iterable<string>,
  { path, name }: { readonly path: string; readonly name: string },
): Promise<void> {
  try {
    if (target.type === 'stream') await writeFile(path, pieces);
    else await writeBeside(target, path.endsWith('.gz') ? packed(pieces) : pieces);
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') throw exists(name);
    throw PalimpsestError.isInstance(cause) ? cause : unwritable(name, cause);
  }
}

const packed = (pieces: Iterable<string>): readonly Uint8Array[] => [
  gzipSync(Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)))),
];

/** Into a new file of the same folder, which takes the name when it is whole and on the disk. */
async function writeBeside(
  target: Exclude<OutputTarget, { type: 'stream' }>,
  pieces: Iterable<string | Uint8Array>,
): Promise<void> {
  const folder = dirname(target.path);
  // A short name of its own: the name of the target may be as long as a name can be.
  const temporary = join(folder, `.palimpsest-${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx');
  unfinished.add(temporary);
  try {
    try {
      if (target.type === 'old') await file.chmod(target.mode);
      await file.writeFile(pieces);
      await file.sync();
    } finally {
      await file.close();
    }
    if (target.type === 'old') await rename(temporary, target.path);
    else await nameNew(temporary, target.path);
    await syncFolder(folder);
  } finally {
    await rm(temporary, { force: true });
    unfinished.delete(temporary);
  }
}

/** Gives a file its name where nobody has taken that meanwhile: a second name does not replace, as `rename` would. */
async function nameNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EINVAL', 'EMLINK'].includes(systemCode(error) ?? ''))
      throw error;
    // A file system without hard links. Whoever comes first has the name; an empty file can be replaced.
    await (await open(path, 'wx')).close();
    await rename(temporary, path);
  }
}

/** After a power cut the new name is there too. Not every system can do that for a folder, and the file is whole anyway. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows opens no folders.
  }
}

const exists = (name: string): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', `${name} already exists: name another file, or use --force to replace it`, {
    evidence: { path: name },
  });

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its parent is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full: free some space, or name a file on another disk',
  EDQUOT: 'your disk quota is used up: free some space, or name a file on another disk',
};

function unwritable(name: string, cause: unknown): PalimpsestError {
  const reason = reasons[systemCode(cause) ?? ''] ?? (cause instanceof Error ? cause.message : String(cause));
  const message = `${name} cannot be written: ${reason}. Nothing was changed.`;
  return new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path: name }, cause });
}
