/** What processes tell each other: leases, and small values. */
import { randomUUID } from 'node:crypto';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Lease, LeaseStore } from '../session-store.ts';
import type { MetaStore } from '../store.ts';
import { type Database, integer, type Row, type Sql, text } from './database.ts';

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
  /** Gives back what this process took and still holds. */
  releaseAll(sql: Sql): Promise<void>;
}

export function createLeaseStore({ clock, read, write }: Database): OwnedLeases {
  const owned = new Map<string, Lease>();
  return {
    acquire: async (name, owner, milliseconds) => {
      const lasting = duration(milliseconds);
      const token = randomUUID();
      const lease = await write(async (sql) => {
        const now = clock();
        const changes = await sql.run(takeLease, { name, owner, token, expires: now + lasting, now });
        // Nothing else cleans up behind owners that crashed; one that is only late may still renew.
        await sql.run(forgetLapsed, [now - keptMilliseconds]);
        return changes === 1 ? { name, owner, token, expiresAt: now + lasting } : undefined;
      });
      if (lease) owned.set(token, lease);
      return lease;
    },
    renew: async (lease, milliseconds) => {
      const lasting = duration(milliseconds);
      return write(async (sql) => {
        const { name, token } = lease;
        const now = clock();
        const changes = await sql.run(prolongLease, { now, expires: now + lasting, name, token });
        return changes === 1 ? { ...lease, expiresAt: now + lasting } : undefined;
      });
    },
    release: async ({ name, token }) => {
      owned.delete(token);
      await write((sql) => sql.run(releaseLease, [name, token]));
    },
    held: () => read(async (sql) => (await sql.all(selectHeld, { now: clock() })).map(leaseFrom)),
    releaseAll: async (sql) => {
      for (const { name, token } of owned.values()) await sql.run(releaseLease, [name, token]);
      owned.clear();
    },
  };
}

/** Throws `STORE_CONFLICT` where somebody else has taken the lease; one that only lapsed still counts. */
export async function requireLease(sql: Sql, { name, token }: Lease): Promise<void> {
  if (await sql.get(selectLease, [name, token])) return;
  const message = `The lease ${name} expired, and another process took it. Nothing was written: read the session again.`;
  throw new PalimpsestError('STORE_CONFLICT', message, { evidence: { name } });
}

const leaseFrom = (row: Row): Lease => ({
  name: text(row, 'name'),
  owner: text(row, 'owner'),
  token: text(row, 'token'),
  expiresAt: integer(row, 'expires_at'),
});

function duration(milliseconds: number): number {
  if (Number.isFinite(milliseconds) && milliseconds > 0) return Math.ceil(milliseconds);
  const message = `Expected the time of a lease to be more than 0 milliseconds, not ${milliseconds}.`;
  throw new PalimpsestError('BAD_OPTION', message);
}

const selectValue = 'select value from state_meta where key = ?';
const deleteValue = 'delete from state_meta where key = ?';
const putValue = `
insert into state_meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`;

/** Keys and values are kept as JSON strings, which escape what text columns cannot hold. */
export const createMetaStore = ({ read, write }: Database): MetaStore => ({
  get: (key) =>
    read(async (sql) => {
      const row = await sql.get(selectValue, [JSON.stringify(key)]);
      // `set` wrote it from a string.
      return row && (JSON.parse(text(row, 'value')) as string);
    }),
  set: async (key, value) => {
    await write((sql) =>
      value === undefined ? sql.run(deleteValue, [JSON.stringify(key)]) : putMeta(sql, key, value),
    );
  },
});

/** Keeps small values; inside a write transaction. */
export async function putAllMeta(sql: Sql, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [key, value] of Object.entries(values)) await putMeta(sql, key, value);
}

/** Keeps a small value; inside a write transaction. */
const putMeta = (sql: Sql, key: string, value: string): Promise<number> =>
  sql.run(putValue, [JSON.stringify(key), JSON.stringify(value)]);
