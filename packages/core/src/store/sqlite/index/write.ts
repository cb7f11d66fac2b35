/** Puts messages into the index, and takes them out. */
import type { DatabaseSync } from 'node:sqlite';
import type { Message } from '../../../transcript/message.ts';
import { indexed } from '../../terms/index-terms.ts';

/** A row of `messages`. */
export interface IndexedRow {
  readonly seq: number;
  readonly message: Message;
}

export interface IndexWriter {
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
