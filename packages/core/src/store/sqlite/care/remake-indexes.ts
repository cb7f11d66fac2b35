/**
 * Indexes whose own pages are damaged: they are struck from the schema and made anew from the tables of the record, which
 * are read but never written. What lay on their pages goes when the file is written anew.
 */
import type { Connection } from '../connection.ts';
import { checkIndex, searchSchema } from '../index/search-tables.ts';
import { text } from '../rows.ts';
import { repairIndexes } from './repair.ts';

/** Tables of the search index, with those that FTS5 keeps its data in. */
const isOfSearch = String.raw`tbl_name like 'search\_%' escape '\'`;
const isIndex = `type = 'index' and sql is not null and not ${isOfSearch}`;

const selectTables = `
select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and not ${isOfSearch}`;
const selectIndexes = `select sql from sqlite_schema where ${isIndex}`;
const strikeIndexes = `delete from sqlite_schema where ${isOfSearch} or ${isIndex}`;

/** True when every row of the record can be read without any index: then all of them can be made anew. */
export function isRecordWhole({ db }: Connection): boolean {
  try {
    for (const row of db.prepare(selectTables).all()) {
      const columns = db.prepare('select name from pragma_table_info(?)').all(text(row, 'name'));
      // The end of a value is on the last of the pages that it takes.
      const ends = columns.map((column) => `count(substr("${text(column, 'name')}", -1))`).join(', ');
      db.prepare(`select ${ends} from "${text(row, 'name')}" not indexed`).get();
    }
    return true;
  } catch {
    // A damaged page, and whatever else stops the reading.
    return false;
  }
}

/** True when SQLite finds nothing wrong with its indexes or with that of the search. */
export function areIndexesSound({ db }: Connection): boolean {
  try {
    const said = db.prepare('pragma integrity_check(1)').get() ?? {};
    return text(said, 'integrity_check') === 'ok' && checkIndex(db).ok;
  } catch {
    // It cannot even be looked at.
    return false;
  }
}

/** Outside of any transaction, alone with the store. Throws for a damaged table, and has then changed nothing. */
export function remakeIndexes(connection: Connection): void {
  const { db } = connection;
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
      repairIndexes(connection);
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
