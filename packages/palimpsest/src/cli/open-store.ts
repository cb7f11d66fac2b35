/** Which store a command works on, and opening it. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';
import { dataFolder } from '../config/files.ts';
import { isFromProject, readSettings } from './load-settings.ts';
import { pathOf } from './path-of.ts';
import type { GlobalFlags, Terminal } from './terminal.ts';

/** What every command that works on a store has. */
export interface StoreFlags extends GlobalFlags {
  readonly store?: string;
}

/** Where a store is, and what a person should know of that. */
export interface StorePlace {
  readonly path: string;
  readonly notes: readonly string[];
}

const storeSetting = 'store.path';
const fileName = 'palimpsest.db';

/**
 * The store that was named on the command line, else in the person's own configuration, else the one in the data folder.
 * A project's configuration cannot name one: whoever wrote it could bring foreign memories along.
 */
export async function storePlace(flags: StoreFlags, terminal: Terminal): Promise<StorePlace> {
  if (flags.store !== undefined) return { path: absolute(flags.store, terminal), notes: [] };
  const { all, own } = await readSettings(terminal);
  const project = all.settings.find(({ key, source }) => key === storeSetting && isFromProject(source));
  const notes = [
    ...all.notes,
    ...(project ? [`${storeSetting} in the project's configuration is ignored: set it in your own.`] : []),
  ];
  const configured = own.config.store.path;
  if (configured !== null) return { path: absolute(configured, terminal), notes };
  const folder = dataFolder(terminal.env, terminal.platform);
  if (folder !== undefined) return { path: join(folder, fileName), notes };
  throw new PalimpsestError(
    'BAD_OPTION',
    `The store cannot be located: the environment names no home folder. Give --store FILE, or set ${storeSetting}.`,
  );
}

export interface OpenedStore extends StorePlace {
  readonly store: Store;
}

export interface OpenStoreOptions {
  /** For a command that fills it; elsewhere a store that is not there is an error that says how to fill one. @default false */
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
  if (!mayBeNew && !(await exists(place.path))) {
    const message = `There is no store at ${place.path} yet: create one with \`palimpsest import PATH\`, or with \`palimpsest import --discover\` for your own sessions.`;
    throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path: place.path } });
  }
  return { ...place, store: await opened(place.path, { mayBeNew, readOnly }) };
}

/** A store that may only be read, such as a backup on another disk, can still be looked at; writing to it says why not. */
async function opened(path: string, { mayBeNew, readOnly }: Required<OpenStoreOptions>): Promise<Store> {
  if (readOnly) return await openStore({ path, readOnly });
  try {
    return await openStore({ path });
  } catch (error) {
    const isReadOnly = PalimpsestError.isInstance(error) && error.code === 'STORE_READ_ONLY';
    if (mayBeNew || !isReadOnly) throw error;
    return await openStore({ path, readOnly: true });
  }
}

function absolute(path: string, { cwd, env }: Terminal): string {
  const home = env.HOME ?? env.USERPROFILE;
  return home !== undefined && /^~[/\\]/.test(path) ? join(home, path.slice(2)) : pathOf(path, { cwd });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
