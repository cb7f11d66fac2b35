/** Looks whether the index has every message, and makes it anew. */
import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from './rows.ts';
import { createIndexWriter, type IndexedRow } from './write.ts';

/** What is wrong with an index. */
export interface IndexCheck {
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
