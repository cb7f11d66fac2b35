/** Titles in SQLite: no two sessions have the same, whatever the case of its letters. */
import type { TitleOrigin } from '../session-store.ts';
import { cleanTitle, mayReplace, numberedTitle, titleNumber } from '../title.ts';
import type { Connection } from './connection.ts';
import { integer, optionalInteger, optionalText, type Row, text } from './rows.ts';

const selectTitle = 'select 1 from sessions where title = ?';

/** The highest number of a family: `X` has 1. `:` follows the digits. */
const selectNewest = `
select max(number) as number from (
  select 1 as number from sessions where title = :base
  union all
  select cast(substr(title, length(:base) + 3) as integer) from sessions
  where title > :base || ' #' and title < :base || ' #:'
    and length(title) <= length(:base) + 11 and substr(title, length(:base) + 3) not glob '*[^0-9]*')`;

const selectDataVersion = 'pragma data_version';

const newestTitle = `
select title, title_from from sessions where root = ? and title is not null order by seq desc limit 1`;
const clearTitles = 'update sessions set title = null, title_from = null where root = ?';
const setTitle = 'update sessions set title = ?, title_from = ? where seq = ?';
const newestOfChain = 'select seq from sessions where root = ? order by latest desc, seq desc limit 1';

/** The title, or the next `X #2` when it is taken. Inside a write transaction. */
export function freeTitle(connection: Connection, wanted: string): string {
  const { base } = titleNumber(wanted);
  let number = 0;
  let title = wanted;
  while (connection.sql(selectTitle).get(title)) {
    // A number that makes a long title shorter makes it one of another family.
    number = 1 + Math.max(number, newestNumber(connection, base), newestNumber(connection, titleNumber(title).base));
    title = numberedTitle(base, number);
  }
  remember(connection, title);
  return title;
}

/** What the numbers of families were when the database was read last, so that 20,000 chats of one name are not read for each. */
interface Known {
  version: number;
  readonly numbers: Map<string, number>;
}

const knownOf = new WeakMap<Connection['db'], Known>();
const mostKnown = 1_000;

/** The numbers known of a database that no other connection has changed since. */
function numbersOf({ db, sql }: Connection): Map<string, number> {
  const version = integer(sql(selectDataVersion).get() ?? {}, 'data_version');
  const known = knownOf.get(db) ?? { version, numbers: new Map<string, number>() };
  if (known.version !== version || known.numbers.size > mostKnown) known.numbers.clear();
  known.version = version;
  knownOf.set(db, known);
  return known.numbers;
}

function newestNumber(connection: Connection, base: string): number {
  const numbers = numbersOf(connection);
  const key = folded(base);
  const number = numbers.get(key) ?? optionalInteger(connection.sql(selectNewest).get({ base }) ?? {}, 'number') ?? 0;
  numbers.set(key, number);
  return number;
}

function remember(connection: Connection, title: string): void {
  const { base, number } = titleNumber(title);
  const numbers = numbersOf(connection);
  const known = numbers.get(folded(base));
  if (known !== undefined && number > known) numbers.set(folded(base), number);
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
const folded = (title: string): string => title.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
