/** `palimpsest backup` and `palimpsest restore`: the whole store in one file, with the memory files beside it, and back. */
import { rename, rm } from 'node:fs/promises';
import { PalimpsestError } from '@palimpsest/core';
import { type MemoryTexts, readMemoryTexts, writeMemoryTexts } from '@palimpsest/core/memory';
import { openStore, restoreStore, type Store } from '@palimpsest/core/store';
import type { Call } from '../commands/build.ts';
import { requireFile } from '../input.ts';
import { filesPlace, folderBeside } from '../open-memory.ts';
import * as place from '../open-store.ts';
import { badOption, pathOf } from '../option-values.ts';
import { counted, linesOf, megabytes, oneLine } from '../render/text.ts';
import { writeResult } from '../terminal.ts';

type RestoreFlags = place.StoreFlags & { readonly force?: boolean };

export async function runBackup({ words: [file = ''], flags, terminal }: Call<place.StoreFlags>): Promise<void> {
  const { store, path, notes } = await place.openStoreFor(flags, terminal, { readOnly: true });
  await using opened = store;
  // A backup is one file that SQLite writes page by page, in any order.
  if (file === '-') throw badOption('expected a file for the backup, got "-": a backup cannot be piped');
  const target = pathOf(file, terminal);
  const { folder } = await filesPlace(flags, path, terminal);
  const copied = folderBeside(target);
  if (await place.exists(copied))
    throw badOption(`${copied} already exists, and the memory files would go there: name another file`);
  const { bytes, texts } = await backUp(opened, folder, target);
  if (texts.size > 0) writeMemoryTexts(copied, texts);
  const memory = texts.size === 0 ? null : { folder: copied, files: texts.size };
  const files = memory && `; ${counted(memory.files, 'memory file')} to ${oneLine(copied)}`;
  await writeResult(terminal, {
    json: () => ({ command: 'backup', store: path, file: target, bytes, memory }),
    notes,
    done: `copied ${oneLine(path)} to ${oneLine(target)}: ${megabytes(bytes)}${files ?? ''}`,
  });
}

/** Beyond this somebody writes all the time. */
const mostTries = 3;

/**
 * Files and store as of one moment. A text that is in the files and not in the store would look as if the person had written
 * it, so the files are those from before the copy of the store where no moment without a write is found.
 */
async function backUp(
  { care }: Store,
  folder: string,
  target: string,
): Promise<{ readonly bytes: number; readonly texts: MemoryTexts }> {
  for (let tried = 1; ; tried++) {
    const texts = readMemoryTexts(folder);
    const bytes = await care.backup(target);
    if (tried === mostTries || isSame(texts, readMemoryTexts(folder))) return { bytes, texts };
    await rm(target);
  }
}

const isSame = (one: MemoryTexts, other: MemoryTexts): boolean =>
  one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);

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
  const memory = await prepareMemory(folderBeside(from), (await filesPlace(flags, named, terminal)).folder, flags);
  const { bytes, aside } = await restoreTo(path, from, old).catch(async (error: unknown) => {
    await rm(memory.partial, { recursive: true, force: true });
    throw error;
  });
  const memoryAside = await takeMemoryPlace(memory);
  const content = await contentOf(path);
  const sessions = content.type === 'store' ? content.sessions : 0;
  const { files, folder } = memory;
  const size = `${counted(sessions, 'conversation')}, ${megabytes(bytes)}`;
  await writeResult(terminal, {
    json: () => ({
      command: 'restore',
      store: path,
      file: from,
      bytes,
      sessions,
      keptAside: aside ?? null,
      memory: files === 0 ? null : { folder, files, keptAside: memoryAside ?? null },
    }),
    notes,
    remarks: linesOf(
      aside !== undefined && `the previous store was kept as ${aside}`,
      memoryAside !== undefined && `the previous memory files were kept as ${memoryAside}`,
      files === 0 && memory.isThere && `the backup has no memory files: ${folder} was left as it is`,
    ),
    done: `restored ${oneLine(path)} from ${oneLine(from)}: ${size}${files === 0 ? '' : `; ${counted(files, 'memory file')} in ${oneLine(folder)}`}`,
  });
}

async function restoreTo(
  path: string,
  from: string,
  old: Content,
): Promise<{ readonly bytes: number; readonly aside: string | undefined }> {
  const partial = await place.freeName(`${path}.restoring`);
  const bytes = await restoreStore(from, partial);
  const aside =
    old.type === 'none' ? undefined : await place.putAside(path, { isWhole: old.type === 'store', partial });
  await place.takePlace(partial, path);
  return { bytes, aside };
}

/** The files of a backup, written beside the folder that they are for. */
interface PreparedMemory {
  readonly folder: string;
  /** How many there are; with none nothing is done. */
  readonly files: number;
  readonly partial: string;
  /** Something is in the folder already. */
  readonly isThere: boolean;
}

/** Before anything is moved: a file that cannot be read, or a full disk, stops the whole. */
async function prepareMemory(from: string, folder: string, { force }: RestoreFlags): Promise<PreparedMemory> {
  const texts: MemoryTexts = from === folder ? new Map() : readMemoryTexts(from);
  const isThere = await place.exists(folder);
  const partial = await place.freeName(`${folder}.restoring`);
  const prepared = { folder, files: texts.size, partial, isThere };
  if (texts.size === 0) return prepared;
  if (readMemoryTexts(folder).size > 0 && !force) throw occupied(folder, 'contains memory files');
  writeMemoryTexts(partial, texts);
  return prepared;
}

/** Puts the files in place; gives the name under which the folder that was there is kept. */
async function takeMemoryPlace({ folder, files, partial, isThere }: PreparedMemory): Promise<string | undefined> {
  if (files === 0) return undefined;
  const aside = isThere ? await place.freeName(`${folder}.before-restore`) : undefined;
  if (aside !== undefined) await rename(folder, aside);
  await rename(partial, folder);
  return aside;
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
  badOption(`${path} ${what}: use --force to replace it; the old one is kept under another name`, { path });
