/** Who wrote a message of role `user`, where its format does not say. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newestRequest } from '../../packages/core/src/compression/handoff-block.ts';
import type { Message, Origin, Part } from '../../packages/core/src/transcript/message.ts';
import { originOf } from '../../packages/core/src/transcript/origin.ts';

const image: Part = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
const saying = (text: string, ...more: readonly Part[]): Message => ({
  role: 'user',
  parts: [{ type: 'text', text }, ...more],
});

const texts: readonly (readonly [string, Origin])[] = [
  ['Move the ledgers.', 'person'],
  ['<task>Move the ledgers.</task>', 'person'],
  ['<instructions>\nBe brief.\n</instructions>\n<question>Why?</question>', 'person'],
  ['<context>The ledgers lie in data/.</context><task>Move them.</task>', 'person'],
  ['<system-reminder>Be brief.</system-reminder> Now move the ledgers.', 'person'],
  ['<system-reminder>a</system-reminder> Move them. <system-reminder>b</system-reminder>', 'person'],
  ['<system-reminder>a</system-reminder>\n\n<system-reminder>b</system-reminder>', 'host'],
  ['<environment_context>\n<cwd>/srv</cwd>\n</environment_context>', 'host'],
  ['<user_instructions>\nUse tabs.\n</user_instructions>', 'host'],
  ['<turn_aborted>The user stopped it.</turn_aborted>', 'host'],
  ['<command-name>/clear</command-name>\n<command-message>clear</command-message>', 'host'],
  ['<context>Nothing was asked.</context><system-reminder>a</system-reminder>', 'host'],
  ['<skill>\n<name>ledgers</name>\n</skill>', 'host'],
  ['[Request interrupted by user for tool use]', 'host'],
  ['[System: 3 of [4] builds are green]', 'host'],
  ['# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>', 'host'],
  // What people paste and ask in words that programs use as well.
  ['<context>Make the ledgers green.</context>', 'person'],
  ['<command>List all ledgers.</command>', 'person'],
  ['<system-config><ledgers>9</ledgers></system-config>', 'person'],
  ['<tool_use_policy>Never delete a ledger.</tool_use_policy>', 'person'],
  ['<skill>Sewing</skill>', 'person'],
  ['[System: Linux] How do I install the ledgers?', 'person'],
  ['[Request interrupted by user]\nNo, use north-8 instead.', 'person'],
  ['# AGENTS.md instructions for our ledgers are out of date: rewrite them.', 'person'],
  ['This session is being continued from a previous conversation with Anna. Move the ledgers.', 'person'],
  ['Another language model started to solve this problem, and failed. Take over.', 'person'],
  ['The conversation history before this point was compacted by mistake.', 'person'],
  ['[CONTEXT SUMMARY] is what the page shows. Remove it.', 'person'],
  ['<handoffs><from>Anna</from></handoffs>\nReview them.', 'person'],
  ['<handoff> What is this element for?', 'person'],
  ['<handoff to="Bob">Bob moves the ledgers.</handoff>\nWrite him a mail.', 'person'],
  ['<conversation_summary>Anna wants ledgers.</conversation_summary>\nWrite her a mail.', 'person'],
  ['<state_snapshot>\nAnna wants ledgers.\n</state_snapshot>', 'summary'],
  ['<a href="x">never closed', 'person'],
  ['[System: the build is green]', 'host'],
  ['<handoff covers="m1">', 'summary'],
];

describe('who wrote a user message', () => {
  for (const [text, origin] of texts) {
    test(`invariant 3: ${JSON.stringify(text)} is of ${origin}`, () => assert.equal(originOf(saying(text)), origin));
  }

  test('invariant 3: nobody speaks where nothing is said, so it is never the newest request', () => {
    const call: Part = { type: 'toolCall', callId: 'a', name: 'bash', input: '{}', inputType: 'json' };
    const silent: readonly (readonly Part[])[] = [
      [],
      [{ type: 'text', text: ' ' }],
      [{ type: 'reasoning', text: 'hm' }, call],
    ];
    for (const parts of silent) {
      assert.equal(originOf({ role: 'user', parts }), undefined);
      assert.equal(newestRequest([saying('Move the ledgers.'), { role: 'user', parts }]), 0);
    }
    assert.equal(originOf({ role: 'user', parts: [image] }), 'person');
  });

  test('invariant 3: words beside what a program wrote are those of a person, in whichever order the parts stand', () => {
    const note: Part = { type: 'text', text: '[Request interrupted by user for tool use]' };
    const words: Part = { type: 'text', text: 'No, use north-8 instead.' };
    for (const parts of [
      [note, words],
      [words, note],
    ])
      assert.equal(originOf({ role: 'user', parts }), 'person');
    assert.equal(originOf({ role: 'user', parts: [note, note] }), 'host');
  });

  test('invariant 4: a summary behind the reminder of a program is no request', () => {
    const reminder = '<system-reminder>Be brief.</system-reminder>';
    const summary =
      'This session is being continued from a previous conversation that ran out of context.\nThe user wants ledgers.';
    const parts = [reminder, summary].map((text): Part => ({ type: 'text', text }));
    assert.equal(originOf({ role: 'user', parts }), 'summary');
  });

  test('invariant 3: who sends a picture is a person, whatever a program wrote beside it', () => {
    assert.equal(originOf({ role: 'user', parts: [image] }), 'person');
    assert.equal(originOf(saying('[System: the build is green]', image)), 'person');
    assert.equal(originOf(saying('<system-reminder>a</system-reminder>', image)), 'person');
    const sound: Part = { type: 'other', value: { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } } };
    assert.equal(originOf(saying('<system-reminder>a</system-reminder>', sound)), 'person');
    assert.equal(originOf(saying('<handoff covers="m1">', image)), 'summary');
    assert.equal(originOf({ ...saying('[System: a]', image), origin: 'host' }), 'host');
  });
});
