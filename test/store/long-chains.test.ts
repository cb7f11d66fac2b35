/** A circle of sessions, of any length, never keeps a walk from its end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { newestSession } from '../../packages/core/src/store/session-store.ts';
import { compressed, sessionOf } from '../support/store-contract/store-bench.ts';
import { filledFile, withDatabase } from '../support/store-files.ts';

for (const length of [1, 2, 99, 100, 101, 102, 250]) {
  test(`L3 a circle of ${length} sessions is left by every walk`, async (t) => {
    const path = await filledFile(t);
    await using store = await openStore({ path });
    const root = await sessionOf(store, ['a']);
    let last = root;
    for (let i = 1; i < length; i++) last = await compressed(store, last, `h${i}`);
    withDatabase(path, (db) => {
      const begins = `update sessions set relation = 'continuation', parent = (select seq from sessions where id = ?) where id = ?`;
      db.prepare(begins).run(last.id, root.id);
      db.exec('update sessions set ended_at = started_at');
    });
    for (const id of [root.id, last.id]) {
      assert.ok(await store.sessions.tip(id));
      assert.ok(await newestSession(store.sessions, id));
      assert.equal(new Set((await store.sessions.chain(id)).map((session) => session.id)).size, length);
      assert.ok((await store.sessions.find(id)).length > 0);
    }
  });
}
