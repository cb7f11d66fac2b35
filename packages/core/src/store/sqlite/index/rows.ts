/** Values of rows that our own statements select. */
import type { SQLOutputValue } from 'node:sqlite';

/** A column that is an integer. */
export const integer = (value: SQLOutputValue | undefined): number => (typeof value === 'number' ? value : 0);

/** A column that is a text. */
export const text = (value: SQLOutputValue | undefined): string => (typeof value === 'string' ? value : '');

/** A column with a JSON list of integers, which SQLite made. */
export function integers(value: SQLOutputValue | undefined): readonly number[] {
  const list: unknown = typeof value === 'string' ? JSON.parse(value) : [];
  return Array.isArray(list) ? list : [];
}

/** A term as FTS5 takes it in a query. */
export const quoted = (term: string): string => `"${term.replaceAll('"', '""').replaceAll('\0', ' ')}"`;
