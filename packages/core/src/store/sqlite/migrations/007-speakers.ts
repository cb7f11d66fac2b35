/**
 * Version 7: the column `role` of messages says who speaks in them, and not the role that the format gave. Several formats
 * give results of tools, and what programs write, in messages of the user: whoever looked for what a user said had to read
 * all of those.
 */
import type { DatabaseSync } from 'node:sqlite';
import { messageFrom } from '../messages.ts';
import { integer } from '../rows.ts';
import { speakers } from '../view-writer.ts';

const selectUsers = "select seq, body from messages where role = 'user'";
const setSpeakers = 'update messages set role = ? where seq = ?';

export function setAllSpeakers(db: DatabaseSync): void {
  const others: (readonly [string, number])[] = [];
  for (const row of db.prepare(selectUsers).iterate()) {
    const found = speakers(messageFrom(row));
    if (found !== 'user') others.push([found, integer(row, 'seq')]);
  }
  const set = db.prepare(setSpeakers);
  for (const [found, seq] of others) set.run(found, seq);
}
