import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
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
