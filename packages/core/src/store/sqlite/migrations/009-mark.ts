/**
 * Version 9: a store tells itself from every other one, and an older state of itself from a newer one. One row on a page
 * of its own, so that each transaction that writes it leaves it in the log (`mark.ts`).
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Sql } from '../../record/database.ts';
import { readMark, setNewMark } from '../mark.ts';

const markTable = 'create table if not exists store_mark (mark text not null) strict';

export async function mark(sql: Sql, db: DatabaseSync): Promise<void> {
  await sql.run(markTable);
  if (!readMark(db)) setNewMark(db);
}
