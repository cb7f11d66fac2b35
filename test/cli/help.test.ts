import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../packages/palimpsest/src/cli/cli.ts';
import { deafTerminal, runHere, runProcess } from '../support/command-line.ts';
import { assertGolden } from '../support/golden.ts';

const commands = [
  'compress',
  'inspect',
  'expand',
  'ledger',
  'simulate',
  'verify',
  'import',
  'sessions list',
  'sessions show',
  'sessions compress',
  'sessions title',
  'sessions pins',
  'sessions pin',
  'sessions unpin',
  'sessions export',
  'sessions delete',
  'sessions prune',
  'doctor',
  'backup',
  'restore',
  'search',
  'read',
  'outputs list',
  'outputs read',
  'outputs search',
  'vectors build',
  'vectors status',
  'vectors drop',
  'memory show',
  'memory add',
  'memory replace',
  'memory remove',
  'memory edit',
  'memory scan',
  'memory history',
  'memory pending',
  'memory approve',
  'memory reject',
  'memory undo',
  'memory forget',
  'memory curate',
  'memory episodes',
  'memory setup',
  'memory status',
  'serve',
  'connect',
  'disconnect',
  'run',
  'usage',
  'insights',
  'status',
  'config show',
  'prompt show',
  'plugins list',
  'plugins use',
  'plugins check',
  'plugins trust',
  'formats',
  'completion',
];

/** Commands that share the page of another one. */
const pages: Readonly<Record<string, string>> = {
  restore: 'backup',
  disconnect: 'connect',
  run: 'connect',
  read: 'search',
  serve: 'gateway',
  outputs: 'tool-results',
  simulate: 'prompt-cache',
  prompt: 'system-prompt',
  insights: 'usage',
  'memory scan': 'memory-safety',
  'memory history': 'memory-correct',
  'memory pending': 'memory-correct',
  'memory approve': 'memory-correct',
  'memory reject': 'memory-correct',
  'memory undo': 'memory-correct',
  'memory forget': 'memory-correct',
  'memory curate': 'memory-correct',
  'memory episodes': 'memory-correct',
  'memory setup': 'memory-providers',
  'memory status': 'memory-providers',
};

describe('help', () => {
  it('lists the commands, examples and exit codes when nothing or help is asked for', async () => {
    const { code, stdout, stderr } = await runHere([]);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assertGolden('cli/golden/help.txt', stdout);
    assert.equal((await runHere(['--help'])).stdout, stdout);
    assert.equal((await runHere(['help'])).stdout, stdout);
  });

  for (const group of ['sessions', 'outputs', 'vectors', 'memory', 'config', 'prompt', 'plugins']) {
    it(`shows the commands and examples of ${group}`, async () => {
      const { code, stdout } = await runHere([group, '--help']);
      assert.equal(code, 0);
      assert.match(stdout, /Commands:\n[\s\S]*Examples:\n {2}(?:# .*\n {2})?\$ palimpsest /);
    });
  }

  for (const command of commands) {
    it(`shows options and examples of ${command}`, async () => {
      const { code, stdout } = await runHere([...command.split(' '), '--help']);
      assert.equal(code, 0);
      assertGolden(`cli/golden/help-${command.replace(' ', '-')}.txt`, stdout);
      assert.match(stdout, /Examples:\n {2}[$#] /);
    });
  }

  it('has a page in the guide that names every option of a command', () => {
    const program = createProgram(deafTerminal, () => undefined);
    for (const command of commands) {
      const [name = '', inner] = command.split(' ');
      const pageName = pages[command] ?? pages[name] ?? name;
      const outer = program.commands.find((found) => found.name() === name);
      const found = inner === undefined ? outer : outer?.commands.find((candidate) => candidate.name() === inner);
      const page = readFileSync(new URL(`../../docs/guide/${pageName}.md`, import.meta.url), 'utf8');
      for (const { long, hidden } of found?.options ?? [])
        assert.ok(hidden || page.includes(`\`${long}`), `${pageName}.md names ${long}`);
    }
  });

  it('goes into commands of commands, and names the nearest of one that is unknown', async () => {
    const { stdout } = await runHere(['help', 'sessions', 'list']);
    assert.equal(stdout, (await runHere(['sessions', 'list', '--help'])).stdout);
    const wrong = await runHere(['help', 'sessions', 'lisst']);
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /^palimpsest: unknown command 'lisst'\n\(Did you mean list\?\)/);
  });

  it('names the nearest command of a group that does something without one', async () => {
    const wrong = await runHere(['memory', 'shw', '--all']);
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /^palimpsest: unknown command 'shw'\n\(Did you mean show\?\)/);
    const other = await runHere(['plugins', 'uses', 'newest']);
    assert.match(other.stderr, /^palimpsest: unknown command 'uses'\n\(Did you mean use\?\)/);
    const far = await runHere(['memory', 'everything', '--json']);
    assert.match(far.stderr, /^palimpsest: unknown command 'everything'\n\(Commands: show, add, /);
    assert.equal(JSON.parse(far.stdout).error.code, 'BAD_OPTION');
    const excess = await runHere(['memory', 'show', 'all']);
    assert.match(excess.stderr, /^palimpsest: too many arguments for 'show'/);
  });

  it('prints the version of the package', async () => {
    const { stdout } = await runProcess(['--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal((await runHere(['-v'])).stdout, stdout);
  });

  it('loads what a command does only when it is called', async () => {
    const noting = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => {
        if (url.includes('/cli/run/')) console.error(url.slice(url.lastIndexOf('/') + 1));
        return next(url, context);
      } });`;
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(noting)}` };
    assert.equal((await runProcess(['--version'], { env })).stderr, '');
    assert.equal((await runProcess(['sessions', 'list', '--help'], { env })).stderr, '');
    assert.equal((await runProcess(['formats'], { env })).stderr, 'inspect.ts\n');
  });
});

describe('wrong usage', () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'an unknown command names the nearest',
      ['comprss'],
      /palimpsest: unknown command 'comprss'\n\(Did you mean compress\?\)/,
    ],
    [
      'an unknown option names the nearest',
      ['compress', '--explan'],
      /unknown option '--explan'\n\(Did you mean --explain\?\)/,
    ],
    ['an unknown format names the nearest', ['inspect', '--from', 'openaichat'], /Did you mean openai-chat\?/],
    ['a template has three names', ['compress', '--template', 'x'], /Allowed choices are handoff, progress, brief/],
    ['one file at a time', ['compress', 'a', 'b'], /too many arguments/],
    ['a missing subcommand shows what there is', ['config'], /show \[options\]/],
  ];
  for (const [title, args, expected] of cases) {
    it(`${title}, with exit code 2`, async () => {
      const { code, stdout, stderr } = await runHere(args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, expected);
    });
  }

  it('gives programs the error as JSON on standard output too', async () => {
    const { code, stdout } = await runHere(['inspect', '--json', '--frm', 'x']);
    assert.equal(code, 2);
    assert.deepEqual(JSON.parse(stdout), {
      error: { code: 'BAD_OPTION', message: "unknown option '--frm'\n(Did you mean --from?)" },
    });
  });
});

describe('options', () => {
  it('of one name have one value and one description, whatever the command', () => {
    const same = ['--json', '--store', '--from', '--template', '--engine', '--focus', '--base-url', '--no-summarizer'];
    const found = new Map<string, Set<string>>();
    const visit = (command: Command): void => {
      for (const { long, flags, description } of command.options) {
        if (long === undefined || long === null || !same.includes(long) || description === '') continue;
        // FILE, PATH and TRANSCRIPT are the words of the commands for what they read.
        const words = description.replace(/(?<=format of )(?:every )?[A-Z]+/, 'FILE');
        found.set(long, (found.get(long) ?? new Set()).add(`${flags}: ${words}`));
      }
      command.commands.forEach(visit);
    };
    visit(createProgram(deafTerminal, () => undefined));
    assert.deepEqual([...found.keys()].sort(), [...same].sort());
    const several = [...found].flatMap(([long, words]) => (words.size > 1 ? [[long, ...words]] : []));
    // A conversation has events and a model of its own; the facts of a topic come first where facts are shown.
    assert.deepEqual(
      several.map(([long]) => long),
      ['--base-url', '--json', '--focus'],
    );
  });

  it('of a limit say what they limit, and the default', () => {
    const limits: string[] = [];
    const visit = (command: Command): void => {
      limits.push(...command.options.flatMap(({ long, description }) => (long === '--limit' ? [description] : [])));
      command.commands.forEach(visit);
    };
    visit(createProgram(deafTerminal, () => undefined));
    assert.equal(limits.length, 7);
    for (const text of limits)
      assert.match(text, /^most (?:conversations|outputs|matches|acts|episodes) to show.*; default: \d+$/);
  });
});
