/** Deleting conversations, with the messages that nothing else needs. */
import type { Instant, MessageId } from '../ids.ts';
import type { Deleted } from '../session-store.ts';
import { conversationSessions } from './chains.ts';
import type { Connection } from './connection.ts';
import { messageFrom } from './messages.ts';
import { bound } from './numbers.ts';
import { integer, type Row, text } from './rows.ts';
import type { ViewWriter } from './view-writer.ts';

const selectShown = 'select distinct message from entries where session = ?';
const deleteEntries = 'delete from entries where session = ?';
const deleteSession = 'delete from sessions where seq = ?';
const selectOutputs = 'select output from output_uses where session = ?';
const deleteUses = 'delete from output_uses where session = ?';
const deleteUnused = `
delete from outputs where seq = :output and not exists (select 1 from output_uses where output = :output)`;
const selectFirstPlace = 'select session, position from entries where message = ? order by session, position limit 1';
const selectSummariesOf = 'select summary from summary_covers where message = ?';
const selectCovers = 'select message from summary_covers where summary = ?';
const deleteSummary = 'delete from summaries where message = ?';
const selectMessage = 'select id, body, home from messages where seq = ?';
const setHome = 'update messages set home = ?, home_position = ? where seq = ?';
const selectStale = `
select root from sessions where latest = 1 and last_active_at < :before and (:source is null or source = :source)`;
const selectStillStale = `${selectStale} and root = :root`;

interface Parts {
  readonly connection: Connection;
  readonly writer: ViewWriter;
}

/** Inside a write transaction. A message that a surviving handoff stands for stays: it must come back by its id. */
export function deleteConversation({ connection, writer }: Parts, row: Row): Deleted {
  const { sql } = connection;
  const sessions = conversationSessions(connection, integer(row, 'root'));
  const candidates = new Set<number>();
  for (const session of sessions) {
    for (const shown of sql(selectShown).all(session)) candidates.add(integer(shown, 'message'));
    sql(deleteEntries).run(session);
    const outputs = sql(selectOutputs).all(session);
    sql(deleteUses).run(session);
    for (const used of outputs) sql(deleteUnused).run({ output: integer(used, 'output') });
  }
  const places = placesOf(connection, candidates);
  const unneeded = [...places].flatMap(([seq, place]) => (place ? [] : [seq]));
  for (const seq of unneeded) sql(deleteSummary).run(seq);
  const ids = unneeded.map((seq): MessageId => {
    const message: Row = sql(selectMessage).get(seq) ?? {};
    writer.remove({ seq, message: messageFrom(message) });
    return text(message, 'id');
  });
  const homeless = new Set(sessions);
  for (const [seq, place] of places) if (place) giveHome(connection, seq, { place, homeless });
  for (const session of sessions) sql(deleteSession).run(session);
  return { sessions: sessions.length, messages: ids.length, ids };
}

/** Where a message, or a handoff that stands for it, is shown; undefined for what nothing needs any more. */
type Places = Map<number, Row | undefined>;

/** The places of messages whose session goes, and of all that the unneeded ones among them stood for. */
function placesOf({ sql }: Connection, candidates: Iterable<number>): Places {
  const places: Places = new Map();
  const open = [...candidates];
  for (let seq = open.pop(); seq !== undefined; seq = open.pop()) {
    if (places.has(seq)) continue;
    const { place, seen } = nearestPlace({ sql }, seq, places);
    if (place) places.set(seq, place);
    // All that stand for it are shown nowhere either.
    else for (const one of seen) places.set(one, undefined);
    if (!place) for (const one of seen) open.push(...numbers(sql(selectCovers).all(one), 'message'));
  }
  return places;
}

/** Goes from a message to the handoffs that stand for it, and on to those that stand for them. */
function nearestPlace(
  { sql }: Pick<Connection, 'sql'>,
  start: number,
  known: Places,
): { readonly place: Row | undefined; readonly seen: ReadonlySet<number> } {
  const seen = new Set<number>();
  const open = [start];
  for (let seq = open.shift(); seq !== undefined; seq = open.shift()) {
    if (seen.has(seq) || (known.has(seq) && !known.get(seq))) continue;
    seen.add(seq);
    const place = sql(selectFirstPlace).get(seq) ?? known.get(seq);
    if (place) return { place, seen };
    open.push(...numbers(sql(selectSummariesOf).all(seq), 'summary'));
  }
  return { place: undefined, seen };
}

/** Lets a message live where it can still be reached. */
function giveHome(
  { sql }: Connection,
  seq: number,
  { place, homeless }: { readonly place: Row; readonly homeless: ReadonlySet<number> },
): void {
  if (!homeless.has(integer(sql(selectMessage).get(seq) ?? {}, 'home'))) return;
  sql(setHome).run(integer(place, 'session'), integer(place, 'position'), seq);
}

const numbers = (rows: readonly Row[], column: string): readonly number[] => rows.map((row) => integer(row, column));

/** Deletes conversation by conversation, so that other processes can write in between. */
export async function pruneConversations(
  parts: Parts,
  before: Instant,
  options: { readonly source?: string; readonly dryRun?: boolean },
): Promise<Deleted> {
  const { sql, read, write } = parts.connection;
  const filter = { before: bound(before, 'before'), source: options.source ?? null };
  const deleteStale = (root: number): Deleted | undefined => {
    // It may have been used or deleted since it was found.
    const row = sql(selectStillStale).get({ ...filter, root });
    return row && deleteConversation(parts, row);
  };
  const roots = (await read(() => sql(selectStale).all(filter))).map((row) => integer(row, 'root'));
  if (options.dryRun) return write(() => rolledBack(parts.connection, () => total(roots.map(deleteStale))));
  const deleted: (Deleted | undefined)[] = [];
  for (const root of roots) deleted.push(await write(() => deleteStale(root)));
  return total(deleted);
}

/** What `work` returns, with everything that it wrote taken back. */
function rolledBack<T>({ db }: Connection, work: () => T): T {
  db.exec('savepoint trial');
  try {
    return work();
  } finally {
    db.exec('rollback to trial; release trial');
  }
}

function total(all: readonly (Deleted | undefined)[]): Deleted {
  const ids = all.flatMap((one) => one?.ids ?? []);
  return { sessions: all.reduce((sum, one) => sum + (one?.sessions ?? 0), 0), messages: ids.length, ids };
}
