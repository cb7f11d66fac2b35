/** Another content in the file of an open store, or a log beside a file that it is not of, is noticed before it harms. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { latestVersion, migrate } from '../../packages/core/src/store/sqlite/migrations/migrate.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { said } from '../support/store-contract/store-bench.ts';
import { contentOf, filledFile, newFolder, withDatabase, writeOne } from '../support/store-files.ts';

const tryStore = fileURLToPath(new URL('workers/try-store.ts', import.meta.url));

/** What a process of its own says that opens the store, reads and writes. */
const otherProcess = (path: string, ...mode: readonly string[]): unknown => {
  const report: unknown = JSON.parse(execFileSync(process.execPath, [tryStore, path, ...mode], { encoding: 'utf8' }));
  return report;
};

/** Makes a store of an earlier schema, with a log. */
async function migrated(path: string, upTo: number): Promise<void> {
  const db = new DatabaseSync(path);
  await migrate(db, path, { clock: Date.now, upTo });
  db.exec('pragma journal_mode = wal');
  db.close();
}

const shell = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args);
};

/** Brings all of the log into the file, as the process that reaches its limit does. */
const checkpoint = (path: string): void => {
  withDatabase(path, (db) => db.exec('pragma wal_checkpoint(truncate)'));
};

const logsAside = (path: string): readonly string[] =>
  readdirSync(dirname(path)).filter((name) => name.includes('.left-') && name.endsWith('-wal'));

interface Scene {
  readonly path: string;
  readonly store: Store;
  /** Files that come in its place, all of them closed. */
  readonly other: string;
  readonly backup: string;
  /** A copy of the file as it was before its last messages. */
  readonly older: string;
  /** A copy that was written to since. */
  readonly later: string;
}

/** An open store whose file holds writes that its copies have not, and whose log holds more. */
async function scene(t: TestContext): Promise<Scene> {
  const path = await filledFile(t);
  const folder = await newFolder(t);
  const [other, backup, older, later] = ['other', 'backup', 'older', 'later'].map((name) => join(folder, `${name}.db`));
  assert.ok(other && backup && older && later);
  {
    await using store = await openStore({ path: other });
    await writeOne(store);
  }
  copyFileSync(path, older);
  const store = await openStore({ path });
  t.after(() => store.close());
  await writeOne(store);
  await store.care.backup(backup);
  checkpoint(path);
  copyFileSync(path, later);
  {
    await using ahead = await openStore({ path: later });
    for (let i = 0; i < 9; i++) await writeOne(ahead);
  }
  await writeOne(store);
  return { path, store, other, backup, older, later };
}

const cat = (from: string, to: string): void => shell('sh', '-c', 'cat "$1" > "$2"', 'sh', from, to);

/** What another process writes into the file of an open store; how many messages a store has that is there then. */
const overwritings: Readonly<Record<string, readonly [messages: number | undefined, write: (on: Scene) => void]>> = {
  'another store is copied over it': [1, ({ path, other }) => shell('cp', other, path)],
  'another store is written into it': [1, ({ path, other }) => cat(other, path)],
  'another store is copied over it with its times': [1, ({ path, other }) => shell('cp', '-p', other, path)],
  'a backup of it is copied over it': [303, ({ path, backup }) => shell('cp', backup, path)],
  'an older state of it is copied over it': [302, ({ path, older }) => shell('cp', older, path)],
  'a later state of it is copied over it': [312, ({ path, later }) => shell('cp', later, path)],
  'a text is written into it': [undefined, ({ path }) => writeFileSync(path, 'a letter\n'.repeat(2_000))],
  'it is cut': [undefined, ({ path }) => truncateSync(path, 4_096)],
  'it is emptied': [undefined, ({ path }) => truncateSync(path, 0)],
};

const overwritten = {
  code: 'STORE_REPLACED',
  message: /Nothing was written\. Close it, put the right file/,
};

for (const [what, [messages, write]] of Object.entries(overwritings)) {
  test(`L1 ${what}: every later write says so, and closing leaves it as it came`, async (t) => {
    const on = await scene(t);
    const { path, store } = on;
    const [session] = await store.sessions.list();
    assert.ok(session);
    write(on);
    const came = readFileSync(path);
    const writes: readonly (() => Promise<unknown>)[] = [
      () => store.messages.append(session.tip.id, [said('lost')]),
      () => store.meta.set('a', 'b'),
      () => store.outputs.save('a text'),
      () => store.care.backup(join(dirname(path), 'copy.db')),
    ];
    for (const one of writes) await assert.rejects(one(), overwritten);
    await store.close();
    assert.ok(came.equals(readFileSync(path)));
    if (messages === undefined) return;
    assert.deepEqual([existsSync(`${path}-wal`), logsAside(path).length], [false, 1]);
    assert.deepEqual(otherProcess(path), { messages, write: 'written' });
  });

  test(`L1 ${what}: closing at once leaves it as it came`, async (t) => {
    const on = await scene(t);
    write(on);
    const came = readFileSync(on.path);
    await on.store.close();
    assert.ok(came.equals(readFileSync(on.path)));
  });

  if (messages === undefined) continue;
  test(`L1 ${what}: whoever opens it before the old process closes has nothing of the old log`, async (t) => {
    const on = await scene(t);
    const { path, store } = on;
    write(on);
    assert.deepEqual(otherProcess(path), { messages, write: 'written' });
    const came = readFileSync(path);
    await assert.rejects(writeOne(store), overwritten);
    await store.close();
    assert.ok(came.equals(readFileSync(path)));
    await using now = await openStore({ path });
    assert.deepEqual([await now.messages.count(), (await now.care.check()).ok], [messages + 1, true]);
  });
}

test('L1 what overwrites the file between the look and the commit is seen before the write is acknowledged', async (t) => {
  const { path, store, other } = await scene(t);
  const { exec } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'commit') shell('cp', other, path);
    exec.call(this, sql);
  });
  await assert.rejects(writeOne(store), {
    code: 'STORE_REPLACED',
    message: /The last write went to the file that was open/,
  });
  await store.close();
  assert.ok(readFileSync(other).equals(readFileSync(path)));
});

test('L1 the right file copied back is the store again', async (t) => {
  const { path, store, other } = await scene(t);
  copyFileSync(path, `${path}.copy`);
  shell('cp', other, path);
  await assert.rejects(writeOne(store), overwritten);
  shell('cp', `${path}.copy`, path);
  await writeOne(store);
  assert.deepEqual([await store.messages.count(), (await store.care.check()).ok], [305, true]);
});

test('L1 what other processes write into the file by right is no other store', async (t) => {
  const { path, store } = await scene(t);
  const happenings: readonly (() => unknown)[] = [
    () => checkpoint(path),
    () => otherProcess(path),
    () => chmodSync(path, 0o600),
    () => utimesSync(path, 0, 0),
    () => withDatabase(path, (db) => db.exec('vacuum')),
  ];
  for (const happen of happenings) {
    happen();
    await writeOne(store);
  }
  assert.deepEqual([await store.messages.count(), (await store.care.check()).ok], [310, true]);
});

test('L1 a file that a log is just brought into is no other one', async (t) => {
  const path = await filledFile(t);
  await using store = await openStore({ path });
  await writeOne(store);
  await store.outputs.save(Array.from({ length: 20_000 }, (_, i) => `${i * 7_919}`).join(' '));
  const log = readFileSync(`${path}-wal`);
  const frame = 24 + 4_096;
  const starts = Array.from({ length: Math.floor((log.length - 32) / frame) }, (_, i) => 32 + i * frame);
  const first = starts.findLast((start) => log.readUInt32BE(start) === 1);
  assert.ok(first);
  // The first page goes first, and tells of pages that the file gets later.
  const page = log.subarray(first + 24, first + frame);
  assert.ok(page.readUInt32BE(28) * 4_096 > readFileSync(path).length);
  const file = openSync(path, 'r+');
  writeSync(file, page, 0, page.length, 0);
  closeSync(file);
  await writeOne(store);
  assert.equal((await store.care.check()).ok, true);
});

/** What is moved over an open store, with a log of the old one beside it; how many messages it has. */
const newcomers: Readonly<Record<string, readonly [messages: number, path: (on: Scene) => string | Promise<string>]>> =
  {
    'another store': [1, ({ other }) => other],
    'a backup of it': [303, ({ backup }) => backup],
    'an older state of it': [302, ({ older }) => older],
    'a later state of it': [312, ({ later }) => later],
    'a store of an older schema': [
      0,
      async ({ other }) => {
        const path = `${other}.v8`;
        await migrated(path, 8);
        chmodSync(path, 0o600);
        return path;
      },
    ],
  };

for (const [what, [messages, newcomer]] of Object.entries(newcomers)) {
  test(`L1 ${what} that is moved over an open one is opened without the log of that`, async (t) => {
    const on = await scene(t);
    const { path, store } = on;
    renameSync(await newcomer(on), path);
    assert.deepEqual(otherProcess(path), { messages, write: 'written' });
    assert.equal(logsAside(path).length, 1);
    await assert.rejects(writeOne(store), overwritten);
    await store.close();
    await using now = await openStore({ path });
    assert.deepEqual([await now.messages.count(), (await now.care.check()).ok], [messages + 1, true]);
  });

  test(`L1 ${what} beside the log of a process that was killed is opened without it, and never read with it`, async (t) => {
    const on = await scene(t);
    const path = join(await newFolder(t), 'store.db');
    copyFileSync(await newcomer(on), path);
    copyFileSync(`${on.path}-wal`, `${path}-wal`);
    const before = [readFileSync(path), readFileSync(`${path}-wal`)];
    assert.equal(otherProcess(path, 'read-only'), 'STORE_REPLACED');
    assert.deepEqual([readFileSync(path), readFileSync(`${path}-wal`)], before);
    await using store = await openStore({ path });
    assert.deepEqual([await store.messages.count(), (await store.care.check()).ok], [messages, true]);
    assert.equal(logsAside(path).length, 1);
  });
}

test('L1 a log is its store’s own at any time that a process is killed', async (t) => {
  const { path, store } = await scene(t);
  const killed = join(await newFolder(t), 'killed.db');
  const isReadWhole = async (): Promise<void> => {
    for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${killed}${ending}`);
    await using again = await openStore({ path: killed });
    assert.deepEqual([await contentOf(again), (await again.care.check()).ok], [await contentOf(store), true]);
    assert.deepEqual(logsAside(killed), []);
  };
  await isReadWhole();
  // All of the log is in the file, and it begins anew with the next write, or does not.
  withDatabase(path, (db) => db.exec('pragma wal_checkpoint(passive)'));
  await isReadWhole();
  await writeOne(store);
  await isReadWhole();
  checkpoint(path);
  await isReadWhole();
  const deleted = await store.sessions.list();
  for (const { tip } of deleted.slice(0, 1)) await store.sessions.delete(tip.id);
  await isReadWhole();
});

test('L1 a log is foreign by what it is, and not by what a message says', async (t) => {
  const path = await filledFile(t);
  const killed = join(await newFolder(t), 'killed.db');
  const text = `palimpsest-store:${'0'.repeat(32)}:${'7'.repeat(16)}`;
  await using store = await openStore({ path });
  const session = await store.sessions.create({ source: 'library' });
  await store.messages.append(session.id, [said(text), said(`${text}\n`.repeat(2_000))]);
  await store.meta.set(text, text);
  for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${killed}${ending}`);
  await using again = await openStore({ path: killed });
  assert.deepEqual(await contentOf(again), await contentOf(store));
});

test('L1 a backup, and the store that is made of one, are stores of their own', async (t) => {
  const { path, backup } = await scene(t);
  const markOf = (file: string): unknown => withDatabase(file, (db) => db.prepare('select mark from store_mark').get());
  const ids = [path, backup].map((file) => JSON.stringify(markOf(file)).slice(0, 60));
  assert.equal(new Set(ids).size, 2);
});

for (let version = 1; version < latestVersion; version++) {
  test(`L1 a store of schema ${version} is told from others once it was opened`, async (t) => {
    const { other } = await scene(t);
    const path = join(await newFolder(t), 'old.db');
    await migrated(path, version);
    const store = await openStore({ path });
    await writeOne(store);
    shell('cp', other, path);
    await assert.rejects(writeOne(store), overwritten);
    await store.close();
    assert.ok(readFileSync(other).equals(readFileSync(path)));
  });
}
