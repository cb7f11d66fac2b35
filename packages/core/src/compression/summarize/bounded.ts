/** Calls that run beside each other: at most so many at once, none left behind when one fails or somebody stops them. */

/** How many calls run at once, and what stops them. */
export interface Bounds {
  readonly maxParallel: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The results in the order of the inputs. When one call fails, no further one is started, the others are aborted, and
 * that failure is thrown; an abort from outside rejects at once with the signal's reason, whatever the calls do with it.
 */
export async function mapBounded<T, R>(
  inputs: readonly T[],
  { maxParallel, signal }: Bounds,
  run: (input: T, at: number, signal: AbortSignal) => Promise<R>,
): Promise<readonly R[]> {
  const siblings = new AbortController();
  const stop = signal ? AbortSignal.any([signal, siblings.signal]) : siblings.signal;
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < inputs.length && !stop.aborted; at = next++) {
      const input = inputs[at];
      if (input !== undefined) results[at] = await run(input, at, stop);
    }
  };
  const workers = Array.from({ length: Math.min(maxParallel, inputs.length) }, work);
  try {
    await untilAborted(Promise.all(workers), signal);
  } catch (error) {
    siblings.abort(error);
    throw error;
  }
  return results;
}

/** The result of some work, or the signal's reason as soon as it is aborted; the work is then left to end by itself. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Handled also when nobody waits any more: a late failure is no unhandled rejection.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
