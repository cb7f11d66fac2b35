/** Takes everything that can be read out of a damaged store into a new one; the damaged one is only read. */
import { DatabaseSync } from 'node:sqlite';
import { PalimpsestError } from '../../../shared/errors.ts';
import { given, integer, optionalInteger, optionalText, type Row, type Sql, text } from '../../record/database.ts';
import { repairMemory } from '../../record/memory-care.ts';
import { isAsStored, repairViews } from '../../record/repair.ts';
import type { LostMessage, RescueReport } from '../../store.ts';
import { repairIndexes } from '../care.ts';
import { applicationId, createWhole, openBytes } from '../file.ts';
import { latestVersion, migrate } from '../migrations/migrate.ts';
import { statementsOf } from '../sql.ts';
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
  'memory_entries',
  'memory_acts',
  'memory_changes',
  'episodes',
  'pins',
  'taken_back',
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
    if (count('messages') + count('sessions') + count('outputs') + count('memories') === 0)
      throw nothingIn(from, 'no message, no session and no memory');
    db.exec('vacuum');
    return {
      messages: count('messages'),
      sessions: count('sessions'),
      outputs: count('outputs'),
      calls: count('calls'),
      memories: count('memories'),
      lost: { ...lost, pages: trees.lost.pages, rows: unread + trees.lost.unreadRows },
    };
  } finally {
    db.close();
  }
}

const selectCounts = `
select (select count(*) from messages) as messages, (select count(*) from sessions) as sessions,
  (select count(*) from outputs) as outputs, (select count(*) from usage) as calls,
  (select count(*) from memory_entries where status <> 'forgotten') as memories`;

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

// Makes a store of rows that were rescued one by one: nothing in it names what is gone, and what is gone is told.

type Lost = Omit<RescueReport['lost'], 'pages' | 'rows'>;

const keepId = 'insert or ignore into known_ids (kind, seq, id) values (?, ?, ?)';

const selectLostSessions = `
select seq, id from (
  select k.seq, k.id from known_ids k where k.kind = 'sessions'
  union select e.session, coalesce((select id from known_ids where kind = 'sessions' and seq = e.session), 'rescued-' || e.session) from entries e
  union select m.home, coalesce((select id from known_ids where kind = 'sessions' and seq = m.home), 'rescued-' || m.home) from messages m
    where not exists (select 1 from entries where message = m.seq)
) where seq not in (select seq from sessions) group by seq order by seq`;

/** A session in the place of one whose facts are gone, so that what it showed can be found. */
const standIn = `
insert into sessions (seq, id, relation, source, title_from, started_at, last_active_at)
select :seq, :id, 'root', 'rescued', null, coalesce(min(t), 0), coalesce(max(t), 0)
from (select time as t from entries where session = :seq union all select time from messages where home = :seq)`;

/** Where the place of a message is gone, but the message tells where it was shown first. */
const placeAtHome = `
insert or ignore into entries (session, position, message, time)
select m.home, m.home_position, m.seq, coalesce(m.time, s.started_at)
from messages m join sessions s on s.seq = m.home
where not exists (select 1 from entries e where e.message = m.seq)
  and (s.source = 'rescued' or (select count(*) from entries e where e.session = s.seq) < s.message_count)`;

const selectLostMessages = `
select l.seq, k.id, s.id as session, l.position from (
  select message as seq, session, position from entries
  union all select message, null, null from summary_covers
  union all select message, session, null from summaries
  union all select seq, null, null from known_ids where kind = 'messages'
) l left join known_ids k on k.kind = 'messages' and k.seq = l.seq left join sessions s on s.seq = l.session
where l.seq not in (select seq from messages)
order by l.seq, l.position is null, l.session, l.position`;

const selectLostOutputs = `
select id from known_ids where kind = 'outputs' and seq not in (select seq from outputs) order by seq`;

const countLost = `
select coalesce(sum(max(0, s.calls - (select count(*) from usage u where u.session = s.seq))), 0) as calls,
  coalesce(sum(max(0, s.message_count - (select count(*) from entries e where e.session = s.seq))), 0) as places
from sessions s`;

/** Who saved an output is gone; without anybody it could not be listed. */
const keepUnused = `
insert into output_uses (output, saved_at) select seq, ? from outputs where seq not in (select output from output_uses)`;

/** Children first. */
const dropOrphans = [
  'delete from entries where message not in (select seq from messages) or session not in (select seq from sessions)',
  'delete from summary_covers where message not in (select seq from messages) or summary not in (select seq from messages)',
  'delete from summaries where message not in (select seq from messages)',
  'delete from summary_covers where summary not in (select message from summaries)',
  'update summaries set session = null where session not in (select seq from sessions)',
  'update sessions set parent = null where parent not in (select seq from sessions)',
  'update sessions set root = null where root not in (select seq from sessions)',
  'delete from usage where kind not in (select seq from usage_kinds)',
  'update usage set session = null where session not in (select seq from sessions)',
  'delete from output_pieces where output not in (select seq from outputs)',
  'delete from output_uses where output not in (select seq from outputs)',
  'delete from output_uses where session is not null and session not in (select seq from sessions)',
  'delete from episodes where conversation not in (select seq from sessions)',
  'delete from pins where conversation not in (select seq from sessions) or message not in (select seq from messages)',
  'delete from taken_back where conversation not in (select seq from sessions)',
  'delete from vectors where model not in (select seq from vector_models) or message not in (select seq from messages)',
];

/** Inside a transaction, over rows without any order; needs the table `known_ids`. Tells what is gone. */
async function makeWhole(sql: Sql, clock: () => number): Promise<Lost> {
  await dropBroken(sql, 'messages', 'seq, id, hash, body');
  await dropBroken(sql, 'outputs', 'seq, id, hash');
  const sessions = await sql.all(selectLostSessions);
  const counts = (await sql.get(countLost)) ?? {};
  for (const row of sessions) {
    const seq = integer(row, 'seq');
    const shown = (await sql.get(selectShown, { seq })) ?? {};
    if (integer(shown, 'shown') === 1) await sql.run(standIn, { seq, id: text(row, 'id') });
  }
  await sql.run(placeAtHome);
  const messages = lostMessages(await sql.all(selectLostMessages));
  const outputs = await sql.all(selectLostOutputs);
  for (const statement of dropOrphans) await sql.run(statement);
  await sql.run(keepUnused, [clock()]);
  const memory = await repairMemory(sql, clock());
  await repairViews(sql);
  await repairIndexes(sql);
  return {
    messages,
    sessions: sessions.map((row) => text(row, 'id')),
    outputs: outputs.map((row) => text(row, 'id')),
    calls: integer(counts, 'calls'),
    places: integer(counts, 'places'),
    memories: memory.entries,
    memoryActs: memory.acts,
  };
}

const selectShown = `
select exists (select 1 from entries where session = :seq) or exists (select 1 from messages where home = :seq) as shown`;

/** Takes out what is not as it was stored: part of it may be from another page. */
async function dropBroken(sql: Sql, table: 'messages' | 'outputs', columns: string): Promise<void> {
  for (const { seq = 0 } of await sql.all(`select seq from ${table}`)) {
    // One at a time: all of them together may be larger than the memory.
    const row = (await sql.get(`select ${columns} from ${table} where seq = ?`, [seq])) ?? {};
    if (await isAsStored(sql, row)) continue;
    await sql.run(keepId, [table, seq, text(row, 'id')]);
    await sql.run(`delete from ${table} where seq = ?`, [seq]);
  }
}

/** Each once, at the first place that is known. */
function lostMessages(rows: readonly Row[]): readonly LostMessage[] {
  const found = new Map<number, LostMessage>();
  for (const row of rows) {
    const seq = integer(row, 'seq');
    if (found.has(seq)) continue;
    found.set(seq, {
      ...given('id', optionalText(row, 'id')),
      ...given('sessionId', optionalText(row, 'session')),
      ...given('position', optionalInteger(row, 'position')),
    });
  }
  return [...found.values()];
}
