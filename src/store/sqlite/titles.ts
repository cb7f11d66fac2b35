/** Titles in SQLite: no two sessions have the same, whatever the case of its letters. */
import type { TitleOrigin } from '../session-store.ts';
import { cleanTitle, mayReplace, numberedTitle, titleNumber } from '../title.ts';
import type { Connection } from './connection.ts';
import { integer, optionalText, type Row, text } from './rows.ts';

/** `X` itself and what begins with `X #`; `:` follows the digits. */
const selectFamily = `
select title from sessions where title = :base
union all
select title from sessions where title > :base || ' #' and title < :base || ' #:'`;

const newestTitle = `
select title, title_from from sessions where root = ? and title is not null order by seq desc limit 1`;
const clearTitles = 'update sessions set title = null, title_from = null where root = ?';
const setTitle = 'update sessions set title = ?, title_from = ? where seq = ?';
const newestOfChain = 'select seq from sessions where root = ? order by latest desc, seq desc limit 1';

/** The title, or the next `X #2` when it is taken. */
export function freeTitle({ sql }: Connection, wanted: string): string {
  const { base } = titleNumber(wanted);
  const taken = sql(selectFamily)
    .all({ base })
    .map((row) => text(row, 'title'));
  if (!taken.some((title) => sameTitle(title, wanted))) return wanted;
  return numberedTitle(base, Math.max(...taken.map((title) => titleNumber(title).number)) + 1);
}

/** The title of what continues a session: `X` → `X #2`. */
export function continuedTitle(connection: Connection, row: Row): string | undefined {
  const title = optionalText(row, 'title');
  return title === undefined ? undefined : freeTitle(connection, title);
}

/** Names the conversation of a row, or takes its titles away. Returns what it is called now. */
export function nameConversation(
  connection: Connection,
  row: Row,
  { title, from }: { readonly title: string | undefined; readonly from: TitleOrigin },
): string | undefined {
  const { sql } = connection;
  const root = integer(row, 'root');
  const known = sql(newestTitle).get(root);
  // The schema allows only these words.
  const knownFrom = known && (text(known, 'title_from') as TitleOrigin);
  if (known && !mayReplace(from, knownFrom)) return text(known, 'title');
  const clean = title === undefined ? undefined : cleanTitle(title, from);
  // Its own older titles are given back first: renaming `X` to `X` changes nothing.
  sql(clearTitles).run(root);
  if (clean === undefined) return undefined;
  const free = freeTitle(connection, clean);
  sql(setTitle).run(free, from, integer(sql(newestOfChain).get(root) ?? {}, 'seq'));
  return free;
}

/** As the index compares them: letters of ASCII without their case. */
const sameTitle = (a: string, b: string): boolean => folded(a) === folded(b);
const folded = (title: string): string => title.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
