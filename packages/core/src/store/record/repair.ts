/** What of a record can be held against itself, and what of it can be made anew: counts, places in chains. Never a message. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import { contentIds } from '../message-body.ts';
import type { CareFinding } from '../store.ts';
import { firstRequestTitle, foldedTitle, mostBeforeRequest } from '../title.ts';
import { bytes, integer, type Row, type Sql, text } from './database.ts';
import { bodyText, messageFrom, viewFacts } from './messages.ts';
import { textHash } from './output-texts.ts';

/** One sentence for each way in which views can be wrong, and the query that counts the sessions or messages. */
const viewFaults: Readonly<Record<string, string>> = {
  'sessions whose count of messages is wrong':
    'select count(*) as n from sessions s where message_count <> (select count(*) from entries where session = s.seq)',
  'sessions with a gap in their view': `
select count(*) as n from sessions s
where (select coalesce(max(position) + 1, 0) from entries where session = s.seq) <> (select count(*) from entries where session = s.seq)`,
  'sessions with a wrong place in their chain': `
select count(*) as n from sessions s
where (latest = 1) <> (not exists (select 1 from sessions c where c.parent = s.seq and c.relation = 'continuation'))`,
  'sessions with a wrong root': `
select count(*) as n from sessions s left join sessions p on p.seq = s.parent and s.relation = 'continuation'
where s.root is null or s.root <> coalesce(p.root, s.seq)`,
  'messages whose first session does not show them': `
select count(*) as n from messages m
where not exists (select 1 from entries e where e.session = m.home and e.position = m.home_position and e.message = m.seq)
  and (exists (select 1 from entries e where e.message = m.seq) or not exists (select 1 from sessions s where s.seq = m.home))`,
};

export async function viewFinding(sql: Sql): Promise<CareFinding> {
  const faults: string[] = [];
  for (const [name, query] of Object.entries(viewFaults)) {
    const count = integer((await sql.get(query)) ?? {}, 'n');
    if (count > 0) faults.push(`${count} ${name}`);
  }
  if (faults.length === 0) return fine('views', 'All counts and views of sessions agree.');
  const message = `There are ${faults.join(', ')}. A repair counts again.`;
  return { check: 'views', ok: false, repairable: true, message };
}

export async function leaseFinding(sql: Sql, now: number): Promise<CareFinding> {
  const row = await sql.get('select count(*) as held from leases where expires_at > ?', [now]);
  const held = integer(row ?? {}, 'held');
  return fine(
    'leases',
    held === 0 ? 'No process holds a lease.' : `${held} leases are held; the lease of a crashed process expires.`,
  );
}

export const fine = (check: CareFinding['check'], message: string): CareFinding => ({
  check,
  ok: true,
  repairable: false,
  message,
});

const selectMessages = 'select seq, id, hash, body from messages where seq > ? order by seq limit 500';
const selectOutputs = 'select seq, id, hash from outputs where seq > ? order by seq limit 500';
const countAll = 'select (select count(*) from messages) + (select count(*) from outputs) as n';

/** How often progress is told, in messages. */
const progressEvery = 1_000;

/** Holds every message and every saved output against the hash that it was stored under. */
export async function contentFinding(sql: Sql, onProgress: (done: number, all: number) => void): Promise<CareFinding> {
  const all = integer((await sql.get(countAll)) ?? {}, 'n');
  const broken: string[] = [];
  let done = 0;
  for (const statement of [selectMessages, selectOutputs]) {
    for await (const row of rowsOf(sql, statement)) {
      if (!(await isAsStored(sql, row))) broken.push(text(row, 'id'));
      if (++done % progressEvery === 0) onProgress(done, all);
    }
  }
  onProgress(all, all);
  if (broken.length === 0) return fine('content', `All ${all} messages and saved outputs match their hashes.`);
  const shown = broken.slice(0, 5).join(', ');
  const message = `${broken.length} of ${all} messages and saved outputs do not match their hashes (${shown}). Restore a backup.`;
  return { check: 'content', ok: false, repairable: false, message };
}

/** All rows of a statement that asks for those behind a number, some at a time. */
export async function* rowsOf(sql: Sql, statement: string): AsyncGenerator<Row> {
  let last = 0;
  for (let rows = await sql.all(statement, [last]); rows.length > 0; rows = await sql.all(statement, [last])) {
    yield* rows;
    last = integer(rows.at(-1) ?? {}, 'seq');
  }
}

/** True for a row of messages, or without a body of outputs, whose content has the hash that it was stored under. */
export async function isAsStored(sql: Sql, row: Row): Promise<boolean> {
  try {
    const { hash, ids } = row.body === undefined ? await textHash(sql, integer(row, 'seq')) : contentIds(bodyText(row));
    return Buffer.compare(hash, bytes(row, 'hash')) === 0 && ids.includes(text(row, 'id'));
  } catch {
    // A part of it is gone, or cannot be unpacked.
    return false;
  }
}

/** Positions without gaps, in their order; twice, since no two rows may ever have the same one. */
const closeGaps = [
  `create temporary table whole_views as
  select session, position, row_number() over (partition by session order by position) - 1 as place from entries`,
  `update entries set position = -1 - w.place from whole_views w
  where w.session = entries.session and w.position = entries.position`,
  'update entries set position = -1 - position where position < 0',
  'drop table whole_views',
];

const placeInChain = [
  `update sessions set latest = case when exists
    (select 1 from sessions c where c.parent = sessions.seq and c.relation = 'continuation') then 0 else 1 end`,
  `with recursive chains (seq, root) as (
    select seq, seq from sessions where relation <> 'continuation' or parent is null
    union all
    select s.seq, c.root from sessions s join chains c on s.parent = c.seq where s.relation = 'continuation'
  )
  update sessions set root = chains.root from chains where chains.seq = sessions.seq`,
  'update sessions set root = seq where root is null',
];

const findHomes = [
  `update messages set home = f.session, home_position = f.position
  from (select message, session, min(position) as position from entries e
        where session = (select min(session) from entries where message = e.message) group by message, session) f
  where f.message = messages.seq and not exists
    (select 1 from entries e where e.session = messages.home and e.position = messages.home_position and e.message = messages.seq)`,
  `update messages set (home, home_position) = (
    select e.session, e.position from summary_covers c join entries e on e.message = c.summary where c.message = messages.seq limit 1)
  where not exists (select 1 from sessions s where s.seq = messages.home)
    and exists (select 1 from summary_covers c join entries e on e.message = c.summary where c.message = messages.seq)`,
];

const selectWrongCounts = `
select seq from sessions s where message_count <> (select count(*) from entries where session = s.seq)`;
const selectBodies =
  'select m.body from entries e join messages m on m.seq = e.message where e.session = ? order by e.position';
const setCounts = `
update sessions set message_count = ?, tool_call_count = ?, preview = coalesce(?, preview) where seq = ?`;

/** Inside a write transaction. */
export async function repairViews(sql: Sql): Promise<void> {
  for (const statement of [...closeGaps, ...placeInChain, ...findHomes]) await sql.run(statement);
  for (const row of await sql.all(selectWrongCounts)) {
    const seq = integer(row, 'seq');
    const messages = (await sql.all(selectBodies, [seq])).map(messageFrom);
    const { toolCalls, preview } = viewFacts(messages);
    await sql.run(setCounts, [messages.length, toolCalls, preview, seq]);
  }
  await setRequestTitles(sql);
}

const selectNameless = `select seq from sessions where request_title is null and relation <> 'continuation'`;
const selectFirst = `
select m.body from entries e join messages m on m.seq = e.message
where e.session = ? and e.position < ${mostBeforeRequest} order by e.position`;
const setTitle = 'update sessions set request_title = ? where seq = ?';

/** Finds what all sessions are called that have no such title yet; inside a write transaction. */
export async function setRequestTitles(sql: Sql): Promise<void> {
  for (const row of await sql.all(selectNameless)) {
    const seq = integer(row, 'seq');
    const title = firstRequestTitle((await sql.all(selectFirst, [seq])).flatMap(readable));
    if (title !== undefined) await sql.run(setTitle, [foldedTitle(title), seq]);
  }
}

/** Of a damaged store everything else is still wanted. */
function readable(row: Row): readonly Message[] {
  try {
    return [messageFrom(row)];
  } catch (error) {
    if (PalimpsestError.isInstance(error)) return [];
    throw error;
  }
}

/** Named by what a program wrote before the request, before that was told from it. */
const selectByElement = `select seq, message_count, preview from sessions where preview like '%<%' or request_title like '%<%'`;
const selectNewest = `
select m.body from entries e join messages m on m.seq = e.message
where e.session = ? and e.position between ? and ? and m.role like '%user%' order by e.position`;
const setNames = 'update sessions set preview = ?, request_title = null where seq = ?';
/** Messages that are read at the end of a session at first; twice as many as long as nobody asks in them. */
const firstLook = 64;

/** Calls sessions again by what was asked in them; inside a write transaction. */
export async function renameByRequest(sql: Sql): Promise<void> {
  for (const row of await sql.all(selectByElement)) {
    const [seq, size] = [integer(row, 'seq'), integer(row, 'message_count')];
    let preview: string | null = null;
    for (let end = size, look = firstLook; preview === null && end > 0; end -= look, look *= 2) {
      const found = await sql.all(selectNewest, [seq, end - look, end - 1]);
      preview = viewFacts(found.flatMap(readable)).preview;
    }
    await sql.run(setNames, [preview ?? text(row, 'preview'), seq]);
  }
  await setRequestTitles(sql);
}
