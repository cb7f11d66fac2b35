/** Writes a file whole or not at all: into a new file beside it, which then takes its name. */
import { type Stats, unlinkSync } from 'node:fs';
import { open, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PalimpsestError } from '../shared/errors.ts';
import { systemCode } from './input.ts';

/** Temporary files that must not outlive the process. */
const unfinished = new Set<string>();

/** Removes what an interrupted write left; synchronous, because nothing runs after it. */
export function removeUnfinished(): void {
  for (const path of unfinished) {
    unfinished.delete(path);
    unlinkSync(path);
  }
}

/** Throws `BAD_OPTION` when the output would take the place of the input and nobody said `--force`. */
export async function guardInput(output: string, input: string | undefined, isForced: boolean): Promise<void> {
  if (isForced || input === undefined || !(await isSameFile(output, input))) return;
  const message = `the output is the input file ${basename(input)}: give another name with -o, or --force to replace it`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { path: basename(input) } });
}

/**
 * Writes the pieces to a path, packed where its name ends with `.gz`. An existing file keeps its permissions; a link keeps pointing to it; a device or a pipe
 * is written to. Throws `FILE_UNREADABLE` when it cannot be written; then the old file is as it was.
 */
export async function writeWhole(path: string, pieces: Iterable<string>): Promise<void> {
  try {
    const old = await statOf(path);
    if (old?.isDirectory()) throw unwritable(path, new Error('it is a folder'));
    if (old && !old.isFile()) await writeFile(path, pieces);
    else await replace(await targetOf(path), path.endsWith('.gz') ? packed(pieces) : pieces, old?.mode);
  } catch (cause) {
    throw PalimpsestError.isInstance(cause) ? cause : unwritable(path, cause);
  }
}

const packed = (pieces: Iterable<string>): readonly Uint8Array[] => [
  gzipSync(Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)))),
];

async function replace(target: string, pieces: Iterable<string | Uint8Array>, mode: number | undefined): Promise<void> {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
  const file = await open(temporary, 'wx');
  unfinished.add(temporary);
  try {
    try {
      if (mode !== undefined) await file.chmod(mode & 0o777);
      await file.writeFile(pieces);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (cause) {
    await unlink(temporary);
    throw cause;
  } finally {
    unfinished.delete(temporary);
  }
}

function unwritable(path: string, cause: unknown): PalimpsestError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const hint = systemCode(cause) === 'ENOENT' ? 'its folder does not exist' : reason;
  return new PalimpsestError('FILE_UNREADABLE', `${path} cannot be written: ${hint}`, { evidence: { path }, cause });
}

/** Behind a link, so that the link stays one. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // It does not exist yet.
    return path;
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([statOf(a), statOf(b)]);
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev;
}
