/** Waits for work of others no longer than it may take. */
import type { Timers } from '../../shared/timers.ts';

export interface TimeLimit {
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** The caller's own signal: whoever gives up waits no longer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What the work gives. The work is told by its signal when it is late or nobody waits any more. Throws what the work
 * throws, the reason of the caller's signal, and an error that says how long was waited. Work that never lets go of the
 * processor cannot be interrupted.
 */
export async function inTime<T>(
  { timers, timeoutMs, signal }: TimeLimit,
  work: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    controller.abort(reason);
    reject(reason);
  };
  const aborted = (): void => end(signal?.reason);
  const late = (): void => end(new Error(`it took longer than ${timeoutMs} ms`));
  const stop = timers.after(timeoutMs, late);
  signal?.addEventListener('abort', aborted, { once: true });
  try {
    const done = Promise.resolve().then(() => work(controller.signal));
    // Late failures are nobody's business any more.
    done.catch(() => undefined);
    return await Promise.race([done, interrupted]);
  } finally {
    stop();
    signal?.removeEventListener('abort', aborted);
    interrupted.catch(() => undefined);
  }
}
