/** The console as a person sees it: frames without flicker, sizes, what stands where, and the end. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Answer } from '../../packages/palimpsest/src/terminal/dialog.ts';
import { windowBar } from '../../packages/palimpsest/src/terminal/status-bar.ts';
import { assertGolden } from '../support/golden.ts';
import { type ConsoleInTest, consoleInTest } from '../support/terminal/console-in-test.ts';

const answer = `# Plan

Here is **what I found** in \`src/server.ts\`: the timeout is read before the settings are, so it is always the default.

| file | lines |
|---|---:|
| 設定ファイル.md | 8 |

\`\`\`ts
const timeout = settings.timeout ?? 30_000;
\`\`\`

日本語の長い文章をここに書いて、行の折り返しがどうなるかを確認します。「引用」もあります。中文的句子也要在八十列里正确地换行，不会超出屏幕。👩‍👩‍👧‍👦 ✅
`;

/** A console in the middle of work, with everything that the live area can show. */
function atWork(columns: number, rows: number): ConsoleInTest {
  const t = consoleInTest({ columns, rows });
  t.console.status([
    { text: 'openai/gpt-5' },
    { text: `${windowBar(0.34, 8, { unicode: true })} 34 %` },
    { text: '$0.12', side: 'right' },
    { text: 'cache 91 %', side: 'right' },
  ]);
  t.console.print([[{ text: '> fix the timeout', style: 'dim' }], '']);
  t.console.write(answer);
  t.console.write('\nAnd this is **not yet');
  t.console.activity('writing … 12 s');
  t.console.queue(['then run the tests', 'and commit\nwith a message']);
  t.type('typed while it works, 日本語も');
  return t;
}

for (const [columns, rows] of [
  [80, 30],
  [120, 30],
  [20, 40],
] as const)
  test(`the screen looks like this on ${columns} columns`, () => {
    const t = atWork(columns, rows);
    const shown = t.shown();
    const { row, column } = t.output.screen.cursor();
    assertGolden(
      `terminal/golden/console-${columns}.txt`,
      `${shown}\n\ncursor: row ${row + 1}, column ${column + 1}\n`,
    );
  });

describe('frames', () => {
  test('are each one write inside a synchronised update, and clear no screen', () => {
    const t = consoleInTest();
    t.output.writes.length = 0;
    for (let at = 0; at < answer.length; at += 3) {
      t.console.write(answer.slice(at, at + 3));
      t.advance(10);
      if (at % 30 === 0) t.type('x');
    }
    t.console.endText();
    t.advance(100);
    for (const write of t.output.writes) {
      assert.ok(write.startsWith('\x1b[?2026h') && write.endsWith('\x1b[?2026l'), JSON.stringify(write));
      assert.equal(write.split('\x1b[?2026h').length, 2, 'one update a write');
    }
    assert.deepEqual(t.output.screen.strange(), []);
  });

  test('come at most thirty times a second while text streams, and at once for a key', () => {
    const t = consoleInTest();
    t.output.writes.length = 0;
    for (let ms = 0; ms < 1_000; ms += 2) {
      t.console.write('word ');
      t.advance(2);
    }
    assert.ok(t.output.writes.length <= 31, `${t.output.writes.length} frames`);
    const before = t.output.writes.length;
    t.input.emit('data', 'k');
    assert.equal(t.output.writes.length, before + 1);
  });

  test('write what changed and nothing else', () => {
    const t = atWork(80, 30);
    t.shown();
    t.output.writes.length = 0;
    t.input.emit('data', '!');
    assert.equal(t.output.writes.length, 1);
    assert.ok((t.output.writes[0]?.length ?? 0) < 120, JSON.stringify(t.output.writes));
    t.output.writes.length = 0;
    t.console.status([{ text: 'openai/gpt-5' }]);
    t.console.status([{ text: 'openai/gpt-5' }, { text: 'more' }]);
    t.advance(50);
    assert.equal(t.output.writes.length, 1, 'two changes are one frame');
  });

  test('never write finished text a second time', () => {
    const t = consoleInTest({ columns: 60, rows: 12 });
    for (let at = 0; at < 60; at += 1) {
      t.console.write(`Line ${at} with some words.\n\n`);
      t.advance(20);
      t.type('x');
    }
    t.advance(50);
    const written = t.output.writes.join('');
    // Once as unfinished at most, and once as finished.
    for (let at = 0; at < 60; at += 1) assert.ok(written.split(`Line ${at} with`).length <= 3, `line ${at}`);
    const lines = t.output.screen.all().filter((line) => line.startsWith('Line '));
    assert.deepEqual(
      lines,
      Array.from({ length: 60 }, (_, at) => `Line ${at} with some words.`),
    );
  });

  test('wait while the terminal does not take what it was given', () => {
    const t = consoleInTest();
    t.output.writableNeedDrain = true;
    t.output.writes.length = 0;
    t.console.write('text\n');
    t.advance(500);
    assert.deepEqual(t.output.writes, []);
    t.output.writableNeedDrain = false;
    t.output.emit('drain');
    assert.match(t.shown(), /^text/);
  });
});

describe('what stands where', () => {
  test('lines that are printed while text is unfinished stand above it, after what was finished', () => {
    const t = consoleInTest();
    t.console.write('one\ntwo is not');
    t.console.print(['a note']);
    t.console.write(' finished');
    assert.match(t.shown(), /^one\na note\ntwo is not finished\n─/);
    t.console.endText();
    t.console.print('after');
    assert.match(t.shown(), /^one\na note\ntwo is not finished\nafter\n─/);
  });

  test('long lines are broken between words, or, if they are to be copied, by the terminal', () => {
    const t = consoleInTest({ columns: 20 });
    const line = 'some words that are wider than it';
    t.console.print([line]);
    t.console.print([line], true);
    assert.match(t.shown(), /^some words that are\nwider than it\nsome words that are\s*\nwider than it\n─/);
    const [printed] = t.output.writes.filter((write) => write.includes('some words'));
    assert.ok(printed?.includes(line));
  });

  test('the status bar drops what matters least, and the bar of a window is never full before the window is', () => {
    const t = consoleInTest({ columns: 30 });
    t.console.status([{ text: 'the model' }, { text: 'window', side: 'right' }, { text: 'a long remark' }]);
    assert.equal(t.shown().split('\n').at(-1), 'the model               window');
    const bar = (share: number): string => windowBar(share, 8, { unicode: true });
    assert.deepEqual([0, 0.001, 0.5, 0.999, 1, 7].map(bar), [
      '────────',
      '━───────',
      '━━━━────',
      '━━━━━━━─',
      '━━━━━━━━',
      '━━━━━━━━',
    ]);
  });

  test('where only ASCII is safe, there is nothing else', () => {
    const t = consoleInTest({ look: { colour: false, unicode: false }, rows: 40 });
    t.console.write('# A\n- b\n> c\n---\n```x\nd\n```\n| e | f |\n|---|---|\n| 1 | 2 |\n\nlast');
    t.console.activity('working');
    t.console.queue(['next']);
    t.console.status([{ text: 'a model' }]);
    void t.console.ask({ title: 'Sure?', preview: ['x'], withComment: true, choices: [{ key: 'y', label: 'Yes' }] });
    t.advance(400);
    assert.match(t.shown(), /^[\x20-\x7e\n]*$/);
  });
});

describe('another size', () => {
  const contents = (t: ConsoleInTest): readonly string[] => t.output.screen.all();

  test('leaves one live area, and what was printed as it is', () => {
    const t = consoleInTest({ columns: 100, rows: 24 });
    t.console.status([{ text: 'a model' }]);
    t.console.print(['printed']);
    t.type('my draft');
    t.shown();
    for (const columns of [80, 66, 61, 90, 120, 70]) {
      t.output.resize(columns, 24);
      t.shown();
      assert.equal(contents(t).filter((line) => line.includes('my draft')).length, 1, `${columns} columns`);
      assert.equal(contents(t).filter((line) => line === 'a model').length, 1, `${columns} columns`);
    }
    assert.equal(contents(t)[0], 'printed');
    assert.equal(contents(t).length, 5);
  });

  test('of a terminal that cuts rows off takes away no more than the live area', () => {
    const t = consoleInTest({ columns: 80, env: { XTERM_VERSION: 'XTerm(390)' } });
    t.console.write(`unfinished ${'word '.repeat(12)}`);
    t.type('my draft');
    t.shown();
    t.output.writes.length = 0;
    t.output.resize(40, 24);
    t.advance(50);
    assert.ok(t.output.writes[0]?.includes('\x1b[2A\r\x1b[J'), JSON.stringify(t.output.writes));
  });

  test('breaks a draft anew', () => {
    const t = consoleInTest({ columns: 50, rows: 24 });
    t.type('one two three four five six seven');
    t.output.resize(20, 24);
    assert.deepEqual(t.shown().split('\n').slice(1, 4), ['❯ one two three', '  four five six', '  seven']);
  });

  test('that is very small still shows the draft', () => {
    for (const [columns, rows] of [
      [8, 3],
      [20, 5],
      [40, 2],
    ] as const) {
      const t = consoleInTest({ columns, rows: Math.max(3, rows) });
      t.console.status([{ text: 'a model' }]);
      t.console.activity('working');
      t.console.queue(['a', 'b']);
      t.console.write('unfinished text of some length');
      t.type('hi');
      assert.match(t.shown(), /hi/);
    }
  });
});

describe('the end', () => {
  test('prints what is left, takes the live area away and gives the terminal back', () => {
    const t = atWork(80, 30);
    t.console.close();
    const lines = t.output.screen.all();
    assert.equal(lines.at(-1), 'And this is **not yet');
    assert.deepEqual(t.output.screen.modes(), []);
    assert.deepEqual(t.input.rawModes, [true, false]);
    assert.equal(t.output.screen.cursor().isShown, true);
    for (const from of [t.input, t.host]) assert.deepEqual(from.eventNames(), []);
    assert.deepEqual(t.output.eventNames(), ['error']);
  });

  test('makes everything that comes later silent', async () => {
    const t = consoleInTest();
    const open = t.console.ask({ title: 'Sure?', choices: [{ key: 'y', label: 'Yes' }] });
    t.console.close();
    const before = t.output.writes.length;
    t.console.write('late');
    t.console.print('late');
    t.console.activity('late');
    t.console.close();
    t.advance(1_000);
    assert.equal(t.output.writes.length, before);
    const cancelled: Answer = { type: 'cancelled' };
    assert.deepEqual(await open, cancelled);
    assert.deepEqual(await t.console.ask({ title: 'Sure?', choices: [{ key: 'y', label: 'Yes' }] }), cancelled);
  });

  test('an unknown option is refused with the nearest name', () => {
    // A caller without a compiler.
    const misspelt: object = { completes: () => {} };
    assert.throws(() => consoleInTest(misspelt), /an option of openConsole, got completes: did you mean complete\?/);
  });
});

test('a terminal that is gone is the end of the conversation, and no error', () => {
  const t = consoleInTest();
  t.output.emit('error', new Error('EIO'));
  assert.deepEqual(t.events, [{ type: 'exit' }]);
  t.console.close();
  t.output.emit('error', new Error('EIO'));
});
