/** The index in SQLite by itself: over the tables of the record, without the rest of the adapter. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import type { SearchFilter } from '../../packages/core/src/store/search-index.ts';
import {
  checkIndex,
  createSearchIndex,
  rebuildIndex,
  searchSchema,
  termWriter,
} from '../../packages/core/src/store/sqlite/index/search-tables.ts';
import { record } from '../../packages/core/src/store/sqlite/migrations/schema.ts';
import { searchFilters } from '../../packages/core/src/store/sqlite/migrations/versions.ts';
import { statementsOf } from '../../packages/core/src/store/sqlite/sql.ts';
import { indexed } from '../../packages/core/src/store/terms/index-terms.ts';
import type { Message, Role } from '../../packages/core/src/transcript/message.ts';

interface Line {
  readonly session: string;
  readonly text: string;
  readonly role?: Role;
  readonly time?: number;
}

const said = (text: string, role: Role = 'user'): Message => ({ role, parts: [{ type: 'text', text }] });

/** Sessions `a` and its continuation `b` of project /w/one, and `c` of another source and project. */
async function database(lines: readonly Line[], mostListed?: number) {
  const db = new DatabaseSync(':memory:');
  db.exec(record);
  db.exec(searchSchema);
  db.exec(searchFilters);
  const session = db.prepare(`insert into sessions
    (seq, id, root, relation, source, project, started_at, last_active_at, message_count)
    values (?, ?, ?, ?, ?, ?, 0, 0, ?)`);
  const size = (name: string): number => lines.filter(({ session }) => session === name).length;
  session.run(1, 'a', 1, 'root', 'cli', '/w/one', size('a'));
  session.run(2, 'b', 1, 'continuation', 'cli', '/w/one', size('b'));
  session.run(3, 'c', 3, 'root', 'codex', '/w/two', size('c'));
  const message = db.prepare(`insert into messages
    (seq, id, hash, role, body, characters, home, home_position) values (?, ?, x'', ?, '{}', ?, ?, 0)`);
  const entry = db.prepare('insert into entries (session, position, message, time) values (?, ?, ?, ?)');
  const sql = statementsOf(db);
  const rows: (readonly [number, Message])[] = [];
  for (const [i, { session: name, text, role = 'user', time = 0 }] of lines.entries()) {
    const home = ['a', 'b', 'c'].indexOf(name) + 1;
    message.run(i + 1, `m${i + 1}`, role, text.length, home);
    entry.run(home, i, i + 1, time);
    rows.push([i + 1, said(text, role)]);
    await termWriter.add(sql, i + 1, indexed(said(text, role)));
  }
  return { db, sql, rows, index: createSearchIndex({ read: (work) => work(sql) }, mostListed) };
}

/** The place of a candidate is the number of its message. */
const idOf = ({ position }: { readonly position: number }): string => `m${position + 1}`;

const words = (texts: readonly string[]): readonly Line[] => texts.map((text) => ({ session: 'a', text }));

describe('the index in SQLite', () => {
  test('Q1 gives the messages with the rarest terms first, and says which terms they have', async () => {
    const { index } = await database(words(['red green', 'red', 'green blue red', 'red']));
    const found = await index.candidates({ wanted: ['red', 'blue'], limit: 9 });
    assert.deepEqual(
      found.map((one) => [idOf(one), [...one.matched].sort()]),
      [
        ['m3', [0, 1]],
        ['m4', [0]],
        ['m2', [0]],
        ['m1', [0]],
      ],
    );
  });

  test('Q1 takes only messages with a term of every group, and none of the forbidden ones', async () => {
    const { index } = await database(words(['red green', 'red blue', 'green blue', 'red green blue']));
    const all = [['red'], ['green', 'blue']];
    const ids = async (none: readonly string[]) =>
      (await index.candidates({ wanted: [], all, none, limit: 9 })).map(idOf).sort();
    assert.deepEqual(await ids([]), ['m1', 'm2', 'm4']);
    assert.deepEqual(await ids(['blue']), ['m1']);
  });

  for (const [way, mostListed] of [
    ['by a list of it', undefined],
    ['one by one', 0],
  ] as const) {
    test(`Q2 keeps to what a filter lets through, told ${way}`, async () => {
      const lines: readonly Line[] = [
        { session: 'a', text: 'word', time: 10 },
        { session: 'b', text: 'word', time: 20, role: 'assistant' },
        { session: 'c', text: 'word', time: 30 },
      ];
      const { index } = await database(lines, mostListed);
      const ids = async (filter: SearchFilter) =>
        (await index.candidates({ wanted: ['word'], filter, limit: 9 })).map(idOf).sort();
      assert.deepEqual(await ids({ roles: ['assistant', 'tool'] }), ['m2']);
      assert.deepEqual(await ids({ sources: ['codex'] }), ['m3']);
      assert.deepEqual(await ids({ project: '/w/one/' }), ['m1', 'm2']);
      assert.deepEqual(await ids({ project: '/w' }), ['m1', 'm2', 'm3']);
      assert.deepEqual(await ids({ project: '/w/on' }), []);
      assert.deepEqual(await ids({ sessions: ['b'] }), ['m1', 'm2'], 'the whole conversation');
      assert.deepEqual(await ids({ without: ['b'] }), ['m3']);
      assert.deepEqual(await ids({ since: 20 }), ['m2', 'm3']);
      assert.deepEqual(await ids({ since: 20, until: 30 }), ['m2']);
      assert.deepEqual(await ids({ project: '/w/one', roles: ['user'], until: 20 }), ['m1']);
      assert.deepEqual(await ids({ sources: ['none'], roles: ['user'] }), []);
      assert.deepEqual(await ids({}), ['m1', 'm2', 'm3']);
    });
  }

  test('Q1 tells where a message stands', async () => {
    const { index } = await database([
      { session: 'a', text: 'first' },
      { session: 'b', text: 'second words', time: 7 },
    ]);
    const [found] = await index.candidates({ wanted: ['second'], limit: 1 });
    assert.deepEqual([found?.sessionId, found?.rootId, found?.position, found?.length], ['b', 'a', 1, 12]);
  });

  test('Q1 counts terms, and completes the beginning of one', async () => {
    const { index } = await database(words(['deploy 部署', 'deploying depot', 'deployed']));
    assert.deepEqual(await index.frequencies(['deploi', 'depot', '部署', 'none']), {
      messages: 3,
      counts: [3, 1, 1, 0],
    });
    assert.deepEqual(await index.completions('dep', 5), ['deploi', 'depot']);
    assert.deepEqual(await index.completions('', 5), []);
  });

  test('Q1 takes a message out again', async () => {
    const { db, sql, index } = await database(words(['red', 'red blue']));
    await termWriter.remove(sql, 1);
    db.exec('delete from entries where message = 1; delete from messages where seq = 1');
    assert.deepEqual((await index.candidates({ wanted: ['red'], limit: 9 })).map(idOf), ['m2']);
    assert.equal((await checkIndex(sql)).ok, true);
  });

  test('notices that the words are gone while the list of messages is whole', async () => {
    const { db, sql, rows } = await database(words(['red', 'blue', '']));
    assert.equal((await checkIndex(sql)).ok, true);
    db.exec("insert into search_terms (search_terms) values ('delete-all')");
    assert.match((await checkIndex(sql)).message, /^The words of 3 messages are missing/);
    await rebuildIndex(sql, rows);
    assert.equal((await checkIndex(sql)).ok, true);
  });

  test('says what the index lacks, and is made anew from the messages', async () => {
    const { sql, index, rows } = await database(words(['red', 'blue']));
    await termWriter.remove(sql, 1);
    assert.match((await checkIndex(sql)).message, /^1 messages are not in the index/);
    await rebuildIndex(sql, rows);
    assert.equal((await checkIndex(sql)).ok, true);
    assert.equal((await index.candidates({ wanted: ['red'], limit: 9 })).length, 1);
  });
});
