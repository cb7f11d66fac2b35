/**
 * Makes anew what follows from the tables of the record. Indexes whose own pages are damaged are struck from the schema and
 * made from the tables, which are read but never written; what lay on their pages goes when the file is written anew.
 */
import type { DatabaseSync } from 'node:sqlite';
import { PalimpsestError } from '../../../shared/errors.ts';
import type { Message } from '../../../transcript/message.ts';
import { integer, type Sql, text } from '../../record/database.ts';
import { messageFrom } from '../../record/messages.ts';
import { rowsOf } from '../../record/repair.ts';
import { ownerOnly, setFileMode } from '../file.ts';
import { checkIndex, rebuildIndex, searchSchema } from '../index/search-tables.ts';

/** Tables of the search index, with those that FTS5 keeps its data in. */
const isOfSearch = String.raw`tbl_name like 'search\_%' escape '\'`;
const isIndex = `type = 'index' and sql is not null and not ${isOfSearch}`;

const selectTables = `
select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and not ${isOfSearch}`;
const selectIndexes = `select sql from sqlite_schema where ${isIndex}`;
const strikeIndexes = `delete from sqlite_schema where ${isOfSearch} or ${isIndex}`;

/** True when every row of the record can be read without any index: then all of them can be made anew. */
export async function isRecordWhole(sql: Sql): Promise<boolean> {
  try {
    for (const row of await sql.all(selectTables)) {
      const columns = await sql.all('select name from pragma_table_info(?)', [text(row, 'name')]);
      // The end of a value is on the last of the pages that it takes.
      const ends = columns.map((column) => `count(substr("${text(column, 'name')}", -1))`).join(', ');
      await sql.get(`select ${ends} from "${text(row, 'name')}" not indexed`);
    }
    return true;
  } catch {
    // A damaged page, and whatever else stops the reading.
    return false;
  }
}

/** True when SQLite finds nothing wrong with its indexes or with that of the search. */
export async function areIndexesSound(sql: Sql): Promise<boolean> {
  try {
    const said = (await sql.get('pragma integrity_check(1)')) ?? {};
    return text(said, 'integrity_check') === 'ok' && (await checkIndex(sql)).ok;
  } catch {
    // It cannot even be looked at.
    return false;
  }
}

const selectAll = 'select seq, body from messages where seq > ? order by seq limit 500';

/** Inside a write transaction: SQLite's own indexes, then the search index. */
export async function repairIndexes(sql: Sql): Promise<void> {
  await sql.run('reindex');
  await rebuildIndex(sql, messagesOf(sql));
}

async function* messagesOf(sql: Sql): AsyncGenerator<readonly [number, Message]> {
  for await (const row of rowsOf(sql, selectAll)) yield [integer(row, 'seq'), messageFrom(row)];
}

/** Outside of any transaction, alone with the store. Throws for a damaged table, and has then changed nothing. */
export async function remakeIndexes(db: DatabaseSync, sql: Sql): Promise<void> {
  db.enableDefensive(false);
  try {
    db.exec('begin immediate');
    try {
      const indexes = db.prepare(selectIndexes).all();
      db.exec('pragma writable_schema = on');
      db.exec(strikeIndexes);
      db.exec('pragma writable_schema = reset');
      for (const row of indexes) db.exec(text(row, 'sql'));
      db.exec(searchSchema);
      await repairIndexes(sql);
      db.exec('commit');
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    } finally {
      db.exec('pragma writable_schema = reset');
    }
  } finally {
    db.enableDefensive(true);
  }
  db.exec('vacuum');
}

/** Throws `STORE_READ_ONLY` for a file of somebody else. */
export function repairFile(where: string): void {
  try {
    setFileMode(where, ownerOnly);
  } catch (cause) {
    const message = `Only the owner of the store ${where} can set its mode. Nothing was repaired: run the repair as the owner.`;
    throw new PalimpsestError('STORE_READ_ONLY', message, { evidence: { path: where }, cause });
  }
}
