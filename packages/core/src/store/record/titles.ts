/** What sessions are called: no two have the same title, whatever the case of its letters; and what a person means by one. */
import { redact } from '../../redaction/redact.ts';
import type { Session, TitleOrigin } from '../session-store.ts';
import { cleanTitle, foldedTitle, mayReplace, numberedTitle, titleNumber } from '../title.ts';
import {
  afterAll,
  type Database,
  integer,
  optionalInteger,
  optionalText,
  type Row,
  type Sql,
  text,
} from './database.ts';
import type { Writing } from './messages.ts';
import { newestOf, sessionAt } from './session-rows.ts';

const selectTitle = 'select 1 as taken from sessions where title = ?';

/** The highest number of a family: `X` has 1. `:` follows the digits. */
const selectNewest = `
select max(number) as number from (
  select 1 as number from sessions where title = :base
  union all
  select cast(substr(title, length(:base) + 3) as integer) from sessions
  where title > :base || ' #' and title < :base || ' #:'
    and length(title) <= length(:base) + 11 and ltrim(substr(title, length(:base) + 3), '0123456789') = ''
) family`;

const newestTitle = `
select title, title_from from sessions where root = ? and title is not null order by seq desc limit 1`;
const clearTitles = 'update sessions set title = null, title_from = null where root = ?';
const setTitle = 'update sessions set title = ?, title_from = ? where seq = ?';
const newestOfChain = 'select seq from sessions where root = ? order by latest desc, seq desc limit 1';

/** The title, or the next `X #2` when it is taken. Inside a write transaction. */
export async function freeTitle({ sql, database }: Writing, wanted: string): Promise<string> {
  const known = numbersOf(database);
  const { base } = titleNumber(wanted);
  let [title, number] = [wanted, 0];
  while (await sql.get(selectTitle, [title])) {
    const taken = titleNumber(title);
    // Somebody else has numbered on since.
    if ((known.get(folded(taken.base)) ?? taken.number) < taken.number) known.delete(folded(taken.base));
    // A number that makes a long title shorter makes it one of another family.
    for (const family of [base, taken.base]) number = Math.max(number, await newestNumber(sql, family, known));
    number++;
    title = numberedTitle(base, number);
  }
  const given = titleNumber(title);
  if ((known.get(folded(given.base)) ?? given.number) < given.number) known.set(folded(given.base), given.number);
  return title;
}

/** The newest numbers of families as they were read last, so that 20,000 chats of one name are not read for each. */
const knownNumbers = new WeakMap<Database, Map<string, number>>();
const mostKnown = 1_000;

function numbersOf(database: Database): Map<string, number> {
  const known = knownNumbers.get(database) ?? new Map<string, number>();
  if (known.size > mostKnown) known.clear();
  knownNumbers.set(database, known);
  return known;
}

async function newestNumber(sql: Sql, base: string, known: Map<string, number>): Promise<number> {
  const key = folded(base);
  const number = known.get(key) ?? optionalInteger((await sql.get(selectNewest, { base })) ?? {}, 'number') ?? 0;
  known.set(key, number);
  return number;
}

/** As the index compares them: letters of ASCII without their case. */
const folded = (title: string): string => title.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The title of what continues a session: `X` → `X #2`. */
export async function continuedTitle(writing: Writing, row: Row): Promise<string | undefined> {
  const title = optionalText(row, 'title');
  return title === undefined ? undefined : freeTitle(writing, title);
}

/** Names the conversation of a row, or takes its titles away. Returns what it is called now. */
export async function nameConversation(
  writing: Writing,
  row: Row,
  { title, from }: { readonly title: string | undefined; readonly from: TitleOrigin },
): Promise<string | undefined> {
  const { sql } = writing;
  const root = integer(row, 'root');
  const known = await sql.get(newestTitle, [root]);
  // The schema allows only these words.
  if (known && !mayReplace(from, text(known, 'title_from') as TitleOrigin)) return text(known, 'title');
  const clean = title === undefined ? undefined : cleanTitle(title, from);
  // Its own older titles are given back first: renaming `X` to `X` changes nothing.
  await sql.run(clearTitles, [root]);
  if (clean === undefined) return undefined;
  const free = await freeTitle(writing, clean);
  await sql.run(setTitle, [free, from, integer((await sql.get(newestOfChain, [root])) ?? {}, 'seq')]);
  return free;
}

/** How many sessions a person can choose from. */
const maxCandidates = 20;

const selectByPrefix = `
select seq, root from sessions where id >= :text and id < :end order by id = :text desc, last_active_at desc limit :limit`;
const selectBySourceId = `
select seq, root from sessions where source_id >= :text and source_id < :end
order by source_id = :text desc, seq desc limit :limit`;
const selectByTitle = `
select seq, root, title from sessions
where title = :text or (title > :text || ' #' and title < :text || ' #:')`;

/** Of conversations without a title. */
const selectByRequest = (condition: string): string => `
select seq, root from sessions s
where ${condition} and not exists (select 1 from sessions t where t.root = s.root and t.title is not null)
order by last_active_at desc limit :limit`;
const ofRequest = selectByRequest('request_title = :text');
const ofRequestStart = selectByRequest('request_title >= :text and request_title < :end');
const selectTitles = 'select seq, root, title from sessions where title >= :text and title < :end';

/**
 * The tips of the sessions that the text may stand for, best first: by id, by a tool's own id, by title; where there is none,
 * those that are shown under that name, and for a text that ends in `…` those whose name begins so.
 */
export async function findSessions(sql: Sql, wanted: string): Promise<readonly Session[]> {
  const plain = wanted.trim().toWellFormed();
  if (plain === '') return [];
  const words = { text: plain, end: plain + afterAll, limit: maxCandidates };
  const named = [
    ...(await sql.all(selectByPrefix, words)),
    ...(await sql.all(selectBySourceId, words)),
    ...(await byTitle(sql, plain)),
  ];
  // The sessions of a conversation have one tip: it is looked for once.
  const best = new Map<number, number>();
  for (const row of named.length > 0 ? named : await byShownTitle(sql, plain)) {
    const seq = integer(row, 'seq');
    const root = optionalInteger(row, 'root') ?? seq;
    if (!best.has(root) && best.size < maxCandidates) best.set(root, seq);
  }
  const tips = new Set<number>();
  for (const seq of best.values()) tips.add(await newestOf(sql, seq));
  const found: Session[] = [];
  for (const seq of tips) found.push(await sessionAt(sql, seq));
  return found;
}

/** Sessions with the title, the newest number first. */
async function byTitle(sql: Sql, wanted: string): Promise<readonly Row[]> {
  const title = cleanTitle(wanted, 'source');
  if (title === undefined) return [];
  const number = (row: Row): number => titleNumber(text(row, 'title')).number;
  const rows = await sql.all(selectByTitle, { text: title });
  return rows
    .filter((row) => /^$|^ #\d+$/.test(text(row, 'title').slice(title.length)))
    .toSorted((a, b) => number(b) - number(a));
}

async function byShownTitle(sql: Sql, wanted: string): Promise<readonly Row[]> {
  const name = foldedTitle(wanted);
  const limit = maxCandidates;
  const whole = [
    ...(await titled(sql, name, (title) => title === name)),
    ...(await sql.all(ofRequest, { text: name, limit })),
  ];
  const start = name.replace(/\s*(?:…|~|\.\.\.)$/, '');
  if (whole.length > 0 || start === name || start === '') return whole;
  return [
    ...(await titled(sql, start, (title) => title.startsWith(start))),
    ...(await sql.all(ofRequestStart, { text: start, end: start + afterAll, limit })),
  ];
}

/** Titles are shown without their credentials, and people write them in any case. */
async function titled(sql: Sql, name: string, isMeant: (title: string) => boolean): Promise<readonly Row[]> {
  const certain = /^[^[]*/.exec(name)?.[0].trim() ?? '';
  const start = certainStart(name);
  const rows = await sql.all(selectTitles, { text: start, end: start + afterAll });
  return Iterator.from(rows)
    .filter((row) => foldedTitle(text(row, 'title')).startsWith(certain))
    .filter((row) => isMeant(foldedTitle(redact(text(row, 'title')))))
    .take(maxCandidates)
    .toArray();
}

/** As much of a name as the index finds in any case, which is that of ASCII; a mask, which begins with `[`, stands for other text. */
const certainStart = (name: string): string =>
  /^(?:[\x20-\x5a\x5c-\x7e]|(?!\p{L}\p{M}*)[^\x00-\x7f]|\p{Lo})*/u.exec(name)?.[0] ?? '';
