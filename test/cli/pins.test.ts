/** `palimpsest sessions pins`, `pin` and `unpin`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';

const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
const turns = Array.from({ length: 60 }, (_, i) => [
  { role: 'user', content: `Please look at case ${i} of the importer. ${'It has many rows. '.repeat(20)}` },
  { role: 'assistant', content: `Case ${i} multiplies its rows by ${i}.` },
]).flat();
const file = JSON.stringify({
  messages: [
    { role: 'user', content: 'Move the ledgers.' },
    { role: 'assistant', content: 'Which?' },
    ...turns.slice(0, 4),
    { role: 'user', content: `Never touch the table "ledger".\nThe token is ${secret}.` },
    ...turns.slice(4),
  ],
});

type Run = (...args: readonly string[]) => Promise<Outcome>;

const inStore = (use: (run: Run) => Promise<void>): Promise<void> =>
  inFolder({ 'work.json': file }, async (cwd) => {
    const run: Run = (...args) => runHere(args, { cwd, columns: 120 });
    assert.equal((await run('import', 'work.json')).code, 0);
    await use(run);
  });

const jsonOf = ({ stdout }: Outcome): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;
const name = 'Move the ledgers.';

describe('palimpsest sessions pin', () => {
  it('A7 keeps a message word for word through compressions, and sessions pins lists it', () =>
    inStore(async (run) => {
      const pinned = await run('sessions', 'pin', name, 'm7');
      assert.deepEqual(
        [pinned.code, pinned.stdout],
        [0, 'm7 is pinned; 59 of 10,000 tokens are used. A credential in it is masked.\n'],
      );
      for (let round = 0; round < 2; round++) {
        const done = await run('sessions', 'compress', name, '--target', '3k', '--no-summarizer');
        assert.equal(done.code, 0, done.stderr);
        const { stdout } = await run('sessions', 'show', name, '--messages');
        assert.match(
          stdout,
          /### m7 user, pinned:\n \| Never touch the table "ledger"\.\n \| The token is \[REDACTED[^\]]*\]\./,
        );
        if (round === 0) await run('import', 'work.json');
      }
      const { stdout } = await run('sessions', 'pins', name);
      assert.match(stdout, /^message +pinned +tokens +who +words\n/);
      assert.match(stdout, /\nm7 .* user +Never touch the table "ledger"\. The token is \[REDACTED/);
      assert.ok(!stdout.includes(secret));
      const { pins, usedTokens } = jsonOf(await run('sessions', 'pins', name, '--json'));
      assert.ok(Array.isArray(pins) && pins.length === 1 && usedTokens === pins[0].tokens);
      assert.ok(!JSON.stringify(pins).includes(secret));
    }));

  it('A7 says what does not fit and what is not there, and changes nothing', () =>
    inStore(async (run) => {
      const small = await run('sessions', 'pin', name, 'm3', '--context-length', '500');
      assert.equal(small.code, 1);
      assert.match(small.stdout, /^m3 was not pinned: it needs \d+, and pins may have 42 tokens together\./);
      assert.equal((await run('sessions', 'pin', name, 'm999')).code, 2);
      const { code, stdout } = await run('sessions', 'unpin', name, 'm3');
      assert.deepEqual([code, stdout], [1, 'm3 is not pinned: nothing is.\n']);
      assert.match((await run('sessions', 'pins', name)).stdout, /^nothing is pinned; 0 of 10,000 tokens used/);
    }));

  it('A7 pins the newest request where none is named, and lets go of it', () =>
    inStore(async (run) => {
      const { pin, status } = jsonOf(await run('sessions', 'pin', name, '--json'));
      assert.equal(status, 'pinned');
      assert.match(
        JSON.stringify(pin),
        /"ref":"m122","messageId":"[0-9a-f]{16}","speaker":"user","text":"Please look at case 59/,
      );
      assert.deepEqual((await run('sessions', 'unpin', name, 'm122')).stdout, 'm122 is no longer pinned.\n');
      assert.deepEqual(jsonOf(await run('sessions', 'pins', name, '--json')).pins, []);
    }));
});
