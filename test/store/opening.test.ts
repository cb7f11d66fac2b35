/** What cannot be opened gives a clear error and is left as it was. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openStore, type StoreOptions } from '../../packages/core/src/store/open-store.ts';
import { openDatabase, requireEngine } from '../../packages/core/src/store/sqlite/open-database.ts';
import { storeOver } from '../../packages/core/src/store/sqlite/store.ts';
import { said } from '../support/store-contract/store-bench.ts';
import { contentOf, filledFile, fingerprint, newFolder, withDatabase, writeOne } from '../support/store-files.ts';

const run = promisify(execFile);

/** Opening is refused, and the file with everything beside it stays as it was. */
async function refused(options: StoreOptions, code: string): Promise<void> {
  const before = await fingerprint(options.path);
  await assert.rejects(openStore(options), (error: unknown) => {
    assert.ok(error instanceof Error && 'code' in error);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, /store|file/i);
    return true;
  });
  assert.equal(await fingerprint(options.path), before);
}

test('L1 a missing folder is made, and all of a store is its owner’s alone', async (t) => {
  const folder = join(await newFolder(t), 'a', 'b');
  const store = await openStore({ path: join(folder, 'store.db') });
  await writeOne(store);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  const names = await readdir(folder);
  assert.deepEqual(names.toSorted(), ['store.db', 'store.db-shm', 'store.db-wal']);
  for (const name of names) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name);
  await store.close();
  assert.deepEqual(await readdir(folder), ['store.db']);
});

test('L1 a store in memory is a store of its own', async () => {
  await using one = await openStore({ path: ':memory:' });
  await using two = await openStore({ path: ':memory:' });
  await writeOne(one);
  assert.deepEqual([await one.messages.count(), await two.messages.count()], [1, 0]);
});

test('L1 a store that a newer version wrote is not touched', async (t) => {
  const path = await filledFile(t);
  withDatabase(path, (db) => db.exec('pragma user_version = 99'));
  await refused({ path }, 'STORE_NEWER');
  await refused({ path, readOnly: true }, 'STORE_NEWER');
});

test('L1 a file that is no store is not touched', async (t) => {
  const path = join(await newFolder(t), 'notes.txt');
  for (const text of ['short', 'a long text, '.repeat(1_000), 'SQLite format 3\0']) {
    await writeFile(path, text);
    await refused({ path }, 'STORE_FOREIGN');
    await refused({ path, readOnly: true }, 'STORE_FOREIGN');
  }
});

test('L1 the database of another program is not touched', async (t) => {
  const path = join(await newFolder(t), 'other.db');
  withDatabase(path, (db) =>
    db.exec('pragma journal_mode = wal; create table messages (id); insert into messages values (1)'),
  );
  await refused({ path }, 'STORE_FOREIGN');
  withDatabase(path, (db) => db.exec('pragma application_id = 7; drop table messages'));
  await refused({ path }, 'STORE_FOREIGN');
  await refused({ path, readOnly: true }, 'STORE_FOREIGN');
});

test('L1 a folder, and a path that can be none, are refused', async (t) => {
  const folder = await newFolder(t);
  await assert.rejects(openStore({ path: folder }), { code: 'STORE_UNREADABLE' });
  await writeFile(join(folder, 'file'), '');
  await assert.rejects(openStore({ path: join(folder, 'file', 'store.db') }), { code: 'STORE_UNREADABLE' });
  for (const path of ['', 'a\0b']) await assert.rejects(openStore({ path }), { code: 'BAD_OPTION' });
  await assert.rejects(openStore({ path: ':memory:', busyMilliseconds: -1 }), { code: 'BAD_OPTION' });
});

test('L1 reading does not make a store, and does not write to one', async (t) => {
  const path = await filledFile(t);
  const folder = await newFolder(t);
  await assert.rejects(openStore({ path: join(folder, 'none.db'), readOnly: true }), { code: 'STORE_UNREADABLE' });
  assert.deepEqual(await readdir(folder), []);
  const before = await readFile(path);
  const store = await openStore({ path, readOnly: true });
  assert.equal(await store.messages.count(), 302);
  await assert.rejects(writeOne(store), { code: 'STORE_READ_ONLY' });
  await store.close();
  assert.ok(before.equals(await readFile(path)));
});

test('L1 a damaged page gives an error where it is read, and a finding to whoever looks', async (t) => {
  const path = await filledFile(t);
  // The bodies of messages lie behind the schema, on every page of a table that is not its root.
  const page = withDatabase(path, (db) =>
    Number(
      db.prepare(`select pageno from dbstat where name = 'messages' and pagetype = 'leaf' limit 1`).get()?.['pageno'],
    ),
  );
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(4_000, 0x5a), 0, 4_000, (page - 1) * 4_096);
  await file.close();
  const before = await readFile(path);
  const store = await openStore({ path });
  await assert.rejects(contentOf(store), { code: 'STORE_DAMAGED' });
  const report = await store.care.check();
  const wrong = report.findings.filter(({ ok }) => !ok);
  assert.deepEqual(wrong.map(({ check, repairable }) => [check, repairable]).slice(0, 1), [['integrity', false]]);
  assert.ok(wrong.some(({ check }) => check === 'content'));
  // Whoever runs the doctor is not sent to the doctor.
  assert.ok(wrong.every(({ message }) => !message.includes('palimpsest doctor')));
  assert.equal((await store.care.repair()).ok, false);
  await store.close();
  assert.ok(before.equals(await readFile(path)));
});

test('L1 a damaged schema keeps a store from being opened, and it is not touched', async (t) => {
  const path = await filledFile(t);
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(3_000, 0x5a), 0, 3_000, 100);
  await file.close();
  await refused({ path }, 'STORE_DAMAGED');
});

test('L1 a store that another one keeps locked says so, and takes the write when it is free', async (t) => {
  const path = await filledFile(t);
  await using store = await openStore({ path, busyMilliseconds: 120 });
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec('begin immediate');
  await assert.rejects(writeOne(store), { code: 'STORE_BUSY' });
  assert.equal(await store.messages.count(), 302);
  other.exec('rollback');
  await writeOne(store);
  assert.equal(await store.messages.count(), 303);
});

test('L1 writes that stand behind one that waited for a lock in vain have waited, too', async (t) => {
  const path = await filledFile(t);
  await using store = await openStore({ path, busyMilliseconds: 400 });
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec('begin immediate');
  const took = async (writes: number): Promise<number> => {
    const start = performance.now();
    const all = await Promise.allSettled(Array.from({ length: writes }, () => writeOne(store)));
    assert.ok(all.every(({ status }) => status === 'rejected'));
    return performance.now() - start;
  };
  const one = await took(1);
  assert.ok((await took(10)) < 6 * one, 'each of ten writes waited by itself');
  other.exec('rollback');
  await writeOne(store);
});

test('L1 a store that is locked as a whole cannot be opened until it is free', async (t) => {
  const path = await filledFile(t);
  const other = new DatabaseSync(path);
  other.exec('pragma locking_mode = exclusive; begin exclusive');
  await assert.rejects(openStore({ path, busyMilliseconds: 120 }), { code: 'STORE_BUSY' });
  other.close();
  await using store = await openStore({ path });
  assert.equal(await store.messages.count(), 302);
});

test('L1 a full disk stops the write as a whole; what was there stays, and room is enough to go on', async (t) => {
  const path = await filledFile(t);
  const options = { path, readOnly: false, busyMilliseconds: 100, clock: Date.now };
  const opened = await openDatabase(options);
  const { db } = opened;
  await using store = storeOver(opened, options);
  const before = await contentOf(store);
  const session = (await store.sessions.list())[0]?.tip;
  assert.ok(session);
  const pages = db.prepare('pragma page_count').get()?.['page_count'];
  db.exec(`pragma max_page_count = ${pages}`);
  const large = Array.from({ length: 50 }, (_, i) => said(`${i} `.repeat(2_000)));
  await assert.rejects(store.messages.append(session.id, large), { code: 'STORE_FULL' });
  await assert.rejects(store.outputs.save('x\n'.repeat(5_000_000)), { code: 'STORE_FULL' });
  assert.deepEqual(await contentOf(store), before);
  assert.equal((await store.care.check()).ok, true);
  db.exec('pragma max_page_count = 1000000');
  assert.equal((await store.messages.append(session.id, large)).added, 50);
});

test('F3 a store that dies while it is made leaves a file of which a store can be made', async (t) => {
  const path = join(await newFolder(t), 'store.db');
  const clock = (): number => {
    throw new Error('the process dies');
  };
  await assert.rejects(openStore({ path, clock: { now: clock } }), { message: 'the process dies' });
  await using store = await openStore({ path });
  await writeOne(store);
  assert.ok((await store.care.check()).ok);
});

test('L1 many processes may make a store at the same time', async (t) => {
  const path = join(await newFolder(t), 'store.db');
  const reports = await Promise.all(Array.from({ length: 4 }, () => tried([path])));
  assert.ok(
    reports.every((report) => report.includes('"written"')),
    reports.join(),
  );
  await using store = await openStore({ path });
  assert.deepEqual([await store.messages.count(), (await store.care.check()).ok], [4, true]);
});

test('L1 a file or a folder that may only be read: writing says so, reading works', async (t) => {
  if (!(await nobodyCanRun())) return t.skip('runs as root, in a folder that no other user may read');
  const path = await filledFile(t);
  const folder = join(path, '..');
  const before = await fingerprint(path);
  await chmod(path, 0o444);
  await chmod(folder, 0o755);
  assert.equal(await tried([path], nobody), '"STORE_READ_ONLY"');
  await chmod(folder, 0o555);
  assert.equal(await tried([path], nobody), '"STORE_READ_ONLY"');
  assert.equal(await tried([path, 'read-only'], nobody), '{"messages":302,"write":"STORE_READ_ONLY"}');
  assert.equal(await tried([join(folder, 'new.db')], nobody), '"STORE_READ_ONLY"');
  await chmod(path, 0o000);
  assert.equal(await tried([path, 'read-only'], nobody), '"STORE_UNREADABLE"');
  await chmod(folder, 0o755);
  await chmod(path, 0o600);
  assert.equal(await fingerprint(path), before);
});

test('L1 an engine that can damage a shared store is refused', () => {
  for (const version of ['3.51.3', '3.51.10', '3.52.0', '4.0.0']) requireEngine(version);
  for (const version of ['3.51.2', '3.45.1', '2.9.9', '']) {
    assert.throws(() => requireEngine(version), { code: 'STORE_ENGINE' });
  }
});

/** As root everything may be written: such tests then run as the user `nobody`. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function nobodyCanRun(): Promise<boolean> {
  try {
    return (await tried([':memory:'], nobody)).includes('written');
  } catch {
    return false;
  }
}

async function tried(args: readonly string[], user: { uid?: number; gid?: number } = {}): Promise<string> {
  const worker = join(import.meta.dirname, 'workers', 'try-store.ts');
  const { stdout } = await run(process.execPath, [worker, ...args], { ...user, encoding: 'utf8' });
  return stdout.trim();
}

test('L4 the file gets smaller when much of it was deleted, and what is left is whole', async (t) => {
  const path = await filledFile(t);
  const left = await openStore({ path });
  const session = await left.sessions.create({ source: 'library', title: 'Large' });
  await left.messages.append(
    session.id,
    Array.from({ length: 2_000 }, (_, i) => said(`${i} ${createHash('sha256').update(`${i}`).digest('hex')}`)),
  );
  await left.close();
  const full = (await stat(path)).size;
  await using store = await openStore({ path });
  const others = await store.sessions.find('Parser');
  await store.sessions.delete(session.id);
  await store.close();
  assert.ok((await stat(path)).size < full / 2);
  await using again = await openStore({ path });
  assert.deepEqual(await again.sessions.find('Parser'), others);
  assert.equal((await again.care.check()).ok, true);
});

test('L1 a Node without SQLite is told which one is needed', async () => {
  // What the loader of such a Node says; everything else is this one.
  const older = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name !== 'node:sqlite') return next(name, context);
      throw Object.assign(new Error('No such built-in module: node:sqlite'), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' });
    } });`;
  const door = JSON.stringify(new URL('../../packages/core/src/store.ts', import.meta.url).href);
  const program = `const { openStore, restoreStore } = await import(${door});
    for (const open of [() => openStore({ path: ':memory:' }), () => restoreStore('a.db', 'b.db')])
      await open().catch(({ name, code, message }) => console.log(name, code, message));`;
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(older)}`,
    '--input-type=module',
    '--eval',
    program,
  ];
  const { stdout } = await run(process.execPath, args);
  const expected =
    /^PalimpsestError STORE_ENGINE Expected a Node with SQLite, 24\.15 or newer; this is Node v\d\S+, which/;
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 2);
  for (const line of lines) assert.match(line, expected);
});

test('L1 an option that is none is refused, and what is no object', async () => {
  const misspelt: StoreOptions = { path: ':memory:', ...{ readonly: true } };
  await assert.rejects(openStore(misspelt), { code: 'BAD_OPTION', message: /readonly: did you mean readOnly\?/ });
  const nothing = undefined as unknown as StoreOptions; // as a caller without a compiler has it
  await assert.rejects(openStore(nothing), { code: 'BAD_OPTION', message: /options of openStore as an object/ });
});
