/** What conversations without a title are called, kept with the session that they began with. */
import type { DatabaseSync } from 'node:sqlite';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import { firstRequestTitle, foldedTitle, mostBeforeRequest } from '../request-title.ts';
import { messageFrom } from './messages.ts';
import { integer, type Row } from './rows.ts';

const selectNameless = `select seq from sessions where request_title is null and relation <> 'continuation'`;
const selectFirst = `
select m.body from entries e join messages m on m.seq = e.message
where e.session = ? and e.position < ${mostBeforeRequest} order by e.position`;
const setTitle = 'update sessions set request_title = ? where seq = ?';

/** Finds the titles of all sessions that have none yet; inside a write transaction. */
export function setRequestTitles(db: DatabaseSync): void {
  const [first, set] = [db.prepare(selectFirst), db.prepare(setTitle)];
  for (const row of db.prepare(selectNameless).all()) {
    const seq = integer(row, 'seq');
    const title = firstRequestTitle(first.all(seq).flatMap(readable));
    if (title !== undefined) set.run(foldedTitle(title), seq);
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
