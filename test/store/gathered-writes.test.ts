/** Writes that share a transaction: each is kept whole or not at all, and none is told as kept before it is. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { openDatabase } from '../../packages/core/src/store/sqlite/open-database.ts';
import { storeOver } from '../../packages/core/src/store/sqlite/store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { said } from '../support/store-contract/store-bench.ts';
import { newFolder, withDatabase } from '../support/store-files.ts';

interface Opened {
  readonly path: string;
  readonly store: Store;
  readonly db: DatabaseSync;
  /** Sessions without messages. */
  readonly sessions: readonly { readonly id: string }[];
}

async function opened(t: TestContext, { gathersWrites = true, hasLog = true } = {}): Promise<Opened> {
  const path = join(await newFolder(t), 'store.db');
  const options = { path, readOnly: false, busyMilliseconds: 1_000, gathersWrites, clock: Date.now };
  const { guard, ...database } = await openDatabase(options);
  if (!hasLog) {
    guard?.close();
    database.db.exec('pragma journal_mode = delete');
  }
  const store = storeOver({ ...database, ...(hasLog && guard ? { guard } : {}) }, options);
  t.after(() => store.close());
  const sessions: { readonly id: string }[] = [];
  for (let at = 0; at < 8; at++) sessions.push(await store.sessions.create({ source: 'library' }));
  return { path, store, db: database.db, sessions };
}

/** Makes every commit fail; gives what lets them be again. */
function failCommits(t: TestContext): () => void {
  const { exec } = DatabaseSync.prototype;
  const mocked = t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'commit') throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
    exec.call(this, sql);
  });
  return () => mocked.mock.restore();
}

/** Lets every commit meet a lock, for so long. */
function lockCommits(t: TestContext, milliseconds: number): void {
  const { exec } = DatabaseSync.prototype;
  const until = Date.now() + milliseconds;
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'commit' && Date.now() < until)
      throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
    exec.call(this, sql);
  });
}

/** How many transactions have written, as the mark in the store has it. */
const transactions = (path: string): number =>
  withDatabase(path, (db) => Number(String(db.prepare('select mark from store_mark').get()?.mark).slice(-16)));

/** How many messages another process sees. */
const seen = (path: string): unknown =>
  withDatabase(path, (db) => db.prepare('select count(*) as n from messages').get()?.n);

/** Nothing takes so long that the process turns to something else in between. */
const atOnce = (t: TestContext): unknown => t.mock.method(performance, 'now', () => 0);

let texts = 0;

const appendAll = ({ store, sessions }: Opened): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(sessions.map(({ id }) => store.messages.append(id, [said(`text ${texts++}`)])));

const unknown = 'no-such-session';

test('writes that are asked for together are one transaction, and as many as they are without the option', async (t) => {
  atOnce(t);
  const counted: number[] = [];
  for (const gathersWrites of [true, false]) {
    const one = await opened(t, { gathersWrites });
    const before = transactions(one.path);
    const settled = await appendAll(one);
    assert.ok(settled.every(({ status }) => status === 'fulfilled'));
    assert.equal(seen(one.path), 8);
    counted.push(transactions(one.path) - before);
  }
  assert.deepEqual(counted, [1, 8]);
});

test('more of them than one transaction takes are kept, in their order', async (t) => {
  const { path, store, sessions } = await opened(t);
  const [{ id = '' } = {}] = sessions;
  const texts = Array.from({ length: 100 }, (_, at) => `message ${at}`);
  await Promise.all(texts.map((text) => store.messages.append(id, [said(text)])));
  assert.equal(seen(path), 100);
  const view = await store.messages.view(id);
  assert.deepEqual(
    view.map(({ message }) => message.parts),
    texts.map((text) => said(text).parts),
  );
});

for (const place of ['first', 'in between', 'last'] as const) {
  test(`one that fails ${place} takes nothing from the others, and leaves nothing`, async (t) => {
    const one = await opened(t);
    const ids = one.sessions.map(({ id }) => id);
    const at = { first: 0, 'in between': 4, last: 8 }[place];
    const asked = ids.toSpliced(at, 0, unknown);
    const settled = await Promise.allSettled(asked.map((id) => one.store.messages.append(id, [said(`in ${id}`)])));
    assert.deepEqual(
      settled.map(({ status }) => status),
      asked.map((id) => (id === unknown ? 'rejected' : 'fulfilled')),
    );
    assert.equal(seen(one.path), 8);
    assert.ok((await one.store.care.check()).ok);
  });
}

test('what is read in between is told once it is kept, and not at all where it could not be', async (t) => {
  atOnce(t);
  const { path, store, sessions } = await opened(t);
  const [{ id = '' } = {}] = sessions;
  const counted = async (): Promise<number> => {
    let count = 0;
    for (let tries = 0; tries < 10 && count === 0; tries++) count = await store.messages.count();
    return count;
  };
  const written = store.messages.append(id, [said('one')]);
  assert.equal(await counted(), 1);
  assert.equal(seen(path), 1);
  await written;
  const restore = failCommits(t);
  const lost = assert.rejects(store.messages.append(id, [said('two')]), { code: 'STORE_UNREADABLE' });
  const counts = Array.from({ length: 5 }, () => store.messages.count());
  assert.deepEqual(new Set(await Promise.all(counts)), new Set([1]));
  await lost;
  restore();
});

test('where another process reads a store without a log, the commit waits for it', async (t) => {
  const one = await opened(t, { hasLog: false });
  const other = new DatabaseSync(one.path, { readOnly: true });
  other.exec('begin');
  other.prepare('select count(*) from messages').get();
  const written = appendAll(one);
  await setTimeout(200);
  other.exec('commit');
  assert.ok((await written).every(({ status }) => status === 'fulfilled'));
  other.exec('begin');
  other.prepare('select count(*) from messages').get();
  const refused = await appendAll(one);
  assert.deepEqual(
    refused.map((one) => one.status === 'rejected' && one.reason.code),
    Array.from({ length: 8 }, () => 'STORE_BUSY'),
  );
  other.close();
  assert.ok((await appendAll(one)).every(({ status }) => status === 'fulfilled'));
  assert.equal(seen(one.path), 16);
});

test('what is read while a commit meets a lock is told with it: kept, or not there', async (t) => {
  for (const [lockMs, kept] of [
    [300, true],
    [2_500, false],
  ] as const) {
    const one = await opened(t);
    lockCommits(t, lockMs);
    const [written, count] = await Promise.allSettled([
      one.store.messages.append(one.sessions[0]?.id ?? '', [said('one')]),
      setTimeout(20).then(() => one.store.messages.count()),
    ]);
    assert.equal(written.status, kept ? 'fulfilled' : 'rejected');
    assert.equal(count.status === 'fulfilled' && count.value, kept ? 1 : 0);
    t.mock.restoreAll();
    assert.equal(seen(one.path), kept ? 1 : 0);
  }
});

test('a write that comes while a commit meets a lock is not lost with it', async (t) => {
  const one = await opened(t);
  const [{ id = '' } = {}] = one.sessions;
  // As long as a commit is tried again, and a little more: the second one comes while it waits.
  lockCommits(t, 1_050);
  const first = one.store.messages.append(id, [said('one')]);
  await setTimeout(500);
  const second = one.store.messages.append(id, [said('two')]);
  const settled = await Promise.allSettled([first, second]);
  assert.equal(settled[1]?.status, 'fulfilled');
  assert.equal(seen(one.path), settled.filter(({ status }) => status === 'fulfilled').length);
  assert.ok((await one.store.care.check()).ok);
});

test('a transaction that SQLite takes back unheard is lost to all who wrote in it, and to nobody else', async (t) => {
  atOnce(t);
  const one = await opened(t);
  const lost = appendAll(one);
  const { run } = StatementSync.prototype;
  let isBack = false;
  t.mock.method(StatementSync.prototype, 'run', function (this: StatementSync, ...values: [never]) {
    const done = run.apply(this, values);
    // As a read does that met an error of the disk and went on without what it wanted.
    if (this.sourceSQL === 'release part' && !isBack) {
      isBack = true;
      one.db.exec('rollback');
    }
    return done;
  });
  while (!isBack) assert.equal(await one.store.messages.count(), 0);
  const after = one.store.messages.append(one.sessions[0]?.id ?? '', [said('after')]);
  const settled = await lost;
  assert.ok(settled.every((one) => one.status === 'fulfilled' || one.reason.code === 'STORE_UNREADABLE'));
  await after;
  const kept = settled.filter(({ status }) => status === 'fulfilled').length;
  assert.ok(kept < 8);
  assert.equal(seen(one.path), kept + 1);
});

test('a file that was emptied says so, and takes nothing', async (t) => {
  const one = await opened(t);
  truncateSync(one.path);
  for (const settled of await appendAll(one))
    assert.equal(settled.status === 'rejected' && settled.reason.code, 'STORE_REPLACED');
});

test('where another file has come, what was kept before goes with the file that was open', async (t) => {
  const one = await opened(t);
  await appendAll(one);
  const newcomer = join(await newFolder(t), 'newcomer.db');
  await (await openStore({ path: newcomer })).close();
  const away = `${one.path}.away`;
  renameSync(one.path, away);
  copyFileSync(newcomer, one.path);
  for (const settled of await appendAll(one))
    assert.equal(settled.status === 'rejected' && settled.reason.code, 'STORE_REPLACED');
  // Without its log, which has the name of the newcomer.
  assert.equal(seen(away), 8);
});

test('what may share no transaction comes after what was gathered: a rehearsal, a deletion, a backup', async (t) => {
  const one = await opened(t);
  const [first] = one.sessions;
  const copy = join(await newFolder(t), 'copy.db');
  const written = appendAll(one);
  await Promise.all([one.store.care.backup(copy), one.store.sessions.delete(first?.id ?? ''), written]);
  assert.equal(seen(copy), 8);
  assert.equal(seen(one.path), 7);
  assert.ok((await one.store.care.check()).ok);
});

test('on a full disk none of them is told as kept, and none is; with room again all are', async (t) => {
  const one = await opened(t);
  const { page_count: pages } = one.db.prepare('pragma page_count').get() ?? {};
  one.db.exec(`pragma max_page_count = ${pages}`);
  const large = said(randomBytes(500_000).toString('hex'));
  const ids = one.sessions.map(({ id }) => id);
  const settled = await Promise.allSettled([
    ...ids.slice(0, 4).map((id) => one.store.messages.append(id, [said(`short, in ${id}`)])),
    one.store.messages.append(ids[4] ?? '', [large]),
    ...ids.slice(5).map((id) => one.store.messages.append(id, [said(`short, in ${id}`)])),
  ]);
  const kept = settled.filter(({ status }) => status === 'fulfilled').length;
  for (const one of settled) if (one.status === 'rejected') assert.equal(one.reason.code, 'STORE_FULL');
  assert.equal(settled[4]?.status, 'rejected');
  assert.equal(seen(one.path), kept);
  one.db.exec('pragma max_page_count = 100000');
  assert.ok((await appendAll(one)).every(({ status }) => status === 'fulfilled'));
  assert.equal(seen(one.path), kept + 8);
  assert.ok((await one.store.care.check()).ok);
});

test('where the commit fails, all of them fail, and the next ones do not', async (t) => {
  const one = await opened(t);
  const restore = failCommits(t);
  const settled = await appendAll(one);
  restore();
  assert.deepEqual(
    settled.map((one) => one.status === 'rejected' && one.reason.code),
    Array.from({ length: 8 }, () => 'STORE_UNREADABLE'),
  );
  assert.equal(seen(one.path), 0);
  assert.ok((await appendAll(one)).every(({ status }) => status === 'fulfilled'));
});

test('a store that is closed meanwhile keeps what was asked for before', async (t) => {
  const one = await opened(t);
  const written = appendAll(one);
  await one.store.close();
  assert.ok((await written).every(({ status }) => status === 'fulfilled'));
  assert.equal(seen(one.path), 8);
  await assert.rejects(one.store.messages.count(), { code: 'STORE_CLOSED' });
});

test('two processes that gather wait for each other', async (t) => {
  const one = await opened(t);
  await using other = await openStore({ path: one.path, gathersWrites: true });
  const all = await Promise.all([appendAll(one), appendAll({ ...one, store: other })]);
  assert.ok(all.flat().every(({ status }) => status === 'fulfilled'));
  assert.equal(seen(one.path), 16);
});
