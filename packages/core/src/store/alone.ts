/** One process at a time, and what to do when another one was there all the same. */
import { PalimpsestError } from '../shared/errors.ts';
import type { Store } from './store.ts';

/** Who died in the middle of it is waited for this long; who lives on for longer notices and looks again. */
const leaseMilliseconds = 10_000;
const waitMilliseconds = 50;
const longestWait = 60_000;

/** Runs something that no other process does at the same time. */
export async function alone<T>(store: Store, name: string, work: () => Promise<T>): Promise<T> {
  // A clock that is set back must not make anybody wait longer.
  const end = performance.now() + longestWait;
  while (performance.now() < end) {
    const lease = await store.leases.acquire(name, 'import', leaseMilliseconds);
    if (lease) {
      try {
        return await work();
      } finally {
        await store.leases.release(lease);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, waitMilliseconds));
  }
  const message = `Another process has been importing the same conversation (${name}) for a minute. Nothing was written: try again.`;
  throw new PalimpsestError('STORE_BUSY', message, { evidence: { name } });
}

const mostAttempts = 3;

/** Tries again from what is there now when somebody else has added to the session meanwhile. */
export async function untilSettled<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = PalimpsestError.isInstance(error) && error.code === 'STORE_CONFLICT';
      if (!isConflict || attempt === mostAttempts) throw error;
    }
  }
}
