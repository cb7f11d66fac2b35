/** The modes of the terminal: set once, and put back whatever happens to the process. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConsoleInTest, consoleInTest } from '../support/terminal/console-in-test.ts';

const held = ['>4', '>u', '?2004'];

function assertGivenBack(t: ConsoleInTest): void {
  assert.deepEqual(t.output.screen.modes(), []);
  assert.equal(t.output.screen.cursor().isShown, true);
  assert.equal(t.input.rawModes.at(-1), false);
}

describe('the modes of the terminal', () => {
  test('are set when the console opens', () => {
    const t = consoleInTest();
    assert.deepEqual(t.output.screen.modes(), held);
    assert.deepEqual(t.input.rawModes, [true]);
  });

  for (const event of ['exit', 'uncaughtExceptionMonitor'])
    test(`are put back at ${event}, and the draft can still be read`, () => {
      const t = consoleInTest();
      t.type('my draft');
      t.host.emit(event);
      assertGivenBack(t);
      assert.match(t.output.screen.screen().join('\n'), /❯ my draft/);
      const { row, column } = t.output.screen.cursor();
      assert.deepEqual([row, column], [3, 0], 'what is written next stands below');
    });

  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']) {
    test(`are put back at ${signal}, which then ends the process`, () => {
      const t = consoleInTest();
      t.host.emit(signal);
      assertGivenBack(t);
      assert.deepEqual(t.host.killed, [`42 ${signal}`]);
    });

    test(`are put back at ${signal} where somebody else decides what it means`, () => {
      const t = consoleInTest();
      t.host.on(signal, () => {});
      t.host.emit(signal);
      assertGivenBack(t);
      assert.deepEqual(t.host.killed, []);
    });
  }

  test('are put back while the process is stopped, and set again afterwards', () => {
    const t = consoleInTest();
    t.type('my draft');
    t.input.emit('data', '\x1a');
    assertGivenBack(t);
    assert.deepEqual(t.host.killed, ['0 SIGTSTP']);
    assert.deepEqual(t.output.screen.screen(), []);
    t.host.emit('SIGCONT');
    t.host.emit('SIGCONT');
    t.advance(1_000);
    assert.deepEqual(t.output.screen.modes(), held);
    assert.deepEqual(t.input.rawModes, [true, false, true]);
    assert.equal(t.output.screen.screen().filter((line) => line.includes('my draft')).length, 1);
  });

  test('are set again at once where no shell stops the process', () => {
    const t = consoleInTest();
    t.input.emit('data', '\x1a');
    t.advance(1_000);
    assert.deepEqual(t.output.screen.modes(), held);
    t.type('a', '\x1a');
    t.advance(1_000);
    assert.equal(t.console.draft(), 'a');
    assert.deepEqual(t.host.killed, ['0 SIGTSTP', '0 SIGTSTP']);
  });

  test('are set anew after a stop from outside, when a shell may have changed them', () => {
    const t = consoleInTest();
    t.type('my draft');
    t.host.emit('SIGCONT');
    t.advance(1_000);
    assert.deepEqual(t.input.rawModes, [true, false, true]);
    assert.match(t.shown(), /❯ my draft/);
  });

  test('text that comes while the process is stopped is printed afterwards', () => {
    const t = consoleInTest();
    t.input.emit('data', '\x1a');
    t.console.write('late\n');
    t.advance(50);
    assert.deepEqual(t.output.screen.screen(), []);
    t.host.emit('SIGCONT');
    t.advance(1_000);
    assert.match(t.shown(), /^late/);
  });
});
