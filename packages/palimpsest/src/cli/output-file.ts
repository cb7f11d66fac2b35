/** The one writer of files that a command is told to write: whole or not at all, and never over what somebody needs. */
import { randomBytes } from 'node:crypto';
import { type BigIntStats, fstatSync } from 'node:fs';
import { link, lstat, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PalimpsestError } from '@palimpsest/core';
import { databaseEndings, isOfDatabase } from '@palimpsest/core/store';
import { filesAt, storePlace } from './open-store.ts';
import { badOption, pathOf } from './option-values.ts';
import { systemCode } from './system-code.ts';
import type { Terminal } from './terminal.ts';
import { forgetUnfinished, keepUnfinished } from './unfinished-files.ts';

export interface OutputFile {
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

async function write(target: OutputTarget, pieces: Iterable<string>, { path, name }: Place): Promise<void> {
  try {
    if (target.type === 'stream') await writeFile(path, pieces);
    else await writeBeside(target, path.endsWith('.gz') ? packed(pieces) : pieces);
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') throw refused(name, taken);
    if (PalimpsestError.isInstance(cause)) throw cause;
    throw unwritable(name, reasons[systemCode(cause) ?? ''] ?? messageOf(cause), cause);
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
  keepUnfinished(temporary);
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
    forgetUnfinished(temporary);
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

const taken = 'already exists: name another file, or use --force to replace it';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its parent is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full: free some space, or name a file on another disk',
  EDQUOT: 'your disk quota is used up: free some space, or name a file on another disk',
};

const refused = (name: string, what: string): PalimpsestError => badOption(`${name} ${what}`, { path: name });

const unwritable = (name: string, reason: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError('FILE_UNREADABLE', `${name} cannot be written: ${reason}. Nothing was changed.`, {
    evidence: { path: name },
    cause,
  });

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

// What stands at the place that a command is to write to, and whether it may be replaced.

interface OutputRules {
  /** A file that exists may be replaced. @default false */
  readonly force?: boolean | undefined;
  /** What the command reads, as it was typed; `-` for standard input. */
  readonly inputs?: readonly (string | undefined)[];
  /** The store that was named; the configured one is never replaced either. */
  readonly store?: string | undefined;
}

type OutputTarget =
  /** A terminal, a pipe or a device, which is written to. */
  | { readonly type: 'stream' }
  | { readonly type: 'new'; readonly path: string }
  /** The file itself where the name is a link, and its permissions. */
  | { readonly type: 'old'; readonly path: string; readonly mode: number };

interface Place {
  readonly path: string;
  readonly name: string;
}

const descriptor = /^\/(?:dev\/(?:fd\/\d+|std(?:in|out|err))|proc\/[^/]+\/(?:task\/\d+\/)?fd\/\d+)$/;

/** Throws `BAD_OPTION` for what may not be replaced, and `FILE_UNREADABLE` for a place where no file can be. */
async function outputTarget(
  { path, name }: Place,
  { force, inputs = [], store, terminal }: OutputRules & { readonly terminal: Terminal },
): Promise<OutputTarget> {
  const old = await lookAt(path, name);
  if (old?.isDirectory()) throw unwritable(name, 'it is a folder: name a file in it');
  if (old && !old.isFile()) {
    if (old.isCharacterDevice() || old.isFIFO()) return { type: 'stream' };
    throw unwritable(name, 'it is neither a file nor a pipe: name a file');
  }
  if (old && descriptor.test(path))
    throw refused(name, 'stands for an open file: use "-" for standard output, or the name of the file');
  const place = await placeOf(path);
  const stores = await Promise.all((await storesFor(store, terminal)).map(placeOf));
  if (await isAnyOf({ place, old }, stores.flatMap(filesAt)))
    throw refused(name, 'is the store or one of its files: name another file');
  const paths = inputs.flatMap((input) => (input === undefined || input === '-' ? [] : [pathOf(input, terminal)]));
  const isInput =
    (await isAnyOf({ place, old }, paths)) || (paths.length < inputs.length && isStandardInput(old, terminal));
  if (isInput) throw refused(name, 'is the input: name another file');
  if ((old && (await holdsDatabase(path))) || (await isBesideDatabase(place)))
    throw refused(name, 'belongs to a database, which is never overwritten: name another file');
  if (!old) return { type: 'new', path: place };
  if (!force) throw refused(name, taken);
  return { type: 'old', path: place, mode: Number(old.mode) & 0o777 };
}

/** What is at the end of a path; undefined where nothing is. */
async function lookAt(path: string, name: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (cause) {
    const code = systemCode(cause);
    const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
    if (code === 'ENOENT' && !isLink) return undefined;
    const isLost = code === 'ENOENT' || code === 'ELOOP';
    throw unwritable(name, isLost ? 'it is a broken link: name the file itself' : messageOf(cause), cause);
  }
}

/** The path without links; of a file that is not there yet, the real folder and the name. */
async function placeOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

/** The store that was named, and the one that is used where none is. */
async function storesFor(named: string | undefined, terminal: Terminal): Promise<readonly string[]> {
  const places = [named, undefined].map(async (store) => {
    try {
      return [(await storePlace({ store }, terminal)).path];
    } catch (error) {
      // A configuration that cannot be read is told of by the commands that need it.
      if (!PalimpsestError.isInstance(error)) throw error;
      return [];
    }
  });
  return (await Promise.all(places)).flat();
}

/** By device and inode where there is a file, whatever it is called; by name where there is none yet. */
async function isAnyOf(
  { place, old }: { readonly place: string; readonly old: BigIntStats | undefined },
  paths: readonly string[],
): Promise<boolean> {
  for (const path of paths) {
    const other = await stat(path, { bigint: true }).catch(() => undefined);
    // Some file systems do not tell `a` from `A`, and nobody calls two files so on purpose.
    if (old ? isSame(old, other) : (await placeOf(path)).toLowerCase() === place.toLowerCase()) return true;
  }
  return false;
}

const isSame = (one: BigIntStats, other: BigIntStats | undefined): boolean =>
  other !== undefined && one.ino === other.ino && one.dev === other.dev;

/** True for the file that the shell gave to standard input. */
const isStandardInput = (old: BigIntStats | undefined, { stdin }: Terminal): boolean =>
  old !== undefined && stdin.fd !== undefined && isSame(old, fstatSync(stdin.fd, { bigint: true }));

/** Read from the file itself, so that no name of it can hide what it is. */
async function holdsDatabase(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return false;
  try {
    const head = Buffer.alloc(16);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return isOfDatabase(head.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** True for the name that SQLite has for a file beside a database: it would take what is written there for its own. */
async function isBesideDatabase(path: string): Promise<boolean> {
  const ending = databaseEndings.find((one) => path.toLowerCase().endsWith(one));
  return ending !== undefined && (await holdsDatabase(path.slice(0, -ending.length)));
}
