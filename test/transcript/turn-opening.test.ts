/** The thought that a turn has to begin with, where its provider asks for one: brought back into a shortened context. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message, Part } from '@palimpsest/core';
import { withTurnOpening } from '@palimpsest/core/wire';

const say = (role: 'user' | 'assistant', ...parts: readonly Part[]): Message => ({ role, parts });
const text = (words: string): Part => ({ type: 'text', text: words });
const call = (callId: string): Part => ({ type: 'toolCall', callId, name: 'read', input: '{}', inputType: 'json' });
const result = (role: 'user' | 'tool', callId: string): Message => ({
  role,
  parts: [{ type: 'toolResult', callId, name: 'read', content: [{ type: 'text', text: 'much '.repeat(20) }] }],
});
const thought: Part = { type: 'reasoning', text: 'The files come one after the other.', signature: 'signed' };

const summary = say('user', text('<handoff>'));
const request = say('user', text('Read every file.'));
const opening = say('assistant', thought, call('c1'));
const contextLength = 100_000;

describe('K2 a turn that began with a thought', () => {
  for (const role of ['tool', 'user'] as const)
    test(`has that step again behind its request, its results left out: results of ${role}`, () => {
      const goesOn = [say('assistant', call('c2')), result(role, 'c2')];
      const said = [say('user', text('Hello.')), request, opening, result(role, 'c1'), ...goesOn];
      const shown = withTurnOpening([summary, request, ...goesOn], { said, contextLength });
      assert.deepEqual(shown[2], opening);
      assert.match(JSON.stringify(shown[3]), /"callId":"c1".*left out: the summary above tells what came of it/);
      assert.deepEqual([...shown.slice(0, 2), ...shown.slice(4)], [summary, request, ...goesOn]);
    });

  const goesOn = [say('assistant', call('c2')), result('tool', 'c2')];
  const said = [request, opening, result('tool', 'c1'), ...goesOn];
  const same: readonly (readonly [
    title: string,
    messages: readonly Message[],
    said: readonly Message[],
    most?: number,
  ])[] = [
    ['begins with it still', [summary, request, opening, result('tool', 'c1')], said],
    ['has no answer yet', [summary, request], said],
    [
      'began without one',
      [summary, request, ...goesOn],
      [request, say('assistant', call('c1')), result('tool', 'c1'), ...goesOn],
    ],
    ['began with a longer one than a tenth of the window', [summary, request, ...goesOn], said, 900],
  ];
  for (const [title, messages, all, most = contextLength] of same)
    test(`stays as it is where it ${title}`, () => {
      assert.equal(withTurnOpening(messages, { said: all, contextLength: most }), messages);
    });
});
