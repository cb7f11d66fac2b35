import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

/** A store with one conversation of thirty turns that was compressed. */
const inStore = (use: (expand: (...words: readonly string[]) => Promise<Outcome>) => Promise<void>): Promise<void> =>
  inFolder({ 'chat.json': chatFile(30) }, async (cwd) => {
    for (const line of ['import chat.json --title Thirty', 'sessions compress Thirty --target 3000']) {
      const { code, stderr } = await runHere(line.split(' '), { cwd });
      assert.equal(code, 0, stderr);
    }
    await use((...words) => runHere(['expand', ...words], { cwd }));
  });

describe('invariant 1: palimpsest expand --session', () => {
  it('gives the same as the file that was imported, whatever was compressed since', () =>
    inStore(async (expand) => {
      for (const refs of ['m4', 'm2-m9', 'm11,m3']) {
        const stored = await expand('--session', 'Thirty', refs);
        assert.equal(stored.code, 0, stored.stderr);
        assert.equal(stored.stdout, (await expand('chat.json', refs)).stdout);
      }
    }));

  it('says which messages there are for one that does not exist', () =>
    inStore(async (expand) => {
      const { code, stderr } = await expand('--session', 'Thirty', 'm9000');
      assert.equal(code, 2);
      assert.match(stderr, /there is no message m9000: the conversation has m1 to m\d+/);
    }));

  it('says that bytes of a file are another matter', () =>
    inStore(async (expand) => {
      const { code, stderr } = await expand('--session', 'Thirty', 'm4', '--raw');
      assert.equal(code, 2);
      assert.match(stderr, /--raw needs FILE.*read ID --raw/);
    }));
});
