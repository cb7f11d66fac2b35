/**
 * Version 7: the column `role` of messages says who speaks in them, and not the role that the format gave. Several formats
 * give results of tools, and what programs write, in messages of the user: whoever looked for what a user said had to read
 * all of those.
 */
import { integer, type Sql } from '../../record/database.ts';
import { messageFrom, speakers } from '../../record/messages.ts';
import { rowsOf } from '../../record/repair.ts';

const selectUsers = "select seq, body from messages where role = 'user' and seq > ? order by seq limit 500";
const setSpeakers = 'update messages set role = ? where seq = ?';

export async function setAllSpeakers(sql: Sql): Promise<void> {
  for await (const row of rowsOf(sql, selectUsers)) {
    const found = speakers(messageFrom(row));
    if (found !== 'user') await sql.run(setSpeakers, [found, integer(row, 'seq')]);
  }
}
