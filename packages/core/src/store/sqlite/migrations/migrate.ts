/** Brings a database to the newest schema, forward only. */
import type { DatabaseSync } from 'node:sqlite';
import { PalimpsestError } from '../../../shared/errors.ts';
import type { Instant } from '../../ids.ts';
import { integer } from '../../record/database.ts';
import { applicationId } from '../file.ts';
import { markVersion, renewMark } from '../mark.ts';
import { statementsOf } from '../sql.ts';
import { migrations } from './versions.ts';

/** The newest schema that this code knows. */
export const latestVersion: number = migrations.length;

/** Which migrations ran, and when. */
const migrationsTable = `
create table if not exists migrations (
  version integer primary key,
  name text not null,
  applied_at integer not null
) strict`;

const noteMigration = 'insert into migrations (version, name, applied_at) values (?, ?, ?)';

/** The schema of a database. */
export const schemaVersion = (db: DatabaseSync): number =>
  integer(db.prepare('pragma user_version').get() ?? {}, 'user_version');

/** Throws `STORE_NEWER` for a schema that a newer version made. */
export function requireKnownVersion(version: number, where: string): void {
  if (version <= latestVersion) return;
  throw new PalimpsestError(
    'STORE_NEWER',
    `The store ${where} has schema ${version}; this Palimpsest knows up to ${latestVersion}. It was not touched: update Palimpsest.`,
    { evidence: { path: where, version, latestVersion } },
  );
}

/**
 * Runs what is missing up to a version, the newest by default: all of it or nothing. Another process may do the same at
 * the same time.
 */
export async function migrate(
  db: DatabaseSync,
  where: string,
  { clock, upTo = latestVersion }: { readonly clock: () => Instant; readonly upTo?: number },
): Promise<void> {
  if (schemaVersion(db) >= upTo) return;
  const statements = statementsOf(db);
  db.exec('begin');
  try {
    // A write, so that the lock is taken here; heeded by a file that is still empty, and only if it comes first.
    // In a transaction of its own it would leave a file without our mark, which nobody could tell from a foreign one.
    db.exec('pragma auto_vacuum = incremental');
    const version = schemaVersion(db);
    requireKnownVersion(version, where);
    db.exec(`pragma application_id = ${applicationId}`);
    db.exec(migrationsTable);
    for (const [i, { name, sql = '', run }] of migrations.entries()) {
      if (i < version || i >= upTo) continue;
      db.exec(sql);
      await run?.(statements, db);
      await statements.run(noteMigration, [i + 1, name, clock()]);
    }
    if (upTo >= markVersion) await renewMark(statements);
    db.exec(`pragma user_version = ${Math.max(version, upTo)}`);
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
