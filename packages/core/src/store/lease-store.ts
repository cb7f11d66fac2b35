/** The port to leases: two processes never do the same thing to the same session. */
import type { Instant } from './ids.ts';

/** The right to do something alone until it expires. */
export interface Lease {
  /** What is leased, such as `compress:<session>`. */
  readonly name: string;
  /** Who holds it: one process, or one of its tasks. */
  readonly owner: string;
  /** Different for every time it was given: what was done under an expired one is recognised. */
  readonly token: string;
  readonly expiresAt: Instant;
}

/** Gives and takes leases. */
export interface LeaseStore {
  /**
   * The lease, or undefined while another one holds it. A crashed owner's lapses after its `milliseconds`; where the clock
   * was set back meanwhile, after twice that at the latest. Whoever lost it can do nothing under it any more.
   */
  acquire(name: string, owner: string, milliseconds: number): Promise<Lease | undefined>;
  /** The lease with a new end; undefined when it has lapsed and another one took it. */
  renew(lease: Lease, milliseconds: number): Promise<Lease | undefined>;
  release(lease: Lease): Promise<void>;
  /** Leases that have not expired. */
  held(): Promise<readonly Lease[]>;
}
