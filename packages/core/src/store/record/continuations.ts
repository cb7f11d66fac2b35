/** What ends a session and opens the one that goes on: a compression, or a person who takes something back. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { ContinuationDraft, TakenBack } from '../session-store.ts';
import { integer, type Row, required, type Sql } from './database.ts';
import {
  messageFrom,
  openSession,
  type PreparedMessage,
  type ShownMessage,
  show,
  viewFacts,
  type Writing,
} from './messages.ts';
import { requireLease } from './state.ts';
import { continuedTitle } from './titles.ts';

const endParent = 'update sessions set ended_at = ?, end_reason = ?, latest = 0 where seq = ?';

const selectTakenBack = 'select first, last from taken_back where conversation = ? order by first';
const insertTakenBack =
  'insert into taken_back (conversation, first, last, at) values (:conversation, :first, :last, :at)';
/** Everything that was said in a conversation: what a session opened with was said before. */
const countSaid = `
select count(*) as said from entries e join sessions s on s.seq = e.session where s.root = ? and e.origin is null`;

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

/** What was taken back of the conversation of a row. */
export async function takenBackOf(sql: Sql, row: Row): Promise<readonly TakenBack[]> {
  const rows = await sql.all(selectTakenBack, [integer(row, 'root')]);
  return rows.map((one) => ({ first: integer(one, 'first'), last: integer(one, 'last') }));
}

/** Notes that messages of a conversation were taken back; inside a write transaction. */
export const insertStretch = (
  sql: Sql,
  conversation: number,
  stretch: TakenBack & { readonly at: number },
): Promise<number> => sql.run(insertTakenBack, { conversation, ...stretch });

/** What can be made before the store is locked. */
export interface ChildDraft {
  readonly id: string;
  readonly prepared: readonly PreparedMessage[];
}

/** Inside a write transaction: returns the child's `seq`. */
export async function continueSession(
  writing: Writing,
  draft: ContinuationDraft,
  { id, prepared }: ChildDraft,
): Promise<number> {
  const { sql, database } = writing;
  const row = await openSession(sql, draft.sessionId);
  requirePlaces(row, draft);
  if (draft.lease) await requireLease(sql, draft.lease);
  const parent = integer(row, 'seq');
  // A clock that steps back must not make the child older than its parent's end.
  const now = Math.max(database.clock(), integer(row, 'started_at'));
  const { takesBackFrom, endReason = takesBackFrom === undefined ? 'compression' : 'undo' } = draft;
  if (takesBackFrom !== undefined) await noteTakenBack(sql, row, { draft, now });
  await sql.run(endParent, [now, endReason, parent]);
  // What goes on with less is no other conversation: its title stays where it is.
  const title = (endReason === 'undo' ? undefined : await continuedTitle(writing, row)) ?? null;
  const child = required(await sql.insert(insertChild, { id, parent, title, now }));
  const shown = await show(writing, prepared, {
    session: child,
    position: 0,
    originOf: (i) => draft.origins[i],
    timeOf: async (i) => {
      const entry = await sql.get(selectTime, [parent, draft.origins[i] ?? noOrigin]);
      return entry ? integer(entry, 'time') : now;
    },
  });
  await sql.run(carryOver, { child, parent, size: draft.size, room: shown.length });
  await noteHandoff(sql, draft, { child, shown, now });
  const carried = await sql.all(selectCarried, [parent, draft.size]);
  const messages = [...draft.messages, ...carried.map(messageFrom)];
  const { toolCalls: calls, preview } = viewFacts(messages);
  await sql.run(setCounts, { messages: messages.length, calls, preview, seq: child });
  return child;
}

interface TakingBack {
  readonly draft: ContinuationDraft;
  readonly now: number;
}

async function noteTakenBack(sql: Sql, row: Row, { draft, now }: TakingBack): Promise<void> {
  const { sessionId: id, size, takesBackFrom: first = 0 } = draft;
  if (size !== integer(row, 'message_count')) throw grown(id);
  const conversation = integer(row, 'root');
  const last = integer((await sql.get(countSaid, [conversation])) ?? {}, 'said') - 1;
  if (!Number.isInteger(first) || first < 0 || first > last)
    throw refused(`something to take back from 0 to ${last}, not ${first}`);
  await insertStretch(sql, conversation, { first, last, at: now });
}

const grown = (id: string): PalimpsestError =>
  new PalimpsestError('STORE_CONFLICT', `Session ${id} has grown meanwhile, so nothing was written. Read it again.`, {
    evidence: { id },
  });

interface Made {
  readonly child: number;
  readonly shown: readonly ShownMessage[];
  readonly now: number;
}

/** Writes down which messages the handoff stands for. */
async function noteHandoff(sql: Sql, { handoff }: ContinuationDraft, { child, shown, now }: Made): Promise<void> {
  if (!handoff) return;
  const summary = shown[handoff.at]?.seq;
  if (summary === undefined) throw refused(`the handoff to be one of its ${shown.length} messages, not ${handoff.at}`);
  await sql.run(insertSummary, [summary, child, handoff.writtenBy, now]);
  for (const id of handoff.covers) {
    const covered = await sql.get(selectMessage, [id]);
    if (!covered) throw refused(`the handoff to stand for messages of the store; there is no ${id.slice(0, 80)}`);
    await sql.run(insertCover, { summary, message: integer(covered, 'seq') });
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

const refused = (expected: string): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', `Expected of a continuation ${expected}. Nothing was written.`);
