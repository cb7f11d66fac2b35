/** What a file of a store holds of the memory. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { newFolder, withDatabase } from '../support/store-files.ts';

const draft = { target: 'memory', kind: 'fact', source: 'model', messages: [], replaces: [], statedAt: 0 } as const;

test('M5 what is forgotten is in no byte of the file or of its log', async (t) => {
  const path = join(await newFolder(t), 'store.db');
  await using store = await openStore({ path });
  const holds = (words: string): boolean =>
    [path, `${path}-wal`].some((file) => existsSync(file) && readFileSync(file).includes(words));
  for (const text of ['it stays', 'quartz-falcon', `${'long '.repeat(2_000)}quartz-falcon`]) {
    const changes = [{ type: 'add', draft: { ...draft, text, key: text.slice(0, 20), value: text } }] as const;
    await store.memory.act({ actor: 'model', what: 'add', reason: `Keeps ${text}`, changes });
  }
  await store.memory.act({
    actor: 'person',
    what: 'retire',
    reason: 'x',
    changes: [{ type: 'set', id: 'e2', values: { status: 'retired' } }],
  });
  assert.ok(holds('quartz-falcon'));
  await store.memory.forget('e2');
  await store.memory.forget('e3');
  assert.ok(!holds('quartz-falcon'));
  assert.ok(holds('it stays'));
});

test('M5 a doctor tells of entries that are not as their history left them', async (t) => {
  const path = join(await newFolder(t), 'store.db');
  {
    await using store = await openStore({ path });
    const changes = [{ type: 'add', draft: { ...draft, text: 'a' } }] as const;
    for (let i = 0; i < 3; i++) await store.memory.act({ actor: 'model', what: 'add', reason: '', changes });
  }
  withDatabase(path, (db) => db.exec("update memory_entries set source = 'person' where seq = 2"));
  await using store = await openStore({ path });
  const finding = (await store.care.check()).findings.find(({ check }) => check === 'memory');
  assert.deepEqual(finding, {
    check: 'memory',
    ok: false,
    repairable: false,
    message: 'The memory has 1 entries that are not as their last act left them. Restore a backup.',
  });
});

test('M5 a backup has the memory and its history', async (t) => {
  const folder = await newFolder(t);
  await using store = await openStore({ path: join(folder, 'store.db') });
  const changes = [{ type: 'add', draft: { ...draft, text: 'a' } }] as const;
  await store.memory.act({ actor: 'model', what: 'add', reason: '', changes });
  await store.care.backup(join(folder, 'copy.db'));
  await using copy = await openStore({ path: join(folder, 'copy.db') });
  assert.deepEqual(await copy.memory.list(), await store.memory.list());
  assert.deepEqual(await copy.memory.history(), await store.memory.history());
});
