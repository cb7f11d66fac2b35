/** Messages and views in SQLite. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import type { Instant, MessageId, SessionId } from '../ids.ts';
import type { Appended, AppendOptions, MessageStore, SessionRange, StoredMessage } from '../message-store.ts';
import { firstRequestTitle, foldedTitle } from '../request-title.ts';
import type { Connection } from './connection.ts';
import { putMeta } from './meta.ts';
import { count, instant } from './numbers.ts';
import { unpacked } from './packing.ts';
import { bytes, given, integer, optionalInteger, type Row, text } from './rows.ts';
import { requireOwnRow, requireSessionSeq } from './session-rows.ts';
import { type PreparedMessage, prepareMessages, type ViewWriter, viewFacts } from './view-writer.ts';

const selectView = `
select m.id, e.position, e.time, e.origin, m.body
from entries e join messages m on m.seq = e.message
where e.session = ? and e.position >= ? and e.position < ?
order by e.position`;

const selectViewIds = `
select m.id from entries e join messages m on m.seq = e.message where e.session = ? order by e.position`;

const selectHome = `
select m.id, s.id as session_id, m.home_position as position,
  coalesce(e.time, m.time, s.started_at) as time, e.origin, m.body
from messages m join sessions s on s.seq = m.home
left join entries e on e.session = m.home and e.position = m.home_position and e.message = m.seq
where m.id = ?`;

const selectPlaces = `
select m.id, s.id as session_id, e.position, e.time, e.origin, m.body, s.started_at, e.session
from messages m join entries e on e.message = m.seq join sessions s on s.seq = e.session
where m.id = ?`;

const selectCovered = `
select m.id
from messages h join summary_covers c on c.summary = h.seq join messages m on m.seq = c.message
where h.id = ? order by c.place`;

/** Ids are hex digits, so that what begins with some stands before them followed by a later letter. */
const selectByPrefix = `select id from messages where id >= :prefix and id < :prefix || 'g' order by id limit :limit`;

const countMessages = 'select count(*) as messages from messages';

const growSession = `
update sessions set
  last_active_at = case when message_count = 0 then :active else max(last_active_at, :active) end,
  message_count = message_count + :messages,
  tool_call_count = tool_call_count + :calls,
  preview = coalesce(:preview, preview),
  request_title = coalesce(request_title, :title)
where seq = :seq`;

export function createMessageStore(connection: Connection, writer: ViewWriter): MessageStore {
  const { sql, read, write, clock } = connection;

  async function append(
    sessionId: SessionId,
    messages: readonly Message[],
    options: AppendOptions = {},
  ): Promise<Appended> {
    const prepared = prepareMessages(messages);
    const time = instant(options.time ?? clock(), 'time');
    return write(() => {
      const row = openSession(connection, sessionId, options.expectedSize);
      for (const [key, value] of Object.entries(options.meta ?? {})) putMeta(connection, key, value);
      return showAtEnd({ connection, writer }, row, { prepared, time });
    });
  }

  function rangeOf(session: number, { sessionId, from = 0, to = Number.MAX_SAFE_INTEGER }: SessionRange) {
    const rows = sql(selectView).all(session, count(from, 'from'), count(to, 'to'));
    return rows.map((row) => stored(row, sessionId));
  }

  function views(ranges: readonly SessionRange[]): Promise<readonly StoredMessage[]> {
    return read(() => {
      const known = new Map<SessionId, number>();
      return ranges.flatMap((range) => {
        const session = known.get(range.sessionId) ?? requireSessionSeq(connection, range.sessionId);
        known.set(range.sessionId, session);
        return rangeOf(session, range);
      });
    });
  }

  return {
    append,
    view: (sessionId, range = {}) => views([{ ...range, sessionId }]),
    views,
    viewIds: (sessionId) =>
      read(() => {
        const session = requireSessionSeq(connection, sessionId);
        return idsOf(sql(selectViewIds).all(session));
      }),
    get: (id) =>
      read(() => {
        const row = sql(selectHome).get(id);
        return row && stored(row, text(row, 'session_id'));
      }),
    find: (prefix, limit) =>
      read(() =>
        /^[0-9a-f]+$/.test(prefix) ? idsOf(sql(selectByPrefix).all({ prefix, limit: count(limit, 'limit') })) : [],
      ),
    places: (ids) =>
      read(() => {
        const rows = [...new Set(ids)].flatMap((id) => sql(selectPlaces).all(id));
        // A message that many sessions show is read once.
        const messages = new Map<MessageId, Message>();
        return rows.sort(byAge).map((row) => {
          const id = text(row, 'id');
          const message = messages.get(id) ?? messageFrom(row);
          messages.set(id, message);
          return stored(row, text(row, 'session_id'), message);
        });
      }),
    coveredBy: (id) => read(() => idsOf(sql(selectCovered).all(id))),
    count: () => read(() => integer(sql(countMessages).get() ?? {}, 'messages')),
  };
}

/** The row of a session that can still grow. Throws `ID_UNKNOWN`, and `STORE_CONFLICT` when it has ended or grown. */
export function openSession(connection: Connection, id: SessionId, expectedSize: number | undefined): Row {
  const row = requireOwnRow(connection, id);
  const size = integer(row, 'message_count');
  if (optionalInteger(row, 'ended_at') !== undefined) {
    const reason = text(row, 'end_reason');
    const advice = reason === 'compression' ? 'Continue with its tip.' : 'Reopen it, or start another one.';
    throw conflict(`Session ${id} has ended (${reason}), so nothing was written. ${advice}`, { id, reason });
  }
  if (expectedSize !== undefined && expectedSize !== size) {
    const message = `Expected ${expectedSize} messages in session ${id}, but it has ${size}; nothing was written. Read the new ones.`;
    throw conflict(message, { id, expectedSize, size });
  }
  return row;
}

interface Growth {
  readonly prepared: readonly PreparedMessage[];
  /** For messages that do not tell when they were said. */
  readonly time: Instant;
}

/** Shows messages at the end of a session and keeps its counts; inside a write transaction. */
export function showAtEnd(
  { connection, writer }: { connection: Connection; writer: ViewWriter },
  row: Row,
  { prepared, time }: Growth,
): Appended {
  const session = integer(row, 'seq');
  const from = integer(row, 'message_count');
  if (prepared.length === 0) return { ids: [], from, added: 0 };
  const end = { session, position: from, timeOf: () => time };
  const shown = writer.show(prepared, end);
  const messages = prepared.map(({ message }) => message);
  const { toolCalls, preview } = viewFacts(messages);
  connection.sql(growSession).run({
    seq: session,
    active: shown.reduce((latest, one) => Math.max(latest, one.time), Number.NEGATIVE_INFINITY),
    messages: shown.length,
    calls: toolCalls,
    preview: preview ?? null,
    title: newRequestTitle(row, messages) ?? null,
  });
  return { ids: shown.map(({ id }) => id), from, added: shown.filter(({ added }) => added).length };
}

/** What a conversation without a title is called; undefined for a session that has it already, or goes on from another. */
function newRequestTitle(row: Row, messages: readonly Message[]): string | undefined {
  if (row.request_title !== null || text(row, 'relation') === 'continuation') return undefined;
  const title = firstRequestTitle(messages, integer(row, 'message_count'));
  return title && foldedTitle(title);
}

const conflict = (message: string, evidence: Record<string, string | number>): PalimpsestError =>
  new PalimpsestError('STORE_CONFLICT', message, { evidence });

const idsOf = (rows: readonly Row[]): readonly MessageId[] => rows.map((row) => text(row, 'id'));

const byAge = (a: Row, b: Row): number =>
  integer(a, 'started_at') - integer(b, 'started_at') ||
  integer(a, 'session') - integer(b, 'session') ||
  integer(a, 'position') - integer(b, 'position');

const stored = (row: Row, sessionId: SessionId, message: Message = messageFrom(row)): StoredMessage => ({
  id: text(row, 'id'),
  sessionId,
  position: integer(row, 'position'),
  time: integer(row, 'time'),
  ...given('origin', optionalInteger(row, 'origin')),
  message,
});

/** The message in a row's body. Throws `STORE_DAMAGED`. */
export function messageFrom(row: Row): Message {
  try {
    // `messageBody` wrote it from a message; `doctor` compares it with its hash.
    return JSON.parse(bodyText(row)) as Message;
  } catch (cause) {
    throw new PalimpsestError(
      'STORE_DAMAGED',
      'The text of a stored message cannot be read. Run `palimpsest doctor` to see which messages are damaged, and restore a backup.',
      { cause },
    );
  }
}

/** The JSON in a row's body. */
export const bodyText = (row: Row): string => unpacked(typeof row.body === 'string' ? row.body : bytes(row, 'body'));
