/** What a person is told to do next, and which two words exclude each other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('a conversation that never fills its window', () => {
  it('is compressed with a note that names a target and a window which compress more of it', () =>
    inFolder({ 'chat.json': chatFile(30) }, async (cwd) => {
      const run = (...words: readonly string[]): Promise<Outcome> =>
        runHere(['compress', 'chat.json', ...words], { cwd });
      const { stderr } = await run('-o', 'short.json');
      const [, target = '', window = ''] =
        /in a window of 200,000, compression starts only at 100,000: .* --target (\d+k) or --context-length (\d+k)/.exec(
          stderr,
        ) ?? [];
      const after = async (...words: readonly string[]): Promise<number> =>
        JSON.parse((await run('--json', ...words)).stdout).after.total;
      const plain = await after();
      assert.ok((await after('--target', target)) < plain / 2, target);
      assert.ok((await after('--context-length', window)) < plain / 2, window);
      assert.doesNotMatch((await run('--target', target)).stderr, /compression starts only/);
      assert.doesNotMatch((await run('--context-length', window)).stderr, /compression starts only/);
    }));

  it('in the store gets the same note', () =>
    inFolder({ 'chat.json': chatFile(30) }, async (cwd) => {
      await runHere(['import', 'chat.json', '--title', 'Rows'], { cwd });
      const { notes } = JSON.parse((await runHere(['sessions', 'compress', 'Rows', '--json'], { cwd })).stdout);
      assert.ok(notes.some((note: string) => /in a window of 200,000, compression starts only/.test(note)));
    }));

  it('has a status that names a window which it fills', () =>
    inFolder({ 'chat.json': chatFile(30) }, async (cwd) => {
      const { stdout } = await runHere(['status', 'chat.json'], { cwd });
      const [, window = ''] = /would not start yet: .* --context-length (\d+k) shows/.exec(oneLine(stdout)) ?? [];
      const filled = await runHere(['status', 'chat.json', '--context-length', window], { cwd });
      assert.match(filled.stdout, /compression would start now/);
    }));
});

describe('palimpsest import', () => {
  it('ends with commands that work on what was imported', () =>
    inFolder({ 'chat.json': chatFile(3) }, async (cwd) => {
      const { stdout } = await runHere(['import', 'chat.json', '--store', 'my own.db'], { cwd, columns: 120 });
      const [, steps = ''] = stdout.split('\nnext\n');
      const commands = [...steps.matchAll(/^ {2}palimpsest (.*?) {2}/gm)].map(([, words = '']) => words);
      assert.equal(commands.length, 4, steps);
      for (const command of commands) {
        const words = command.replace("'my own.db'", 'my_own.db').replace('WORDS', 'parser').split(' ');
        const args = words.map((word) => word.replace('my_own', 'my own'));
        assert.equal((await runHere(args, { cwd })).code, 0, command);
      }
    }));

  it('shows none of them to programs, after --quiet, and where nothing is kept', () =>
    inFolder({ 'chat.json': chatFile(3), 'empty.json': '[]' }, async (cwd) => {
      const run = async (...words: readonly string[]): Promise<string> =>
        (await runHere(['import', ...words], { cwd })).stdout;
      assert.doesNotMatch(await run('empty.json'), /next/);
      assert.match(await run('chat.json', '--dry-run'), /next\n {2}palimpsest import PATH {2}import them/);
      assert.equal(await run('chat.json', '--quiet'), '');
      assert.equal(JSON.parse(await run('chat.json', '--json')).command, 'import');
    }));
});

describe('--example beside a FILE', () => {
  it('is an error that names both, in every command that has it', () =>
    inFolder({ 'chat.json': chatFile(3), 'notes.md': 'Row 1 is accepted.' }, async (cwd) => {
      for (const words of [
        ['compress', 'chat.json'],
        ['inspect', 'chat.json'],
        ['ledger', 'chat.json'],
        ['status', 'chat.json'],
        ['simulate', 'chat.json'],
        ['expand', 'chat.json', 'm1'],
      ]) {
        const { code, stdout, stderr } = await runHere([...words, '--example'], { cwd });
        assert.deepEqual([code, stdout], [2, ''], words.join(' '));
        assert.match(stderr, /expected FILE or --example, got both: omit --example to read "chat\.json"/);
      }
      assert.equal((await runHere(['verify', 'notes.md', 'chat.json', '--example'], { cwd })).code, 2);
      assert.equal((await runHere(['expand', 'm1', '--example'], { cwd })).code, 0);
    }));
});

describe('the numbers of a report', () => {
  /** The last number of each row of a table, its `all` apart. */
  const column = (text: string, title: RegExp): readonly number[] => {
    const lines = text.split('\n');
    const from = lines.findIndex((line) => title.test(line));
    const rows = lines.slice(from + 1, lines.indexOf('', from));
    return rows.map((row) => Number((/([\d,]+)\s*$/.exec(row)?.[1] ?? '0').replaceAll(',', '')));
  };

  it('add up: tokens after a compression, with what it added itself', async () => {
    for (const words of [[], ['--target', '8k'], ['--context-length', '32k']]) {
      const { stdout } = await runHere(['compress', '--example', ...words]);
      const after = column(stdout, /^ {2}messages +all/);
      assert.equal(
        after.slice(0, -1).reduce((sum, tokens) => sum + tokens, 0),
        after.at(-1),
        stdout,
      );
    }
  });

  it('add up: shares of the kinds of messages', async () => {
    const { stdout } = await runHere(['inspect', '--example']);
    const [, table = ''] = /\n( {2}kind +messages[\s\S]*?)\n\n/.exec(stdout) ?? [];
    const found = [...table.matchAll(/(\d+) %$/gm)].map(([, share]) => Number(share));
    assert.equal(
      found.reduce((sum, share) => sum + share, 0),
      100 + (table.match(/< 1 %/g)?.length ?? 0),
    );
  });
});
