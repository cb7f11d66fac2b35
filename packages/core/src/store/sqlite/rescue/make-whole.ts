/** Makes a store of rows that were rescued one by one: nothing in it names what is gone, and what is gone is told. */
import { given, integer, optionalInteger, optionalText, type Row, type Sql, text } from '../../record/database.ts';
import { isAsStored, repairViews } from '../../record/repair.ts';
import type { LostMessage, RescueReport } from '../../store.ts';
import { repairIndexes } from '../care/repair.ts';

type Lost = Omit<RescueReport['lost'], 'pages' | 'rows'>;

export const keepId = 'insert or ignore into known_ids (kind, seq, id) values (?, ?, ?)';

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
  'delete from vectors where model not in (select seq from vector_models) or message not in (select seq from messages)',
];

/** Inside a transaction, over rows without any order; needs the table `known_ids`. Tells what is gone. */
export async function makeWhole(sql: Sql, clock: () => number): Promise<Lost> {
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
  await repairViews(sql);
  await repairIndexes(sql);
  return {
    messages,
    sessions: sessions.map((row) => text(row, 'id')),
    outputs: outputs.map((row) => text(row, 'id')),
    calls: integer(counts, 'calls'),
    places: integer(counts, 'places'),
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
