/** Every command of a conversation, typed into a real terminal over a provider on the wire. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { noTmux } from '../support/tmux.ts';
import { emptyEditor, openChatTerminal, saidIn, unbroken } from './chat-terminal.ts';

describe('commands of a conversation', { skip: noTmux }, () => {
  test('K1: each command does what the help says', async (t) => {
    const { tmux, fake, ...chat } = await openChatTerminal(t);
    const command = async (line: string, shown: string | RegExp): Promise<void> => {
      await chat.say(line);
      await tmux.until(`what ${line} shows`, (screen) => {
        // A long answer pushes its command off the screen.
        const answer = unbroken(screen.slice(Math.max(0, screen.lastIndexOf(`\n> ${line}\n`))));
        const isDone = emptyEditor.test(screen) && answer.trim() !== `> ${line}`;
        return isDone && (typeof shown === 'string' ? answer.includes(shown) : shown.test(answer));
      });
    };
    await command('/help', '/branch [title]');
    await command('/usage', 'Nothing was said yet.');
    await command('/pin', 'Nothing was said yet.');
    await command('/undo', 'Nothing was said yet.');
    await command('/compress', 'Nothing was said yet.');
    await command('/compres', 'did you mean /compress?');
    fake.reply({ text: 'At 1240 degrees.' }, { text: 'For nine hours.' });
    await chat.say('How hot is the glaze fired?');
    await chat.rests('At 1240 degrees.');
    await command('/title', '(no title)');
    await command('/title Glazes of the autumn', 'The title is now: Glazes of the autumn');
    await chat.say('And how long?');
    await chat.rests('For nine hours.');
    await command('/usage', /tokens/);
    await command('/insights', /tokens/);
    await command('/status', /window|threshold/i);
    await command('/compact', 'Nothing to compress');
    await command('/memory', /nothing|empty|memory/i);
    await command('/memory add The kiln is fired on Fridays.', /Fridays/);
    await command('/search glaze', /glaze/);
    await command('/pin', /m\d+/);
    await command('/pin list', /And how long.* 2,720 tokens used/);
    await command('/prompt', /tokens/);
    await command('/approvals', /allowed|nothing/i);
    await command('/model', 'openai-compatible/gpt-kiln');
    await command('/retry', 'has its answer');
    await command('/branch Another glaze', /branch|copy/i);
    // The editor is not empty then: it has the text that was taken back.
    await chat.say('/undo');
    await tmux.until('the text in the editor', (screen) => /Taken back[\s\S]*^[❯>] And how long\?/m.test(screen));
    await tmux.key('C-u');
    await command('/title', 'Another glaze');
    await command('/resume', 'Glazes of the autumn');
    await command('/resume Glazes of the autumn', 'For nine hours.');
    fake.reply({ text: 'By ten.' });
    await chat.say('And when is it cool?');
    await chat.rests('By ten.');
    assert.deepEqual(saidIn(fake.requests.at(-1)), [
      'How hot is the glaze fired?',
      'And how long?',
      'And when is it cool?',
    ]);
    await command('/new', 'A new conversation.');
    await tmux.shows(/ 0 % of 32\.0k/);
    fake.reply({ text: 'And to you.' });
    await chat.say('Good morning.');
    await chat.rests('And to you.');
    assert.deepEqual(saidIn(fake.requests.at(-1)), ['Good morning.']);
    await chat.say('/exit');
    assert.equal(await tmux.ended(), 0);
  });
});
