/** What stands at the place that a command is to write to, and whether it may be replaced. */
import { type BigIntStats, fstatSync } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { databaseEndings, isOfDatabase } from '@palimpsest/core/store';
import { systemCode } from './input.ts';
import { storePlace } from './open-store.ts';
import { pathOf } from './path-of.ts';
import type { Terminal } from './terminal.ts';

export interface OutputRules {
  /** A file that exists may be replaced. @default false */
  readonly force?: boolean | undefined;
  /** What the command reads, as it was typed; `-` for standard input. */
  readonly inputs?: readonly (string | undefined)[];
  /** The store that was named; the configured one is never replaced either. */
  readonly store?: string | undefined;
}

export type OutputTarget =
  /** A terminal, a pipe or a device, which is written to. */
  | { readonly type: 'stream' }
  | { readonly type: 'new'; readonly path: string }
  /** The file itself where the name is a link, and its permissions. */
  | { readonly type: 'old'; readonly path: string; readonly mode: number };

interface Place {
  /** Absolute. */
  readonly path: string;
  /** As it was typed. */
  readonly name: string;
}

/** Names of what the process has open. */
const descriptor = /^\/(?:dev\/(?:fd\/\d+|std(?:in|out|err))|proc\/[^/]+\/(?:task\/\d+\/)?fd\/\d+)$/;

/** Throws `BAD_OPTION` for what may not be replaced, and `FILE_UNREADABLE` for a place where no file can be. */
export async function outputTarget(
  { path, name }: Place,
  { force, inputs = [], store, terminal }: OutputRules & { readonly terminal: Terminal },
): Promise<OutputTarget> {
  const refuse = (what: string): PalimpsestError =>
    new PalimpsestError('BAD_OPTION', `${name} ${what}`, { evidence: { path: name } });
  const old = await lookAt(path, name);
  if (old?.isDirectory()) throw notAFile(name, 'it is a folder: name a file in it');
  if (old && !old.isFile()) {
    if (old.isCharacterDevice() || old.isFIFO()) return { type: 'stream' };
    throw notAFile(name, 'it is neither a file nor a pipe: name a file');
  }
  if (old && descriptor.test(path))
    throw refuse('stands for an open file: use "-" for standard output, or the name of the file');
  const place = await placeOf(path);
  const stores = await storesFor(store, terminal);
  if (await isAnyOf({ place, old }, await withCompanions(stores)))
    throw refuse('is the store or one of its files: name another file');
  if (
    (await isAnyOf(
      { place, old },
      inputs.flatMap((input) => inputPath(input, terminal)),
    )) ||
    isStandardInput(old, inputs, terminal)
  )
    throw refuse('is the input: name another file');
  if ((old && (await holdsDatabase(path))) || (await isBesideDatabase(place)))
    throw refuse('belongs to a database, which is never overwritten: name another file');
  if (!old) return { type: 'new', path: place };
  if (!force) throw refuse('already exists: name another file, or use --force to replace it');
  return { type: 'old', path: place, mode: Number(old.mode) & 0o777 };
}

/** What is at the end of a path; undefined where nothing is. */
async function lookAt(path: string, name: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT' && !(await isLink(path))) return undefined;
    const isLost = systemCode(cause) === 'ENOENT' || systemCode(cause) === 'ELOOP';
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw notAFile(name, isLost ? 'it is a broken link: name the file itself' : reason, cause);
  }
}

const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;

const notAFile = (name: string, reason: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError('FILE_UNREADABLE', `${name} cannot be written: ${reason}. Nothing was changed.`, {
    evidence: { path: name },
    cause,
  });

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
      return [(await storePlace(store === undefined ? {} : { store }, terminal)).path];
    } catch (error) {
      // A configuration that cannot be read is told of by the commands that need it.
      if (!PalimpsestError.isInstance(error)) throw error;
      return [];
    }
  });
  return (await Promise.all(places)).flat();
}

async function withCompanions(paths: readonly string[]): Promise<readonly string[]> {
  const places = await Promise.all(paths.map(placeOf));
  return places.flatMap((path) => ['', ...databaseEndings].map((ending) => `${path}${ending}`));
}

const inputPath = (input: string | undefined, terminal: Terminal): readonly string[] =>
  input === undefined || input === '-' ? [] : [pathOf(input, terminal)];

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
function isStandardInput(
  old: BigIntStats | undefined,
  inputs: readonly (string | undefined)[],
  { stdin }: Terminal,
): boolean {
  if (!old || stdin.fd === undefined || !inputs.some((input) => input === undefined || input === '-')) return false;
  return isSame(old, fstatSync(stdin.fd, { bigint: true }));
}

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
