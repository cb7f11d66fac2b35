import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

type Run = (...words: readonly string[]) => Promise<Outcome>;

/** A store with a conversation, and hooks in the person's own configuration or in the project's. */
const withHooks = (
  { own = '', project = '' }: { readonly own?: string; readonly project?: string },
  use: (home: string, compress: Run) => Promise<void>,
): Promise<void> =>
  inFolder({ 'chat.json': chatFile(30) }, async (home) => {
    mkdirSync(join(home, '.config', 'palimpsest'), { recursive: true });
    writeFileSync(join(home, '.config', 'palimpsest', 'config.yaml'), own);
    assert.equal((await runHere(['import', 'chat.json', '--title', 'Thirty turns'], { cwd: home })).code, 0);
    if (project) writeFileSync(join(home, 'palimpsest.yaml'), project);
    const compress: Run = (...words) =>
      runHere(['sessions', 'compress', 'Thirty turns', '--target', '3000', '--no-summarizer', ...words], {
        cwd: home,
        env: { PATH: process.env.PATH ?? '' },
      });
    await use(home, compress);
  });

const listen =
  'hooks:\n  compression_start: [{ command: "cat >> heard.jsonl" }]\n  compression_end: [{ command: "cat >> heard.jsonl" }]\n';
const veto = `hooks:\n  compression_start: [{ command: 'echo ''{"veto":"a deployment runs"}''' }]\n`;

describe('E6: palimpsest sessions compress', () => {
  it('E6 runs the hook commands before and after', () =>
    withHooks({ own: listen }, async (home, compress) => {
      const { code, stdout, stderr } = await compress('--json');
      assert.equal(code, 0, stderr);
      const { session, notes } = JSON.parse(stdout);
      assert.deepEqual(
        notes.filter((note: string) => note.includes('hook')),
        [],
      );
      const heard = readFileSync(join(home, 'heard.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        heard.map(({ event }) => event),
        ['compression_start', 'compression_end'],
      );
      assert.equal(heard[0].session_id, session.before);
      assert.deepEqual([heard[1].from, heard[1].to, heard[1].status], [session.before, session.id, 'compressed']);
      assert.ok(heard[1].tokens_after < heard[0].tokens);
    }));

  it('E6 is held back by a veto, with exit code 1, and changes nothing', () =>
    withHooks({ own: veto }, async (_, compress) => {
      const { code, stdout } = await compress();
      assert.equal(code, 1);
      assert.equal(stdout, 'A hook vetoed the compression: a deployment runs\n');
      const held = JSON.parse((await compress('--json')).stdout);
      const { status, reason, session } = held;
      const sentence = 'A hook vetoed the compression: a deployment runs';
      assert.deepEqual([status, reason, session.id], ['held_back', sentence, session.before]);
      // Nothing of what is always there is missing.
      for (const key of ['engine', 'model', 'window', 'fates', 'before', 'after', 'handoff', 'failure', 'notes'])
        assert.ok(key in held, key);
      assert.deepEqual([held.before, held.fates.length], [held.after, 181]);
    }));

  it('E6 goes on where a hook fails, and says which', () =>
    withHooks({ own: 'hooks:\n  compression_start: [{ command: exit 3 }]\n' }, async (_, compress) => {
      const { code, stderr } = await compress();
      assert.equal(code, 0);
      assert.match(stderr, /The hook compression_start: "exit 3" failed \(exit code 3\); it was ignored\./);
    }));

  it("E6 runs no command of a project's file that is not trusted", () =>
    withHooks({ project: listen }, async (home, compress) => {
      const { code, stderr } = await compress();
      assert.equal(code, 0);
      assert.match(stderr, /hooks\.compression_start, hooks\.compression_end in .*palimpsest\.yaml are ignored/);
      assert.ok(!existsSync(join(home, 'heard.jsonl')));
      await runHere(['plugins', 'trust'], { cwd: home });
      await compress();
      assert.ok(existsSync(join(home, 'heard.jsonl')));
    }));
});
