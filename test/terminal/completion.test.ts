/** Completion: what is offered, what takes it, and answers that come too late. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConsoleInTest, consoleInTest } from '../support/terminal/console-in-test.ts';

describe('completion', () => {
  const commands = ['/compress', '/commit', '/usage'];
  const asked: string[] = [];
  const withCommands = (): ConsoleInTest =>
    consoleInTest({
      complete: async ({ text, cursor }) => {
        asked.push(text);
        const typed = text.slice(0, cursor);
        return {
          start: 0,
          candidates: commands.filter((one) => one.startsWith(typed)).map((one) => ({ text: `${one} ` })),
        };
      },
    });
  /** Lets the answers of the completion arrive. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };

  test('offers commands at the start of a draft, and Enter still sends what was typed', async () => {
    const t = withCommands();
    t.type('/', 'c');
    await settle();
    assert.match(t.shown(), / {2}\/compress\n {2}\/commit/);
    t.type('\r');
    assert.deepEqual(t.events, [{ type: 'send', text: '/c' }]);
  });

  test('Tab goes through what is offered, Enter takes it, and the next Enter sends it', async () => {
    const t = withCommands();
    t.type('/c');
    await settle();
    t.type('\t', '\t');
    assert.match(t.shown(), /› \/commit/);
    t.type('\r');
    await settle();
    assert.equal(t.console.draft(), '/commit ');
    t.type('\r');
    assert.deepEqual(t.events, [{ type: 'send', text: '/commit' }]);
  });

  test('Tab takes the only candidate, Esc closes the list', async () => {
    const t = withCommands();
    t.type('/u');
    await settle();
    t.type('\t');
    assert.equal(t.console.draft(), '/usage ');
    const other = withCommands();
    other.type('/c');
    await settle();
    other.type('\x1b');
    assert.doesNotMatch(other.shown(), /commit/);
    assert.equal(other.console.draft(), '/c');
  });

  test('an answer that comes too late is not shown, and its question is called off', async () => {
    const signals: AbortSignal[] = [];
    const answers: ((text: string) => void)[] = [];
    const t = consoleInTest({
      complete: ({ signal }) => {
        signals.push(signal);
        return new Promise((resolve) =>
          answers.push((text) => resolve({ start: 0, candidates: [{ text }, { text: 'x' }] })),
        );
      },
    });
    t.type('/a');
    await settle();
    t.type('b');
    await settle();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    answers[1]?.('/second');
    await settle();
    answers[0]?.('/first');
    await settle();
    assert.match(t.shown(), /\/second/);
    assert.doesNotMatch(t.shown(), /\/first/);
  });

  test('a completion that fails offers nothing', async () => {
    const t = consoleInTest({ complete: () => Promise.reject(new Error('no')) });
    t.type('/a', '\t');
    await settle();
    t.type('b');
    assert.equal(t.console.draft(), '/ab');
  });
});
