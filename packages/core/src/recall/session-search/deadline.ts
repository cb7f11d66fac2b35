/** The time that all summaries of an answer have together. */

import type { Timers } from '../../shared/timers.ts';

export interface Deadline {
  /** Fires when the time is over, or the caller gives up. */
  readonly signal: AbortSignal;
  /** Takes the timer and the listener off. */
  readonly stop: () => void;
}

export interface DeadlineOptions {
  readonly timers: Timers;
  readonly caller: AbortSignal | undefined;
}

export function startDeadline(ms: number, { timers, caller }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const aborted = (): void => controller.abort(caller?.reason);
  const cancel = timers.after(ms, () => controller.abort(new Error(`not done after ${ms} ms`)));
  caller?.addEventListener('abort', aborted, { once: true });
  if (caller?.aborted) aborted();
  return {
    signal: controller.signal,
    stop: () => {
      cancel();
      caller?.removeEventListener('abort', aborted);
    },
  };
}

/** Waits; a signal ends the wait early. */
export function pause(ms: number, timers: Timers, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timers.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
