/** The terms that begin with a text. */
import type { DatabaseSync } from 'node:sqlite';
import { text } from './rows.ts';

/** So many terms are looked at, in their alphabetic order: it bounds the work for a prefix of one letter. */
const mostSeen = 1_000;

const complete = `select term from (
  select term, doc from search_vocabulary where term >= ? and term < ? limit ${mostSeen}
) order by doc desc, term limit ?`;

/** Looks terms up in the vocabulary. */
export function completionsOf(db: DatabaseSync): (prefix: string, limit: number) => readonly string[] {
  const statement = db.prepare(complete);
  return (prefix, limit) => {
    if (prefix === '') return [];
    // No character of a term is larger.
    const rows = statement.all(prefix, `${prefix}\u{10ffff}`, limit);
    return rows.map((row) => text(row.term));
  };
}
