/** `palimpsest backup` and `palimpsest restore`: the whole store in one file, and back. */
import { PalimpsestError } from '@palimpsest/core';
import { openStore, restoreStore } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { requireFile } from '../input.ts';
import {
  freeName,
  isSameFile,
  openStoreFor,
  putAside,
  type StoreFlags,
  storeFiles,
  storePlace,
  takePlace,
  withoutLinks,
} from '../open-store.ts';
import { pathOf } from '../option-values.ts';
import { counted, oneLine } from '../render/text.ts';
import { type Terminal, writeResult } from '../terminal.ts';

export interface RestoreFlags extends StoreFlags {
  readonly force?: boolean;
}

export async function runBackup(file: string, flags: StoreFlags, terminal: Terminal): Promise<ExitCode> {
  const { store, path, notes } = await openStoreFor(flags, terminal, { readOnly: true });
  await using opened = store;
  const target = targetPath(file, terminal);
  const bytes = await opened.care.backup(target);
  const done = `copied ${oneLine(path)} to ${oneLine(target)}: ${megabytes(bytes)}`;
  const json = (): object => ({ command: 'backup', store: path, file: target, bytes });
  await writeResult({ json, notes, lines: () => (flags.quiet ? [] : [done]) }, flags, terminal);
  return exitCodes.fine;
}

/** A backup is one file that SQLite writes page by page, in any order: it cannot go through a pipe. */
function targetPath(file: string, terminal: Terminal): string {
  if (file !== '-') return pathOf(file, terminal);
  throw new PalimpsestError('BAD_OPTION', 'expected a file for the backup, got "-": a backup cannot be piped');
}

export async function runRestore(file: string, flags: RestoreFlags, terminal: Terminal): Promise<ExitCode> {
  const { path: named, notes } = await storePlace(flags, terminal);
  const from = pathOf(file, terminal);
  await requireFile(from, file);
  // SQLite keeps the log of a store beside the file itself, and not beside a link to it.
  const path = await withoutLinks(named);
  if (await isSameFile(from, path))
    throw new PalimpsestError('BAD_OPTION', `${file} is the store itself: name a backup`);
  const old = await contentOf(path);
  if (old.type === 'store' && old.sessions > 0 && !flags.force)
    throw occupied(path, `contains ${counted(old.sessions, 'conversation')}`);
  if (old.type === 'unreadable' && !flags.force) throw occupied(path, `cannot be opened (${old.reason})`);
  const partial = await freeName(`${path}.restoring`);
  const bytes = await restoreStore(from, partial);
  const aside = old.type === 'none' ? undefined : await putAside(path, { isWhole: old.type === 'store', partial });
  await takePlace(partial, path);
  const sessions = await contentOf(path);
  const count = sessions.type === 'store' ? sessions.sessions : 0;
  const done = `restored ${oneLine(path)} from ${oneLine(from)}: ${counted(count, 'conversation')}, ${megabytes(bytes)}`;
  const about = { command: 'restore', store: path, file: from, bytes, sessions: count, keptAside: aside ?? null };
  const remarks = aside === undefined ? [] : [`the previous store was kept as ${aside}`];
  await writeResult({ json: () => about, notes, remarks, lines: () => (flags.quiet ? [] : [done]) }, flags, terminal);
  return exitCodes.fine;
}

type Content =
  | { readonly type: 'none' }
  | { readonly type: 'store'; readonly sessions: number }
  | { readonly type: 'unreadable'; readonly reason: string };

/** What is in the place of the store. Opening and closing it also brings everything into the one file. */
async function contentOf(path: string): Promise<Content> {
  if ((await storeFiles(path)).length === 0) return { type: 'none' };
  try {
    await using store = await openStore({ path });
    return {
      type: 'store',
      sessions: (await store.sessions.list({ sides: true, limit: Number.MAX_SAFE_INTEGER })).length,
    };
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    return { type: 'unreadable', reason: error.code };
  }
}

const occupied = (path: string, what: string): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `${path} ${what}: use --force to replace it; the old store is kept under another name`,
    {
      evidence: { path },
    },
  );

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
