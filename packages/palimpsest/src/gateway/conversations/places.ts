/**
 * Where conversations are kept: in the store, and in memory alone while that cannot be written, because its disk is full, another process
 * holds it, or it is damaged. Clients send their whole list with each request: the store has all of it with the first one afterwards.
 */
import { PalimpsestError } from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';

/** What became of writes to the store. */
export interface StoreHealth {
  /** A turn was kept. */
  kept(): void;
  /** Takes an error; true where it is the store that fails, of which a person is told once. */
  failed(error: unknown): boolean;
}

/** A place to keep conversations in, with whoever works over it. */
export interface Place<T> {
  readonly value: T;
  /** Ends what runs in the background. */
  stop(): Promise<void>;
}

export interface PlacesOptions<T> {
  readonly store: Store;
  /** Over the store, and over the one in memory, whose health is of no interest. */
  readonly open: (store: Store, health: StoreHealth | undefined) => Place<T>;
  readonly now: () => number;
  readonly note: (line: string) => void;
}

export interface Places<T> {
  /** Does the work in the store, else in memory. Rejects as the work does, but never for what the store does not take. */
  within<R>(work: (place: T) => Promise<R>): Promise<R>;
  stop(): Promise<void>;
}

/** How long a store that failed is left alone: each try may wait for a lock. */
const pauseMs = 5_000;
/** A longer trouble begins anew in memory, which would grow without end. */
const standInMs = 3_600_000;

export function openPlaces<T>({ store, open, now, note }: PlacesOptions<T>): Places<T> {
  let troubled: { since: number; until: number } | undefined;
  let standIn: Promise<StandIn<T>> | undefined;
  /** The one before, whose requests may still wait for their upstreams. */
  let retired: Promise<StandIn<T>> | undefined;
  const retire = (): void => {
    if (!standIn) return;
    retired?.then((one) => one.retire()).catch(() => undefined);
    retired = standIn;
    standIn = undefined;
  };
  const health: StoreHealth = {
    kept() {
      if (!troubled) return;
      troubled = undefined;
      retire();
      note('The store can be written again: conversations are kept in it.');
    },
    failed(error) {
      if (!isOfStore(error)) return false;
      if (!troubled) note(`${error.message} Until then, conversations go on in memory.`);
      troubled = { since: troubled?.since ?? now(), until: now() + pauseMs };
      return true;
    },
  };
  const main = open(store, health);
  return {
    async within(work) {
      if (!troubled || now() >= troubled.until) {
        // One request tries; the others do not wait for it.
        const probed = troubled;
        if (probed) probed.until = now() + pauseMs;
        try {
          const done = await work(main.value);
          // What kept nothing has not tried it.
          if (probed && probed === troubled) probed.until = now();
          return done;
        } catch (error) {
          if (!health.failed(error)) throw error;
        }
      }
      if (troubled && now() - troubled.since >= standInMs) {
        troubled.since = now();
        retire();
      }
      standIn ??= openStandIn(open);
      return (await standIn).within(work);
    },
    async stop() {
      await main.stop();
      for (const one of [await retired, await standIn]) await one?.retire();
    },
  };
}

/** A place in memory for a while. */
interface StandIn<T> {
  within<R>(work: (place: T) => Promise<R>): Promise<R>;
  /** Ends it once nobody works in it; answers that are still on their way are lost to nobody. */
  retire(): Promise<void>;
}

async function openStandIn<T>(open: PlacesOptions<T>['open']): Promise<StandIn<T>> {
  const store = await openStore({ path: ':memory:' });
  const { value, stop } = open(store, undefined);
  const working = new Set<Promise<unknown>>();
  return {
    async within(work) {
      const done = work(value);
      working.add(done);
      try {
        return await done;
      } finally {
        working.delete(done);
      }
    },
    async retire() {
      await Promise.allSettled(working);
      await stop().finally(() => store.close());
    },
  };
}

/** Errors of the store itself. Where another process was faster again and again, it is one request that is not kept. */
function isOfStore(error: unknown): error is PalimpsestError {
  return PalimpsestError.isInstance(error) && error.code.startsWith('STORE_') && error.code !== 'STORE_CONFLICT';
}
