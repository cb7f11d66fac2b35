/** Stores messages and shows them in a session: the one place where messages, views and the index are written. */

import type { Message } from '../../transcript/message.ts';
import { isFromPerson, rolesIn } from '../../transcript/origin.ts';
import { messageText, readableText, toolCalls } from '../../transcript/text.ts';
import type { Instant, MessageId } from '../ids.ts';
import { type MessageBody, messageBody } from '../message-body.ts';
import type { Connection } from './connection.ts';
import { createIndexWriter } from './index/search-tables.ts';
import { packed } from './packing.ts';
import { bytes, integer, type Row } from './rows.ts';

/** A message with everything that can be worked out before the store is locked. */
export interface PreparedMessage {
  readonly message: Message;
  readonly body: MessageBody;
  readonly characters: number;
  readonly time: Instant | undefined;
}

/** Where messages are shown. */
export interface ViewEnd {
  readonly session: number;
  readonly position: number;
  /** When the message was said that is the `i`th of those shown, where it does not tell. */
  timeOf(i: number): Instant;
  /** What the `i`th of them was made of, in a continuation. */
  originOf?(i: number): number | undefined;
}

export interface ShownMessage {
  readonly seq: number;
  readonly id: MessageId;
  readonly added: boolean;
  readonly time: Instant;
}

export interface ViewWriter {
  /** Shows messages one behind the other from a position on; those that are not known are stored and indexed. */
  show(messages: readonly PreparedMessage[], end: ViewEnd): readonly ShownMessage[];
  /** Takes a message out of the index and out of the store. */
  remove(row: { readonly seq: number; readonly message: Message }): void;
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

/** Who speaks in a message, as its column `role` has it: such as `user`, or `tool+user`. */
export const speakers = (message: Message): string => rolesIn(message).join('+');

const insertMessage = `
insert into messages (id, hash, role, body, time, characters, home, home_position)
values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`;
const findMessage = 'select seq, hash from messages where id = ?';
const insertEntry = 'insert into entries (session, position, message, time, origin) values (?, ?, ?, ?, ?)';
const deleteMessage = 'delete from messages where seq = ?';

export function createViewWriter({ db, sql }: Connection): ViewWriter {
  const index = createIndexWriter(db);

  function show(messages: readonly PreparedMessage[], end: ViewEnd): readonly ShownMessage[] {
    return messages.map((prepared, i) => {
      const position = end.position + i;
      const stored = store(prepared, end.session, position);
      const time = prepared.time ?? end.timeOf(i);
      sql(insertEntry).run(end.session, position, stored.seq, time, end.originOf?.(i) ?? null);
      return { ...stored, time };
    });
  }

  function store(prepared: PreparedMessage, session: number, position: number): Omit<ShownMessage, 'time'> {
    const { message, body, characters, time } = prepared;
    for (const id of body.ids) {
      const values = [id, body.hash, speakers(message), packed(body.text), time ?? null, characters, session, position];
      const { changes, lastInsertRowid } = sql(insertMessage).run(...values);
      if (changes === 1) {
        const seq = Number(lastInsertRowid);
        index.add({ seq, message });
        return { seq, id, added: true };
      }
      const known: Row = sql(findMessage).get(id) ?? {};
      // Another message with the same 64 bits: its id stays, this one gets the next.
      if (Buffer.compare(bytes(known, 'hash'), body.hash) === 0) {
        return { seq: integer(known, 'seq'), id, added: false };
      }
    }
    throw new Error(`No id is left for a message; all of ${body.ids.join(', ')} are taken by others.`);
  }

  function remove(row: { readonly seq: number; readonly message: Message }): void {
    index.remove(row);
    sql(deleteMessage).run(row.seq);
  }

  return { show, remove };
}

/** What a session remembers of the messages at its end. */
export interface ViewFacts {
  readonly toolCalls: number;
  /** Opening of the newest request of a person; undefined without one. */
  readonly preview: string | undefined;
}

export const previewCharacters = 80;

export function viewFacts(messages: readonly Message[]): ViewFacts {
  const request = messages.findLast((message) => isFromPerson(message) && messageText(message).trim() !== '');
  return {
    toolCalls: messages.reduce((sum, message) => sum + toolCalls(message).length, 0),
    preview: request && opening(messageText(request)),
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

function timeOf(message: Message): Instant | undefined {
  const time = message.time === undefined ? Number.NaN : Date.parse(message.time);
  return Number.isNaN(time) ? undefined : time;
}
