/** A store whose file is not at its path any more says so before anything is believed to be kept. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { said } from '../support/store-contract/store-bench.ts';
import { contentOf, filledFile, newFolder, withDatabase, writeOne } from '../support/store-files.ts';

const tryStore = fileURLToPath(new URL('workers/try-store.ts', import.meta.url));

/** What a second process says that opens the store, reads and writes. */
const secondProcess = (path: string): unknown => {
  const report: unknown = JSON.parse(execFileSync(process.execPath, [tryStore, path], { encoding: 'utf8' }));
  return report;
};

const shell = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args);
};

/** A whole store elsewhere, closed, with one message of its own. */
async function newcomerFor(t: TestContext): Promise<string> {
  const path = join(await newFolder(t), 'newcomer.db');
  await using store = await openStore({ path });
  await writeOne(store);
  return path;
}

/** An open store that has written since it was opened, so that its log holds something. */
async function busyStore(t: TestContext): Promise<{ readonly path: string; readonly store: Store }> {
  const path = await filledFile(t);
  const store = await openStore({ path });
  t.after(() => store.close());
  await writeOne(store);
  return { path, store };
}

const replaced = { code: 'STORE_REPLACED', message: /Nothing was written\. Close it, put the right file in place/ };

/** What another process does to the file of an open store. */
const happenings: Readonly<Record<string, (path: string, newcomer: string) => void>> = {
  'another store is moved over it': (path, newcomer) => shell('mv', newcomer, path),
  'a copy of the same content takes its place': (path) => {
    shell('cp', path, `${path}.copy`);
    shell('mv', `${path}.copy`, path);
  },
  'it is deleted': (path) => shell('rm', path),
  'it is deleted with all that lies beside it': (path) => shell('rm', path, `${path}-wal`, `${path}-shm`),
  'it is moved away': (path) => shell('mv', path, `${path}.away`),
  'its folder is renamed': (path) => {
    shell('mv', dirname(path), `${dirname(path)}-renamed`);
  },
  'its folder is renamed, and another one comes': (path, newcomer) => {
    shell('mv', dirname(path), `${dirname(path)}-renamed`);
    shell('mkdir', dirname(path));
    shell('mv', newcomer, path);
  },
  'it is emptied': (path) => truncateSync(path, 0),
  'another kind of file is moved over it': (path) => {
    writeFileSync(`${path}.txt`, 'a letter');
    shell('mv', `${path}.txt`, path);
  },
};

for (const [what, happen] of Object.entries(happenings)) {
  test(`L1 ${what}: the next write says so, and so does every later one`, async (t) => {
    const { path, store } = await busyStore(t);
    t.after(() => rmSync(`${dirname(path)}-renamed`, { recursive: true, force: true }));
    const [session] = await store.sessions.list();
    assert.ok(session);
    happen(path, await newcomerFor(t));
    const writes: readonly (() => Promise<unknown>)[] = [
      () => store.messages.append(session.tip.id, [said('lost')]),
      () => store.sessions.create({ source: 'cli' }),
      () => store.meta.set('a', 'b'),
      () => store.outputs.save('a text'),
      () => store.leases.acquire('a', 'b', 1_000),
      () => store.care.backup(join(dirname(path), 'copy.db')),
    ];
    for (const write of writes) await assert.rejects(write(), replaced);
    await store.close();
    await assert.rejects(writeOne(store), { code: 'STORE_CLOSED' });
  });
}

test('L1 a file that is moved back is the store again', async (t) => {
  const { path, store } = await busyStore(t);
  renameSync(path, `${path}.away`);
  await assert.rejects(writeOne(store), replaced);
  renameSync(`${path}.away`, path);
  await writeOne(store);
  assert.deepEqual([await store.messages.count(), (await store.care.check()).ok], [304, true]);
});

test('L1 what replaces the file between the look and the commit is seen before the write is acknowledged', async (t) => {
  const { path, store } = await busyStore(t);
  const newcomer = await newcomerFor(t);
  const bytes = readFileSync(newcomer);
  const { exec } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'commit' && existsSync(newcomer)) renameSync(newcomer, path);
    exec.call(this, sql);
  });
  await assert.rejects(writeOne(store), { code: 'STORE_REPLACED', message: /The last write went to the file/ });
  await store.close();
  assert.ok(bytes.equals(readFileSync(path)));
});

test('L1 a newcomer is whole, whoever of the two processes is done first', async (t) => {
  for (const first of ['the old one', 'the new one']) {
    const { path, store } = await busyStore(t);
    const newcomer = await newcomerFor(t);
    const bytes = readFileSync(newcomer);
    renameSync(newcomer, path);
    if (first === 'the old one') await assert.rejects(writeOne(store), replaced);
    await store.close();
    assert.ok(bytes.equals(readFileSync(path)), first);
    assert.deepEqual(secondProcess(path), { messages: 1, write: 'written' });
    await using now = await openStore({ path });
    assert.deepEqual([await now.messages.count(), (await now.care.check()).ok], [2, true]);
  }
});

test('L1 a store that another process makes where one was deleted has nothing of it, and keeps what is written', async (t) => {
  const { path, store } = await busyStore(t);
  rmSync(path);
  assert.deepEqual(secondProcess(path), { messages: 0, write: 'written' });
  await assert.rejects(writeOne(store), replaced);
  await store.close();
  await using now = await openStore({ path });
  assert.deepEqual([await now.messages.count(), (await now.care.check()).ok], [1, true]);
});

test('L1 a backup that is copied over a store in use is opened without the log of that store', async (t) => {
  const { path, store } = await busyStore(t);
  const backup = join(await newFolder(t), 'backup.db');
  await (await openStore({ path: await filledFile(t) })).close();
  {
    await using other = await openStore({ path: await newcomerFor(t) });
    await other.care.backup(backup);
  }
  shell('cp', backup, `${path}.new`);
  shell('mv', `${path}.new`, path);
  assert.deepEqual(secondProcess(path), { messages: 1, write: 'written' });
  await assert.rejects(writeOne(store), replaced);
  await store.close();
  await using now = await openStore({ path });
  assert.deepEqual([await now.messages.count(), (await now.care.check()).ok], [2, true]);
});

test('L1 what was acknowledged is in the file that was moved away', async (t) => {
  const { path, store } = await busyStore(t);
  const before = await contentOf(store);
  shell('mv', path, `${path}.away`);
  await assert.rejects(writeOne(store), replaced);
  await store.close();
  await using away = await openStore({ path: `${path}.away` });
  assert.deepEqual([await contentOf(away), (await away.care.check()).ok], [before, true]);
});

test('L1 an empty file with a log beside it is not made a new store: the log may be all that is left', async (t) => {
  const path = await filledFile(t);
  const log = `${path}-wal`;
  truncateSync(path, 0);
  writeFileSync(log, 'what was written last');
  for (const readOnly of [false, true]) {
    await assert.rejects(openStore({ path, readOnly }), { code: 'STORE_REPLACED', message: /store\.db-wal/ });
  }
  assert.equal(readFileSync(log, 'utf8'), 'what was written last');
});

test('L1 the log of a store that is gone is kept under another name', async (t) => {
  const folder = await newFolder(t);
  const path = join(folder, 'store.db');
  writeFileSync(`${path}-wal`, 'left behind');
  {
    await using store = await openStore({ path });
    await writeOne(store);
  }
  const [kept] = readdirSync(folder).filter((name) => name.includes('.left-'));
  assert.ok(kept);
  assert.equal(readFileSync(join(folder, kept), 'utf8'), 'left behind');
});

test('L1 the log of a process that was killed is its store’s own, and is read', async (t) => {
  const path = await filledFile(t);
  const other = join(await newFolder(t), 'killed.db');
  {
    await using store = await openStore({ path });
    await writeOne(store);
    for (const ending of ['', '-wal', '-shm'])
      writeFileSync(`${other}${ending}`, readFileSync(`${path}${ending}`), { mode: 0o600 });
  }
  await using store = await openStore({ path: other });
  assert.deepEqual([await store.messages.count(), (await store.care.check()).ok], [303, true]);
});

test('L1 a store is found by where it was opened, whatever folder the process goes to', async (t) => {
  const folder = await newFolder(t);
  const before = process.cwd();
  await mkdir(join(folder, 'elsewhere'));
  process.chdir(folder);
  try {
    await using store = await openStore({ path: 'store.db' });
    process.chdir('elsewhere');
    await writeOne(store);
    assert.equal(await store.messages.count(), 1);
  } finally {
    process.chdir(before);
  }
  withDatabase(join(folder, 'store.db'), (db) =>
    assert.equal(db.prepare('select count(*) as n from messages').get()?.n, 1),
  );
});
