/** The usual way for comparison: texts in a table, with a porter and a trigram index that triggers keep. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { stopwatch, type Time } from '../stopwatch.ts';

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

/** Writes each conversation in one transaction. */
export function plainImport(
  path: string,
  conversations: readonly (readonly string[])[],
): { time: Time; bytes: number } {
  const db = new DatabaseSync(path);
  db.exec(schema);
  const insert = db.prepare('insert into messages (content) values (?)');
  const lap = stopwatch();
  for (const texts of conversations) {
    db.exec('begin');
    for (const text of texts) insert.run(text);
    db.exec('commit');
  }
  db.exec('pragma wal_checkpoint(truncate)');
  const time = lap();
  db.close();
  return { time, bytes: statSync(path).size };
}
