/** Sessions as rows, and the chains that they make. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { SessionId } from '../ids.ts';
import type { Session, SessionRelation, TitleOrigin } from '../session-store.ts';
import type { UsageTotals } from '../usage-store.ts';
import { given, integer, optionalInteger, optionalText, type Row, type Sql, text } from './database.ts';

/** A session with the ids of its parent and root. */
export const selectSession = `
select s.*, p.id as parent_id, coalesce(r.id, s.id) as root_id
from sessions s
left join sessions p on p.seq = s.parent
left join sessions r on r.seq = s.root`;

const selectById = `${selectSession} where s.id = ?`;
const selectBySeq = `${selectSession} where s.seq = ?`;
const selectOwn = `
select seq, root, relation, side, source, source_id, project, title, request_title, started_at, ended_at, end_reason, message_count
from sessions where id = ?`;
const selectSeq = 'select seq from sessions where id = ?';

export const sessionRow = (sql: Sql, id: SessionId): Promise<Row | undefined> => sql.get(selectById, [id]);

/** The row of a session. Throws `ID_UNKNOWN`. */
export const requireSessionRow = async (sql: Sql, id: SessionId): Promise<Row> =>
  known(id, await sql.get(selectById, [id]));

/** What of the row of a session every write looks at, without the ids of others. Throws `ID_UNKNOWN`. */
export const requireOwnRow = async (sql: Sql, id: SessionId): Promise<Row> => known(id, await sql.get(selectOwn, [id]));

/** The number by which other tables name a session. Throws `ID_UNKNOWN`. */
export const requireSeq = async (sql: Sql, id: SessionId): Promise<number> =>
  integer(known(id, await sql.get(selectSeq, [id])), 'seq');

function known(id: SessionId, row: Row | undefined): Row {
  if (row) return row;
  const message = `There is no session ${id.slice(0, 80)}. List the sessions to see their ids.`;
  throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 80) } });
}

/** The session of a row that another row named. */
export const sessionAt = async (sql: Sql, seq: number): Promise<Session> =>
  sessionFrom((await sql.get(selectBySeq, [seq])) ?? {});

export function sessionFrom(row: Row): Session {
  return {
    id: text(row, 'id'),
    // The schema allows no other words in these two columns.
    relation: text(row, 'relation') as SessionRelation,
    ...given('titleFrom', optionalText(row, 'title_from') as TitleOrigin | undefined),
    rootId: text(row, 'root_id'),
    ...given('parentId', optionalText(row, 'parent_id')),
    source: text(row, 'source'),
    ...given('sourceId', optionalText(row, 'source_id')),
    ...given('sourcePath', optionalText(row, 'source_path')),
    ...given('project', optionalText(row, 'project')),
    ...given('model', optionalText(row, 'model')),
    ...given('title', optionalText(row, 'title')),
    startedAt: integer(row, 'started_at'),
    ...given('endedAt', optionalInteger(row, 'ended_at')),
    ...given('endReason', optionalText(row, 'end_reason')),
    lastActiveAt: integer(row, 'last_active_at'),
    messages: integer(row, 'message_count'),
    toolCalls: integer(row, 'tool_call_count'),
    usage: usageFrom(row),
  };
}

/** The columns of usage, which sessions and groups of calls have alike. */
export function usageFrom(row: Row): UsageTotals {
  const { cost_usd: cost, saved_usd: saved } = row;
  return {
    inputTokens: integer(row, 'input_tokens'),
    outputTokens: integer(row, 'output_tokens'),
    cacheReadTokens: integer(row, 'cache_read_tokens'),
    cacheWriteTokens: integer(row, 'cache_write_tokens'),
    reasoningTokens: integer(row, 'reasoning_tokens'),
    calls: integer(row, 'calls'),
    ...given('costUsd', typeof cost === 'number' ? cost : undefined),
    ...given('savedUsd', typeof saved === 'number' ? saved : undefined),
    unpriced: integer(row, 'unpriced'),
    partial: integer(row, 'partial'),
  };
}

// Chains: from a session to the newest one that continues it, and back to where the conversation began.

/** How far the walk to the newest session goes in one step; a chain as a whole has no end but its own. */
const maxHops = 100;

/** Only what was opened when its parent had ended continues it; branches and side conversations began before. */
const selectNext = `
select c.seq as at from sessions p join sessions c on c.parent = p.seq
where p.seq = ? and c.relation = 'continuation' and c.started_at >= p.ended_at
order by c.started_at desc, c.seq desc limit 1`;

const selectPrevious = `select parent as at from sessions where seq = ? and relation = 'continuation'`;

/** The sessions before one and behind it, in their order, however many: what is left out would be lost to whoever exports. */
export async function chainOf(sql: Sql, seq: number): Promise<readonly number[]> {
  const before = await walk(sql, seq, { step: selectPrevious });
  return [...before.toReversed(), seq, ...(await walk(sql, seq, { step: selectNext }))];
}

/** The newest session of the chain within 100 hops; the session itself when nothing continues it. */
export const tipOf = async (sql: Sql, seq: number): Promise<number> =>
  (await walk(sql, seq, { step: selectNext, hops: maxHops })).at(-1) ?? seq;

/** The newest session of the chain, however far. */
export const newestOf = async (sql: Sql, seq: number): Promise<number> =>
  (await walk(sql, seq, { step: selectNext })).at(-1) ?? seq;

/** Ends where it comes to a place again. */
async function walk(
  sql: Sql,
  start: number,
  { step, hops = Number.POSITIVE_INFINITY }: { readonly step: string; readonly hops?: number },
): Promise<readonly number[]> {
  const seen = new Set([start]);
  for (let from = start; seen.size <= hops; ) {
    const row = await sql.get(step, [from]);
    const at = row && optionalInteger(row, 'at');
    if (at === undefined || seen.has(at)) break;
    seen.add(at);
    from = at;
  }
  return [...seen].slice(1);
}
