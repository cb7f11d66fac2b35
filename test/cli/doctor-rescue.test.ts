/** `palimpsest doctor --repair` over a store that was cut short, or lost pages. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

type Run = (...args: readonly string[]) => Promise<Outcome>;

/** A store with some conversations; `harm` gets its bytes. */
function inStore(
  harm: (bytes: Buffer) => Buffer,
  use: (run: Run, path: string, cwd: string) => Promise<void>,
): Promise<void> {
  return inFolder({ 'chats.json': `[${chatFile(30)},${chatFile(12)},${chatFile(5)}]` }, async (cwd) => {
    const path = join(cwd, 'store.db');
    const run: Run = (...args) => runHere([...args, '--store', path], { cwd });
    assert.equal((await run('import', 'chats.json')).code, 0);
    writeFileSync(path, harm(readFileSync(path)));
    await use(run, path, cwd);
  });
}

const size = 4_096;
const zeroed = (page: number) => (bytes: Buffer) => Buffer.from(bytes).fill(0, (page - 1) * size, page * size);
const cut = (share: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share));

const harms: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'whose first page is gone': zeroed(1),
  'whose first bytes are gone': (bytes) => Buffer.from(bytes).fill(0, 0, 100),
  'of which the last page was cut': (bytes) => bytes.subarray(0, bytes.length - size),
  'that was cut within a page': (bytes) => bytes.subarray(0, bytes.length - 3 * size - 100),
  'of which nine tenths are left': cut(0.9),
  'of which two thirds are left': cut(0.67),
};

describe('L1: palimpsest doctor --repair', () => {
  for (const [what, harm] of Object.entries(harms)) {
    it(`rescues a store ${what} into a copy, and leaves the store alone`, () =>
      inStore(harm, async (run, path, cwd) => {
        const before = readFileSync(path);
        const found = await run('doctor');
        assert.ok(found.code === 1 || found.code === 3, found.stderr);
        assert.match(`${found.stdout}${found.stderr}`, /doctor --repair/);
        const { code, stdout, stderr } = await run('doctor', '--repair');
        assert.equal(code, 1, stderr);
        assert.match(
          stdout,
          /store\.db was not changed; everything that can be read was copied to \S+store\.db\.rescued: \d+ messages?, /,
        );
        assert.match(stdout, /palimpsest restore \S+store\.db\.rescued --force replaces the store with the copy/);
        assert.ok(before.equals(readFileSync(path)));
        const copy = join(cwd, 'store.db.rescued');
        assert.equal((await runHere(['doctor', '--store', copy], { cwd })).code, 0);
        const again = await run('doctor', '--repair', '--json');
        const { rescued, ok } = JSON.parse(again.stdout);
        assert.deepEqual([ok, rescued.path], [false, `${copy}-2`]);
        assert.ok(rescued.messages > 0 && rescued.lost.pages > 0);
        assert.equal((await run('restore', copy, '--force')).code, 0);
        assert.equal((await run('doctor')).code, 0);
        assert.ok(before.equals(readFileSync(`${path}.before-restore`)));
      }));
  }

  it('names the messages that are missing, and where they were', () =>
    inStore(
      (bytes) => bytes,
      async (run, path) => {
        const { stdout: listed } = await run('sessions', 'list', '--json');
        const [, session] = /"id": "([^"]+)"/.exec(listed) ?? [];
        assert.ok(session);
        // The page of a message in the middle: its text is found in the file, and the page around it emptied.
        const bytes = readFileSync(path);
        const at = bytes.indexOf('accept an empty row 17');
        assert.ok(at > 0);
        writeFileSync(path, zeroed(Math.floor(at / size) + 1)(bytes));
        const { code, stdout } = await run('doctor', '--repair');
        assert.equal(code, 1);
        assert.match(stdout, /1 page of the file could not be read; missing, as far as the rest shows: \d+ messages/);
        assert.match(stdout, /^ {2}message [0-9a-f]{16} of session [0-9a-f-]{36}, place \d+$/m);
      },
    ));

  it('leaves alone what never was a store', () =>
    inStore(
      (bytes) => bytes,
      async (_, path, cwd) => {
        writeFileSync(join(cwd, 'letter.txt'), 'Dear baker, '.repeat(2_000));
        writeFileSync(join(cwd, 'empty.db'), '');
        for (const name of ['letter.txt', 'empty.db']) {
          const { code } = await runHere(['doctor', '--repair', '--store', name], { cwd });
          assert.equal(code, 3, name);
        }
        assert.deepEqual(
          readdirSync(cwd).filter((name) => name.includes('rescued')),
          [],
        );
        assert.ok(existsSync(path));
      },
    ));

  it('says of a store that was emptied that nothing is left', () =>
    inStore(
      (bytes) => bytes,
      async (run, path) => {
        truncateSync(path, 0);
        const { code, stderr } = await run('doctor', '--repair');
        assert.equal(code, 3);
        assert.match(stderr, /store\.db/);
        assert.equal(readFileSync(path).length, 0);
      },
    ));
});
