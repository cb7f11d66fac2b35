import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSameMessage, type Message, messageHash } from '../../packages/core/src/transcript/message.ts';
import { calls, conversations, result, user } from '../support/conversations.ts';

test('A6: a copy of a message is the same message, by its hash and field by field', () => {
  fc.assert(
    fc.property(conversations({ faults: true, maxSteps: 5 }), (messages) => {
      for (const message of messages) {
        const copy = structuredClone(message);
        assert.equal(messageHash(copy), messageHash(message));
        assert.equal(isSameMessage(copy, message), true);
      }
    }),
  );
});

test('A6: messages are the same exactly where they would be written alike', () => {
  const written = ({ role, name, parts }: Message): string => JSON.stringify([role, name, parts]);
  fc.assert(
    fc.property(conversations({ faults: true, maxSteps: 6 }), (messages) => {
      for (const a of messages.slice(0, 12)) {
        for (const b of messages) assert.equal(isSameMessage(a, b), written(a) === written(b));
      }
    }),
  );
});

test('A6: one field more, less or different makes another message', () => {
  const called = calls({ a: 'bash' }, { command: 'ls' });
  const named: Message = { ...user('hi'), name: 'reviewer' };
  const failed = result('a', 'no such file', true);
  assert.equal(isSameMessage(user('hi'), named), false);
  assert.equal(isSameMessage(named, user('hi')), false);
  assert.equal(isSameMessage(called, calls({ a: 'bash' }, { command: 'ls -l' })), false);
  assert.equal(isSameMessage(failed, result('a', 'no such file')), false);
  assert.equal(isSameMessage(result('a', 'no such file'), failed), false);
  const [part] = user('hi').parts;
  if (part?.type !== 'text') assert.fail('a text was expected');
  const extra = { format: 'openai-chat', fields: { detail: null } } as const;
  assert.equal(isSameMessage(user('hi'), { role: 'user', parts: [{ ...part, extra }] }), false);
});
