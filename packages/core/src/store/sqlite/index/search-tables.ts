/** The index in SQLite: what it is made of, and its doors. */
import type { DatabaseSync } from 'node:sqlite';
import type { Message } from '../../../transcript/message.ts';
import type { SearchIndex } from '../../search-index.ts';
import { indexed } from '../../terms/index-terms.ts';
import { candidateSearch } from './candidates.ts';
import { termCounter } from './frequencies.ts';
import { integer, text } from './rows.ts';

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

// The terms that begin with a text.

/** So many terms are looked at, in their alphabetic order: it bounds the work for a prefix of one letter. */
const mostSeen = 1_000;

const complete = `select term from (
  select term, doc from search_vocabulary where term >= ? and term < ? limit ${mostSeen}
) order by doc desc, term limit ?`;

/** Looks terms up in the vocabulary. */
function completionsOf(db: DatabaseSync): (prefix: string, limit: number) => readonly string[] {
  const statement = db.prepare(complete);
  return (prefix, limit) => {
    if (prefix === '') return [];
    // No character of a term is larger.
    const rows = statement.all(prefix, `${prefix}\u{10ffff}`, limit);
    return rows.map((row) => text(row.term));
  };
}

// Looks whether the index has every message, and makes it anew.

/** What is wrong with an index. */
interface IndexCheck {
  readonly ok: boolean;
  /** One sentence for a person. */
  readonly message: string;
}

const countMissing = `select count(*) as missing from messages
  where not exists (select 1 from search_documents where search_documents.seq = messages.seq)`;
const countForeign = `select count(*) as spare from search_documents
  where not exists (select 1 from messages where messages.seq = search_documents.seq)`;

/** FTS5 keeps a row here for every message whose terms it has. */
const countWithoutTerms = `select count(*) as missing from search_documents
  where not exists (select 1 from search_terms_docsize where search_terms_docsize.id = search_documents.seq)`;

/** Holds the index against the messages, and its structure against itself; changes nothing. */
export function checkIndex(db: DatabaseSync): IndexCheck {
  const missing = integer(db.prepare(countMissing).get()?.missing);
  const withoutTerms = integer(db.prepare(countWithoutTerms).get()?.missing);
  const foreign = integer(db.prepare(countForeign).get()?.spare);
  const broken = brokenStructure(db);
  const faults = [
    ...(missing > 0 ? [`${missing} messages are not in the index`] : []),
    ...(withoutTerms > 0 ? [`the words of ${withoutTerms} messages are missing`] : []),
    ...(foreign > 0 ? [`${foreign} messages in the index no longer exist`] : []),
    ...(broken === undefined ? [] : [`the index is damaged (${broken})`]),
  ];
  if (faults.length === 0) return { ok: true, message: 'The index contains all messages.' };
  return {
    ok: false,
    message: `${capital(faults.join(', '))}: search would miss some messages.`,
  };
}

/** What SQLite says of the structure of the index; undefined when it is whole. */
function brokenStructure(db: DatabaseSync): string | undefined {
  const said = text(db.prepare("pragma integrity_check('search_terms')").get()?.integrity_check);
  return said === 'ok' ? undefined : said;
}

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** Makes the index anew from all messages; to be called inside an open transaction. */
export function rebuildIndex(db: DatabaseSync, messages: Iterable<IndexedRow>): void {
  db.exec("insert into search_terms (search_terms) values ('delete-all')");
  db.exec('delete from search_documents');
  const { add } = createIndexWriter(db);
  for (const row of messages) add(row);
}

// Puts messages into the index, and takes them out.

/** A row of `messages`. */
interface IndexedRow {
  readonly seq: number;
  readonly message: Message;
}

interface IndexWriter {
  add(row: IndexedRow): void;
  remove(row: IndexedRow): void;
}

const addTerms = 'insert into search_terms (rowid, terms) values (?, ?)';
const addDocument = 'insert into search_documents (seq, length) values (?, ?)';
const removeTerms = 'delete from search_terms where rowid = ?';
const removeDocument = 'delete from search_documents where seq = ?';

/** A writer with its statements prepared; to be called inside an open transaction. */
export function createIndexWriter(db: DatabaseSync): IndexWriter {
  const statements = {
    addTerms: db.prepare(addTerms),
    addDocument: db.prepare(addDocument),
    removeTerms: db.prepare(removeTerms),
    removeDocument: db.prepare(removeDocument),
  };
  return {
    add({ seq, message }) {
      const { terms, length } = indexed(message);
      statements.addTerms.run(seq, terms.join(' '));
      statements.addDocument.run(seq, length);
    },
    remove({ seq }) {
      statements.removeTerms.run(seq);
      statements.removeDocument.run(seq);
    },
  };
}
