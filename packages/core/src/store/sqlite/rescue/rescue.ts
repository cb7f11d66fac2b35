/** Takes everything that can be read out of a damaged store into a new one; the damaged one is only read. */
import { DatabaseSync } from 'node:sqlite';
import { PalimpsestError } from '../../../shared/errors.ts';
import { integer, optionalText, type Row, type Sql, text } from '../../record/database.ts';
import type { RescueReport } from '../../store.ts';
import { applicationId, createWhole, openBytes } from '../file.ts';
import { latestVersion, migrate } from '../migrations/migrate.ts';
import { statementsOf } from '../sql.ts';
import { keepId, makeWhole } from './make-whole.ts';
import { type PageKind, type Pages, pagesOf, type RescuedRow, type Value } from './pages.ts';
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
export async function rescueDatabase(from: string, to: string, clock: () => number): Promise<RescueReport> {
  using file = openBytes(from);
  using log = openBytes(`${from}-wal`);
  if (!file) throw nothingIn(from, 'there is no such file');
  const pages = pagesOf(file, log);
  if ((pages.first?.readUInt32BE(68) ?? applicationId) !== applicationId)
    throw nothingIn(from, 'it is the database of another program');
  let report: Omit<RescueReport, 'path' | 'bytes'> | undefined;
  const bytes = await createWhole(to, async (partial) => {
    report = await fill(partial, { pages, from, clock });
  });
  if (!report) throw nothingIn(from, 'nothing was read');
  return { path: to, bytes, ...report };
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

async function fill(partial: string, { pages, from, clock }: Source): Promise<Omit<RescueReport, 'path' | 'bytes'>> {
  const db = new DatabaseSync(partial);
  try {
    // The schema of the damaged store first: its rows have the columns of that.
    await migrate(db, partial, { clock, upTo: versionOf(pages) });
    const sql = statementsOf(db);
    db.exec('pragma foreign_keys = off; pragma synchronous = off; begin');
    const trees = treesOf(pages, await guessBy(sql));
    let unread = 0;
    for (const table of tables) unread += await copyRows(sql, trees, table);
    await noteIds(sql, trees);
    db.exec('commit');
    await migrate(db, partial, { clock });
    db.exec('begin');
    const lost = await makeWhole(sql, clock);
    db.exec('commit');
    const counts = (await sql.get(selectCounts)) ?? {};
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
async function columnsOf(sql: Sql, table: string): Promise<readonly Column[]> {
  const rows = await sql.all(selectColumns, [table]);
  return rows.map((row) => ({
    name: text(row, 'name'),
    type: text(row, 'type').toUpperCase(),
    isNullable: integer(row, 'required') === 0,
  }));
}

/** Rows that the table does not take are counted. */
async function copyRows(sql: Sql, trees: Trees, table: string): Promise<number> {
  const columns = await columnsOf(sql, table);
  if (columns.length === 0) return 0;
  let refused = 0;
  for (const { rowid, values } of trees.rows(table)) {
    // A row from before a column was added has none for it.
    const names = columns.slice(0, values.length).map(({ name }) => `"${name}"`);
    const row = values.map((value, i) => (i === 0 && value === null && rowid !== undefined ? rowid : value));
    const marks = names.map(() => '?').join(', ');
    try {
      await sql.run(`insert or ignore into "${table}" (${names.join(', ')}) values (${marks})`, row);
    } catch {
      // What lies on the page is no row of the table.
      refused++;
    }
  }
  return refused;
}

const makeKnownIds =
  'create temp table known_ids (kind text not null, seq integer not null, id text not null, primary key (kind, seq))';

/** Ids of everything that was there, from the indexes over them. */
async function noteIds(sql: Sql, trees: Trees): Promise<void> {
  await sql.run(makeKnownIds);
  for (const table of tablesWithIds) {
    for (const { values } of trees.rows(indexOf(table))) {
      const [id, seq] = values;
      if (typeof id === 'string' && typeof seq === 'number') await sql.run(keepId, [table, seq, id]);
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
async function guessBy(sql: Sql): Promise<Guess> {
  const shapes: { name: string; kind: PageKind; columns: readonly Column[]; root: number }[] = [];
  for (const row of await sql.all(selectTrees)) {
    const [name, isTable] = [text(row, 'name'), text(row, 'type') === 'table'];
    const columns = isTable
      ? await columnsOf(sql, name)
      : (await sql.all(selectIndexed, { index: name })).map(indexedColumn);
    const kind = isTable && !withoutRowids.includes(name) ? 'table' : 'index';
    shapes.push({ name, kind, columns, root: integer(row, 'root') });
  }
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
