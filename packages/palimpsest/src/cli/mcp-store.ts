/** The store and the memory of a server, opened as every command opens them. */
import type { Memory } from '@palimpsest/core/memory';
import type { Store } from '@palimpsest/core/store';
import { filesPlace, memoryOver } from './open-memory.ts';
import { exists, openStoreFor, type StoreFlags, storePlace } from './open-store.ts';
import { type Terminal, writeNotes } from './terminal.ts';

interface OpenOptions {
  readonly mayBeNew: boolean;
  readonly isReadOnly: boolean;
}

export async function openStoreOf(
  flags: StoreFlags,
  terminal: Terminal,
  { mayBeNew, isReadOnly }: OpenOptions,
): Promise<Store> {
  const { store, notes } = await openStoreFor(flags, terminal, {
    mayBeNew: mayBeNew && !isReadOnly,
    readOnly: isReadOnly,
  });
  await writeNotes(terminal, notes);
  return store;
}

/** That of the project that the server was started for. */
export async function openMemoryOf(flags: StoreFlags, terminal: Terminal, store: Store): Promise<Memory> {
  const { path } = await storePlace(flags, terminal);
  const { memory } = await memoryOver({ store, path }, { flags, project: terminal.cwd, terminal });
  return memory;
}

export const hasStore = async (flags: StoreFlags, terminal: Terminal): Promise<boolean> =>
  exists((await storePlace(flags, terminal)).path);

export async function hasMemoryFiles(flags: StoreFlags, terminal: Terminal): Promise<boolean> {
  const { path } = await storePlace(flags, terminal);
  return exists((await filesPlace(flags, path, terminal)).folder);
}
