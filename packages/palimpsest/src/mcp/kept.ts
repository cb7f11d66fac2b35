/** What is kept, as a server finds it at each call: the store is opened when it is first needed, and again where that has failed. */
import type { Memory } from '@palimpsest/core/memory';
import { PalimpsestError } from '@palimpsest/core/settings';
import type { Store } from '@palimpsest/core/store';
import type { ReadableParts } from './project-store.ts';

/** How the store and the memory of a server are opened. */
export interface KeptOptions {
  /** Throws `FILE_UNREADABLE` where there is none and it may not be new. */
  readonly openStore: (options: { readonly mayBeNew: boolean }) => Promise<Store>;
  readonly openMemory: (store: Store) => Promise<Memory>;
  /** False before anything was kept. */
  readonly hasStore: () => Promise<boolean>;
  /** False before anything was remembered. */
  readonly hasMemory: () => Promise<boolean>;
  /** Whose conversations are found. Undefined for those of all projects. */
  readonly project: string | undefined;
}

/** The store and the memory behind a server. */
export interface Kept {
  hasRecord(): Promise<boolean>;
  hasMemory(): Promise<boolean>;
  /** For reading: what the server may find. */
  record(): Promise<ReadableParts>;
  /** `isNew` where nothing need be there yet, as for what is remembered first. */
  memory(options?: { readonly isNew?: boolean }): Promise<Memory>;
  /** Told what has failed: a store that is of no use any more is opened again by the next call. */
  failed(error: unknown): Promise<void>;
  close(): Promise<void>;
}

interface Opened {
  readonly store: Store;
  readonly parts: ReadableParts;
  memory?: Promise<Memory>;
}

const goneCodes: ReadonlySet<string> = new Set(['STORE_REPLACED', 'STORE_CLOSED', 'STORE_DAMAGED', 'STORE_UNREADABLE']);

export function createKept({ openStore, openMemory, hasStore, hasMemory, project }: KeptOptions): Kept {
  let opening: Promise<Opened> | undefined;
  const opened = async (mayBeNew: boolean): Promise<Opened> => {
    // Not before it is needed: a server is asked for its tools long before it is called.
    const { projectStore } = await import('./project-store.ts');
    const store = await openStore({ mayBeNew });
    return { store, parts: projectStore(store, project) };
  };
  const open = (mayBeNew: boolean): Promise<Opened> => {
    const begun = opening ?? opened(mayBeNew);
    opening = begun;
    begun.catch(() => {
      if (opening === begun) opening = undefined;
    });
    return begun;
  };
  const close = async (): Promise<void> => {
    const closing = opening;
    opening = undefined;
    const last = await closing?.catch(() => undefined);
    await last?.store.close();
  };
  return {
    hasRecord: hasStore,
    hasMemory: async () => (await hasStore()) || (await hasMemory()),
    record: async () => (await open(false)).parts,
    memory: async ({ isNew = false } = {}) => {
      const now = await open(isNew || (await hasMemory()));
      now.memory ??= openMemory(now.store);
      now.memory.catch(() => {
        delete now.memory;
      });
      return now.memory;
    },
    failed: async (error) => {
      if (PalimpsestError.isInstance(error) && goneCodes.has(error.code)) await close().catch(() => undefined);
    },
    close,
  };
}
