import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Message, Part } from '../../packages/core/src/transcript/message.ts';
import { type Rule, validate } from '../../packages/core/src/transcript/validate.ts';
import { assistant, call, calls, conversations, message, result, resultPart, user } from '../support/conversations.ts';

const rulesOf = (messages: readonly Message[], strictRoles = false): readonly Rule[] =>
  validate(messages, { strictRoles }).map((finding) => finding.rule);
const server = { server: true } as const;

test('A4: names every reason why a provider would reject a list', () => {
  const signed: Part = { type: 'reasoning', text: 't', signature: 's' };
  const cases: readonly [readonly Message[], readonly Rule[]][] = [
    [[message('system', 's'), user('u'), calls({ a: 'x', b: 'y' }), result('b', '1'), result('a', '2'), user('u')], []],
    [[user('u'), calls({ a: 'x' })], []],
    [[user('u'), calls({ a: 'x', b: 'y' }), result('a', '1')], []],
    [[user('u'), result('a', '1')], ['orphan-result']],
    [[user('u'), calls({ a: 'x' }), user('u')], ['unanswered-call']],
    [
      [user('u'), calls({ a: 'x' }), user('u'), result('a', '1')],
      ['unanswered-call', 'orphan-result'],
    ],
    [[calls({ a: 'x' }), result('a', '1'), calls({ a: 'x' }), result('a', '1')], ['duplicate-call']],
    [[calls({ a: 'x' }), result('a', '1'), result('a', '1')], ['duplicate-result']],
    [[user(' ')], ['empty-part', 'empty-message']],
    [[{ role: 'user', parts: [] }], ['empty-message']],
    [[{ role: 'assistant', parts: [signed] }], ['empty-message']],
    [[{ role: 'assistant', parts: [{ type: 'text', text: 't' }, signed] }], ['dangling-reasoning']],
    [[{ role: 'assistant', parts: [signed, { type: 'text', text: 't' }] }], []],
    [[calls({ a: 'x' }), result('a', '')], ['empty-result']],
    [[{ role: 'assistant', parts: [call('a', 'x', '{oops')] }], ['broken-arguments']],
    [[{ role: 'assistant', parts: [call('a', 'x', '"text"')] }], ['broken-arguments']],
    [[{ role: 'assistant', parts: [{ ...call('a', 'x', 'free'), inputType: 'text' }] }], []],
    [[{ role: 'assistant', parts: [call('', '')] }], ['missing-id', 'missing-name']],
    [[user('u'), message('system', 's')], ['late-system']],
    [[{ role: 'user', parts: [call('a', 'x')] }], ['misplaced-part']],
    [[{ role: 'assistant', parts: [{ ...call('a', 'x'), ...server }] }, user('u')], ['unpaired-server-tool']],
    [[{ role: 'assistant', parts: [{ ...call('a', 'x'), ...server }] }], []],
    [[{ role: 'assistant', parts: [{ ...resultPart('a', 'x'), ...server }] }], ['unpaired-server-tool']],
    [
      [
        {
          role: 'assistant',
          parts: [
            { ...call('a', 'x'), ...server },
            { ...resultPart('a', 'x'), ...server },
          ],
        },
        user('u'),
      ],
      [],
    ],
    [
      [calls({ a: 'x' }), { role: 'user', parts: [{ type: 'text', text: 't' }, resultPart('a', 'x')] }],
      ['misplaced-part'],
    ],
  ];
  for (const [messages, rules] of cases) assert.deepEqual(rulesOf(messages), rules, JSON.stringify(messages));
});

test('A3: strict roles want a user first and no two in a row', () => {
  assert.deepEqual(rulesOf([user('u'), user('v')]), []);
  assert.deepEqual(rulesOf([user('u'), user('v')], true), ['users-in-a-row']);
  assert.deepEqual(rulesOf([message('system', 's'), assistant('a')], true), ['first-not-user']);
  assert.deepEqual(rulesOf([message('system', 's'), user('u'), assistant('a'), user('v')], true), []);
});

test('A4: a finding says where, what came and what to do', () => {
  assert.deepEqual(validate([user('u'), result('a', '1')]), [
    {
      at: 1,
      rule: 'orphan-result',
      detail: 'no call a in the assistant message before this result',
      fix: 'remove the result or bring back its call',
    },
  ]);
});

test('A4: a finding names the role of its message in plain English', () => {
  const said = [{ role: 'assistant' as const, parts: [] }, user(' ')].flatMap((message) => validate([message]));
  assert.match(said.map(({ detail }) => detail).join('; '), /^an assistant message without content; .*a user message/);
});

test('A4: values that are no messages are reported, not thrown at', () => {
  // What an untyped caller may pass.
  const strange = [
    null,
    { role: 'robot', parts: [] },
    { role: 'user', parts: [{ type: 'smell' }] },
  ] as unknown as Message[];
  for (const one of strange) assert.deepEqual(rulesOf([one]), ['unknown-structure']);
});

test('A4: what agents produce without faults is valid', () => {
  fc.assert(
    fc.property(conversations(), (messages) => {
      assert.deepEqual(rulesOf(messages), []);
    }),
    { numRuns: 500 },
  );
});
