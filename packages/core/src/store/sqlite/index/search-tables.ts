/** The index in SQLite: what it is made of, and its doors. */
import type { Message } from '../../../transcript/message.ts';
import { afterAll, type Database, integer, type Sql, type TermWriter, text } from '../../record/database.ts';
import type { SearchIndex } from '../../search-index.ts';
import { indexed } from '../../terms/index-terms.ts';
import { candidatesOf, mostListed, termCounter } from './candidates.ts';

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

/** So many terms are looked at, in their alphabetic order: it bounds the work for a prefix of one letter. */
const mostSeen = 1_000;

const selectCompletions = `
select term from (
  select term, doc from search_vocabulary where term >= ? and term < ? limit ${mostSeen}
) order by doc desc, term limit ?`;

/** The index over a database with the tables of the record and of `searchSchema`; `most` is for tests. */
export function createSearchIndex({ read }: Pick<Database, 'read'>, most: number = mostListed): SearchIndex {
  const count = termCounter();
  return {
    frequencies: (terms) =>
      read(async (sql) => {
        const counts: number[] = [];
        for (const term of terms) counts.push(await count.of(sql, term));
        return { messages: await count.messages(sql), counts };
      }),
    completions: async (prefix, limit) => {
      if (prefix === '') return [];
      const rows = await read((sql) => sql.all(selectCompletions, [prefix, prefix + afterAll, limit]));
      return rows.map((row) => text(row, 'term'));
    },
    candidates: (query) => read((sql) => candidatesOf({ sql, count }, query, most)),
  };
}

// Looks whether the index has every message, and makes it anew.

/** What is wrong with an index. */
interface IndexCheck {
  readonly ok: boolean;
  /** One sentence for a person. */
  readonly message: string;
}

const countMissing = `select count(*) as n from messages
  where not exists (select 1 from search_documents where search_documents.seq = messages.seq)`;
const countForeign = `select count(*) as n from search_documents
  where not exists (select 1 from messages where messages.seq = search_documents.seq)`;

/** FTS5 keeps a row here for every message whose terms it has. */
const countWithoutTerms = `select count(*) as n from search_documents
  where not exists (select 1 from search_terms_docsize where search_terms_docsize.id = search_documents.seq)`;

/** Holds the index against the messages, and its structure against itself; changes nothing. */
export async function checkIndex(sql: Sql): Promise<IndexCheck> {
  const counted = async (statement: string): Promise<number> => integer((await sql.get(statement)) ?? {}, 'n');
  const missing = await counted(countMissing);
  const withoutTerms = await counted(countWithoutTerms);
  const foreign = await counted(countForeign);
  const said = text((await sql.get("pragma integrity_check('search_terms')")) ?? {}, 'integrity_check');
  const faults = [
    ...(missing > 0 ? [`${missing} messages are not in the index`] : []),
    ...(withoutTerms > 0 ? [`the words of ${withoutTerms} messages are missing`] : []),
    ...(foreign > 0 ? [`${foreign} messages in the index no longer exist`] : []),
    ...(said === 'ok' ? [] : [`the index is damaged (${said})`]),
  ];
  if (faults.length === 0) return { ok: true, message: 'The index contains all messages.' };
  return { ok: false, message: `${capital(faults.join(', '))}: search would miss some messages.` };
}

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

// Puts messages into the index, and takes them out.

const addTerms = 'insert into search_terms (rowid, terms) values (?, ?)';
const addDocument = 'insert into search_documents (seq, length) values (?, ?)';
const removeTerms = 'delete from search_terms where rowid = ?';
const removeDocument = 'delete from search_documents where seq = ?';

export const termWriter: TermWriter = {
  add: async (sql, seq, { terms, length }) => {
    await sql.run(addTerms, [seq, terms.join(' ')]);
    await sql.run(addDocument, [seq, length]);
  },
  remove: async (sql, seq) => {
    await sql.run(removeTerms, [seq]);
    await sql.run(removeDocument, [seq]);
  },
};

/** Makes the index anew from all messages, with their numbers; inside a transaction. */
export async function rebuildIndex(
  sql: Sql,
  messages: Iterable<readonly [number, Message]> | AsyncIterable<readonly [number, Message]>,
): Promise<void> {
  await sql.run("insert into search_terms (search_terms) values ('delete-all')");
  await sql.run('delete from search_documents');
  for await (const [seq, message] of messages) await termWriter.add(sql, seq, indexed(message));
}
