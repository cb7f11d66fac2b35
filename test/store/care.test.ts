/** Doctor, backup and restore over real files. */
import assert from 'node:assert/strict';
import { chmod, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore, restoreStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { contentOf, filledFile, newFolder, withDatabase, writeOne } from '../support/store-files.ts';

/** The checks that found something wrong. */
async function wrongIn(store: Store): Promise<readonly string[]> {
  const { findings, ok } = await store.care.check();
  const wrong = findings.filter((finding) => !finding.ok);
  assert.equal(ok, wrong.length === 0);
  return wrong.map(({ check, repairable }) => `${check}${repairable ? '' : ', for good'}`);
}

test('L1 a store that is well says so, with its size', async (t) => {
  const path = await filledFile(t);
  await using store = await openStore({ path });
  const seen: number[] = [];
  const report = await store.care.check((done, all) => seen.push(done / all));
  assert.deepEqual([report.ok, report.where, report.messages, report.sessions], [true, path, 302, 3]);
  assert.deepEqual([report.bytes, seen.at(-1)], [(await stat(path)).size, 1]);
  assert.deepEqual(
    report.findings.map(({ check }) => check),
    ['file', 'integrity', 'foreign keys', 'index', 'views', 'content', 'memory', 'leases'],
  );
});

async function contentIn(path: string): Promise<unknown> {
  await using store = await openStore({ path });
  return await contentOf(store);
}

/** What somebody did behind the store's back, and what the checks say. */
const repairable: Readonly<Record<string, { readonly sql: string; readonly wrong: readonly string[] }>> = {
  'a lost index': { sql: 'delete from search_documents', wrong: ['index'] },
  'wrong counts': { sql: 'update sessions set message_count = 7, tool_call_count = 7', wrong: ['views'] },
  'wrong ends of chains': { sql: 'update sessions set latest = 1 - latest', wrong: ['views'] },
  'lost roots': { sql: 'update sessions set root = null', wrong: ['views'] },
  'wrong roots': { sql: 'update sessions set root = 3', wrong: ['views'] },
  'wrong homes': { sql: 'update messages set home_position = home_position + 1', wrong: ['views'] },
};

for (const [name, { sql, wrong }] of Object.entries(repairable)) {
  test(`L1 ${name}: found, put right, and not a message is touched`, async (t) => {
    const path = await filledFile(t);
    await using store = await openStore({ path });
    const before = await contentOf(store);
    withDatabase(path, (db) => db.exec(sql));
    assert.deepEqual(await wrongIn(store), wrong);
    assert.equal((await store.care.repair()).ok, true);
    assert.deepEqual(await wrongIn(store), []);
    assert.deepEqual(await contentOf(store), before);
    assert.equal((await store.index.candidates({ wanted: ['parser'], limit: 500 })).length, 300);
  });
}

/** Writes over a page of a table or an index. */
async function damagePage(path: string, name: string, type = 'leaf'): Promise<void> {
  const page = withDatabase(path, (db) => {
    const pages = db.prepare('select pageno from dbstat where name = ? and pagetype = ? order by pageno desc');
    return Number(pages.get(name, type)?.['pageno']);
  });
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(4_000, 0x5a), 0, 4_000, (page - 1) * 4_096);
  await file.close();
}

for (const name of [
  'search_terms_data',
  'search_terms_docsize',
  'search_documents',
  'entries_by_message',
  'sessions_by_root',
]) {
  test(`L1 a damaged page of ${name}: the doctor promises a repair, and keeps to it`, async (t) => {
    // In a smaller file the new index would have to take the place of the damaged page, which the next test looks at.
    const path = await filledFile(t, 450);
    {
      await using store = await openStore({ path });
      await writeOne(store);
    }
    const before = await contentIn(path);
    await damagePage(path, name);
    await using store = await openStore({ path });
    const wrong = await wrongIn(store);
    assert.ok(wrong.includes('integrity') && wrong.every((one) => !one.endsWith('for good')), wrong.join());
    assert.equal((await store.care.repair()).ok, true);
    assert.deepEqual(await contentOf(store), before);
    assert.equal((await store.index.candidates({ wanted: ['parser'], limit: 500 })).length, 450);
    await writeOne(store);
    assert.deepEqual(await wrongIn(store), []);
  });
}

test('L1 what a repair could not make anew is promised no more', async (t) => {
  const path = await filledFile(t);
  // In a small file the new index would have to take the place of this very page.
  await damagePage(path, 'search_terms_data', 'internal');
  await using store = await openStore({ path });
  const { findings, ok } = await store.care.repair();
  const wrong = findings.filter((finding) => !finding.ok);
  assert.ok(!ok && wrong.length > 0);
  for (const { message, repairable: isPromised } of wrong) {
    assert.equal(isPromised, false);
    assert.match(message, /A repair was tried and failed\. Restore a backup/);
    assert.doesNotMatch(message, /repair makes/);
  }
});

test('L1 where messages themselves are damaged, no repair of their index is promised', async (t) => {
  const path = await filledFile(t);
  await damagePage(path, 'messages');
  withDatabase(path, (db) => db.exec('delete from search_documents'));
  await using store = await openStore({ path });
  const { findings } = await store.care.check();
  const index = findings.find(({ check }) => check === 'index');
  assert.deepEqual([index?.ok, index?.repairable], [false, false]);
  assert.match(index?.message ?? '', /It cannot be rebuilt/);
});

test('L1 a gap in a view is closed, and the order stays', async (t) => {
  const path = await filledFile(t);
  await using store = await openStore({ path });
  const [, long] = await store.sessions.list();
  const id = long?.root.id ?? '';
  const ids = await store.messages.viewIds(id);
  withDatabase(path, (db) => db.exec('delete from entries where session = 1 and position in (0, 5, 299)'));
  assert.deepEqual(await wrongIn(store), ['views']);
  assert.equal((await store.care.repair()).ok, true);
  assert.deepEqual(
    (await store.messages.view(id)).map((one) => [one.position, one.id]),
    ids.filter((_, i) => ![0, 5, 299].includes(i)).map((one, i) => [i, one]),
  );
  assert.equal(await store.messages.count(), 302);
});

test('L1 a message that is not as it was stored is named, and left', async (t) => {
  const path = await filledFile(t);
  await using store = await openStore({ path });
  withDatabase(path, (db) =>
    db.exec(`update messages set body = replace(body, 'message 7 ', 'message 8 ') where seq = 8`),
  );
  assert.deepEqual(await wrongIn(store), ['content, for good']);
  const report = await store.care.repair();
  const finding = report.findings.find(({ check }) => check === 'content');
  const [, , seventh] = [
    await store.messages.count(),
    ...(await store.messages.view((await store.sessions.list())[1]?.root.id ?? '')),
  ];
  assert.ok(finding && !finding.ok && seventh);
  assert.match(finding.message, /1 of 303 messages and saved outputs do not match their hashes/);
});

test('L1 a file that others may read is found, and closed to them', async (t) => {
  const path = await filledFile(t);
  await chmod(path, 0o644);
  await using store = await openStore({ path });
  assert.deepEqual(await wrongIn(store), ['file']);
  assert.equal((await store.care.repair()).ok, true);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('L1 a backup is whole while others write, and becomes a store again', async (t) => {
  const path = await filledFile(t);
  const backup = join(await newFolder(t), 'backup.db');
  await using store = await openStore({ path });
  await using other = await openStore({ path });
  const before = await contentOf(store);
  const [bytes] = await Promise.all([store.care.backup(backup), writeOne(other), writeOne(other)]);
  assert.deepEqual([(await stat(backup)).size, (await stat(backup)).mode & 0o777], [bytes, 0o600]);
  const kept = await readFile(backup);
  await assert.rejects(store.care.backup(backup), { code: 'BAD_OPTION' });
  const restored = join(await newFolder(t), 'new', 'store.db');
  assert.equal(await restoreStore(backup, restored), bytes);
  await using again = await openStore({ path: restored });
  assert.deepEqual([await contentOf(again), (await again.care.check()).ok], [before, true]);
  await writeOne(again);
  assert.ok(kept.equals(await readFile(backup)));
});

test('L1 restoring takes no other file’s place, and nothing but a whole backup', async (t) => {
  const path = await filledFile(t);
  const folder = await newFolder(t);
  const target = join(folder, 'store.db');
  await writeFile(`${target}-wal`, 'left behind');
  await assert.rejects(restoreStore(path, target), { code: 'BAD_OPTION' });
  await assert.rejects(restoreStore(path, path), { code: 'BAD_OPTION' });
  await assert.rejects(restoreStore(join(folder, 'none.db'), join(folder, 'a.db')), { code: 'STORE_UNREADABLE' });
  const bytes = await readFile(path);
  const half = join(folder, 'half.db');
  await writeFile(half, bytes.subarray(0, Math.floor(bytes.length / 2)));
  await assert.rejects(restoreStore(half, join(folder, 'a.db')), { code: 'STORE_DAMAGED' });
  await assert.rejects(stat(join(folder, 'a.db')), { code: 'ENOENT' });
  assert.ok(bytes.equals(await readFile(path)));
});

test('L1 a backup of an older schema is restored and brought up to date', async (t) => {
  const path = await filledFile(t);
  withDatabase(path, (db) =>
    db.exec(
      `drop table taken_back; drop table pins; drop table episodes; drop table memory_changes; drop table memory_acts; drop table memory_entries;
      drop index sessions_by_request_title; alter table sessions drop column request_title; drop index entries_by_time; drop index messages_by_role; drop table vectors; drop table vector_models;
      alter table leases drop column given_at;
      delete from migrations where version > 3; pragma user_version = 3`,
    ),
  );
  await assert.rejects(openStore({ path, readOnly: true }), { code: 'STORE_READ_ONLY' });
  const restored = join(await newFolder(t), 'store.db');
  await restoreStore(path, restored);
  await using store = await openStore({ path: restored });
  assert.deepEqual(await wrongIn(store), []);
  assert.deepEqual(await store.vectors.models(), []);
});
