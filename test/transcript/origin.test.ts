/** Who wrote a message of role `user`, where its format does not say. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message, Origin, Part } from '../../src/transcript/message.ts';
import { originOf } from '../../src/transcript/origin.ts';

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
  ['<context>Nothing was asked.</context>', 'host'],
  ['<a href="x">never closed', 'person'],
  ['[System: the build is green]', 'host'],
  ['<handoff covers="m1">', 'summary'],
];

describe('who wrote a user message', () => {
  for (const [text, origin] of texts) {
    test(`invariant 3: ${JSON.stringify(text)} is of ${origin}`, () => assert.equal(originOf(saying(text)), origin));
  }

  test('invariant 3: who sends a picture is a person, whatever a program wrote beside it', () => {
    assert.equal(originOf({ role: 'user', parts: [image] }), 'person');
    assert.equal(originOf(saying('[System: the build is green]', image)), 'person');
    assert.equal(originOf(saying('<system-reminder>a</system-reminder>', image)), 'person');
    assert.equal(originOf(saying('<handoff covers="m1">', image)), 'summary');
    assert.equal(originOf({ ...saying('[System: a]', image), origin: 'host' }), 'host');
  });
});
