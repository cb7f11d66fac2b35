/** What a wrapped model opens with its first call: the store, and the runtime over it. After a stop they are opened anew. */
import type { ConversationRuntime } from '../conversation/conversations.ts';
import type { Store } from '../store/store.ts';

/** How the two are opened. */
export interface Opening {
  store(): Promise<Store>;
  runtime(store: Store): ConversationRuntime;
  /** True for a store that was opened here, which is closed here. */
  readonly isOwn: boolean;
}

/** The store and the runtime of a door. */
export interface Opened {
  /** Throws what opening a store throws, and tries again at the next call. */
  store(): Promise<Store>;
  conversations(): Promise<ConversationRuntime>;
  /** Work that a call has left behind: nobody waits for it but `stop`. It never rejects. */
  leave(work: Promise<unknown>): void;
  /** Gives up what runs in the background, waits for what calls have left behind, and closes a store that was opened here. */
  stop(): Promise<void>;
}

export function openLazily({ store: open, runtime, isOwn }: Opening): Opened {
  const left = new Set<Promise<unknown>>();
  const store = once(open);
  const conversations = once(async () => runtime(await store.get()));
  return {
    store: store.get,
    conversations: conversations.get,
    leave(work) {
      const done = work.finally(() => left.delete(done));
      left.add(done);
    },
    async stop() {
      const [before, kept] = [conversations.begun(), store.begun()];
      if (isOwn) for (const one of [conversations, store]) one.forget();
      // What could not be opened need not be stopped.
      await (await before?.catch(nothing))?.stop();
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
