/** The index in SQLite: what it is made of, and its doors. */
import type { DatabaseSync } from 'node:sqlite';
import type { SearchIndex } from '../../search-index.ts';
import { candidateSearch } from './candidates.ts';
import { completionsOf } from './completions.ts';
import { termCounter } from './frequencies.ts';

export { checkIndex, rebuildIndex } from './check.ts';
export { createIndexWriter } from './write.ts';

/**
 * An inverted index without the texts: FTS5 is handed the distinct terms of a message, divided by spaces, and keeps for
 * each term the messages that have it. Its tokenizer only finds the spaces. `search_documents` has what can be told of a message without reading it.
 */
export const searchSchema = `
create virtual table search_terms using fts5 (
  terms,
  content = '',
  contentless_delete = 1,
  detail = none,
  tokenize = "ascii tokenchars '_-./\\:@#+~&=?%$'"
);

create virtual table search_vocabulary using fts5vocab (search_terms, row);

create table search_documents (
  seq integer primary key,
  length integer not null
) strict;
`;

/** The index over a database with the tables of the record and of `searchSchema`; `mostListed` is for tests. */
export function createSearchIndex(db: DatabaseSync, mostListed?: number): SearchIndex {
  const count = termCounter(db);
  const search = candidateSearch(db, count, mostListed);
  const complete = completionsOf(db);
  return {
    frequencies: async (terms) => ({ messages: count.messages(), counts: terms.map((term) => count.of(term)) }),
    completions: async (prefix, limit) => complete(prefix, limit),
    candidates: async (query) => search(query),
  };
}
