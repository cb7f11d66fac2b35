/**
 * The port to a database. What is true of every store is written above it, in the SQL that SQLite and PostgreSQL share; an
 * adapter brings its transactions, its schema, its index of terms and its care (docs/decisions/0025-sql-port.md).
 */
import { PalimpsestError } from '../../shared/errors.ts';
import { describe } from '../../shared/options/schema.ts';
import type { Instant } from '../ids.ts';
import type { IndexedMessage } from '../terms/index-terms.ts';

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;
/** For `?` in their order, or for `:name` by name. */
export type SqlValues = readonly SqlValue[] | Readonly<Record<string, SqlValue>>;

/** Statements within one transaction; each text is prepared once. */
export interface Sql {
  /** The first row. */
  get(text: string, values?: SqlValues): Promise<Row | undefined>;
  all(text: string, values?: SqlValues): Promise<readonly Row[]>;
  /** The `seq` of the row that it inserts; undefined where `on conflict do nothing` has found another one there. */
  insert(text: string, values?: SqlValues): Promise<number | undefined>;
  /** How many rows it changed. */
  run(text: string, values?: SqlValues): Promise<number>;
}

/** What runs in a transaction. It awaits its statements alone: while it lasts, others wait. */
export type Work<T> = (sql: Sql) => Promise<T>;

export interface Database {
  readonly clock: () => Instant;
  /** Keeps the terms of messages. */
  readonly terms: TermWriter;
  /** Runs `work` over one unchanging state, and once more where that could not be kept. */
  read<T>(work: Work<T>): Promise<T>;
  /**
   * Runs `work` as if nobody else wrote meanwhile, after the writes that were asked for before. All of it is kept, or none
   * when it throws. Where others are in the way it is tried again from the start, until the busy time is over.
   */
  write<T>(work: Work<T>): Promise<T>;
  /** The same, with everything that was written taken back. */
  rehearse<T>(work: Work<T>): Promise<T>;
  /**
   * As `write`; what it takes away of the tables, parents first, is left neither in free room of the store nor in its log,
   * unless somebody is reading that just then.
   */
  erase<T>(tables: readonly string[], work: Work<T>): Promise<T>;
  /** Gives the room that deletions left back to the disk, where that is much. */
  giveBack(): Promise<void>;
}

/** The number of a row that an insertion without a condition has made. */
export const required = (seq: number | undefined): number => seq ?? wrong('seq', 'a number', undefined);

/** Puts messages into the index of terms and takes them out, in the transaction that changes them. */
export interface TermWriter {
  add(sql: Sql, seq: number, indexed: IndexedMessage): Promise<void>;
  remove(sql: Sql, seq: number): Promise<void>;
}

/** Behind every text that begins with the same characters: no character is larger. */
export const afterAll = '\u{10ffff}';

// Columns of a row, with the type that they must have.

export function integer(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'number' ? value : wrong(column, 'a number', value);
}

export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : wrong(column, 'a text', value);
}

export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : wrong(column, 'bytes', value);
}

export const optionalInteger = (row: Row, column: string): number | undefined =>
  row[column] === null ? undefined : integer(row, column);

export const optionalText = (row: Row, column: string): string | undefined =>
  row[column] === null ? undefined : text(row, column);

function wrong(column: string, expected: string, value: SqlValue | undefined): never {
  throw new PalimpsestError(
    'STORE_DAMAGED',
    `The store has ${value === undefined ? 'no column' : `a ${value === null ? 'null' : typeof value} in`} ${column} ` +
      `where ${expected} was expected. Run \`palimpsest doctor\`.`,
    { evidence: { column } },
  );
}

/** A field that is there only when it has a value. */
export function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  // One computed key is a record of just that key.
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V });
}

// Numbers that callers hand in, made such that columns of whole numbers take them. Each throws `BAD_OPTION` for what is
// no number.

/** The last moment that a `Date` can tell, and the first one before 1970. */
const lastInstant = 8_640_000_000_000_000;

/** A time in whole milliseconds, endless ones cut to the ends of time. */
export const instant = (value: number, name: string): Instant => whole(value, name, [-lastInstant, lastInstant]);

/** A time that others are compared with; endless ones lie beyond all of them. */
export const bound = (value: number, name: string): number =>
  whole(value, name, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/** How many, from 0. */
export const count = (value: number, name: string): number => whole(value, name, [0, Number.MAX_SAFE_INTEGER]);

function whole(value: number, name: string, [least, most]: readonly [number, number]): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return Math.min(most, Math.max(least, Math.floor(value)));
  throw new PalimpsestError('BAD_OPTION', `Expected ${name} to be a number, not ${describe(value)}.`, {
    evidence: { option: name },
  });
}
