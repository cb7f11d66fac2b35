/** Which store a command works on, opening it, and its files on disk. */
import { lstat, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { databaseEndings, giveName, openStore, type Store } from '@palimpsest/core/store';
import { dataFolder } from '../config/files.ts';
import { badOption, pathOf } from './option-values.ts';
import { isFromProject, readSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** What every command that works on a store has. */
export interface StoreFlags {
  readonly store?: string | undefined;
}

/** Where a store is, and what a person should know of that. */
export interface StorePlace {
  readonly path: string;
  readonly notes: readonly string[];
}

/**
 * The store that was named on the command line, else in the person's own configuration, else the one in the data folder.
 * A project's configuration cannot name one: whoever wrote it could bring foreign memories along.
 */
export async function storePlace({ store }: StoreFlags, terminal: Terminal): Promise<StorePlace> {
  if (store !== undefined) return { path: absolute(store, terminal), notes: [] };
  const { all, own } = await readSettings(terminal);
  const isNamed = all.settings.some(({ key, source }) => key === 'store.path' && isFromProject(source));
  const ignored = "store.path in the project's configuration is ignored: set it in your own.";
  const notes = isNamed ? [...all.notes, ignored] : all.notes;
  const configured = own.config.store.path;
  if (configured !== null) return { path: absolute(configured, terminal), notes };
  const folder = dataFolder(terminal.env, terminal.platform);
  if (folder !== undefined) return { path: join(folder, 'palimpsest.db'), notes };
  throw badOption(
    'The store cannot be located: the environment names no home folder. Give --store FILE, or set store.path.',
  );
}

export interface OpenedStore extends StorePlace {
  readonly store: Store;
}

interface OpenStoreOptions {
  /** For a command that fills it; elsewhere a store that is not there is an error that says how to fill one. */
  readonly mayBeNew?: boolean;
  readonly readOnly?: boolean;
}

/** Opens the store of a command; whoever opened it closes it. Throws as `openStore` does. */
export async function openStoreFor(
  flags: StoreFlags,
  terminal: Terminal,
  { mayBeNew = false, readOnly = false }: OpenStoreOptions = {},
): Promise<OpenedStore> {
  const place = await storePlace(flags, terminal);
  const { path } = place;
  if (!mayBeNew && !(await exists(path))) {
    const message = `There is no store at ${path} yet: create one with \`palimpsest import PATH\`, or with \`palimpsest import --discover\` for your own sessions.`;
    throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path } });
  }
  try {
    return { ...place, store: await openStore(readOnly ? { path, readOnly } : { path }) };
  } catch (error) {
    const isReadOnly = PalimpsestError.isInstance(error) && error.code === 'STORE_READ_ONLY';
    if (readOnly || mayBeNew || !isReadOnly) throw error;
    // A store that may only be read, such as a backup on another disk, can still be looked at; writing to it says why not.
    return { ...place, store: await openStore({ path, readOnly: true }) };
  }
}

function absolute(path: string, { cwd, env }: Terminal): string {
  const home = env.HOME ?? env.USERPROFILE;
  return home !== undefined && /^~[/\\]/.test(path) ? join(home, path.slice(2)) : pathOf(path, { cwd });
}

export const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;

// The files of a store on disk: the database, and what SQLite keeps beside it.

const endings = ['', ...databaseEndings] as const;

/** The paths of a store and what may stand beside it. */
export const filesAt = (path: string): readonly string[] => endings.map((ending) => `${path}${ending}`);

/** The files of a store that are there and hold anything. */
export async function storeFiles(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of filesAt(path)) if ((await sizeOf(file)) > 0) found.push(file);
  return found;
}

/**
 * Gives a store another name, and returns it. A log beside a store that was closed properly belongs to another process,
 * which has it open: then nothing is moved, `partial` is removed, and `STORE_BUSY` is thrown. The log of one that cannot
 * be opened goes with it.
 */
export async function putAside(
  path: string,
  { isWhole, partial }: { readonly isWhole: boolean; readonly partial: string },
): Promise<string> {
  const files = await storeFiles(path);
  if (isWhole && files.some((file) => file !== path)) {
    await rm(partial, { force: true });
    const message = `Another process has the store ${path} open. Nothing was changed: close that process and try again.`;
    throw new PalimpsestError('STORE_BUSY', message, { evidence: { path } });
  }
  const aside = await freeName(`${path}.before-restore`);
  for (const file of files) await rename(file, aside + file.slice(path.length));
  return aside;
}

/** Puts a whole store in a place where none is, but for empty files; throws `BAD_OPTION` where one was made meanwhile. */
export async function takePlace(partial: string, path: string): Promise<void> {
  for (const file of filesAt(path)) if ((await sizeOf(file)) === 0) await rm(file, { force: true });
  giveName(partial, path);
}

/** The name, or the next one with a number that nothing has. */
export async function freeName(name: string): Promise<string> {
  let free = name;
  for (let number = 2; await isTaken(free); number++) free = `${name}-${number}`;
  return free;
}

async function isTaken(name: string): Promise<boolean> {
  for (const file of filesAt(name)) if (await lstat(file).catch(() => undefined)) return true;
  return false;
}

/** The file itself; a path that leads nowhere stays as it is. */
export const withoutLinks = (path: string): Promise<string> => realpath(path).catch(() => path);

/** True for two names of one file, whatever they are. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
