/** What a disk without room stops, and what is kept all the same. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { openDatabase } from '../../packages/core/src/store/sqlite/open-database.ts';
import { storeOver } from '../../packages/core/src/store/sqlite/store.ts';
import { type ImportSettings, importFiles } from '../../packages/palimpsest/src/cli/import-files.ts';
import { entry, inFolder, made, type Outcome, quietEnv, runHere } from '../support/command-line.ts';

/** 241 messages of which another conversation only has the first. */
function conversation(name: number): string {
  const body = (at: number): string =>
    `${name}.${at}: ${Array.from({ length: 60 }, (_, i) => ((at * 60 + i) * 7_919 + name) % 9_973).join(' ')}`;
  const turns = Array.from({ length: 240 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: body(at),
  }));
  return JSON.stringify([{ role: 'system', content: 'You count.' }, ...turns]);
}

const files = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`chat${i}.json`, conversation(i)]));

/** A process whose files can have so many KiB each: every write beyond fails, as on a full disk. */
function withLimit(kibibytes: number, args: readonly string[], cwd: string): Promise<Outcome> {
  const script = 'trap "" XFSZ; ulimit -f "$1" || exit 99; shift; exec "$@"';
  const words = ['-c', script, 'bash', String(kibibytes), process.execPath, entry, ...args];
  const child = spawn('bash', words, { cwd, env: { ...quietEnv, HOME: cwd } });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve) => {
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

const canLimit = spawnSync('bash', ['-c', 'ulimit -f 100']).status === 0;
const skip = !canLimit && 'needs bash and a limit for the size of files';

const messages = async (path: string): Promise<number> => {
  await using store = await openStore({ path });
  assert.equal((await store.care.check()).ok, true);
  return store.messages.count();
};

describe('A6 a disk without room', () => {
  it('ends an import, which says what was kept and goes on from there', { skip }, () =>
    inFolder(files, async (cwd) => {
      const names = Object.keys(files);
      const stopped = await withLimit(900, ['import', ...names, '--store', 's.db'], cwd);
      assert.equal(stopped.code, 3, stopped.stderr);
      assert.match(
        stopped.stderr,
        /palimpsest: The store \S+s\.db: .*What was imported before that is kept: \d files? of 5 with /,
      );
      assert.match(stopped.stderr, /Repeat the import to continue\.\n/);
      const [, whole, added] = /(\d) files? of 5 with (\d+) new messages?/.exec(stopped.stderr) ?? [];
      const [, part = 0] = /and (\d+) of 241 messages of chat\d\.json/.exec(stopped.stderr) ?? [];
      assert.ok(Number(whole) > 0 && Number(whole) < 5);
      assert.match(stopped.stdout, new RegExp(`^stopped after ${whole} of 5 files: imported ${added} messages? of `));
      // The system message is the same in all of them, and kept once.
      const kept = await messages(join(cwd, 's.db'));
      assert.equal(kept, Number(added) + Number(part) - (Number(whole) - 1) - (Number(part) > 0 ? 1 : 0));
      const again = await runHere(['import', ...names, '--store', 's.db', '--json'], { cwd });
      assert.equal(again.code, 0, again.stderr);
      const { totals } = JSON.parse(again.stdout);
      assert.equal(totals.appended, 5 * 241 - Number(added) - Number(part));
      assert.equal(await messages(join(cwd, 's.db')), 5 * 240 + 1);
    }),
  );

  it('gives programs one document with what was kept, and the error', { skip }, () =>
    inFolder(files, async (cwd) => {
      const args = ['import', ...Object.keys(files), '--store', 's.db', '--json'];
      const { code, stdout } = await withLimit(900, args, cwd);
      assert.equal(code, 3);
      const document = JSON.parse(stdout);
      assert.match(document.error.code, /^STORE_/);
      assert.equal(document.stoppedAt.file, `chat${document.files.length}.json`);
      assert.equal(document.totals.files, document.files.length);
    }),
  );

  it('ends an import in the middle of a file: what is in the store of it is counted', () =>
    inFolder(files, async (cwd) => {
      const options = { path: join(cwd, 's.db'), readOnly: false, busyMilliseconds: 100, clock: Date.now };
      const opened = await openDatabase(options);
      await using store = storeOver(opened, options);
      const { terminal } = made({ cwd });
      const settings: ImportSettings = {
        store,
        terminal,
        version: '0',
        dryRun: false,
        isInterrupted: () => false,
        onProgress: () => undefined,
      };
      opened.db.exec('pragma max_page_count = 130');
      const labels = Object.keys(files);
      const { outcomes, failure } = await importFiles(labels, settings);
      assert.ok(failure && outcomes.length > 0 && outcomes.length < 5);
      assert.deepEqual([failure.error.code, failure.messages], ['STORE_FULL', 241]);
      assert.equal(failure.file, `chat${outcomes.length}.json`);
      assert.equal(await store.messages.count(), outcomes.length * 240 + 1 + Math.max(0, (failure.kept ?? 0) - 1));
      opened.db.exec('pragma max_page_count = 100000');
      assert.equal((await importFiles(labels, settings)).failure, undefined);
      assert.equal(await store.messages.count(), 5 * 240 + 1);
    }));

  it('stops a backup, which names the place of the copy and not the store, and leaves nothing there', { skip }, () =>
    inFolder(files, async (cwd) => {
      const store = join(cwd, 's.db');
      assert.equal((await runHere(['import', ...Object.keys(files), '--store', store], { cwd })).code, 0);
      const half = Math.floor(statSync(store).size / 2048);
      const { code, stderr } = await withLimit(half, ['backup', 'other/copy.db', '--store', store], cwd);
      assert.equal(code, 3, stderr);
      assert.match(stderr, /copy \S+other\/copy\.db .*No copy was kept, and the store was not changed: /);
      assert.deepEqual(readdirSync(join(cwd, 'other')), []);
      const restored = await withLimit(half, ['restore', store, '--store', 'new/store.db'], cwd);
      assert.equal(restored.code, 3, restored.stderr);
      assert.match(restored.stderr, /copy \S+new\/store\.db\.restoring /);
      assert.equal(existsSync(join(cwd, 'new/store.db')), false);
      assert.equal(await messages(store), 5 * 240 + 1);
    }),
  );

  it('stops an output, which is not begun', { skip }, () =>
    inFolder(files, async (cwd) => {
      const store = join(cwd, 's.db');
      assert.equal((await runHere(['import', 'chat1.json', '--title', 'Rows', '--store', store], { cwd })).code, 0);
      const names = readdirSync(cwd);
      const { code, stderr } = await withLimit(
        50,
        ['sessions', 'export', 'Rows', '--store', store, '-o', 'x.json'],
        cwd,
      );
      assert.equal(code, 3, stderr);
      assert.match(stderr, /x\.json cannot be written: .*Nothing was changed\./);
      assert.deepEqual(readdirSync(cwd), names);
    }),
  );
});
