/** The usual way for comparison: a table of texts with a porter and a trigram index, kept up by triggers. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fromOpenAiChat } from '../../src/index.ts';
import { inventedSession } from '../invented-session.ts';

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

/** Messages a second, and bytes on disk per byte of text. */
export async function plainFullText(path: string, count: number): Promise<{ rate: number; ratio: number }> {
  const db = new DatabaseSync(path);
  db.exec(schema);
  const insert = db.prepare('insert into messages (content) values (?)');
  let [bytes, ms, done] = [0, 0, 0];
  for (let seed = 1; done < count; seed++) {
    const texts = fromOpenAiChat(inventedSession(200, seed)).map(({ parts }) => JSON.stringify(parts));
    const start = performance.now();
    db.exec('begin');
    for (const text of texts) insert.run(text);
    db.exec('commit');
    ms += performance.now() - start;
    done += texts.length;
    bytes += texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
  return { rate: (done / ms) * 1_000, ratio: statSync(path).size / bytes };
}
