/** Sessions as rows. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { SessionId } from '../ids.ts';
import type { Session, SessionRelation, TitleOrigin } from '../session-store.ts';
import type { UsageTotals } from '../usage-store.ts';
import type { Connection } from './connection.ts';
import { given, integer, optionalInteger, optionalText, type Row, text } from './rows.ts';

/** A session with the ids of its parent and root. */
export const selectSession = `
select s.*, p.id as parent_id, coalesce(r.id, s.id) as root_id
from sessions s
left join sessions p on p.seq = s.parent
left join sessions r on r.seq = s.root`;

const selectById = `${selectSession} where s.id = ?`;
const selectBySeq = `${selectSession} where s.seq = ?`;

/** The row of a session. Throws `ID_UNKNOWN`. */
export function requireSessionRow({ sql }: Connection, id: SessionId): Row {
  const row = sql(selectById).get(id);
  if (row) return row;
  throw unknownSession(id);
}

const selectOwn = 'select * from sessions where id = ?';

/** The row of a session without the ids of others, which every write would look up. Throws `ID_UNKNOWN`. */
export function requireOwnRow({ sql }: Connection, id: SessionId): Row {
  const row = sql(selectOwn).get(id);
  if (row) return row;
  throw unknownSession(id);
}

const selectSeq = 'select seq from sessions where id = ?';

/** The number by which other tables name a session. Throws `ID_UNKNOWN`. */
export function requireSessionSeq({ sql }: Connection, id: SessionId): number {
  const row = sql(selectSeq).get(id);
  if (row) return integer(row, 'seq');
  throw unknownSession(id);
}

function unknownSession(id: SessionId): PalimpsestError {
  const message = `There is no session ${id.slice(0, 80)}. List the sessions to see their ids.`;
  return new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 80) } });
}

export const sessionRow = ({ sql }: Connection, id: SessionId): Row | undefined => sql(selectById).get(id);

/** The session of a row that another row named. */
export function sessionAt({ sql }: Connection, seq: number): Session {
  return sessionFrom(sql(selectBySeq).get(seq) ?? {});
}

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
