/** The right to compress a conversation alone, kept for as long as the work takes. */

import { busyError } from '../../compression/compress-session.ts';
import { pause, quietTimers } from '../../shared/timers.ts';
import type { SessionId } from '../../store/ids.ts';
import type { HeldLease } from '../live/ahead.ts';
import type { Runtime } from '../runtime.ts';

/** A process that died holds others up for no longer than this. */
const leaseMilliseconds = 30_000;
const renewalMilliseconds = 10_000;

/** The lease on the conversation that began with a session; undefined while somebody else compresses it. */
export async function holdLease({ settings }: Runtime, rootId: SessionId): Promise<HeldLease | undefined> {
  const { store, owner, timers = quietTimers } = settings;
  const { leases } = store;
  const name = nameFor(rootId);
  const first = await leases.acquire(name, owner, leaseMilliseconds);
  if (!first) return undefined;
  let lease = first;
  let isKept = true;
  const renew = async (): Promise<void> => {
    // A store that is busy for a moment is asked twice more before the lease lapses.
    lease = (await leases.renew(lease, leaseMilliseconds).catch(() => undefined)) ?? lease;
    if (isKept) stop = later();
  };
  const later = (): (() => void) => timers.after(renewalMilliseconds, () => void renew());
  let stop = later();
  return {
    current: () => lease,
    async resumed() {
      const next = await leases.acquire(name, owner, leaseMilliseconds);
      if (next) lease = next;
      return next;
    },
    release() {
      isKept = false;
      stop();
      return leases.release(lease);
    },
  };
}

/** How often it is asked for, and for how long: longer than a summary may take. */
const askMilliseconds = 250;
const asksAtMost = 720;

/**
 * The lease, as soon as nobody else compresses the conversation; until then it waits.
 *
 * @throws STORE_CONFLICT after three minutes; the reason of the signal when that is called off
 */
export async function leaseInTurn(
  runtime: Runtime,
  rootId: SessionId,
  signal: AbortSignal | undefined,
): Promise<HeldLease> {
  const { store, timers } = runtime.settings;
  for (let asks = 0; asks < asksAtMost; asks++) {
    const lease = await holdLease(runtime, rootId);
    if (lease) return lease;
    await pause(askMilliseconds, { timers, signal });
  }
  throw await busyError(store, nameFor(rootId));
}

const nameFor = (rootId: SessionId): string => `compress:${rootId}`;
