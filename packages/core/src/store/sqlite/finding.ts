/** What a person means by an id, the beginning of one, a title, or the request that stands for a title. */
import { redact } from '../../redaction/redact.ts';
import { foldedTitle } from '../request-title.ts';
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

/** Of conversations without a title. */
const selectByRequest = (condition: string): string => `
select seq, root from sessions s
where ${condition} and not exists (select 1 from sessions t where t.root = s.root and t.title is not null)
order by last_active_at desc limit :limit`;
const isRequest = 'request_title = :text';
const beginsRequest = 'request_title >= :text and request_title < :text || char(1114111)';
const selectTitles = `
select seq, root, title from sessions where title >= :text and title < :text || char(1114111)`;

/**
 * The tips of the sessions that the text may stand for, best first: by id, by a tool's own id, by title; where there is none,
 * those that are shown under that name, and for a text that ends in `…` those whose name begins so.
 */
export function findSessions(connection: Connection, wanted: string): readonly Session[] {
  const { sql } = connection;
  const plain = wanted.trim().toWellFormed();
  if (plain === '') return [];
  const words = { text: plain, limit: maxCandidates };
  const exact = sql(selectByPrefix).all(words);
  const named = [...exact, ...sql(selectBySourceId).all(words), ...byTitle(connection, plain)];
  const found = named.length > 0 ? named : byShownTitle(connection, plain);
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

function byShownTitle(connection: Connection, wanted: string): readonly Row[] {
  const name = foldedTitle(wanted);
  const whole = [
    ...titled(connection, name, (title) => title === name),
    ...connection.sql(selectByRequest(isRequest)).all({ text: name, limit: maxCandidates }),
  ];
  const start = name.replace(/\s*(?:…|~|\.\.\.)$/, '');
  if (whole.length > 0 || start === name || start === '') return whole;
  return [
    ...titled(connection, start, (title) => title.startsWith(start)),
    ...connection.sql(selectByRequest(beginsRequest)).all({ text: start, limit: maxCandidates }),
  ];
}

/** Titles are shown without their credentials, and people write them in any case. */
function titled({ sql }: Connection, name: string, isMeant: (title: string) => boolean): readonly Row[] {
  const found: Row[] = [];
  const certain = /^[^[]*/.exec(name)?.[0] ?? '';
  for (const row of sql(selectTitles).iterate({ text: certainStart(name) })) {
    if (!foldedTitle(text(row, 'title')).startsWith(certain.trim())) continue;
    if (isMeant(foldedTitle(redact(text(row, 'title'))))) found.push(row);
    if (found.length === maxCandidates) break;
  }
  return found;
}

/** As much of a name as the index finds in any case, which is that of ASCII; a mask, which begins with `[`, stands for other text. */
const certainStart = (name: string): string =>
  /^(?:[\x20-\x5a\x5c-\x7e]|(?!\p{L}\p{M}*)[^\x00-\x7f]|\p{Lo})*/u.exec(name)?.[0] ?? '';
