/**
 * What people complain about in programs like this one, each complaint as it is met: with the command itself in a terminal, a
 * provider on the wire, and keys.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Reply } from '@palimpsest/core/testing';
import { noTmux } from '../support/tmux.ts';
import { emptyEditor, openChatTerminal, runs, saidIn, unbroken } from './chat-terminal.ts';

const notes = 'The glaze is fired at 1240 degrees. ';
/** An answer that stops coming in its middle. */
const stuck: Reply = { text: notes.repeat(20), hangAfter: 120 };

describe('complaints about conversations in a terminal', { skip: noTmux }, () => {
  test('F1, K1: a conversation that was killed in the middle of an answer is there whole, and goes on', async (t) => {
    const { tmux, fake, ...chat } = await openChatTerminal(t);
    fake.reply({ text: 'The kiln stands ready.' }, stuck);
    await chat.say('Is the kiln ready for the bowls?');
    await chat.rests('The kiln stands ready.');
    await chat.say('And how hot is the glaze fired?');
    await chat.works(2);
    await tmux.shows('The glaze is fired');
    await tmux.kill('SIGKILL');

    await chat.again('--continue');
    await chat.rests('> And how hot is the glaze fired?');
    fake.reply({ text: 'At 1240 degrees.' }, { text: 'Tomorrow at nine.' });
    await chat.say('/retry');
    await chat.rests('At 1240 degrees.');
    await chat.say('When does it cool down?');
    await chat.rests('Tomorrow at nine.');
    const newest = fake.requests.at(-1);
    assert.deepEqual(saidIn(newest), [
      'Is the kiln ready for the bowls?',
      'And how hot is the glaze fired?',
      'When does it cool down?',
    ]);
    const whole = JSON.stringify(newest?.messages);
    assert.ok(whole.includes('The kiln stands ready.') && whole.includes('At 1240 degrees.'));
  });

  test('K1: "do not ask again" says what it covers, and where, before it is chosen', async (t) => {
    const { tmux, fake, project, ...chat } = await openChatTerminal(t);
    fake.reply(runs('git add notes.txt'), { text: 'Then not.' });
    await chat.say('Stage the notes.');
    const question = unbroken(await chat.asked());
    assert.ok(question.includes(`do not ask again for the command \`git add notes.txt\`, in ${project}`), question);
    const wider = 'commands that begin with `git add` and go on with nothing but paths in the project';
    assert.ok(question.includes(`do not ask again for ${wider}`), question);
    assert.ok(question.includes(`in ${project} and below`), question);
    await tmux.key('n');
    await chat.rests('Then not.');
  });

  test('K1: what need not be asked again is not asked by the next process, and another command still is', async (t) => {
    const { tmux, fake, project, ...chat } = await openChatTerminal(t);
    const made = join(project, 'made.txt');
    fake.reply(runs('touch made.txt'), { text: 'The file is made.' });
    await chat.say('Make the file.');
    await chat.asked();
    await tmux.key('a');
    await chat.rests('The file is made.');
    assert.ok(existsSync(made));
    await chat.leave();

    rmSync(made);
    await chat.again();
    fake.reply(runs('touch made.txt'), runs('touch other.txt'), { text: 'The other one not.' });
    await chat.say('Make both files.');
    const question = await chat.asked();
    assert.ok(existsSync(made), 'what was allowed has not been done');
    assert.match(question, /^touch other\.txt$/m);
    await tmux.key('n');
    await chat.rests('The other one not.');
    assert.ok(!existsSync(join(project, 'other.txt')));
  });

  test('K1: what was typed before a question appeared is no answer to it', async (t) => {
    const { tmux, fake, project, ...chat } = await openChatTerminal(t);
    const seen = Promise.withResolvers<void>();
    fake.reply(async () => {
      await seen.promise;
      return runs('touch made.txt');
    });
    fake.reply({ text: 'Then not.' });
    await chat.say('Make the file.');
    await chat.works(1);
    await chat.typed('y');
    await chat.typed('yay');
    seen.resolve();
    const question = await chat.asked();
    assert.match(question, /yay/, 'the draft is gone');
    assert.ok(!existsSync(join(project, 'made.txt')));
    await tmux.key('n');
    const rest = await chat.rests('Then not.');
    assert.match(rest, /^[❯>] yyay$/m, 'the draft is gone');
    assert.ok(!existsSync(join(project, 'made.txt')));
  });

  test('K1: Esc ends the call on the wire, and the draft stays', async (t) => {
    const { tmux, fake, ...chat } = await openChatTerminal(t);
    fake.reply(stuck, { text: 'It is.' });
    await chat.say('Tell me all about glazes.');
    await chat.works(1);
    await tmux.shows('The glaze is fired');
    await chat.typed('is the oven cold');
    await tmux.key('Escape');
    await chat.stopped();
    assert.equal(fake.requests[0]?.aborted, true);
    await tmux.shows(/^[❯>] is the oven cold$/m);
    await chat.say(' by now?');
    await chat.rests('It is.');
    assert.deepEqual(saidIn(fake.requests[1]), ['Tell me all about glazes.', 'is the oven cold by now?']);
    assert.match(JSON.stringify(fake.requests[1]?.messages), /The glaze is fired/, 'what was said until then is gone');
  });

  test('K1: Esc keeps what waits in the queue, and the person decides what becomes of it', async (t) => {
    const { tmux, fake, ...chat } = await openChatTerminal(t);
    fake.reply(stuck, { text: 'The oven is cold.' }, { text: 'Four shelves.' });
    await chat.say('Tell me all about glazes.');
    await chat.works(1);
    for (const later of ['How many shelves are there?', 'And what do they weigh?']) {
      await chat.typed(later);
      await tmux.key('M-Enter');
      await tmux.until('the queue', (screen) => screen.includes(`↳ ${later}`));
    }
    await tmux.key('Escape');
    await chat.stopped();
    assert.equal(fake.requests.length, 1);
    await tmux.until('the queue', (screen) => screen.match(/^↳ /gm)?.length === 2);

    await tmux.key('M-Up');
    await tmux.shows(/^[❯>] And what do they weigh\?$/m);
    await tmux.key('C-u');
    await tmux.shows(emptyEditor);
    await chat.say('Is the oven cold?');
    await chat.rests('Four shelves.');
    assert.deepEqual(saidIn(fake.requests[2]), [
      'Tell me all about glazes.',
      'Is the oven cold?',
      'How many shelves are there?',
    ]);
    assert.equal(fake.requests.length, 3);
  });

  test('K1: thirty pasted lines send nothing, and Enter sends them whole', async (t) => {
    const { tmux, fake, ...chat } = await openChatTerminal(t);
    const lines = Array.from({ length: 30 }, (_, i) => `${i % 4 === 0 ? '\t' : '  '}shelf ${i + 1}: bowls; cups?`);
    const text = lines.join('\n');
    await tmux.paste(text);
    await tmux.shows(/\[pasted\s30\slines\]/);
    await chat.typed(' Count the bowls.');
    assert.equal(fake.requests.length, 0);
    assert.ok(!(await tmux.scrollback()).includes('> shelf'));
    fake.reply({ text: 'Thirty shelves of them.' });
    await tmux.key('Enter');
    await chat.rests('Thirty shelves of them.');
    assert.deepEqual(fake.requests.map(saidIn), [[`${text} Count the bowls.`]]);
  });

  test('K1: Ctrl-J and Shift+Enter begin a new line and send nothing', async (t) => {
    const { tmux, fake, ...chat } = await openChatTerminal(t);
    fake.reply({ text: 'Three lines.' });
    await chat.typed('first line');
    await tmux.key('C-j');
    await chat.typed('second line');
    await tmux.key('S-Enter');
    await chat.typed('third line');
    await tmux.shows(/first line\n\s*second line\n\s*third line/);
    assert.equal(fake.requests.length, 0);
    await tmux.key('Enter');
    await chat.rests('Three lines.');
    assert.deepEqual(fake.requests.map(saidIn), [['first line\nsecond line\nthird line']]);
  });

  test('K1: an answer of 200 lines is drawn without a flicker, and is in the scrollback once', async (t) => {
    const { tmux, fake, home, ...chat } = await openChatTerminal(t);
    const items = Array.from({ length: 200 }, (_, i) => `shelf ${String(i + 1).padStart(3, '0')} holds bowls`);
    const written = join(home, 'written');
    await tmux.record(written);
    fake.reply({ text: items.map((item) => `- ${item}`).join('\n'), pieceChars: 40, pieceDelayMs: 2 });
    await chat.say('What is on the shelves?');
    await chat.rests(/shelf 200 holds bowls/);

    const isWhole = (bytes: string): boolean => bytes.includes('shelf 200') && bytes.endsWith(endOfFrame);
    await tmux.until('the last byte', () => isWhole(readFileSync(written, 'utf8')));
    const bytes = readFileSync(written, 'utf8');
    assert.doesNotMatch(bytes, /\x1b\[[23]J|\x1bc|\x1b\[\?1049/, 'the screen was cleared');
    const frames = bytes.split(startOfFrame).slice(1);
    assert.ok(frames.length > 10, `${frames.length} frames`);
    assert.deepEqual(
      frames.filter((frame) => frame.indexOf(endOfFrame) !== frame.length - endOfFrame.length),
      [],
      'something was written outside of a frame',
    );
    const shown = await tmux.scrollback();
    const wrong = items.filter((item) => shown.split(item).length !== 2);
    assert.deepEqual(wrong, [], 'lost or repeated');
    assert.deepEqual(await tmux.brokenLines(), []);
  });

  test('M1: "I have saved that" without a call that saves is contradicted to the person', async (t) => {
    const { tmux, fake, ...chat } = await openChatTerminal(t);
    const entry = { action: 'add', target: 'user', content: 'Prefers slow cooling.' };
    fake.reply({ toolCalls: [{ name: 'memory', input: entry }] }, { text: 'I have saved that you prefer it slow.' });
    await chat.say('Remember that I prefer slow cooling.');
    await chat.rests('I have saved that you prefer it slow.');
    fake.reply({ text: 'Got it, I have saved that to my memory.' });
    await chat.say('Remember that I fire at night.');
    await chat.rests(/! [^!]*nothing was saved[^!]*"Got it, I have saved that to my memory\."/);
    const denials = unbroken(await tmux.scrollback()).match(/nothing was saved/g);
    assert.equal(denials?.length, 1, 'what was saved is denied as well');
  });
});

const startOfFrame = '\x1b[?2026h';
const endOfFrame = '\x1b[?2026l';
