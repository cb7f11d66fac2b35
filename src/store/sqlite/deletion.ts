/** Deleting conversations, with the messages that nothing else needs. */
import type { Instant, MessageId } from '../ids.ts';
import type { Deleted } from '../session-store.ts';
import { conversationSessions } from './chains.ts';
import type { Connection } from './connection.ts';
import { messageFrom } from './messages.ts';
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
  const unneeded = unneededMessages(connection, candidates);
  for (const seq of unneeded) sql(deleteSummary).run(seq);
  const ids = [...unneeded].map((seq): MessageId => {
    const message: Row = sql(selectMessage).get(seq) ?? {};
    writer.remove({ seq, message: messageFrom(message) });
    return text(message, 'id');
  });
  const homeless = new Set(sessions);
  for (const seq of candidates) if (!unneeded.has(seq)) giveHome(connection, seq, homeless);
  for (const session of sessions) sql(deleteSession).run(session);
  return { sessions: sessions.length, messages: ids.length, ids };
}

/** The messages that no view shows and no handoff stands for; `candidates` gets all that were looked at. */
function unneededMessages({ sql }: Connection, candidates: Set<number>): ReadonlySet<number> {
  const unneeded = new Set<number>();
  const open = [...candidates];
  for (let seq = open.pop(); seq !== undefined; seq = open.pop()) {
    candidates.add(seq);
    if (unneeded.has(seq) || sql(selectFirstPlace).get(seq)) continue;
    if (
      sql(selectSummariesOf)
        .all(seq)
        .some((row) => !unneeded.has(integer(row, 'summary')))
    )
      continue;
    unneeded.add(seq);
    // What this one stood for may now be needed by nothing either.
    open.push(
      ...sql(selectCovers)
        .all(seq)
        .map((row) => integer(row, 'message')),
    );
  }
  return unneeded;
}

/** Lets a message live in a session that is left: one that shows it, or that shows a handoff which stands for it. */
function giveHome({ sql }: Connection, seq: number, homeless: ReadonlySet<number>): void {
  if (!homeless.has(integer(sql(selectMessage).get(seq) ?? {}, 'home'))) return;
  const seen = new Set<number>();
  const open = [seq];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const place = sql(selectFirstPlace).get(at);
    if (place) {
      sql(setHome).run(integer(place, 'session'), integer(place, 'position'), seq);
      return;
    }
    open.push(
      ...sql(selectSummariesOf)
        .all(at)
        .map((row) => integer(row, 'summary')),
    );
  }
}

/** Deletes conversation by conversation, so that other processes can write in between. */
export async function pruneConversations(
  parts: Parts,
  before: Instant,
  options: { readonly source?: string; readonly dryRun?: boolean },
): Promise<Deleted> {
  const { sql, read, write } = parts.connection;
  const filter = { before, source: options.source ?? null };
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
