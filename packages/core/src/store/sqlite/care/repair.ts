/** Makes anew what follows from messages and views: indexes, counts, places in chains. Never a message. */
import { PalimpsestError } from '../../../shared/errors.ts';
import type { Connection } from '../connection.ts';
import { ownerOnly, setFileMode } from '../file.ts';
import { rebuildIndex } from '../index/search-tables.ts';
import { messageFrom } from '../messages.ts';
import { setRequestTitles } from '../request-titles.ts';
import { integer } from '../rows.ts';
import { viewFacts } from '../view-writer.ts';

/** Positions without gaps, in their order; twice, since no two rows may ever have the same one. */
const closeGaps = `
create temp table whole_views as
  select session, position, row_number() over (partition by session order by position) - 1 as place from entries;
update entries set position = -1 - w.place from whole_views w
  where w.session = entries.session and w.position = entries.position;
update entries set position = -1 - position where position < 0;
drop table whole_views;`;

const placeInChain = `
update sessions set latest = not exists
  (select 1 from sessions c where c.parent = sessions.seq and c.relation = 'continuation');
with recursive chains (seq, root) as (
  select seq, seq from sessions where relation <> 'continuation' or parent is null
  union all
  select s.seq, c.root from sessions s join chains c on s.parent = c.seq where s.relation = 'continuation'
)
update sessions set root = chains.root from chains where chains.seq = sessions.seq;
update sessions set root = seq where root is null;`;

const findHomes = `
update messages set home = f.session, home_position = f.position
from (select message, session, min(position) as position from entries e
      where session = (select min(session) from entries where message = e.message) group by message) f
where f.message = messages.seq and not exists
  (select 1 from entries e where e.session = messages.home and e.position = messages.home_position and e.message = messages.seq);
update messages set (home, home_position) = (
  select e.session, e.position from summary_covers c join entries e on e.message = c.summary where c.message = messages.seq limit 1)
where not exists (select 1 from sessions s where s.seq = messages.home)
  and exists (select 1 from summary_covers c join entries e on e.message = c.summary where c.message = messages.seq);`;

const selectWrongCounts = `
select seq from sessions s where message_count <> (select count(*) from entries where session = s.seq)`;
const selectBodies =
  'select m.body from entries e join messages m on m.seq = e.message where e.session = ? order by e.position';
const setCounts = `
update sessions set message_count = ?, tool_call_count = ?, preview = coalesce(?, preview) where seq = ?`;
const selectAll = 'select seq, body from messages order by seq';

/** Inside a write transaction. */
export function repairViews({ db, sql }: Connection): void {
  db.exec(closeGaps);
  db.exec(placeInChain);
  db.exec(findHomes);
  for (const row of sql(selectWrongCounts).all()) {
    const seq = integer(row, 'seq');
    const messages = sql(selectBodies).all(seq).map(messageFrom);
    const { toolCalls, preview } = viewFacts(messages);
    sql(setCounts).run(messages.length, toolCalls, preview ?? null, seq);
  }
  setRequestTitles(db);
}

/** Inside a write transaction: SQLite's own indexes, then the search index. */
export function repairIndexes({ db }: Connection): void {
  db.exec('reindex');
  rebuildIndex(db, rows(db));
}

function* rows(db: Connection['db']): Generator<{ seq: number; message: ReturnType<typeof messageFrom> }> {
  for (const row of db.prepare(selectAll).iterate()) yield { seq: integer(row, 'seq'), message: messageFrom(row) };
}

/** Throws `STORE_READ_ONLY` for a file of somebody else. */
export function repairFile({ where }: Connection): void {
  try {
    setFileMode(where, ownerOnly);
  } catch (cause) {
    const message = `Only the owner of the store ${where} can set its mode. Nothing was repaired: run the repair as the owner.`;
    throw new PalimpsestError('STORE_READ_ONLY', message, { evidence: { path: where }, cause });
  }
}
