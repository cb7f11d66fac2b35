/** What people complain of in chats at a terminal: Esc that throws text away, pastes that submit, questions that answer themselves. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Question } from '../../packages/palimpsest/src/terminal/dialog.ts';
import { type ConsoleInTest, consoleInTest } from '../support/terminal/console-in-test.ts';

const pasteOf = (text: string): string => `\x1b[200~${text}\x1b[201~`;

describe('Esc and Ctrl-C', () => {
  function working(): ConsoleInTest {
    const t = consoleInTest();
    t.console.activity('working');
    t.console.queue(['the next message']);
    t.type('my draft');
    return t;
  }

  test('Esc stops the work, and keeps the draft and the queue', () => {
    const t = working();
    t.type('\x1b');
    assert.deepEqual(t.events, [{ type: 'interrupt' }]);
    t.console.activity(undefined);
    assert.equal(t.console.draft(), 'my draft');
    assert.match(t.shown(), /↳ the next message(?:.|\n)*❯ my draft/);
  });

  test('one Esc is one stop: with nothing to stop it takes two to clear the draft, which undo brings back', () => {
    const t = working();
    t.console.activity(undefined);
    t.type('\x1b');
    assert.equal(t.console.draft(), 'my draft');
    assert.match(t.shown(), /Esc again to clear the draft/);
    t.type('\x1b');
    assert.equal(t.console.draft(), '');
    t.type('\x1f');
    assert.equal(t.console.draft(), 'my draft');
    assert.deepEqual(t.events, []);
  });

  test('two Escs that lie apart, or with a key between them, clear nothing', () => {
    const t = working();
    t.console.activity(undefined);
    t.type('\x1b');
    t.advance(5_000);
    t.type('\x1b', '!', '\x1b');
    assert.equal(t.console.draft(), 'my draft!');
  });

  test('Esc in the same moment as the work ends stops nothing and clears nothing', () => {
    const t = working();
    t.input.emit('data', '\x1b');
    t.console.activity(undefined);
    t.advance(100);
    assert.equal(t.console.draft(), 'my draft');
    assert.deepEqual(t.events, []);
  });

  test('Ctrl-C stops, or clears, and leaves only when it comes twice', () => {
    const t = working();
    t.type('\x03');
    t.console.activity(undefined);
    assert.equal(t.console.draft(), 'my draft');
    t.advance(5_000);
    t.type('\x03');
    assert.equal(t.console.draft(), '');
    assert.match(t.shown(), /Ctrl-C again to leave/);
    t.type('\x03');
    assert.deepEqual(t.events, [{ type: 'interrupt' }, { type: 'exit' }]);
  });

  test('Ctrl-D leaves where nothing is written, and deletes where something is', () => {
    const t = consoleInTest();
    t.type('ab', '\x01', '\x04');
    assert.equal(t.console.draft(), 'b');
    t.type('\x04', '\x04');
    assert.deepEqual(t.events, [{ type: 'exit' }]);
  });
});

describe('Enter', () => {
  test('sends; while something goes on it steers, and with Alt it follows up', () => {
    const t = consoleInTest();
    t.type('one', '\r');
    t.console.activity('working');
    t.type('two', '\r', 'three', '\x1b\r');
    assert.deepEqual(t.events, [
      { type: 'send', text: 'one' },
      { type: 'steer', text: 'two' },
      { type: 'followUp', text: 'three' },
    ]);
  });

  test('a command is a command at any time, and a path is none', () => {
    const t = consoleInTest();
    t.console.activity('working');
    t.type('/usage', '\r', '/compress the tests', '\r', '/etc/hosts is wrong', '\r');
    assert.deepEqual(t.events, [
      { type: 'send', text: '/usage' },
      { type: 'send', text: '/compress the tests' },
      { type: 'steer', text: '/etc/hosts is wrong' },
    ]);
  });

  test('with Shift, after a backslash, or as Ctrl-J it breaks the line', () => {
    const t = consoleInTest();
    t.type('a', '\x1b[13;2u', 'b', '\\', '\r', 'c', '\n', 'd', '\r');
    assert.deepEqual(t.events, [{ type: 'send', text: 'a\nb\nc\nd' }]);
  });

  test('sends nothing where nothing is written', () => {
    const t = consoleInTest();
    t.type('\r', '  ', '\r');
    assert.deepEqual(t.events, []);
  });

  test('what was sent comes back with Up, and is kept by the caller', () => {
    const kept: string[] = ['from last week'];
    const t = consoleInTest({ entries: { texts: () => kept, add: (text) => kept.push(text) } });
    t.type('today', '\r', 'today', '\r', '\x1b[A');
    assert.equal(t.console.draft(), 'today');
    t.type('\x1b[A');
    assert.equal(t.console.draft(), 'from last week');
    assert.deepEqual(kept, ['from last week', 'today']);
  });

  test('Alt+Up asks for the last message of the queue, Ctrl-O for the whole result', () => {
    const t = consoleInTest();
    t.type('\x1b[1;3A', '\x0f');
    assert.deepEqual(t.events, [{ type: 'editQueue' }, { type: 'expandTool' }]);
    t.console.setDraft('back again');
    assert.equal(t.console.draft(), 'back again');
  });
});

describe('a paste', () => {
  test('never submits, however many lines it has', () => {
    const t = consoleInTest();
    t.type(pasteOf('one\ntwo\r\nthree\r'));
    assert.deepEqual(t.events, []);
    assert.equal(t.console.draft(), 'one\ntwo\nthree\n');
  });

  test('never submits where the terminal does not mark it', () => {
    const t = consoleInTest();
    t.type('rm -rf build\r');
    t.input.emit('data', 'one\rtwo\r');
    t.input.emit('data', 'three\r');
    t.input.emit('data', '\r');
    t.advance(100);
    assert.deepEqual(t.events, []);
    assert.equal(t.console.draft(), 'rm -rf build\none\ntwo\nthree\n\n');
  });

  test('comes in one frame, not letter by letter', () => {
    const t = consoleInTest();
    t.output.writes.length = 0;
    t.input.emit('data', pasteOf('word '.repeat(100)));
    assert.equal(t.output.writes.length, 1);
  });

  test('of 34 lines is one line in the editor, and is sent in full', () => {
    const t = consoleInTest();
    const lines = Array.from({ length: 34 }, (_, at) => `line ${at}`).join('\n');
    t.type('explain ', pasteOf(lines), ' please');
    assert.match(t.shown(), /❯ explain \[pasted\s34\slines\] please/);
    t.type('\r');
    assert.deepEqual(t.events, [{ type: 'send', text: `explain ${lines} please` }]);
  });

  test('drives nothing: control characters in it are dropped', () => {
    const t = consoleInTest();
    t.type(pasteOf('a\x03\x04\x1b]52;c;aGk=\x07b'));
    assert.equal(t.console.draft(), 'a]52;c;aGk=b');
    assert.deepEqual(t.events, []);
    t.shown();
    assert.deepEqual(t.output.screen.strange(), []);
  });
});

describe('a question', () => {
  const question: Question = {
    title: 'Run this command?',
    lines: ['rm -rf build'],
    choices: [
      { key: 'y', label: 'Yes, once' },
      { key: 'a', label: 'Yes, and do not ask again for rm in this project' },
      { key: 'n', label: 'No' },
    ],
  };
  /** The answers that have come. */
  function asked(t: ConsoleInTest, what: Question = question): unknown[] {
    const answers: unknown[] = [];
    void t.console.ask(what).then((answer) => answers.push(answer));
    return answers;
  }
  const settle = (): Promise<void> => Promise.resolve().then(() => {});

  test('shows a choice to its last word; where there is no room for all of them, the marked one', () => {
    const covers = (what: string): string =>
      `Yes, and do not ask again for ${`${what} `.repeat(20)}and no more ${what}`;
    const choices = ['apples', 'bowls', 'cups'].map((what) => ({ key: what.charAt(0), label: covers(what) }));
    const ends = (shown: string): unknown => shown.match(/(?<=and\sno\smore\s+)\w+/g);
    const high = consoleInTest({ columns: 60, rows: 40 });
    asked(high, { ...question, choices });
    high.advance(300);
    assert.deepEqual(ends(high.shown()), ['apples', 'bowls', 'cups']);

    const low = consoleInTest({ columns: 60, rows: 14 });
    asked(low, { ...question, choices });
    low.advance(300);
    assert.deepEqual(ends(low.shown()), ['apples']);
    low.type('\x1b[B');
    assert.deepEqual(ends(low.shown()), ['bowls']);
    assert.match(low.shown(), /Run this command\?/);
  });

  test('is answered by its key, or by arrows and Enter', async () => {
    const t = consoleInTest();
    const first = asked(t);
    t.advance(300);
    t.type('A');
    const second = asked(t);
    t.advance(300);
    t.type('\x1b[B', '\x1b[B', '\r');
    await settle();
    assert.deepEqual(
      [...first, ...second],
      [
        { type: 'chosen', key: 'a', comment: '' },
        { type: 'chosen', key: 'n', comment: '' },
      ],
    );
  });

  test('Esc is no yes, and stops nothing else', async () => {
    const t = consoleInTest();
    t.console.activity('working');
    const answers = asked(t);
    t.advance(300);
    t.type('\x1b');
    await settle();
    assert.deepEqual(answers, [{ type: 'cancelled' }]);
    assert.deepEqual(t.events, []);
  });

  test('is not answered by what was being typed when it appeared; that goes on into the draft', async () => {
    const t = consoleInTest();
    t.type('wh');
    const answers = asked(t);
    // A letter every 150 milliseconds: nobody has read the question yet.
    for (const letter of 'y not yarn') {
      t.type(letter);
      t.advance(100);
    }
    t.advance(300);
    await settle();
    assert.deepEqual(answers, []);
    assert.equal(t.console.draft(), 'why not yarn');
    t.type('n');
    await settle();
    assert.deepEqual(answers, [{ type: 'chosen', key: 'n', comment: '' }]);
    assert.equal(t.console.draft(), 'why not yarn');
  });

  test('is not answered by a paste or a burst; both go into the draft', async () => {
    const t = consoleInTest();
    const answers = asked(t);
    t.advance(300);
    t.type(pasteOf('y'), 'yy', 'y\r', 'yes\r', '\r\r');
    await settle();
    assert.deepEqual(answers, []);
    assert.equal(t.console.draft(), 'yyyyyes\n\n');
    assert.deepEqual(t.events, []);
  });

  test('takes a few words to the answer after Tab', async () => {
    const t = consoleInTest();
    const answers = asked(t, { ...question, withComment: true });
    t.advance(300);
    t.type('\x1b[B', '\x1b[B', '\t', 'yarn, not npm', '\x7f', '\x7f', '\x7f', 'pnpm');
    assert.match(t.shown(), /with the words: yarn, not pnpm/);
    t.type('\r');
    await settle();
    assert.deepEqual(answers, [{ type: 'chosen', key: 'n', comment: 'yarn, not pnpm' }]);
  });

  test('waits for the one before it, and hears nothing in the moment after that', async () => {
    const t = consoleInTest();
    const first = asked(t);
    const second = asked(t, { ...question, title: 'And this?' });
    t.advance(300);
    t.type('y', 'y');
    await settle();
    assert.equal(first.length, 1);
    assert.deepEqual(second, []);
    assert.match(t.shown(), /And this\?/);
    assert.equal(t.console.draft(), 'y');
  });

  test('is taken back by its signal', async () => {
    const t = consoleInTest();
    const stop = new AbortController();
    const answers = asked(t, { ...question, signal: stop.signal });
    assert.match(t.shown(), /Run this command/);
    stop.abort();
    await settle();
    assert.deepEqual(answers, [{ type: 'cancelled' }]);
    assert.doesNotMatch(t.shown(), /Run this command/);
  });

  test('shows what fits of a long preview, says how much is missing, and always shows its choices', () => {
    const t = consoleInTest({ columns: 60, rows: 20 });
    const preview = Array.from({ length: 200 }, (_, at) => `+ line ${at} \x1b[2Jand \x1b]0;title\x07`);
    asked(t, { ...question, preview });
    const shown = t.shown();
    assert.match(shown, /… 1\d\d more lines; Ctrl-O shows them/);
    assert.match(shown, /y {2}Yes, once\n {2}a {2}Yes, and do not ask again for rm in this project\n {2}n {2}No/);
    assert.match(shown, /line 0 \\x1b\[2Jand \\x1b\]0;title\\x07/);
    assert.deepEqual(t.output.screen.strange(), []);
  });

  test('is shown whole by Ctrl-O, which answers nothing, and no sign of work turns beside it', async () => {
    const t = consoleInTest({ columns: 60, rows: 20 });
    t.console.activity('running write_file');
    const preview = Array.from({ length: 200 }, (_, at) => `+ line ${at}`);
    const answers = asked(t, { ...question, preview });
    t.advance(300);
    t.type('\x0f');
    t.shown();
    const all = t.output.screen.all().join('\n');
    assert.match(all, /\n\+ line 0\n\+ line 1\n[\s\S]*\n\+ line 199\n/);
    assert.deepEqual([answers, t.events], [[], []]);
    assert.doesNotMatch(t.shown(), /running write_file/);
    t.type('y');
    await settle();
    assert.equal(answers.length, 1);
  });
});

test('nothing that a model, a tool or a message says reaches the terminal as more than text', () => {
  const evil = '\x1b]52;c;aGk=\x07\x1b]0;title\x07\x1b[2J\x1b[1;1Hfake\x1b[?1049h\x9b2J\r\x07';
  const t = consoleInTest({ rows: 40 });
  t.console.write(`${evil}\n\`\`\`${evil}\n${evil}\n\`\`\`\n| ${evil} |\n|---|\n`);
  t.console.endText();
  t.console.print([evil, [{ text: evil, style: 'red' }]]);
  t.console.print(evil, true);
  t.console.status([{ text: evil }]);
  t.console.activity(evil);
  t.console.queue([evil]);
  t.console.setDraft(evil);
  void t.console.ask({ title: evil, lines: [evil], preview: [evil], choices: [{ key: 'y', label: evil }] });
  t.advance(1_000);
  t.shown();
  assert.deepEqual(t.output.screen.strange(), []);
  assert.deepEqual(t.output.screen.modes(), ['>4', '>u', '?2004']);
});
