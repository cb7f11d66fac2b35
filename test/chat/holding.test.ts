/** Commands of a conversation that take their time: what goes on is shown, what is typed meanwhile waits, and Esc stops it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Reply } from '@palimpsest/core/testing';
import { noTmux } from '../support/tmux.ts';
import { openChatTerminal, saidIn, unbroken } from './chat-terminal.ts';

/** An answer that stops coming in its middle. */
const stuck: Reply = { text: 'What was done. '.repeat(40), hangAfter: 60 };
const long = 'The glaze is fired at 1240 degrees and cools for nine hours behind a closed door. '.repeat(260);
const answer = (end: string): Reply => ({ text: `${long} ${end}` });

describe('commands that hold a conversation', { skip: noTmux }, () => {
  test('K1 F5: /compress shows that it works, Esc stops it on the wire, and what was typed meanwhile is said after it', async (t) => {
    const { tmux, fake, ...chat } = await openChatTerminal(t);
    fake.reply(answer('So the first.'), answer('So the second.'), answer('So the third.'), { text: 'It is.' });
    await chat.say('How is the glaze fired?');
    await chat.rests('So the first.');
    await chat.say('And the second kiln?');
    await chat.rests('So the second.');
    await chat.say('And the third kiln?');
    await chat.rests('So the third.');
    await chat.say('Is that all of it?');
    await chat.rests('It is.');
    fake.reply(stuck, { text: 'At nine.' });
    await chat.say('/compress');
    await chat.works(5);
    await tmux.shows('compressing');
    await chat.say('When does it cool down?');
    await tmux.shows('When does it cool down?');
    await tmux.key('Escape');
    await chat.rests('At nine.');
    assert.equal(fake.requests[4]?.aborted, true);
    assert.match(unbroken(await tmux.screen()), /Stopped; the conversation is as it was\./);
    assert.deepEqual(saidIn(fake.requests.at(-1)).slice(-2), ['Is that all of it?', 'When does it cool down?']);
  });
});
