/** Leases in SQLite. */
import { randomUUID } from 'node:crypto';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Lease, LeaseStore } from '../lease-store.ts';
import type { Connection } from './connection.ts';
import { integer, type Row, text } from './rows.ts';

/**
 * Whether a lease has expired, bounded from both sides: its end has come, or it was given further ahead than it lasts, for
 * the clock was set back meanwhile.
 */
const isLapsed = 'leases.expires_at <= :now or leases.given_at - :now > leases.expires_at - leases.given_at';

/** Taken over only when it has expired. */
const takeLease = `
insert into leases (name, owner, token, given_at, expires_at) values (:name, :owner, :token, :now, :expires)
on conflict (name) do update set
  owner = excluded.owner, token = excluded.token, given_at = excluded.given_at, expires_at = excluded.expires_at
where ${isLapsed}`;

const prolongLease = `
update leases set given_at = :now, expires_at = :expires where name = :name and token = :token`;
const releaseLease = 'delete from leases where name = ? and token = ?';
const selectLease = 'select * from leases where name = ? and token = ?';
const selectHeld = `select * from leases where not (${isLapsed}) order by name`;
const forgetLapsed = 'delete from leases where expires_at <= ?';

/** How long a lapsed lease is remembered: a day. */
const keptMilliseconds = 86_400_000;

export interface OwnedLeases extends LeaseStore {
  /** Gives back what this process took and still holds; to be called when it closes the store. */
  releaseAll(): void;
}

export function createLeaseStore({ sql, clock, read, write }: Connection): OwnedLeases {
  const owned = new Map<string, Lease>();

  async function acquire(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    requireDuration(milliseconds);
    const token = randomUUID();
    const lease = await write(() => {
      const now = clock();
      const expires = now + Math.ceil(milliseconds);
      const { changes } = sql(takeLease).run({ name, owner, token, expires, now });
      // Nothing else cleans up behind owners that crashed; one that is only late may still renew.
      sql(forgetLapsed).run(now - keptMilliseconds);
      return changes === 1 ? { name, owner, token, expiresAt: expires } : undefined;
    });
    if (lease) owned.set(token, lease);
    return lease;
  }

  async function renew(lease: Lease, milliseconds: number): Promise<Lease | undefined> {
    requireDuration(milliseconds);
    return write(() => {
      const { name, token } = lease;
      const now = clock();
      const expiresAt = now + Math.ceil(milliseconds);
      const { changes } = sql(prolongLease).run({ now, expires: expiresAt, name, token });
      return changes === 1 ? { ...lease, expiresAt } : undefined;
    });
  }

  return {
    acquire,
    renew,
    release: async ({ name, token }) => {
      owned.delete(token);
      await write(() => sql(releaseLease).run(name, token));
    },
    held: () => read(() => sql(selectHeld).all({ now: clock() }).map(leaseFrom)),
    releaseAll: () => {
      for (const { name, token } of owned.values()) sql(releaseLease).run(name, token);
      owned.clear();
    },
  };
}

/** True while nobody else has taken the lease; one that only lapsed still counts. */
export const holdsLease = ({ sql }: Connection, { name, token }: Lease): boolean =>
  sql(selectLease).get(name, token) !== undefined;

const leaseFrom = (row: Row): Lease => ({
  name: text(row, 'name'),
  owner: text(row, 'owner'),
  token: text(row, 'token'),
  expiresAt: integer(row, 'expires_at'),
});

function requireDuration(milliseconds: number): void {
  if (Number.isFinite(milliseconds) && milliseconds > 0) return;
  throw new PalimpsestError(
    'BAD_OPTION',
    `Expected the time of a lease to be more than 0 milliseconds, not ${milliseconds}.`,
  );
}
