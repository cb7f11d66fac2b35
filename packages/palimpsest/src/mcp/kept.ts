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
  /** For one call of a client. */
  call(): KeptCall;
  close(): Promise<void>;
}

/** What is kept, as one call finds it: the same store from its first look to its end. */
export interface KeptCall {
  hasRecord(): Promise<boolean>;
  hasMemory(): Promise<boolean>;
  /** For reading: what the server may find. */
  record(): Promise<ReadableParts>;
  /** `isNew` where nothing need be there yet, as for what is remembered first. */
  memory(options?: { readonly isNew?: boolean }): Promise<Memory>;
  /** Told what the call failed with: if its store is of no use any more, the next call opens it again. */
  failed(error: unknown): Promise<void>;
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
  const close = async (closing: Promise<Opened> | undefined): Promise<void> => {
    // Another call may have closed it, and one may work on the next store already.
    if (!closing || opening !== closing) return;
    opening = undefined;
    const last = await closing.catch(() => undefined);
    await last?.store.close();
  };
  const call = (): KeptCall => {
    let used: Promise<Opened> | undefined;
    const use = (mayBeNew: boolean): Promise<Opened> => {
      const begun = used ?? open(mayBeNew);
      used = begun;
      begun.catch(() => {
        used = undefined;
      });
      return begun;
    };
    return {
      hasRecord: hasStore,
      hasMemory: async () => (await hasStore()) || (await hasMemory()),
      record: async () => (await use(false)).parts,
      memory: async ({ isNew = false } = {}) => {
        const now = await use(isNew || (await hasMemory()));
        now.memory ??= openMemory(now.store);
        now.memory.catch(() => {
          delete now.memory;
        });
        return now.memory;
      },
      failed: async (error) => {
        if (PalimpsestError.isInstance(error) && goneCodes.has(error.code)) await close(used).catch(() => undefined);
      },
    };
  };
  return { call, close: () => close(opening) };
}
