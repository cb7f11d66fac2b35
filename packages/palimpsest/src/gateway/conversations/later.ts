/**
 * Answers are kept beside the relay, and nobody waits for it. So a request that comes meanwhile goes first: an answer waits for a moment
 * in which none comes, and no longer than until the next request of its own conversation, which is prepared with it in the record.
 */
import type { Timers } from '@palimpsest/core/settings';

export interface Later {
  /** Does the work of a conversation later; settles as it does. */
  add<T>(conversation: string, work: () => Promise<T>): Promise<T>;
  /** Begins now what waits of a conversation. */
  begin(conversation: string): void;
  /** Begins now whatever waits. */
  beginAll(): void;
}

/** How long an answer waits for requests: about as long as one takes, so that a client which asks again at once goes first. */
const restMs = 2;
/** Of what waits, this share is begun at a time: the more there is, the less of it requests overtake. */
const beginShare = 1 / 16;
/** So many are begun together at least: they share what a transaction of the store costs. */
const leastBegun = 8;

interface Waiting {
  readonly conversation: string;
  readonly start: () => void;
}

export function openLater(timers: Timers): Later {
  /** The oldest first. */
  const waiting = new Set<Waiting>();
  let isTicking = false;
  const begin = (some: Iterable<Waiting>): void => {
    for (const one of some) {
      waiting.delete(one);
      one.start();
    }
  };
  const tick = (ms: number): void => {
    isTicking = true;
    timers.after(ms, () => {
      isTicking = false;
      begin([...waiting].slice(0, Math.max(leastBegun, Math.ceil(waiting.size * beginShare))));
      // Between two ticks, requests are heard.
      if (waiting.size > 0) tick(0);
    });
  };
  return {
    add: (conversation, work) =>
      new Promise((resolve, reject) => {
        waiting.add({ conversation, start: () => work().then(resolve, reject) });
        if (!isTicking) tick(restMs);
      }),
    begin: (conversation) => begin([...waiting].filter((one) => one.conversation === conversation)),
    beginAll: () => begin([...waiting]),
  };
}

/** Does everything at once. */
export const atOnce: Later = { add: (_, work) => work(), begin: () => undefined, beginAll: () => undefined };
