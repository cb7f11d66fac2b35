/** What a compression commits: the end of a session and the one that continues it, in one transaction. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { Instant } from '../ids.ts';
import type { Lease } from '../lease-store.ts';
import type { ContinuationDraft } from '../session-store.ts';
import type { Connection } from './connection.ts';
import { holdsLease } from './leases.ts';
import { messageFrom, openSession } from './messages.ts';
import { integer, type Row } from './rows.ts';
import { continuedTitle } from './titles.ts';
import { type PreparedMessage, type ShownMessage, type ViewWriter, viewFacts } from './view-writer.ts';

const endParent = `update sessions set ended_at = ?, end_reason = 'compression', latest = 0 where seq = ?`;

const insertChild = `
insert into sessions (id, parent, root, relation, side, source, project, model, title, title_from, preview, started_at, last_active_at)
select :id, seq, root, 'continuation', side, source, project, model, :title, case when :title is null then null else title_from end,
  preview, :now, last_active_at
from sessions where seq = :parent`;

const carryOver = `
insert into entries (session, position, message, time, origin)
select :child, position - :size + :room, message, time, position from entries where session = :parent and position >= :size`;

const selectTime = 'select time from entries where session = ? and position = ?';
const selectMessage = 'select seq from messages where id = ?';
const selectCarried = `
select m.body from entries e join messages m on m.seq = e.message
where e.session = ? and e.position >= ? order by e.position`;

const setCounts = `
update sessions set message_count = :messages, tool_call_count = :calls, preview = coalesce(:preview, preview) where seq = :seq`;

const insertSummary = `
insert into summaries (message, session, written_by, made_at) values (?, ?, ?, ?) on conflict (message) do nothing`;
const insertCover = `
insert into summary_covers (summary, place, message)
select :summary, (select coalesce(max(place) + 1, 0) from summary_covers where summary = :summary), :message
where :summary <> :message
  and not exists (select 1 from summary_covers where summary = :summary and message = :message)`;

interface Parts {
  readonly connection: Connection;
  readonly writer: ViewWriter;
}

/** Inside a write transaction: returns the child's `seq`. */
export function continueSession(parts: Parts, draft: ContinuationDraft, given: ChildDraft): number {
  const { connection, writer } = parts;
  const { sql, clock } = connection;
  const row = openSession(connection, draft.sessionId, undefined);
  requirePlaces(row, draft);
  if (draft.lease) requireLease(connection, draft.lease);
  const parent = integer(row, 'seq');
  // A clock that steps back must not make the child older than its parent's end.
  const now = Math.max(clock(), integer(row, 'started_at'));
  sql(endParent).run(now, parent);
  const title = continuedTitle(connection, row) ?? null;
  const child = Number(sql(insertChild).run({ id: given.id, parent, title, now }).lastInsertRowid);
  const originOf = (i: number): number | undefined => draft.origins[i];
  const timeOf = (i: number): Instant => {
    const entry = sql(selectTime).get(parent, originOf(i) ?? noOrigin);
    return entry ? integer(entry, 'time') : now;
  };
  const shown = writer.show(given.prepared, { session: child, position: 0, timeOf, originOf });
  sql(carryOver).run({ child, parent, size: draft.size, room: shown.length });
  noteHandoff(parts, { draft, child, shown, now });
  const carried = sql(selectCarried).all(parent, draft.size).map(messageFrom);
  const messages = [...draft.messages, ...carried];
  const { toolCalls, preview } = viewFacts(messages);
  sql(setCounts).run({ messages: messages.length, calls: toolCalls, preview: preview ?? null, seq: child });
  return child;
}

/** What can be made before the store is locked. */
export interface ChildDraft {
  readonly id: string;
  readonly prepared: readonly PreparedMessage[];
}

interface Made {
  readonly draft: ContinuationDraft;
  readonly child: number;
  readonly shown: readonly ShownMessage[];
  readonly now: Instant;
}

/** Writes down which messages the handoff stands for. */
function noteHandoff({ connection: { sql } }: Parts, { draft, child, shown, now }: Made): void {
  const { handoff } = draft;
  if (!handoff) return;
  const summary = shown[handoff.at]?.seq;
  if (summary === undefined) throw refused(`the handoff to be one of its ${shown.length} messages, not ${handoff.at}`);
  sql(insertSummary).run(summary, child, handoff.writtenBy, now);
  for (const id of handoff.covers) {
    const covered = sql(selectMessage).get(id);
    if (!covered) throw refused(`the handoff to stand for messages of the store; there is no ${id.slice(0, 80)}`);
    sql(insertCover).run({ summary, message: integer(covered, 'seq') });
  }
}

/** In place of a position for what was made of none. */
const noOrigin = -1;

function requirePlaces(row: Row, { size, messages, origins }: ContinuationDraft): void {
  const known = integer(row, 'message_count');
  if (!Number.isInteger(size) || size < 0 || size > known)
    throw refused(`0 to ${known} compressed messages, not ${size}`);
  if (origins.length !== messages.length)
    throw refused(`${messages.length} origins, one a message, not ${origins.length}`);
  const outside = origins.find((origin) => !Number.isInteger(origin) || origin < noOrigin || origin >= size);
  if (outside !== undefined) throw refused(`origins from -1 to ${size - 1}, not ${outside}`);
}

function requireLease(connection: Connection, lease: Lease): void {
  if (holdsLease(connection, lease)) return;
  throw new PalimpsestError(
    'STORE_CONFLICT',
    `The lease ${lease.name} expired, and another process took it. Nothing was written: read the session again.`,
    { evidence: { name: lease.name } },
  );
}

const refused = (expected: string): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', `Expected of a continuation ${expected}. Nothing was written.`);
