/** Our tables in the database of a queue, and what is asked of them. Values are always bound. */
import { PalimpsestError } from '@palimpsest/core';
import type { Database } from './connection.ts';

/** Our schema. pg-boss has one of its own, so that no other pg-boss in the database is touched. */
const schema = 'palimpsest_trajectories';
export const bossSchema: string = 'palimpsest_pgboss';

/**
 * Each is applied once, in this order; they are only added to. JSON is text: jsonb knows neither U+0000 nor half a surrogate
 * pair, and both may stand in what is said of a broken record.
 */
const migrations: readonly string[] = [
  `create table ${schema}.run (
     id text primary key,
     version text not null,
     spec text not null,
     worker_megabytes integer not null,
     lease_seconds integer not null,
     title text not null,
     started_at timestamptz not null default now(),
     seen_at timestamptz not null default now()
   );
   create table ${schema}.batch (
     run text not null references ${schema}.run (id) on delete cascade,
     file integer not null,
     first bigint not null,
     job uuid not null,
     hash text not null,
     form text not null,
     bytes bytea,
     ends bytea,
     worker text,
     result text,
     output bytea,
     primary key (run, file, first)
   );
   alter table ${schema}.batch alter column bytes set storage external;
   alter table ${schema}.batch alter column output set storage external;`,
];

/**
 * Does something that no other process does at the same time. Whoever makes a schema must begin its transaction when it has the lock:
 * one that waits for the lock inside of it does not see what was made meanwhile, and makes it again.
 */
export const aloneIn = <T>(database: Database, act: () => Promise<T>): Promise<T> =>
  database.transaction(async ({ query }) => {
    await query('select pg_advisory_xact_lock(hashtext($1))', [`${schema}, beginning`]);
    return act();
  });

/** Makes the tables, or brings them up to date; two at the same time would both make them. Throws `QUEUE_UNREACHABLE` where a newer Palimpsest made them. */
export async function prepareTables(database: Database): Promise<void> {
  await database.transaction(async ({ query }) => {
    await query(`create schema if not exists ${schema}`);
    await query(`create table if not exists ${schema}.migration (number integer primary key, applied_at timestamptz)`);
    const [row] = await query(`select coalesce(max(number), 0) as number from ${schema}.migration`);
    const known = Number(row?.number);
    if (known > migrations.length) {
      const message = `the tables ${schema} were made by a newer Palimpsest: install that here, or clean its runs and drop the schema`;
      throw new PalimpsestError('QUEUE_UNREACHABLE', message);
    }
    for (const [at, text] of migrations.entries()) {
      if (at < known) continue;
      for (const statement of text.split(';')) if (statement.trim() !== '') await query(statement);
      await query(`insert into ${schema}.migration values ($1, now())`, [at + 1]);
    }
  });
}

export const insertRun: string = `insert into ${schema}.run (id, version, spec, worker_megabytes, lease_seconds, title)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do update set spec = excluded.spec, worker_megabytes = excluded.worker_megabytes,
    lease_seconds = excluded.lease_seconds, seen_at = now()`;

export const selectRuns: string = `select id, version, spec, worker_megabytes, lease_seconds from ${schema}.run order by started_at, id`;

export const selectRunReports: string = `select id, version, title, started_at, extract(epoch from now() - seen_at)::float8 as silent_seconds,
    (select count(*)::int from ${schema}.batch where run = id and result is null) as waiting,
    (select count(*)::int from ${schema}.batch where run = id and result is not null) as done
  from ${schema}.run order by started_at, id`;

export const markSeen: string = `update ${schema}.run set seen_at = now() where id = $1 returning id`;

export const deleteRun: string = `delete from ${schema}.run where id = $1 returning id`;

export const insertBatch: string = `insert into ${schema}.batch (run, file, first, job, hash, form, bytes, ends)
  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (run, file, first) do nothing returning job`;

export const selectBatch: string = `select job, hash, worker, result is not null as is_done from ${schema}.batch
  where run = $1 and file = $2 and first = $3 for update`;

export const deleteBatch: string = `delete from ${schema}.batch where run = $1 and file = $2 and first = $3`;

/** Tells who works on it, too. */
export const takeBatch: string = `update ${schema}.batch set worker = $4
  where run = $1 and file = $2 and first = $3 and result is null returning hash, form, bytes, ends`;

/** The first result counts. */
export const insertResult: string = `update ${schema}.batch set result = $5, output = $6, bytes = null, ends = null
  where run = $1 and file = $2 and first = $3 and hash = $4 and result is null`;

export const selectResults: string = `select batch.file, batch.first, result, output
  from ${schema}.batch join unnest($2::integer[], $3::bigint[]) as wanted (file, first)
    on batch.file = wanted.file and batch.first = wanted.first
  where run = $1 and result is not null order by file, first limit $4`;

/** What a worker holds still, to give it back. */
export const selectHeld: string = `select job, file, first from ${schema}.batch
  where run = $1 and job = any($2::uuid[]) and result is null for update`;

/** Everything up to a record of a file is on the disk. */
export const deleteSettled: string = `delete from ${schema}.batch
  where run = $1 and (file < $2 or (file = $2 and first <= $3)) returning job`;
