/** What a person means by an id, the beginning of one, or a title. */
import type { Session } from '../session-store.ts';
import { cleanTitle, titleNumber } from '../title.ts';
import { newestOf } from './chains.ts';
import type { Connection } from './connection.ts';
import { integer, optionalInteger, type Row, text } from './rows.ts';
import { sessionAt } from './session-rows.ts';

/** How many sessions a person can choose from. */
const maxCandidates = 20;

/** Ids are printable ASCII, so that what begins with one stands before it followed by the last character. */
const selectByPrefix = `
select seq, root from sessions where id >= :text and id < :text || char(127) order by id = :text desc, last_active_at desc limit :limit`;
const selectBySourceId = `
select seq, root from sessions where source_id >= :text and source_id < :text || char(1114111)
order by source_id = :text desc, seq desc limit :limit`;
const selectByTitle = `
select seq, root, title from sessions
where title = :text or (title > :text || ' #' and title < :text || ' #:')`;

/** The tips of the sessions that the text may stand for, best first: by id, by a tool's own id, by title. */
export function findSessions(connection: Connection, wanted: string): readonly Session[] {
  const { sql } = connection;
  const plain = wanted.trim().toWellFormed();
  if (plain === '') return [];
  const words = { text: plain, limit: maxCandidates };
  const exact = sql(selectByPrefix).all(words);
  const found = [...exact, ...sql(selectBySourceId).all(words), ...byTitle(connection, plain)];
  // The sessions of a conversation have one tip: it is looked for once.
  const best = new Map<number, number>();
  for (const row of found) {
    const seq = integer(row, 'seq');
    const root = optionalInteger(row, 'root') ?? seq;
    if (!best.has(root) && best.size < maxCandidates) best.set(root, seq);
  }
  const tips = new Set([...best.values()].map((seq) => newestOf(connection, seq)));
  return [...tips].map((seq) => sessionAt(connection, seq));
}

/** Sessions with the title, the newest number first. */
function byTitle({ sql }: Connection, wanted: string): readonly Row[] {
  const title = cleanTitle(wanted, 'source');
  if (title === undefined) return [];
  const number = (row: Row): number => titleNumber(text(row, 'title')).number;
  return sql(selectByTitle)
    .all({ text: title })
    .filter((row) => /^$|^ #\d+$/.test(text(row, 'title').slice(title.length)))
    .sort((a, b) => number(b) - number(a));
}
