/** What others do, for comparison: a table of texts with a porter and a trigram index; and an index in memory. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fromOpenAiChat } from '@palimpsest/core';
import MiniSearch from 'minisearch';
import { inventedSession } from '../invented-session.ts';
import type { Question } from './filled.ts';

/** What another way of searching takes. */
export interface Other {
  readonly messages: number;
  /** Messages a second. */
  readonly rate: number;
  /** Bytes on disk per byte of text; undefined in memory. */
  readonly ratio?: number;
  /** Milliseconds of each search. */
  readonly times: readonly number[];
}

const schema = `
pragma journal_mode = wal;
pragma synchronous = normal;
create table messages (id integer primary key, content text);
create virtual table porter using fts5(content, content='messages', content_rowid='id', tokenize='porter unicode61');
create virtual table trigrams using fts5(content, content='messages', content_rowid='id', tokenize='trigram');
create trigger added after insert on messages begin
  insert into porter(rowid, content) values (new.id, new.content);
  insert into trigrams(rowid, content) values (new.id, new.content);
end;
`;

const sessionSize = 200;

/** The texts of session after session. */
function* sessions(count: number): Generator<readonly string[]> {
  for (let seed = 1; (seed - 1) * sessionSize < count; seed++) {
    yield fromOpenAiChat(inventedSession(sessionSize, seed)).map(({ parts }) => JSON.stringify(parts));
  }
}

/** The best twenty by BM25 of all messages with one of the words. */
export function plainFullText(path: string, count: number, questions: readonly Question[]): Other {
  const db = new DatabaseSync(path);
  db.exec(schema);
  const insert = db.prepare('insert into messages (content) values (?)');
  let [bytes, ms, messages] = [0, 0, 0];
  for (const texts of sessions(count)) {
    const start = performance.now();
    db.exec('begin');
    for (const text of texts) insert.run(text);
    db.exec('commit');
    ms += performance.now() - start;
    messages += texts.length;
    bytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }
  const find = db.prepare('select rowid from porter where porter match ? order by bm25(porter) limit 20');
  const times = timesOf(questions, (words) => {
    find.all(words.map((word) => `"${word}"`).join(' OR '));
  });
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
  return { messages, rate: (messages / ms) * 1_000, ratio: statSync(path).size / bytes, times };
}

/** The index that most programs in JavaScript take; it holds everything in memory, and only words between spaces. */
export function miniSearch(count: number, questions: readonly Question[]): Other {
  const index = new MiniSearch({ fields: ['text'], idField: 'id' });
  let [ms, messages] = [0, 0];
  for (const texts of sessions(count)) {
    const start = performance.now();
    index.addAll(texts.map((text, i) => ({ id: messages + i, text })));
    ms += performance.now() - start;
    messages += texts.length;
  }
  const times = timesOf(questions, (words) => {
    index.search(words.join(' ')).slice(0, 20);
  });
  return { messages, rate: (messages / ms) * 1_000, times };
}

const word = /[\p{L}\p{N}]+/gu;

function timesOf(questions: readonly Question[], ask: (words: readonly string[]) => void): readonly number[] {
  return questions.map(({ query }) => {
    const words = query.match(word) ?? [];
    const start = performance.now();
    if (words.length > 0) ask(words);
    return performance.now() - start;
  });
}
