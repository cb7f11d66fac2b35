/** Deleting conversations, with the messages that nothing else needs. */
import type { Instant, MessageId } from '../ids.ts';
import { shownMemoryPrefix } from '../memory-store.ts';
import { type Deleted, pausePrefix } from '../session-store.ts';
import { bound, type Database, integer, type Row, type Sql, text } from './database.ts';
import type { Writing } from './messages.ts';

const selectSessions = 'select seq, id from sessions where root = ? order by seq';
const selectShown = 'select distinct message from entries where session = ?';
const deleteEntries = 'delete from entries where session = ?';
const deleteSession = 'delete from sessions where seq = ?';
/** What a session shows of the memory. */
const deleteShown = 'delete from state_meta where key = ?';
/** What was marked in a session; keys are JSON. */
const deletePauses = 'delete from state_meta where key >= :from and key < :to';
const selectOutputs = 'select output from output_uses where session = ?';
const deleteUses = 'delete from output_uses where session = ?';
const deleteUnused = `
delete from outputs where seq = :output and not exists (select 1 from output_uses where output = :output)`;
const selectFirstPlace = 'select session, position from entries where message = ? order by session, position limit 1';
const selectSummariesOf = 'select summary from summary_covers where message = ?';
const selectCovers = 'select message from summary_covers where summary = ?';
const deleteSummary = 'delete from summaries where message = ?';
const selectMessage = 'select id, home from messages where seq = ?';
const deleteMessage = 'delete from messages where seq = ?';
const setHome = 'update messages set home = ?, home_position = ? where seq = ?';
/** What was recalled for turns of other conversations may quote this one; keys are JSON. It is recalled anew. */
const deleteRecalled = `delete from state_meta where key >= '"memory:recalled:' and key < '"memory:recalled;'`;
const selectStale = `
select root from sessions where latest = 1 and last_active_at < :before and (:source is null or source = :source)`;
const selectStillStale = `${selectStale} and root = :root`;

/** Inside a write transaction. A message that a surviving handoff stands for stays: it must come back by its id. */
export async function deleteConversation({ sql, database }: Writing, row: Row): Promise<Deleted> {
  const rows = await sql.all(selectSessions, [integer(row, 'root')]);
  const sessions = rows.map((one) => integer(one, 'seq'));
  const candidates = new Set<number>();
  for (const session of sessions) {
    for (const message of await numbers(sql, selectShown, session)) candidates.add(message);
    await sql.run(deleteEntries, [session]);
    const outputs = await numbers(sql, selectOutputs, session);
    await sql.run(deleteUses, [session]);
    for (const output of outputs) await sql.run(deleteUnused, { output });
  }
  const places = await placesOf(sql, candidates);
  const unneeded = [...places].flatMap(([seq, place]) => (place ? [] : [seq]));
  for (const seq of unneeded) await sql.run(deleteSummary, [seq]);
  const ids: MessageId[] = [];
  for (const seq of unneeded) {
    ids.push(text((await sql.get(selectMessage, [seq])) ?? {}, 'id'));
    await database.terms.remove(sql, seq);
    await sql.run(deleteMessage, [seq]);
  }
  // What is left must live where it can still be reached.
  for (const [seq, place] of places) {
    if (!place) continue;
    const home = integer((await sql.get(selectMessage, [seq])) ?? {}, 'home');
    if (sessions.includes(home)) await sql.run(setHome, [integer(place, 'session'), integer(place, 'position'), seq]);
  }
  for (const one of rows) {
    const id = text(one, 'id');
    await sql.run(deleteShown, [JSON.stringify(`${shownMemoryPrefix}${id}`)]);
    const key = JSON.stringify(`${pausePrefix}${id}`).slice(0, -1);
    await sql.run(deletePauses, { from: `${key}:`, to: `${key};` });
    await sql.run(deleteSession, [integer(one, 'seq')]);
  }
  // What was recalled elsewhere may say what stood in them.
  if (sessions.length > 0) await sql.run(deleteRecalled);
  return { sessions: sessions.length, messages: ids.length, ids };
}

/** Where a message, or a handoff that stands for it, is shown; undefined for what nothing needs any more. */
type Places = Map<number, Row | undefined>;

/** The places of messages whose session goes, and of all that the unneeded ones among them stood for. */
async function placesOf(sql: Sql, candidates: Iterable<number>): Promise<Places> {
  const places: Places = new Map();
  const open = [...candidates];
  for (let seq = open.pop(); seq !== undefined; seq = open.pop()) {
    if (places.has(seq)) continue;
    const { place, seen } = await nearestPlace(sql, seq, places);
    if (place) {
      places.set(seq, place);
      continue;
    }
    // All that stand for it are shown nowhere either.
    for (const one of seen) places.set(one, undefined);
    for (const one of seen) open.push(...(await numbers(sql, selectCovers, one)));
  }
  return places;
}

/** Goes from a message to the handoffs that stand for it, and on to those that stand for them. */
async function nearestPlace(
  sql: Sql,
  start: number,
  known: Places,
): Promise<{ readonly place: Row | undefined; readonly seen: ReadonlySet<number> }> {
  const seen = new Set<number>();
  const open = [start];
  for (let seq = open.shift(); seq !== undefined; seq = open.shift()) {
    if (seen.has(seq) || (known.has(seq) && !known.get(seq))) continue;
    seen.add(seq);
    const place = (await sql.get(selectFirstPlace, [seq])) ?? known.get(seq);
    if (place) return { place, seen };
    open.push(...(await numbers(sql, selectSummariesOf, seq)));
  }
  return { place: undefined, seen };
}

/** The numbers in the one column that a statement selects. */
async function numbers(sql: Sql, statement: string, value: number): Promise<readonly number[]> {
  const rows = await sql.all(statement, [value]);
  return rows.map((row) => integer(row, Object.keys(row)[0] ?? ''));
}

/** Deletes conversation by conversation, so that other processes can write in between. */
export async function pruneConversations(
  database: Database,
  before: Instant,
  options: { readonly source?: string; readonly dryRun?: boolean },
): Promise<Deleted> {
  const filter = { before: bound(before, 'before'), source: options.source ?? null };
  const deleteStale = async (sql: Sql, root: number): Promise<Deleted | undefined> => {
    // It may have been used or deleted since it was found.
    const row = await sql.get(selectStillStale, { ...filter, root });
    return row && deleteConversation({ sql, database }, row);
  };
  const rows = await database.read((sql) => sql.all(selectStale, filter));
  const roots = rows.map((row) => integer(row, 'root'));
  const deleteAll = async (one: (root: number) => Promise<Deleted | undefined>): Promise<Deleted> => {
    const deleted: Deleted[] = [];
    for (const root of roots) deleted.push((await one(root)) ?? { sessions: 0, messages: 0, ids: [] });
    const ids = deleted.flatMap((one) => one.ids);
    return { sessions: deleted.reduce((sum, { sessions }) => sum + sessions, 0), messages: ids.length, ids };
  };
  return options.dryRun
    ? database.rehearse((sql) => deleteAll((root) => deleteStale(sql, root)))
    : deleteAll((root) => database.write((sql) => deleteStale(sql, root)));
}
