/** Messages, stored once each, and the views that sessions are: the one place where both are written. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import { isFromPerson, requestOpening, rolesIn } from '../../transcript/origin.ts';
import { messageText, readableText, toolCalls } from '../../transcript/text.ts';
import type { Instant, MessageId, SessionId } from '../ids.ts';
import { type MessageBody, messageBody } from '../message-body.ts';
import type { Appended, MessageStore, SessionRange, StoredMessage } from '../message-store.ts';
import { indexed } from '../terms/index-terms.ts';
import { firstRequestTitle, foldedTitle } from '../title.ts';
import {
  bytes,
  count,
  type Database,
  given,
  instant,
  integer,
  optionalInteger,
  type Row,
  type Sql,
  text,
} from './database.ts';
import { requireOwnRow, requireSeq } from './session-rows.ts';
import { putAllMeta } from './state.ts';
import { addCalls, requireEntry } from './usage.ts';

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

export function createMessageStore(database: Database): MessageStore {
  const views = (ranges: readonly SessionRange[]): Promise<readonly StoredMessage[]> =>
    database.read((sql) => viewsOf(sql, ranges));
  return {
    append: async (sessionId, messages, { expectedSize, meta = {}, usage = [], ...options } = {}) => {
      const prepared = prepareMessages(messages);
      for (const entry of usage) requireEntry(entry);
      const time = instant(options.time ?? database.clock(), 'time');
      return database.write(async (sql) => {
        const row = await openSession(sql, sessionId, expectedSize);
        await putAllMeta(sql, meta);
        const appended = await showAtEnd({ sql, database }, row, { prepared, time });
        await addCalls({ sql, clock: database.clock, rows: new Map([[sessionId, row]]) }, usage);
        return appended;
      });
    },
    view: (sessionId, range = {}) => views([{ ...range, sessionId }]),
    views,
    viewIds: (sessionId) =>
      database.read(async (sql) => idsOf(await sql.all(selectViewIds, [await requireSeq(sql, sessionId)]))),
    get: (id) =>
      database.read(async (sql) => {
        const row = await sql.get(selectHome, [id]);
        return row && stored(row, text(row, 'session_id'));
      }),
    find: async (prefix, limit) =>
      /^[0-9a-f]+$/.test(prefix)
        ? database.read(async (sql) => idsOf(await sql.all(selectByPrefix, { prefix, limit: count(limit, 'limit') })))
        : [],
    places: (ids) => database.read((sql) => placesOf(sql, ids)),
    coveredBy: (id) => database.read(async (sql) => idsOf(await sql.all(selectCovered, [id]))),
    count: () => database.read(async (sql) => integer((await sql.get(countMessages)) ?? {}, 'messages')),
  };
}

async function viewsOf(sql: Sql, ranges: readonly SessionRange[]): Promise<readonly StoredMessage[]> {
  const known = new Map<SessionId, number>();
  const found: StoredMessage[][] = [];
  for (const { sessionId, from = 0, to = Number.MAX_SAFE_INTEGER } of ranges) {
    const session = known.get(sessionId) ?? (await requireSeq(sql, sessionId));
    known.set(sessionId, session);
    const rows = await sql.all(selectView, [session, count(from, 'from'), count(to, 'to')]);
    found.push(rows.map((row) => stored(row, sessionId)));
  }
  return found.flat();
}

async function placesOf(sql: Sql, ids: readonly MessageId[]): Promise<readonly StoredMessage[]> {
  const rows: Row[] = [];
  for (const id of new Set(ids)) rows.push(...(await sql.all(selectPlaces, [id])));
  // A message that many sessions show is read once.
  const messages = new Map<MessageId, Message>();
  return rows.sort(byAge).map((row) => {
    const id = text(row, 'id');
    const message = messages.get(id) ?? messageFrom(row);
    messages.set(id, message);
    return stored(row, text(row, 'session_id'), message);
  });
}

const byAge = (a: Row, b: Row): number =>
  integer(a, 'started_at') - integer(b, 'started_at') ||
  integer(a, 'session') - integer(b, 'session') ||
  integer(a, 'position') - integer(b, 'position');

const idsOf = (rows: readonly Row[]): readonly MessageId[] => rows.map((row) => text(row, 'id'));

const stored = (row: Row, sessionId: SessionId, message: Message = messageFrom(row)): StoredMessage => ({
  id: text(row, 'id'),
  sessionId,
  position: integer(row, 'position'),
  time: integer(row, 'time'),
  ...given('origin', optionalInteger(row, 'origin')),
  message,
});

/** The row of a session that can still grow. Throws `ID_UNKNOWN`, and `STORE_CONFLICT` when it has ended or grown. */
export async function openSession(sql: Sql, id: SessionId, expectedSize?: number): Promise<Row> {
  const row = await requireOwnRow(sql, id);
  const size = integer(row, 'message_count');
  const conflict = (message: string, evidence: Record<string, string | number>): PalimpsestError =>
    new PalimpsestError('STORE_CONFLICT', message, { evidence });
  if (optionalInteger(row, 'ended_at') !== undefined) {
    const reason = text(row, 'end_reason');
    const goesOn = reason === 'compression' || reason === 'undo';
    const advice = goesOn ? 'Continue with its tip.' : 'Reopen it, or start another one.';
    throw conflict(`Session ${id} has ended (${reason}), so nothing was written. ${advice}`, { id, reason });
  }
  if (expectedSize !== undefined && expectedSize !== size) {
    const message = `Expected ${expectedSize} messages in session ${id}, but it has ${size}; nothing was written. Read the new ones.`;
    throw conflict(message, { id, expectedSize, size });
  }
  return row;
}

// Messages are stored, and shown in a session.

/** A message with everything that can be worked out before the store is locked. */
export interface PreparedMessage {
  readonly message: Message;
  readonly body: MessageBody;
  readonly characters: number;
  readonly time: Instant | undefined;
}

/** Throws `BAD_MESSAGES` for what is no message. */
export function prepareMessages(messages: readonly Message[]): readonly PreparedMessage[] {
  return messages.map((message, at) => ({
    body: messageBody(message, at),
    message,
    characters: readableText(message).length,
    time: timeOf(message),
  }));
}

function timeOf(message: Message): Instant | undefined {
  const time = Date.parse(message.time ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** A transaction, and the database that it is in. */
export interface Writing {
  readonly sql: Sql;
  readonly database: Database;
}

/** Where messages are shown. */
interface ViewEnd {
  readonly session: number;
  readonly position: number;
  /** When the message was said that is the `i`th of those shown, where it does not tell. */
  timeOf(i: number): Instant | Promise<Instant>;
  /** What the `i`th of them was made of, in a continuation. */
  originOf?(i: number): number | undefined;
}

export interface ShownMessage {
  readonly seq: number;
  readonly id: MessageId;
  readonly added: boolean;
  readonly time: Instant;
}

const insertMessage = `
insert into messages (id, hash, role, body, time, characters, home, home_position)
values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`;
const findMessage = 'select seq, hash from messages where id = ?';
const insertEntry = 'insert into entries (session, position, message, time, origin) values (?, ?, ?, ?, ?)';

/** Shows messages one behind the other from a position on; those that are not known are stored and indexed. */
export async function show(
  writing: Writing,
  messages: readonly PreparedMessage[],
  { session, position, timeOf, originOf }: ViewEnd,
): Promise<readonly ShownMessage[]> {
  const shown: ShownMessage[] = [];
  for (const [i, prepared] of messages.entries()) {
    const kept = await store(writing, prepared, { session, position: position + i });
    const time = prepared.time ?? (await timeOf(i));
    await writing.sql.run(insertEntry, [session, position + i, kept.seq, time, originOf?.(i) ?? null]);
    shown.push({ ...kept, time });
  }
  return shown;
}

async function store(
  { sql, database }: Writing,
  { message, body, characters, time }: PreparedMessage,
  { session, position }: Pick<ViewEnd, 'session' | 'position'>,
): Promise<Omit<ShownMessage, 'time'>> {
  for (const id of body.ids) {
    const values = [id, body.hash, speakers(message), packed(body.text), time ?? null, characters, session, position];
    const seq = await sql.insert(insertMessage, values);
    if (seq !== undefined) {
      await database.terms.add(sql, seq, indexed(message));
      return { seq, id, added: true };
    }
    const known = (await sql.get(findMessage, [id])) ?? {};
    // Another message with the same 64 bits: its id stays, this one gets the next.
    if (Buffer.compare(bytes(known, 'hash'), body.hash) === 0) return { seq: integer(known, 'seq'), id, added: false };
  }
  throw new Error(`No id is left for a message; all of ${body.ids.join(', ')} are taken by others.`);
}

/** Who speaks in a message, as its column `role` has it: such as `user`, or `tool+user`. */
export const speakers = (message: Message): string => rolesIn(message).join('+');

const growSession = `
update sessions set
  last_active_at = case when message_count = 0 or last_active_at < :active then :active else last_active_at end,
  message_count = message_count + :messages,
  tool_call_count = tool_call_count + :calls,
  preview = coalesce(:preview, preview)
where seq = :seq`;
/** By itself, for an index has it: named in every update, it would be taken out and put in again. */
const setRequestTitle = 'update sessions set request_title = ? where seq = ?';

interface Growth {
  readonly prepared: readonly PreparedMessage[];
  /** For messages that do not tell when they were said. */
  readonly time: Instant;
}

/** Shows messages at the end of a session and keeps its counts; inside a write transaction. */
export async function showAtEnd(writing: Writing, row: Row, { prepared, time }: Growth): Promise<Appended> {
  const session = integer(row, 'seq');
  const from = integer(row, 'message_count');
  if (prepared.length === 0) return { ids: [], from, added: 0 };
  const shown = await show(writing, prepared, { session, position: from, timeOf: () => time });
  const messages = prepared.map(({ message }) => message);
  const { toolCalls: calls, preview } = viewFacts(messages);
  await writing.sql.run(growSession, {
    seq: session,
    active: shown.reduce((latest, one) => Math.max(latest, one.time), Number.NEGATIVE_INFINITY),
    messages: shown.length,
    calls,
    preview,
  });
  const title = newRequestTitle(row, messages);
  if (title !== undefined) await writing.sql.run(setRequestTitle, [title, session]);
  return { ids: shown.map(({ id }) => id), from, added: shown.filter(({ added }) => added).length };
}

/** What a conversation without a title is called; undefined for a session that has it already, or goes on from another. */
function newRequestTitle(row: Row, messages: readonly Message[]): string | undefined {
  if (row.request_title !== null || text(row, 'relation') === 'continuation') return undefined;
  const title = firstRequestTitle(messages, integer(row, 'message_count'));
  return title && foldedTitle(title);
}

/** What a session remembers of the messages at its end. */
interface ViewFacts {
  readonly toolCalls: number;
  /** Opening of the newest request of a person; null without one. */
  readonly preview: string | null;
}

const previewCharacters = 80;

export function viewFacts(messages: readonly Message[]): ViewFacts {
  const request = messages.findLast((message) => isFromPerson(message) && messageText(message).trim() !== '');
  return {
    toolCalls: messages.reduce((sum, message) => sum + toolCalls(message).length, 0),
    preview: request ? opening(requestOpening(request)) : null,
  };
}

/** The first characters of a text on one line. A character that takes two units is not cut in two. */
function opening(text: string): string {
  const line = text
    .slice(0, previewCharacters * 8)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .toWellFormed();
  const characters = Array.from(line);
  if (characters.length <= previewCharacters) return line;
  return `${characters.slice(0, previewCharacters - 1).join('')}…`;
}

// Bodies, packed where that pays: transcripts are JSON full of paths, code and repeated field names.

/** Shorter ones gain less than they cost, in UTF-16 units. */
const packedFrom = 4_096;

/** A third faster than the default level, and 3 % larger. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/** A text as it is, or the Zstandard frame of its UTF-8. */
function packed(text: string): string | Uint8Array {
  if (text.length < packedFrom) return text;
  const bytes = Buffer.from(text);
  // Told the size, Zstandard takes no more memory than it needs, and the frame comes in one piece.
  const sizes = { pledgedSrcSize: bytes.length, chunkSize: bytes.length + 64 };
  const frame = zstdCompressSync(bytes, { params, ...sizes });
  return frame.length < text.length ? frame : text;
}

/** The JSON in a row's body. Throws when the frame is broken. */
export const bodyText = (row: Row): string =>
  typeof row.body === 'string' ? row.body : zstdDecompressSync(bytes(row, 'body')).toString('utf8');

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
