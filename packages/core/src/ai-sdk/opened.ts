/** What a wrapped model opens with its first call: the store, and a runtime over it for each model. After a stop they are opened anew. */
import type { ConversationRuntime } from '../conversation/conversations.ts';
import type { Store } from '../store/store.ts';

/** How they are opened. */
export interface Opening {
  store(): Promise<Store>;
  /** For the model of this name. */
  runtime(store: Store, model: string): ConversationRuntime;
  /** True for a store that was opened here, which is closed here. */
  readonly isOwn: boolean;
}

/** The store and the runtimes of a door. */
export interface Opened {
  /** Throws what opening a store throws, and tries again at the next call. */
  store(): Promise<Store>;
  conversations(model: string): Promise<ConversationRuntime>;
  /** Work that a call has left behind: nobody waits for it but `stop`. It never rejects. */
  leave(work: Promise<unknown>): void;
  /** Gives up what runs in the background, waits for what calls have left behind, and closes a store that was opened here. */
  stop(): Promise<void>;
}

export function openLazily({ store: open, runtime, isOwn }: Opening): Opened {
  const left = new Set<Promise<unknown>>();
  const store = once(open);
  const runtimes = new Map<string, Once<ConversationRuntime>>();
  return {
    store: store.get,
    conversations(model) {
      const one = runtimes.get(model) ?? once(async () => runtime(await store.get(), model));
      runtimes.set(model, one);
      return one.get();
    },
    leave(work) {
      const done = work.finally(() => left.delete(done));
      left.add(done);
    },
    async stop() {
      const [before, kept] = [[...runtimes.values()].map((one) => one.begun()), store.begun()];
      if (isOwn) {
        runtimes.clear();
        store.forget();
      }
      // What could not be opened need not be stopped.
      await Promise.all(before.map(async (one) => (await one?.catch(nothing))?.stop()));
      await Promise.all(left);
      if (isOwn) await (await kept?.catch(nothing))?.close();
    },
  };
}

const nothing = (): undefined => undefined;

/** Something that is made when it is first asked for. */
interface Once<T> {
  /** The same promise for everybody; a failed one is tried again. */
  readonly get: () => Promise<T>;
  readonly begun: () => Promise<T> | undefined;
  readonly forget: () => void;
}

function once<T>(work: () => Promise<T>): Once<T> {
  let known: Promise<T> | undefined;
  const forget = (): void => {
    known = undefined;
  };
  return {
    get() {
      const mine = known ?? work();
      known = mine;
      mine.catch(() => {
        if (known === mine) forget();
      });
      return mine;
    },
    begun: () => known,
    forget,
  };
}
