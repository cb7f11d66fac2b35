import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

type Doctor = (...args: readonly string[]) => Promise<Outcome>;

/** A store with two conversations; `harm` does something to its database behind our back. */
function inStore(use: (doctor: Doctor, path: string, harm: (sql: string) => void) => Promise<void>): Promise<void> {
  return inFolder({ 'chats.json': `[${chatFile(2)},${chatFile(3)}]` }, async (cwd) => {
    const path = join(cwd, 'store.db');
    assert.equal((await runHere(['import', 'chats.json', '--store', path], { cwd })).code, 0);
    const harm = (sql: string): void => {
      const db = new DatabaseSync(path);
      db.exec(`pragma foreign_keys = off; ${sql}`);
      db.close();
    };
    await use((...args) => runHere(['doctor', '--store', path, ...args], { cwd }), path, harm);
  });
}

const failing = (outcome: Outcome): readonly string[] => {
  const { findings }: { findings: readonly { check: string; ok: boolean }[] } = JSON.parse(outcome.stdout);
  return findings.filter(({ ok }) => !ok).map(({ check }) => check);
};

describe('L1: palimpsest doctor', () => {
  it('says of a whole store that every check passed', () =>
    inStore(async (doctor, path) => {
      const before = readFileSync(path);
      const { code, stdout } = await doctor();
      assert.equal(code, 0);
      assert.match(stdout, /store\.db: 19 messages in 2 sessions, 0\.\d MB, schema \d+\n/);
      for (const check of ['file', 'integrity', 'foreign keys', 'index', 'views', 'content', 'memory', 'leases']) {
        assert.match(stdout, new RegExp(`^  ✓ ${check} `, 'm'));
      }
      assert.ok(readFileSync(path).equals(before));
      assert.equal((await doctor('--quiet')).stdout, '');
    }));

  it('repairs what follows from the messages, and touches none of them', () =>
    inStore(async (doctor, path, harm) => {
      const exported = (): Promise<Outcome> => runHere(['sessions', 'list', '--json', '--store', path]);
      const before = await exported();
      harm('update sessions set message_count = 7');
      chmodSync(path, 0o644);
      const found = await doctor('--json');
      assert.equal(found.code, 1);
      assert.deepEqual(failing(found), ['file', 'views']);
      assert.match((await doctor()).stdout, /✗ views .*\nto rebuild it, run: palimpsest doctor --repair/s);
      const repaired = await doctor('--repair');
      assert.equal(repaired.code, 0, repaired.stdout);
      assert.match(repaired.stdout, /✓ views +Repaired\. /);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.equal((await exported()).stdout, before.stdout);
      assert.equal((await doctor()).code, 0);
    }));

  it('makes a lost index anew', () =>
    inStore(async (doctor, _, harm) => {
      harm('delete from search_documents');
      const found = await doctor('--json');
      assert.deepEqual([found.code, failing(found)], [1, ['index']]);
      assert.equal((await doctor('--repair')).code, 0);
    }));

  it('names a message that is not as it was stored, and says that only a backup helps', () =>
    inStore(async (doctor, _, harm) => {
      harm(`update messages set hash = zeroblob(32) where seq = 3`);
      const { code, stdout } = await doctor('--repair');
      assert.equal(code, 1);
      assert.match(stdout, /✗ content +1 of \d+ messages and saved outputs do not match their hashes/);
      assert.match(stdout, /Restore a\s+backup\.\n/);
      assert.match(stdout, /this cannot be rebuilt: restore a backup \(palimpsest restore FILE\)/);
    }));

  it('leaves alone what is no store', () =>
    inStore(async (doctor, path) => {
      writeFileSync(path, 'This is a shopping list.');
      const { code, stderr } = await doctor('--repair');
      assert.equal(code, 3);
      assert.match(stderr, /is not an SQLite database, not a Palimpsest store/);
      assert.equal(readFileSync(path, 'utf8'), 'This is a shopping list.');
    }));
});
