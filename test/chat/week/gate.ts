/** Holds an answer in the middle of its stream, so that a person can do something at a moment that is always the same. */

/** One answer at a time. */
export interface Gate {
  /** Holds the answer that is given now, once so many pieces of it have been sent. */
  hold(pieces: number): void;
  /** Settles when an answer is held. */
  held(): Promise<void>;
  /** Lets the answer go on. */
  release(): void;
  /** For the provider: how it waits between two pieces. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export function createGate(): Gate {
  let left: number | undefined;
  let isHeld = Promise.withResolvers<void>();
  let goesOn: PromiseWithResolvers<void> | undefined;
  return {
    hold(pieces) {
      left = pieces;
    },
    held: () => isHeld.promise,
    release() {
      goesOn?.resolve();
    },
    async wait(_, signal) {
      if (left === undefined) return;
      left--;
      if (left > 0) return;
      left = undefined;
      goesOn = Promise.withResolvers();
      signal.addEventListener('abort', () => goesOn?.resolve(), { once: true });
      if (signal.aborted) return;
      isHeld.resolve();
      await goesOn.promise;
      isHeld = Promise.withResolvers();
    },
  };
}
