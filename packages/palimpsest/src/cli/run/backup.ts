/** `palimpsest backup` and `palimpsest restore`: the whole store in one file, and back. */
import { PalimpsestError } from '@palimpsest/core';
import { openStore, restoreStore } from '@palimpsest/core/store';
import type { Call } from '../commands/build.ts';
import { requireFile } from '../input.ts';
import * as place from '../open-store.ts';
import { badOption, pathOf } from '../option-values.ts';
import { counted, megabytes, oneLine } from '../render/text.ts';
import { writeResult } from '../terminal.ts';

type RestoreFlags = place.StoreFlags & { readonly force?: boolean };

export async function runBackup({ words: [file = ''], flags, terminal }: Call<place.StoreFlags>): Promise<void> {
  const { store, path, notes } = await place.openStoreFor(flags, terminal, { readOnly: true });
  await using opened = store;
  // A backup is one file that SQLite writes page by page, in any order.
  if (file === '-') throw badOption('expected a file for the backup, got "-": a backup cannot be piped');
  const target = pathOf(file, terminal);
  const bytes = await opened.care.backup(target);
  const done = `copied ${oneLine(path)} to ${oneLine(target)}: ${megabytes(bytes)}`;
  await writeResult(terminal, { json: () => ({ command: 'backup', store: path, file: target, bytes }), notes, done });
}

export async function runRestore({ words: [file = ''], flags, terminal }: Call<RestoreFlags>): Promise<void> {
  const { path: named, notes } = await place.storePlace(flags, terminal);
  const from = pathOf(file, terminal);
  await requireFile(from, file);
  // SQLite keeps the log of a store beside the file itself, and not beside a link to it.
  const path = await place.withoutLinks(named);
  if (await place.isSameFile(from, path)) throw badOption(`${file} is the store itself: name a backup`);
  const old = await contentOf(path);
  if (old.type === 'store' && old.sessions > 0 && !flags.force)
    throw occupied(path, `contains ${counted(old.sessions, 'conversation')}`);
  if (old.type === 'unreadable' && !flags.force) throw occupied(path, `cannot be opened (${old.reason})`);
  const partial = await place.freeName(`${path}.restoring`);
  const bytes = await restoreStore(from, partial);
  const aside =
    old.type === 'none' ? undefined : await place.putAside(path, { isWhole: old.type === 'store', partial });
  await place.takePlace(partial, path);
  const content = await contentOf(path);
  const sessions = content.type === 'store' ? content.sessions : 0;
  const size = `${counted(sessions, 'conversation')}, ${megabytes(bytes)}`;
  await writeResult(terminal, {
    json: () => ({ command: 'restore', store: path, file: from, bytes, sessions, keptAside: aside ?? null }),
    notes,
    remarks: aside === undefined ? [] : [`the previous store was kept as ${aside}`],
    done: `restored ${oneLine(path)} from ${oneLine(from)}: ${size}`,
  });
}

type Content =
  | { readonly type: 'none' }
  | { readonly type: 'store'; readonly sessions: number }
  | { readonly type: 'unreadable'; readonly reason: string };

/** What is in the place of the store. Opening and closing it also brings everything into the one file. */
async function contentOf(path: string): Promise<Content> {
  if ((await place.storeFiles(path)).length === 0) return { type: 'none' };
  try {
    await using store = await openStore({ path });
    const all = await store.sessions.list({ sides: true, limit: Number.MAX_SAFE_INTEGER });
    return { type: 'store', sessions: all.length };
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
    return { type: 'unreadable', reason: error.code };
  }
}

const occupied = (path: string, what: string): PalimpsestError =>
  badOption(`${path} ${what}: use --force to replace it; the old store is kept under another name`, { path });
