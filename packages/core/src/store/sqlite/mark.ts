/**
 * The mark of a store: a random id, and how many transactions have written. Every transaction writes it anew, so that each
 * log holds it, and a file and a log that do not belong together are told from each other before SQLite joins them.
 */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type Sql, text } from '../record/database.ts';
import { type FileBytes, openBytes } from './file.ts';

export interface Mark {
  readonly id: string;
  /** The transactions that wrote, up to this state of the store. */
  readonly count: number;
}

/** The schema from which on every store has a mark. */
export const markVersion = 9;

const magic = 'palimpsest-store:';
const idLength = 32;
const countLength = 16;
/** Where the count begins in the text, from 1 on. */
const countAt = magic.length + idLength + 2;
const markLength = magic.length + idLength + 1 + countLength;
const pattern = new RegExp(`^${magic}([0-9a-f]{${idLength}}):([0-9]{${countLength}})$`);

const selectMark = 'select mark from store_mark';
const deleteMark = 'delete from store_mark';
const insertMark = 'insert into store_mark (mark) values (?)';
const countOn = `
update store_mark set mark = substr(mark, 1, ${countAt - 1}) || printf('%0${countLength}d', substr(mark, ${countAt}) + 1)
where rowid = 1`;
const touch = 'update store_mark set mark = mark where rowid = 1';

/** Gives a database an id of its own; inside a transaction, or in a copy that nobody else knows of. */
export function setNewMark(db: DatabaseSync): void {
  db.exec(deleteMark);
  db.prepare(insertMark).run(`${magic}${randomBytes(idLength / 2).toString('hex')}:${'0'.repeat(countLength)}`);
}

/** Counts a transaction, inside it. */
export const renewMark = (sql: Sql): Promise<number> => sql.run(countOn);

/** Changes a row in a transaction that changes no other one, so that it counts. */
export const touchMark = (sql: Sql): Promise<number> => sql.run(touch);

/** The mark of an open database; undefined where it has none, or its page is damaged. */
export function readMark(db: DatabaseSync): Mark | undefined {
  try {
    return markOf(text(db.prepare(selectMark).get() ?? {}, 'mark'));
  } catch {
    // An older schema, a damaged page, or no store at all.
    return undefined;
  }
}

/**
 * The mark in the file itself, whatever its log says. SQLite reads it, since closing a file by other means gives up the
 * locks that this process has on it (sqlite.org/howtocorrupt.html, 2.2).
 */
export function markInFile(path: string): Mark | undefined {
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(location, { readOnly: true });
  } catch {
    // No file that can be read; who opens it next says so.
    return undefined;
  }
  try {
    // While a log is brought into it, a file may be shorter than its first page says; only this lets it be read then.
    db.enableDefensive(false);
    db.exec('pragma writable_schema = on');
    return readMark(db);
  } finally {
    db.close();
  }
}

/** What a write-ahead log holds of marks, in the order of its transactions. */
export interface LogMarks {
  readonly first: Mark;
  readonly last: Mark;
}

/** The parts of a log (sqlite.org/fileformat2.html#the_write_ahead_log). */
const logHeader = 32;
const frameHeader = 24;
const logMagics = [0x377f0682, 0x377f0683];
const pageSizeAt = 8;
const saltsAt = 16;
const saltsOfFrameAt = 8;
const saltsLength = 8;

/** The first and the last mark in a log; undefined where it has none that SQLite would play. */
export function marksInLog(path: string): LogMarks | undefined {
  using file = openBytes(path);
  if (!file) return undefined;
  const head = file.read(0, logHeader);
  if (head.length < logHeader || !logMagics.includes(head.readUInt32BE(0))) return undefined;
  const frames = framesOf(file, head);
  const first = firstMark(frames.count, frames.read);
  const last = firstMark(frames.count, (at) => frames.read(frames.count - 1 - at));
  return first && last && { first, last };
}

interface Frames {
  readonly count: number;
  /** The page in a frame. */
  read(at: number): Buffer;
}

/** Frames of an earlier use of the log have other salts, and lie behind those of the last use. */
function framesOf(file: FileBytes, head: Buffer): Frames {
  const salts = head.subarray(saltsAt, saltsAt + saltsLength);
  const pageSize = head.readUInt32BE(pageSizeAt);
  const size = frameHeader + pageSize;
  const place = (at: number): number => logHeader + at * size;
  const isOfLastUse = (at: number): boolean =>
    salts.equals(file.read(place(at), frameHeader).subarray(saltsOfFrameAt, saltsOfFrameAt + saltsLength));
  let [count, end] = [0, Math.floor((file.size - logHeader) / size)];
  while (count < end) {
    const middle = Math.floor((count + end) / 2);
    if (isOfLastUse(middle)) count = middle + 1;
    else end = middle;
  }
  return { count, read: (at) => file.read(place(at) + frameHeader, pageSize) };
}

function firstMark(count: number, read: Frames['read']): Mark | undefined {
  for (let at = 0; at < count; at++) {
    const found = markOnPage(read(at));
    if (found) return found;
  }
  return undefined;
}

/** A leaf of a table with one row, number 1, of one text (sqlite.org/fileformat2.html#b_tree_pages). */
const leaf = 0x0d;
const cellCountAt = 3;
const rowStart = Buffer.from([markLength + 3, 1, 3, 0x80 | ((13 + 2 * markLength) >> 7), (13 + 2 * markLength) & 0x7f]);

/** Read from the whole page: a message may hold the text of a mark, and must never be taken for one. */
function markOnPage(page: Buffer): Mark | undefined {
  if (page[0] !== leaf || page.readUInt16BE(cellCountAt) !== 1) return undefined;
  const row = page.subarray(-markLength - rowStart.length);
  if (!row.subarray(0, rowStart.length).equals(rowStart)) return undefined;
  return markOf(row.toString('latin1', rowStart.length));
}

function markOf(said: string): Mark | undefined {
  const [, id, count] = pattern.exec(said) ?? [];
  return id === undefined ? undefined : { id, count: Number(count) };
}
