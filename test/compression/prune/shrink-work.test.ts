/** What is cut again and again until it fits is masked and taken apart once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shrinkTail } from '../../../packages/core/src/compression/prune/shrink-tail.ts';
import type { Message, ToolCallPart } from '../../../packages/core/src/transcript/message.ts';
import { call, calls, deepFreeze, result, roughTokens, user } from '../../support/conversations.ts';

const long = (characters: number): string => '\u0000\u0001"\\ and words '.repeat(characters / 15);

const conversation = (part: ToolCallPart): readonly Message[] =>
  deepFreeze([
    user('Write it.'),
    { role: 'assistant', parts: [part] },
    result(part.callId, 'done'),
    calls({ next: 'read' }),
    result('next', 'done'),
    user('Go on.'),
  ]);

/** Characters of JSON that `run` has parsed. */
function parsed(run: () => void): number {
  let characters = 0;
  const { parse } = JSON;
  JSON.parse = function counted(text: string, reviver?: Parameters<typeof parse>[1]): unknown {
    characters += text.length;
    return parse.call(this, text, reviver);
  };
  try {
    run();
  } finally {
    JSON.parse = parse;
  }
  return characters;
}

const options = { tokensOf: roughTokens, refOf: () => 'm2' };

for (const server of [false, true]) {
  test(`P4: arguments ${server ? 'of a call that a provider ran ' : ''}are parsed no more often for a cut that takes many attempts`, () => {
    const own = call('write', 'write', { path: 'a.ts', content: long(60_000) });
    const part: ToolCallPart = server ? { ...own, server: true } : own;
    let attempts = 0;
    const tokensOf = (message: Message): number => {
      attempts += message.role === 'assistant' ? 1 : 0;
      return roughTokens(message);
    };
    const characters = parsed(() => {
      const { fits } = shrinkTail(conversation(part), 300, { ...options, tokensOf });
      assert.ok(fits);
    });
    assert.ok(attempts > 20, `${attempts} attempts`);
    // Once for the mask, once to see that it is JSON; each string once more for either.
    assert.ok(characters <= 5 * part.input.length, `${characters} characters of ${part.input.length}`);
  });
}

test('P4: what was parsed once is parsed for no other limit', () => {
  const messages = conversation(call('write', 'write', { path: 'a.ts', content: long(60_000) }));
  shrinkTail(messages, 2_000, options);
  assert.equal(
    parsed(() => shrinkTail(messages, 400, options)),
    0,
  );
});
