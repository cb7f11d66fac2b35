/** Reads columns of a row with the type they must have. */
import type { SQLOutputValue } from 'node:sqlite';
import { PalimpsestError } from '../../shared/errors.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;

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

function wrong(column: string, expected: string, value: SQLOutputValue | undefined): never {
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
