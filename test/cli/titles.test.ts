/** One conversation has one title, wherever it is shown; and every place that takes a conversation takes that title. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFolder, type Outcome, runHere, type TerminalOptions } from '../support/command-line.ts';

const long =
  'Please find out why the ovens of the second bakery stop at four in the morning, and write what you found into notes.md';
/** A title has at most 80 characters; this is where the request is cut. */
const longTitle = `${long.slice(0, 79)}…`;
const chinese = '请查明第二家面包店的烤箱为什么在凌晨四点停止，并把结果写进 notes.md';

const chat = (...requests: readonly string[]): string =>
  JSON.stringify({
    messages: requests.flatMap((content) => [
      { role: 'user', content },
      { role: 'assistant', content: `I looked at it: ${content.length} letters. The heron port is 8841.` },
    ]),
  });

interface Place {
  readonly run: (args: readonly string[], options?: TerminalOptions) => Promise<Outcome>;
  readonly json: (args: readonly string[]) => Promise<Record<string, unknown>>;
}

const files = {
  'long.json': chat(long, 'And now the last thing that I ask'),
  'chinese.json': chat(chinese),
  'twin-1.json': chat('Is the kettle on?', 'first twin'),
  'twin-2.json': chat('Is the kettle on?', 'second twin'),
  'silent.json': JSON.stringify({ messages: [{ role: 'assistant', content: 'Nobody asked.' }] }),
};

function inStore(use: (place: Place) => Promise<void>): Promise<void> {
  return inFolder(files, async (cwd) => {
    const run = (args: readonly string[], options: TerminalOptions = {}): Promise<Outcome> =>
      runHere(args, { cwd, columns: 120, ...options });
    assert.equal((await run(['import', ...Object.keys(files)])).code, 0);
    await use({
      run,
      json: async (args) => JSON.parse((await run([...args, '--json'])).stdout) as Record<string, unknown>,
    });
  });
}

const titles = (document: unknown, name: string): readonly unknown[] =>
  (Reflect.get(Object(document), name) as readonly object[]).map((row) => Reflect.get(row, 'title'));

describe('a conversation without a title is called by its first request', () => {
  it('in every list and report of the store', () =>
    inStore(async ({ run }) => {
      const places: readonly (readonly string[])[] = [
        ['sessions', 'list'],
        ['sessions', 'show', longTitle],
        ['sessions', 'title', longTitle],
        ['sessions', 'compress', longTitle],
        ['sessions', 'delete', longTitle, '--dry-run'],
        ['usage', longTitle],
        ['read', longTitle],
        ['search', 'ovens'],
        ['search'],
      ];
      for (const place of places) {
        const { stdout, stderr } = await run(place);
        const shown = stdout.split('\n').some((line) => line.includes(longTitle.slice(0, 40)) && line.includes('…'));
        assert.ok(shown, `${place.join(' ')}\n${stdout}${stderr}`);
      }
    }));

  it('in every document for programs', () =>
    inStore(async ({ json }) => {
      assert.ok(titles(await json(['sessions', 'list']), 'conversations').includes(longTitle));
      assert.ok(titles(await json(['search']), 'conversations').includes(longTitle));
      assert.deepEqual(titles(await json(['search', 'ovens']), 'conversations'), [longTitle]);
      assert.deepEqual(titles(await json(['sessions', 'delete', longTitle, '--dry-run']), 'conversations'), [
        longTitle,
      ]);
      for (const words of [['sessions', 'show'], ['sessions', 'title'], ['read']]) {
        assert.equal((await json([...words, longTitle])).title, longTitle, words.join(' '));
      }
      for (const words of [['usage'], ['sessions', 'compress']]) {
        const { session } = await json([...words, longTitle]);
        assert.equal(Reflect.get(Object(session), 'title'), longTitle, words.join(' '));
      }
    }));

  it('in a file as in the store', () =>
    inStore(async ({ run, json }) => {
      for (const [file, title] of [
        ['long.json', longTitle],
        ['chinese.json', chinese],
        ['silent.json', null],
      ] as const) {
        assert.deepEqual(titles(await json(['inspect', file]), 'conversations'), [title]);
      }
      assert.match((await run(['sessions', 'show', chinese])).stdout.split('\n')[0] ?? '', new RegExp(chinese));
    }));

  it('and is untitled where nobody asked anything', () =>
    inStore(async ({ run, json }) => {
      assert.equal(
        titles(await json(['sessions', 'list']), 'conversations').filter((title) => title === null).length,
        1,
      );
      assert.match((await run(['sessions', 'list'])).stdout, / untitled$/m);
    }));

  it('without the credentials that stand in it', () =>
    inFolder({ 'key.json': chat('Use ghp_abcdefghijklmnopqrstuvwxyz0123456789 for the push') }, async (cwd) => {
      await runHere(['import', 'key.json'], { cwd });
      for (const words of [
        ['sessions', 'list'],
        ['inspect', 'key.json', '--json'],
        ['search', 'push', '--json'],
      ]) {
        const { stdout } = await runHere(words, { cwd });
        assert.doesNotMatch(stdout, /ghp_abc/, words.join(' '));
      }
    }));
});

describe('a title names a conversation', () => {
  const commands: readonly ((title: string) => readonly string[])[] = [
    (title) => ['sessions', 'show', title],
    (title) => ['sessions', 'title', title],
    (title) => ['sessions', 'compress', title],
    (title) => ['sessions', 'export', title],
    (title) => ['sessions', 'delete', title, '--dry-run'],
    (title) => ['usage', title],
    (title) => ['read', title],
    (title) => ['search', '--session', title],
    (title) => ['search', 'heron', '--session', title],
    (title) => ['outputs', 'list', '--session', title],
    (title) => ['outputs', 'search', 'heron', '--session', title],
    (title) => ['expand', '--session', title, 'm1'],
  ];

  it('in every command that takes one: whole, in another case, and as a table cuts it', () =>
    inStore(async ({ run }) => {
      for (const command of commands) {
        for (const title of [longTitle, longTitle.toUpperCase(), `${long.slice(0, 30)}…`, `${long.slice(0, 30)}...`]) {
          const { stderr } = await run(command(title));
          assert.doesNotMatch(stderr, /^palimpsest:/m, `${command(title).join(' ')}\n${stderr}`);
        }
      }
    }));

  it('and where several conversations have it, the error names each of them', () =>
    inStore(async ({ run, json }) => {
      const all = (await json(['sessions', 'list'])).conversations as readonly { id: string; title: string | null }[];
      const twins = all.filter(({ title }) => title === 'Is the kettle on?');
      assert.equal(twins.length, 2);
      for (const command of commands) {
        const { code, stderr } = await run(command('is the kettle on?'));
        assert.equal(code, 2, command('').join(' '));
        assert.match(stderr, /"is the kettle on\?" matches 2 conversations/);
        for (const { id } of twins) assert.match(stderr, new RegExp(`^  ${id}  .*Is the kettle on\\?$`, 'm'));
      }
    }));

  it('and where none has it, the error says where the titles are', () =>
    inStore(async ({ run }) => {
      for (const command of commands.filter((one) => one('')[0] !== 'read')) {
        const { code, stderr } = await run(command('Is the'));
        assert.equal(code, 2);
        assert.match(stderr, /no conversation.*"Is the".*palimpsest sessions list/);
      }
    }));

  it('of a file too', () =>
    inFolder({ 'two.jsonl': `${chat('Is the kettle on?')}\n${chat(long)}\n` }, async (cwd) => {
      const chosen = async (word: string): Promise<unknown> =>
        JSON.parse((await runHere(['inspect', 'two.jsonl', '--session', word, '--json'], { cwd })).stdout).input
          .conversation;
      assert.deepEqual([await chosen('is the kettle on?'), await chosen(longTitle), await chosen('2')], [1, 2, 2]);
      const { code, stderr } = await runHere(['inspect', 'two.jsonl', '--session', 'other'], { cwd });
      assert.equal(code, 2);
      assert.match(stderr, /1 {2}\(no id\) +2 messages {2}Is the kettle on\?/);
    }));
});
