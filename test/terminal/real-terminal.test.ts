/** The console in a real pseudo-terminal: what tmux shows of it, and in which state the terminal is left. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consoleInTmux, type TmuxConsole } from '../support/terminal/console-in-tmux.ts';
import { noTmux } from '../support/tmux.ts';

const options = { skip: noTmux ?? false };

/** The rows of the live area that stand on the screen. */
const rules = (screen: string): number => screen.split('\n').filter((line) => /^─{40,}$/.test(line)).length;

async function order(terminal: TmuxConsole, name: string): Promise<void> {
  await terminal.type(name);
  await terminal.tmux.key('Enter');
  await terminal.until((screen) => screen.includes(`> ${name}`));
}

describe('in a real terminal', options, () => {
  test('Markdown, Japanese and Chinese stand as they should on 80 columns', async (t) => {
    const terminal = await consoleInTmux(t);
    await order(terminal, 'stream');
    const screen = await terminal.until((shown) => shown.includes('2. Done'));
    for (const line of [
      'Here is what I found in src/server.ts: the timeout is read before the settings',
      'src/server.ts   │   120',
      '設定ファイル.md │     8',
      '1. 日本語の長い文章をここに書いて、行の折り返しがどうなるかを確認します。「引',
      '   用」もあります。中文的句子也要在八十列里正确地换行，不会超出屏幕。',
    ])
      assert.ok(screen.split('\n').includes(line), `${line}\nis missing in\n${screen}`);
    assert.equal(rules(screen), 2, screen);
  });

  test('Esc stops the work, and the draft and the queue stay', async (t) => {
    const terminal = await consoleInTmux(t);
    await order(terminal, 'work');
    await terminal.type('my draft');
    await terminal.tmux.key('Escape');
    await terminal.untilNoted('interrupt');
    const screen = await terminal.until((shown) => !shown.includes('working'));
    assert.match(screen, /↳ then this\n─+\n❯ my draft/);
  });

  for (const isMarked of [true, false])
    test(`a paste that is ${isMarked ? 'marked' : 'not marked'} as one submits nothing`, async (t) => {
      const terminal = await consoleInTmux(t);
      await terminal.tmux.paste('first line\nsecond line\nthird line\n', { isMarked });
      const screen = await terminal.until((shown) => shown.includes('third line'));
      assert.match(screen, /❯ first line\n {2}second line\n {2}third line/);
      assert.deepEqual(
        terminal.noted().map(({ type }) => type),
        ['ready'],
      );
    });

  test('another size leaves one live area and everything that was printed', async (t) => {
    const terminal = await consoleInTmux(t, 100, 24);
    await order(terminal, 'stream');
    await terminal.until((shown) => shown.includes('2. Done'));
    await terminal.type('my draft');
    for (const columns of [90, 70, 62, 110]) {
      await terminal.tmux.resize(columns, 24);
      await terminal.type(String(columns));
    }
    const screen = await terminal.tmux.scrollback();
    assert.equal(rules(screen), 2, screen);
    assert.equal(screen.split('my draft').length, 2, screen);
    assert.equal(screen.split('Plan').length, 2, screen);
  });
});

describe('the terminal is left as it was', options, () => {
  const ends: readonly (readonly [how: string, end: (terminal: TmuxConsole, pid: number) => void | Promise<void>])[] = [
    ['after Ctrl-D', (terminal) => terminal.tmux.key('C-d')],
    ['after SIGTERM', (_, pid) => void process.kill(pid, 'SIGTERM')],
    ['after SIGHUP', (_, pid) => void process.kill(pid, 'SIGHUP')],
    [
      'after an error that nobody caught',
      async (terminal) => {
        await terminal.type('crash');
        await terminal.tmux.key('Enter');
      },
    ],
  ];
  for (const [how, end] of ends)
    test(`${how}`, async (t) => {
      const terminal = await consoleInTmux(t);
      const { pid = 0 } = await terminal.untilNoted('ready');
      await terminal.type('my draft');
      await terminal.tmux.key('C-u');
      await terminal.until((screen) => !screen.includes('my draft'));
      await end(terminal, pid);
      await terminal.tmux.ended();
      const { before, after } = terminal.settings();
      assert.notEqual(before, '');
      assert.equal(after, before);
    });

  test('where an error ends the program, its trace stands below what was shown', async (t) => {
    const terminal = await consoleInTmux(t);
    await terminal.type('crash');
    await terminal.tmux.key('Enter');
    const screen = await terminal.until((shown) => shown.includes('Error: the program fails'));
    assert.ok(screen.indexOf('a model') < screen.indexOf('Error: the program fails'), screen);
    assert.equal(rules(screen), 2, screen);
  });
});
