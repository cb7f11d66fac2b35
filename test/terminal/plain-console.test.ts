/** The console where there is no terminal. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { consoleInTest } from '../support/terminal/console-in-test.ts';

describe('without a terminal', () => {
  test('text goes out as it is, without a single escape', () => {
    const t = consoleInTest({ isTTY: false });
    t.console.status([{ text: 'a model' }]);
    t.console.activity('working');
    t.console.write('# Plan\n**bold** \x1b[31mred\x1b]0;title\x07');
    t.console.endText();
    t.console.print([[{ text: 'a note', style: 'bold' }]]);
    t.console.close();
    assert.equal(t.output.writes.join(''), '# Plan\n**bold** \\x1b[31mred\\x1b]0;title\\x07\na note\n');
  });

  test('each line that comes in is a message', () => {
    const t = consoleInTest({ isTTY: false });
    t.type('one\ntwo\r\nth', 'ree');
    t.console.activity('working');
    t.type(' more\n');
    t.input.emit('end');
    assert.deepEqual(t.events, [
      { type: 'send', text: 'one' },
      { type: 'send', text: 'two' },
      { type: 'steer', text: 'three more' },
      { type: 'exit' },
    ]);
  });

  test('nobody is asked: a piped line is no answer', async () => {
    const t = consoleInTest({ isTTY: false });
    const asked = t.console.ask({ title: 'Run it?', choices: [{ key: 'y', label: 'Yes' }] });
    t.type('y\n');
    assert.deepEqual(await asked, { type: 'cancelled' });
  });

  test('TERM=dumb has a person, who answers with a line', async () => {
    const t = consoleInTest({ env: { TERM: 'dumb' } });
    const asked = t.console.ask({ title: 'Run it?', choices: [{ key: 'y', label: 'Yes' }] });
    t.type('y\n');
    assert.deepEqual(await asked, { type: 'chosen', key: 'y', comment: '' });
    assert.equal(t.output.writes.join(''), 'Run it?\ny: Yes\n');
  });
});
