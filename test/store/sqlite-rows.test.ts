/** What only rows can show: collisions of ids, chains that no caller can make, texts in a file. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSessionIds } from '../../packages/core/src/store/ids.ts';
import { messageBody } from '../../packages/core/src/store/message-body.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { newestSession } from '../../packages/core/src/store/session-store.ts';
import { compressed, said, sessionOf, shownTexts } from '../support/store-contract/store-bench.ts';
import { filledFile, withDatabase } from '../support/store-files.ts';

test('L1 a message whose id another one has taken gets the next digits of its hash', async (t) => {
  const path = await filledFile(t);
  const message = said('unlucky');
  const [first = '', second] = messageBody(message, 0).ids;
  withDatabase(path, (db) => db.prepare('update messages set id = ? where seq = 1').run(first));
  await using store = await openStore({ path });
  const session = await store.sessions.create({ source: 'library' });
  const { ids, added } = await store.messages.append(session.id, [message, message]);
  assert.deepEqual([ids, added], [[second, second], 1]);
  assert.deepEqual(await shownTexts(store, session), ['unlucky', 'unlucky']);
  assert.notDeepEqual((await store.messages.get(first))?.message, message);
});

test('L3 a child that began before its parent’s end continues nothing', async (t) => {
  const path = await filledFile(t);
  await using store = await openStore({ path });
  const root = await sessionOf(store, ['a']);
  const tip = await compressed(store, root, 'h');
  assert.equal((await store.sessions.tip(root.id)).id, tip.id);
  withDatabase(path, (db) => db.prepare('update sessions set started_at = started_at - 1 where id = ?').run(tip.id));
  withDatabase(path, (db) => db.prepare('update sessions set ended_at = ended_at + 1 where id = ?').run(root.id));
  assert.equal((await store.sessions.tip(root.id)).id, root.id);
});

test('L3 of two continuations the newer one is the way, and a circle is left', async (t) => {
  const path = await filledFile(t);
  await using store = await openStore({ path });
  const root = await sessionOf(store, ['a']);
  const first = await compressed(store, root, 'h1');
  const second = await sessionOf(store, ['b']);
  const become = `update sessions set relation = 'continuation', parent = (select seq from sessions where id = ?),
    started_at = (select started_at + ? from sessions where id = ?) where id = ?`;
  withDatabase(path, (db) => db.prepare(become).run(root.id, 10, first.id, second.id));
  assert.equal((await store.sessions.tip(root.id)).id, second.id);
  withDatabase(path, (db) => {
    db.prepare(`update sessions set ended_at = started_at where id = ?`).run(second.id);
    db.prepare(become).run(second.id, 0, second.id, root.id);
  });
  for (const id of [root.id, second.id]) {
    assert.ok([root.id, second.id].includes((await store.sessions.tip(id)).id));
    assert.ok([root.id, second.id].includes((await newestSession(store.sessions, id)).id));
  }
  const chain = await store.sessions.chain(root.id);
  assert.equal(new Set(chain.map(({ id }) => id)).size, 2);
});

test('L1 ids of sessions rise, within a millisecond and when the clock steps back', () => {
  let now = 1_795_305_600_000;
  const next = createSessionIds(() => now);
  const ids = Array.from({ length: 10_000 }, (_, i) => {
    if (i === 5_000) now -= 1_000;
    return next();
  });
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
});
