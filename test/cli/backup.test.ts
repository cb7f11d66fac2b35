import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
import { fine, inMemoryHome } from '../support/memory-command.ts';
import { chatFile } from '../support/small-session.ts';

/** A folder with a store of one conversation and a backup of it. */
function withBackup(use: (run: (...args: string[]) => Promise<Outcome>, cwd: string) => Promise<void>): Promise<void> {
  return inFolder({ 'chat.json': chatFile(2), 'other.json': chatFile(3) }, async (cwd) => {
    const run = (...args: string[]): Promise<Outcome> => runHere([...args, '--store', join(cwd, 'store.db')], { cwd });
    assert.equal((await run('import', 'chat.json')).code, 0);
    const { code, stdout } = await run('backup', 'copy.db');
    assert.equal(code, 0);
    assert.match(stdout, /copied .*store\.db to .*copy\.db: 0\.\d MB\n/);
    await use(run, cwd);
  });
}

const messages = async (path: string): Promise<number> => {
  await using store = await openStore({ path, readOnly: true });
  return store.messages.count();
};

describe('L1: palimpsest backup', () => {
  it('holds everything, also what another process is writing to', () =>
    withBackup(async (run, cwd) => {
      assert.equal(await messages(join(cwd, 'copy.db')), 13);
      await using store = await openStore({ path: join(cwd, 'store.db') });
      await store.sessions.create({ source: 'cli' });
      const { code, stdout } = await run('backup', 'second.db', '--json');
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout).file, join(cwd, 'second.db'));
      await using second = await openStore({ path: join(cwd, 'second.db') });
      assert.equal((await second.sessions.list()).length, 2);
    }));

  it('never takes the place of a file', () =>
    withBackup(async (run, cwd) => {
      writeFileSync(join(cwd, 'letter.txt'), 'Dear baker');
      const { code, stderr } = await run('backup', 'letter.txt');
      assert.equal(code, 2);
      assert.match(stderr, /letter\.txt already exists/);
      assert.equal(readFileSync(join(cwd, 'letter.txt'), 'utf8'), 'Dear baker');
    }));
});

describe('L1: palimpsest restore', () => {
  it('makes a store where there is none', () =>
    withBackup(async (_, cwd) => {
      const { code, stdout } = await runHere(['restore', 'copy.db', '--store', 'new/place.db'], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, /restored .*place\.db from .*copy\.db: 1 conversation, /);
      assert.equal(await messages(join(cwd, 'new/place.db')), 13);
    }));

  it('replaces a store that has content only with --force, and keeps it', () =>
    withBackup(async (run, cwd) => {
      await run('import', 'other.json');
      const refused = await run('restore', 'copy.db');
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /store\.db contains 1 conversation: use --force to replace it/);
      assert.equal(await messages(join(cwd, 'store.db')), 19);
      const forced = await run('restore', 'copy.db', '--force');
      assert.equal(forced.code, 0);
      assert.match(forced.stderr, /the previous store was kept as .*store\.db\.before-restore\n/);
      assert.equal(await messages(join(cwd, 'store.db')), 13);
      assert.equal(await messages(join(cwd, 'store.db.before-restore')), 19);
      await run('restore', 'copy.db', '--force');
      assert.ok(existsSync(join(cwd, 'store.db.before-restore-2')));
    }));

  it('leaves a store alone that another process has open', () =>
    withBackup(async (run, cwd) => {
      await using store = await openStore({ path: join(cwd, 'store.db') });
      await store.sessions.create({ source: 'cli' });
      const { code, stderr } = await run('restore', 'copy.db', '--force');
      assert.equal(code, 3);
      assert.match(stderr, /Another process has the store .* open\. Nothing was changed/);
      assert.equal((await store.sessions.list()).length, 2);
      assert.deepEqual(
        readdirSync(cwd).filter((name) => name.includes('restor')),
        [],
      );
    }));

  it('puts a damaged store aside, with everything that lies beside it', () =>
    withBackup(async (run, cwd) => {
      writeFileSync(join(cwd, 'store.db'), 'torn');
      writeFileSync(join(cwd, 'store.db-wal'), 'torn too');
      assert.equal((await run('restore', 'copy.db')).code, 2);
      assert.equal((await run('restore', 'copy.db', '--force')).code, 0);
      assert.equal(await messages(join(cwd, 'store.db')), 13);
      assert.equal(readFileSync(join(cwd, 'store.db.before-restore'), 'utf8'), 'torn');
      assert.equal(readFileSync(join(cwd, 'store.db.before-restore-wal'), 'utf8'), 'torn too');
    }));

  it('refuses what is no backup, and the store itself', () =>
    withBackup(async (run, cwd) => {
      assert.equal((await run('restore', 'chat.json', '--force')).code, 3);
      assert.equal((await run('restore', 'none.db', '--force')).code, 3);
      assert.equal((await run('restore', 'store.db', '--force')).code, 2);
      assert.equal(await messages(join(cwd, 'store.db')), 13);
    }));
});

describe('M1: the memory files in a backup', () => {
  const store = join('.local/share/palimpsest', 'palimpsest.db');
  const run = (args: readonly string[], home: string): Promise<Outcome> =>
    runHere([...args], { cwd: home, env: { HOME: home } });

  it('are copied beside it and come back, with those of each project and their sources', () =>
    inMemoryHome(async ({ home, person, read, json, folder }) => {
      await fine(person(['add', '--user', 'Answers in French.']));
      await fine(person(['add', 'Tests run with npm test.']));
      const { stdout } = await fine(run(['backup', 'copy.db'], home));
      assert.match(stdout, /copied .*palimpsest\.db to .*copy\.db: .* MB; 2 memory files to .*copy-memories\n/);
      const before = await json(['show']);
      rmSync(folder, { recursive: true });
      rmSync(join(home, store));
      const back = await fine(run(['restore', 'copy.db'], home));
      assert.match(back.stdout, /; 2 memory files in .*memories\n/);
      assert.match(read('USER.md'), /Answers in French\./);
      assert.deepEqual((await json(['show'])).entries, before.entries);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }));

  it('take the place of others only with --force, and those are kept', () =>
    inMemoryHome(async ({ home, person, read, folder }) => {
      await fine(person(['add', '--user', 'Answers in French.']));
      await fine(run(['backup', 'copy.db'], home));
      await fine(person(['add', '--user', 'Likes tea.']));
      const refused = await run(['restore', 'copy.db'], home);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /memories contains memory files: use --force to replace it/);
      assert.match(read('USER.md'), /Likes tea/);
      const forced = await fine(run(['restore', 'copy.db', '--force', '--json'], home));
      const { memory } = JSON.parse(forced.stdout);
      assert.deepEqual(memory, { folder, files: 1, keptAside: `${folder}.before-restore` });
      assert.doesNotMatch(read('USER.md'), /Likes tea/);
      assert.match(readFileSync(join(`${folder}.before-restore`, 'USER.md'), 'utf8'), /Likes tea/);
      assert.deepEqual(leftOvers(folder), []);
    }));

  it('are left alone where the backup has none, and none are made where there are none', () =>
    withBackup(async (run, cwd) => {
      assert.equal(JSON.parse((await run('backup', 'bare.db', '--json')).stdout).memory, null);
      assert.equal(existsSync(join(cwd, 'bare-memories')), false);
      mkdirSync(join(cwd, 'store-memories'));
      writeFileSync(join(cwd, 'store-memories', 'USER.md'), 'Likes tea.\n');
      const { code, stderr } = await run('restore', 'bare.db', '--force');
      assert.equal(code, 0);
      assert.match(stderr, /the backup has no memory files: .*store-memories was left as it is/);
      assert.equal(readFileSync(join(cwd, 'store-memories', 'USER.md'), 'utf8'), 'Likes tea.\n');
    }));

  it('are whole where one is being written: then it has only the name under which it lies aside', () =>
    withBackup(async (run, cwd) => {
      mkdirSync(join(cwd, 'store-memories', 'projects', 'oven-1f2e3d4c'), { recursive: true });
      writeFileSync(join(cwd, 'store-memories', 'USER.md.before'), 'Likes tea.\n');
      writeFileSync(join(cwd, 'store-memories', 'USER.md.0123456789ab.tmp'), 'Likes te');
      writeFileSync(join(cwd, 'store-memories', '.USER.md.recent'), 'a\n');
      writeFileSync(join(cwd, 'store-memories', 'projects', 'oven-1f2e3d4c', 'MEMORY.md'), 'Port 81.\n');
      assert.equal((await run('backup', 'second.db')).code, 0);
      const copied = readdirSync(join(cwd, 'second-memories'), { recursive: true }).map(String);
      assert.deepEqual(copied.sort(), [
        'USER.md',
        'projects',
        'projects/oven-1f2e3d4c',
        'projects/oven-1f2e3d4c/MEMORY.md',
      ]);
      assert.equal(readFileSync(join(cwd, 'second-memories', 'USER.md'), 'utf8'), 'Likes tea.\n');
    }));

  it('take the place of no folder of a backup, and a link among them stops it', () =>
    withBackup(async (run, cwd) => {
      mkdirSync(join(cwd, 'store-memories'));
      writeFileSync(join(cwd, 'store-memories', 'USER.md'), 'Likes tea.\n');
      mkdirSync(join(cwd, 'third-memories'));
      const taken = await run('backup', 'third.db');
      assert.equal(taken.code, 2);
      assert.match(taken.stderr, /third-memories already exists/);
      symlinkSync(join(cwd, 'chat.json'), join(cwd, 'store-memories', 'MEMORY.md'));
      const linked = await run('backup', 'fourth.db');
      assert.equal(linked.code, 3);
      assert.match(linked.stderr, /MEMORY\.md is a link/);
      assert.deepEqual([existsSync(join(cwd, 'third.db')), existsSync(join(cwd, 'fourth.db'))], [false, false]);
    }));

  it('are left alone, and nothing else stays, where another process has the store open', () =>
    inMemoryHome(async ({ home, person, read, folder, openStore }) => {
      await fine(person(['add', '--user', 'Answers in French.']));
      await fine(run(['backup', 'copy.db'], home));
      await using other = await openStore();
      await other.sessions.create({ source: 'cli' });
      assert.equal((await run(['restore', 'copy.db', '--force'], home)).code, 3);
      assert.match(read('USER.md'), /Answers in French/);
      assert.deepEqual(leftOvers(folder), []);
    }));
});

const leftOvers = (folder: string): readonly string[] =>
  readdirSync(join(folder, '..')).filter((name) => name.includes('restoring'));
