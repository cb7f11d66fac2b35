/** The completion scripts, run by the shells themselves where they are installed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createProgram } from '../../packages/palimpsest/src/cli/cli.ts';
import { allCommands, type CompletedCommand, commandTree } from '../../packages/palimpsest/src/cli/completion.ts';
import { deafTerminal, inFolder, runHere } from '../support/command-line.ts';

const missing = (shell: string): string | false =>
  spawnSync(shell, ['--version']).status === 0 ? false : `${shell} is not installed`;

const scriptOf = async (shell: string): Promise<string> => (await runHere(['completion', shell])).stdout;
const program: CompletedCommand = commandTree(createProgram(deafTerminal, () => undefined));

/** What bash offers for each of the lines; the last word is the one that is being typed. */
function bashOffers(script: string, lines: readonly (readonly string[])[], cwd: string): readonly string[] {
  const calls = lines.map((words) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _palimpsest; echo "\${COMPREPLY[*]}"`;
  });
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', [script, ...calls].join('\n')], {
    cwd,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.trimEnd().split('\n');
}

const files = { 'chat 1.json': '[]', 'chat2.json': '[]', 'notes.md': '' };

describe('palimpsest completion bash', { skip: missing('bash') }, () => {
  const lines: readonly (readonly [string, string])[] = [
    ['com', 'compress completion'],
    ['sessions ', 'list show title compress pins pin unpin export delete prune'],
    ['sessions e', 'export'],
    ['--quiet sessions --store x.db li', 'list'],
    ['compress --to', '--to'],
    ['compress --to s', 'sharegpt'],
    ['compress --to = cod', 'codex'],
    ['compress --to pi --from cod', 'codex'],
    ['compress --target ', ''],
    ['compress --template ', 'handoff progress brief'],
    ['compress chat', 'chat 1.json chat2.json'],
    ['compress -o n', 'notes.md'],
    ['compress --output ', 'chat 1.json chat2.json logs notes.md'],
    ['expand chat2.json ', ''],
    ['expand --session compress c', 'chat 1.json chat2.json'],
    ['verify notes.md chat', 'chat 1.json chat2.json'],
    ['import chat2.json lo', 'logs'],
    ['import --project ', 'logs'],
    ['plugins check ', 'logs'],
    ['plugins use --project ', ''],
    ['simulate --policy never,compress-', 'never,compress-50 never,compress-75 never,compress-90'],
    ['search --role user,a', 'user,assistant'],
    ['insights --by to', 'tool'],
    ['completion ', 'bash zsh fish'],
    ['help ses', 'sessions'],
    ['sessions show no', ''],
    ['outputs read --ma', '--match'],
  ];

  it('completes commands, options, closed lists, files and folders, each where it belongs', async () => {
    const script = await scriptOf('bash');
    await inFolder(files, async (cwd) => {
      mkdirSync(join(cwd, 'logs'));
      const typed = lines.map(([line]) => ['palimpsest', ...line.split(' ')]);
      const offered = bashOffers(script, typed, cwd);
      assert.deepEqual(
        lines.map(([line], at) => [line, (offered[at] ?? '').split(' ').toSorted()]),
        lines.map(([line, words]) => [line, words.split(' ').toSorted()]),
      );
    });
  });

  it('offers every option of every command', async () => {
    const commands = allCommands(program);
    const offered = bashOffers(
      await scriptOf('bash'),
      commands.map(({ path }) => [...path.split(' '), '-']),
      '/',
    );
    for (const [at, { path, options }] of commands.entries()) {
      assert.equal(offered[at], options.flatMap(({ names }) => names).join(' '), path);
    }
  });
});

describe('palimpsest completion', () => {
  it('has every option that help has, and none that is hidden', async () => {
    for (const { path, options, inner } of allCommands(program)) {
      if (inner.length > 0 || path.endsWith(' help')) continue;
      const help = (await runHere([...path.split(' ').slice(1), '--help'])).stdout;
      const shown = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name);
      assert.deepEqual(options.map(({ names }) => names.at(-1)).toSorted(), shown.toSorted(), path);
    }
  });

  it('names every command and long option for zsh and fish', async () => {
    const [zsh, fish] = [await scriptOf('zsh'), await scriptOf('fish')];
    for (const { path, options } of allCommands(program)) {
      assert.ok(zsh.includes(`_${path.replaceAll(/\W/g, '_')}() {`), path);
      for (const { names } of options) {
        assert.ok(zsh.includes(names.at(-1) ?? ''), `zsh: ${path} ${names}`);
        assert.match(fish, new RegExp(`__palimpsest_at \\\\'${path}\\\\''.* -l ${names.at(-1)?.slice(2)} `));
      }
    }
  });

  it('is read by zsh without an error', { skip: missing('zsh') }, async () => {
    const { status, stderr } = spawnSync('zsh', ['-f', '-n'], { input: await scriptOf('zsh'), encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('completes commands, options and closed lists in fish', { skip: missing('fish') }, async () => {
    const script = await scriptOf('fish');
    for (const [line, words] of [
      ['sessions e', 'export'],
      ['sessions --store x.db li', 'list'],
      ['compress --from cod', 'codex'],
      ['outputs read --ma', '--match'],
    ] as const) {
      const input = `${script}\ncomplete -C 'palimpsest ${line}'`;
      const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', input], { encoding: 'utf8' });
      assert.equal(stderr, '');
      assert.equal(stdout.replaceAll(/\t.*$/gm, '').trimEnd(), words, line);
    }
  });

  it('names the shells for one that it does not know', async () => {
    const { code, stdout, stderr } = await runHere(['completion', 'tcsh']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /bash, zsh, fish/);
  });
});
