/** Takes everything that can be read out of a damaged store into a new one; the damaged one is only read. */
import { DatabaseSync } from 'node:sqlite';
import { PalimpsestError } from '../../../shared/errors.ts';
import type { RescueReport } from '../../store-rescue.ts';
import { type Connection, createConnection } from '../connection.ts';
import { applicationId, createWhole, withBytes } from '../file.ts';
import { latestVersion, migrate } from '../migrations/migrate.ts';
import { integer, optionalText, type Row, text } from '../rows.ts';
import { type Lost, makeWhole } from './make-whole.ts';
import { type Pages, pagesOf } from './pages.ts';
import type { RescuedRow, Value } from './records.ts';
import { type Guess, type Trees, treesOf } from './trees.ts';

/** The tables that hold what was said and done. What follows from them is made anew, and leases are over. */
const tables = [
  'messages',
  'sessions',
  'entries',
  'summaries',
  'summary_covers',
  'usage_kinds',
  'usage',
  'outputs',
  'output_pieces',
  'output_uses',
  'state_meta',
  'vector_models',
  'vectors',
];

/** Tables whose ids are told by an index of their own, where the rows are gone. */
const tablesWithIds = ['messages', 'sessions', 'outputs'];
const indexOf = (table: string): string => `sqlite_autoindex_${table}_1`;

/**
 * Writes a new store with what can be read of a damaged one, and tells what is missing. Throws `STORE_DAMAGED` where
 * nothing of a store could be found, and then makes no file.
 */
export function rescueDatabase(from: string, to: string, clock: () => number): RescueReport {
  return withBytes(from, (file) =>
    withBytes(`${from}-wal`, (log) => {
      if (!file) throw nothingIn(from, 'there is no such file');
      const pages = pagesOf(file, log);
      if ((pages.first?.readUInt32BE(68) ?? applicationId) !== applicationId)
        throw nothingIn(from, 'it is the database of another program');
      let report: Omit<RescueReport, 'path' | 'bytes'> | undefined;
      const bytes = createWhole(to, (partial) => {
        report = fill(partial, { pages, from, clock });
      });
      if (!report) throw nothingIn(from, 'nothing was read');
      return { path: to, bytes, ...report };
    }),
  );
}

const nothingIn = (path: string, why: string): PalimpsestError =>
  new PalimpsestError(
    'STORE_DAMAGED',
    `No part of a store can be read in ${path} (${why}). It was not changed, and no copy was made: restore a backup.`,
    { evidence: { path } },
  );

interface Source {
  readonly pages: Pages;
  readonly from: string;
  readonly clock: () => number;
}

function fill(partial: string, { pages, from, clock }: Source): Omit<RescueReport, 'path' | 'bytes'> {
  const db = new DatabaseSync(partial);
  try {
    // The schema of the damaged store first: its rows have the columns of that.
    migrate(db, partial, { clock, upTo: versionOf(pages) });
    db.exec('pragma foreign_keys = off; pragma synchronous = off; begin');
    const trees = treesOf(pages, guessBy(db));
    let unread = 0;
    for (const table of tables) unread += copyRows(db, trees, table);
    noteIds(db, trees);
    db.exec('commit');
    migrate(db, partial, { clock });
    const connection: Connection = createConnection({ db }, { where: partial, clock, busyMilliseconds: 0 });
    db.exec('begin');
    const lost: Lost = makeWhole(connection);
    db.exec('commit');
    const counts = db.prepare(selectCounts).get() ?? {};
    const count = (name: string): number => integer(counts, name);
    if (count('messages') + count('sessions') + count('outputs') === 0)
      throw nothingIn(from, 'no message and no session');
    db.exec('vacuum');
    return {
      messages: count('messages'),
      sessions: count('sessions'),
      outputs: count('outputs'),
      calls: count('calls'),
      lost: { ...lost, pages: trees.lost.pages, rows: unread + trees.lost.unreadRows },
    };
  } finally {
    db.close();
  }
}

const selectCounts = `
select (select count(*) from messages) as messages, (select count(*) from sessions) as sessions,
  (select count(*) from outputs) as outputs, (select count(*) from usage) as calls`;

function versionOf({ first }: Pages): number {
  const said = first?.readUInt32BE(60) ?? latestVersion;
  return said >= 1 && said <= latestVersion ? said : latestVersion;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

const selectColumns = 'select name, type, "notnull" as required from pragma_table_info(?) order by cid';

/** The columns as a row has them; an integer that is the primary key is the row id, and null in the row itself. */
function columnsOf(db: DatabaseSync, table: string): readonly Column[] {
  const rows = db.prepare(selectColumns).all(table);
  return rows.map((row) => ({
    name: text(row, 'name'),
    type: text(row, 'type').toUpperCase(),
    isNullable: integer(row, 'required') === 0,
  }));
}

/** Rows that the table does not take are counted. */
function copyRows(db: DatabaseSync, trees: Trees, table: string): number {
  const columns = columnsOf(db, table);
  if (columns.length === 0) return 0;
  let refused = 0;
  for (const { rowid, values } of trees.rows(table)) {
    // A row from before a column was added has none for it.
    const names = columns.slice(0, values.length).map(({ name }) => `"${name}"`);
    const row = values.map((value, i) => (i === 0 && value === null && rowid !== undefined ? rowid : value));
    const marks = names.map(() => '?').join(', ');
    try {
      db.prepare(`insert or ignore into "${table}" (${names.join(', ')}) values (${marks})`).run(...row);
    } catch {
      // What lies on the page is no row of the table.
      refused++;
    }
  }
  return refused;
}

/** Ids of everything that was there, from the indexes over them. */
function noteIds(db: DatabaseSync, trees: Trees): void {
  db.exec(
    'create temp table known_ids (kind text not null, seq integer not null, id text not null, primary key (kind, seq))',
  );
  const note = db.prepare('insert or ignore into known_ids (kind, seq, id) values (?, ?, ?)');
  for (const table of tablesWithIds) {
    for (const { values } of trees.rows(indexOf(table))) {
      const [id, seq] = values;
      if (typeof id === 'string' && typeof seq === 'number') note.run(table, seq, id);
    }
  }
}

const selectTrees = `
select name, type, rootpage as root from sqlite_schema where type in ('table', 'index') and rootpage > 0`;
const selectIndexed = `
select x.name as name, c.type as type, c."notnull" as required from pragma_index_xinfo(:index) x
left join pragma_table_info((select tbl_name from sqlite_schema where name = :index)) c on c.cid = x.cid order by x.seqno`;
const withoutRowids = ['entries', 'summary_covers', 'state_meta', 'leases'];

/**
 * Tells tables and indexes from each other by how many values their rows have, and of which types. Where several are
 * alike, the root page decides: a store that was made at once has the same ones as any other of its version.
 */
function guessBy(db: DatabaseSync): Guess {
  const shapes = db
    .prepare(selectTrees)
    .all()
    .map((row) => {
      const [name, isTable] = [text(row, 'name'), text(row, 'type') === 'table'];
      const columns = isTable ? columnsOf(db, name) : db.prepare(selectIndexed).all({ index: name }).map(indexedColumn);
      const kind = isTable && !withoutRowids.includes(name) ? 'table' : 'index';
      return { name, kind, columns, root: integer(row, 'root') };
    });
  return ({ rows, kind, root }) => {
    if (rows.length === 0) return undefined;
    const fitting = shapes.filter((shape) => shape.kind === kind && rows.every((row) => fits(row, shape.columns)));
    return (fitting.length === 1 ? fitting[0] : fitting.find((shape) => shape.root === root))?.name;
  };
}

/** The last one of an index over a table with row ids is the row id. */
const indexedColumn = (row: Row): Column => ({
  name: optionalText(row, 'name') ?? '',
  type: (optionalText(row, 'type') ?? 'INTEGER').toUpperCase(),
  isNullable: row.required === 0,
});

const fits = ({ values, rowid }: RescuedRow, columns: readonly Column[]): boolean =>
  columns.length === values.length &&
  columns.every(({ type, isNullable }, i) => {
    const value = values[i] ?? null;
    return (i === 0 && value === null && rowid !== undefined) || isOfType(value, type, isNullable);
  });

function isOfType(value: Value, type: string, isNullable: boolean): boolean {
  if (value === null) return isNullable;
  if (type === 'TEXT') return typeof value === 'string';
  if (type === 'BLOB') return value instanceof Uint8Array;
  return type === 'ANY' || typeof value === 'number' || typeof value === 'bigint';
}
