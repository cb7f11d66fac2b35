import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSoundList } from '../../packages/core/src/compression/repair/sound.ts';
import { repair } from '../../packages/core/src/compression/repair.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { readableText, toolCalls, toolResults } from '../../packages/core/src/transcript/text.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';
import { assistant, call, calls, conversations, message, result, user } from '../support/conversations.ts';

const runs = { numRuns: 600 };

test('A4: a valid list comes back as the same object', () => {
  fc.assert(
    fc.property(conversations(), (messages) => {
      assert.equal(repair(messages).messages, messages);
    }),
    runs,
  );
});

test('A4: a list that is taken for sound at a glance is one that no provider rejects', () => {
  const seen = { sound: 0, other: 0 };
  fc.assert(
    fc.property(conversations({ faults: true, maxSteps: 4 }), (messages) => {
      const isSound = isSoundList(messages);
      if (isSound) assert.deepEqual(validate(messages), []);
      seen[isSound ? 'sound' : 'other']++;
    }),
    runs,
  );
  assert.ok(seen.sound > 20 && seen.other > 20, JSON.stringify(seen));
});

test('A4: what a repair has made is sound at a glance, unless a server call still runs', () => {
  fc.assert(
    fc.property(conversations({ faults: true }), (messages) => {
      const list = repair(messages).messages;
      const waits = list.at(-1)?.parts.some((part) => part.type === 'toolCall' && part.server) ?? false;
      assert.equal(isSoundList(list) || waits, true);
    }),
    runs,
  );
});

test('A4: after a repair no provider finds anything to reject', () => {
  fc.assert(
    fc.property(
      conversations({ faults: true }),
      fc.constantFrom('remove', 'stub'),
      fc.boolean(),
      (messages, unanswered, strictRoles) => {
        const { messages: repaired } = repair(messages, { unanswered, strictRoles });
        assert.deepEqual(validate(repaired, { strictRoles }), []);
      },
    ),
    runs,
  );
});

test('A4: repairing twice changes nothing more', () => {
  fc.assert(
    fc.property(conversations({ faults: true }), fc.boolean(), (messages, strictRoles) => {
      const once = repair(messages, { strictRoles }).messages;
      const twice = repair(once, { strictRoles });
      assert.deepEqual(twice.changes, []);
      assert.equal(twice.messages, once);
    }),
    runs,
  );
});

test('A4: nothing that a person said is lost or changed, and what goes is named', () => {
  fc.assert(
    fc.property(conversations({ faults: true }), (messages) => {
      const { messages: repaired, changes } = repair(messages);
      const said = (list: readonly Message[]): readonly string[] =>
        list.flatMap((one) =>
          one.role === 'user' && one.origin !== 'host'
            ? one.parts.flatMap((part) => (part.type === 'text' && part.text.trim() ? [part.text] : []))
            : [],
        );
      assert.deepEqual(said(repaired), said(messages));
      const count = (list: readonly Message[]): number => list.reduce((sum, one) => sum + toolResults(one).length, 0);
      const gone = changes.filter(
        ({ action, detail }) => action === 'removed' && detail.startsWith('the result'),
      ).length;
      const odd = messages
        .flatMap((one) => one.parts)
        .filter((part) => part.type === 'toolResult' && part.server).length;
      assert.ok(count(messages) - count(repaired) <= gone + odd);
    }),
    runs,
  );
});

test('A4: results without a call and calls without a result go', () => {
  const list = [user('u'), result('gone', 'x'), calls({ a: 'bash', b: 'read' }), result('a', '1'), user('v')];
  assert.deepEqual(repair(list).messages, [user('u'), calls({ a: 'bash' }), result('a', '1'), user('v')]);
  assert.deepEqual(
    repair([user('u'), calls({ a: 'bash' }), user('v')]).messages[1],
    assistant('[a tool call was removed: its result was lost]'),
  );
});

test('A4: a lost result can be replaced by one that says so', () => {
  const { messages } = repair([user('u'), calls({ a: 'bash' }), user('v')], { unanswered: 'stub' });
  assert.deepEqual(messages[1], calls({ a: 'bash' }));
  const stub = messages[2] && toolResults(messages[2])[0];
  assert.equal(stub?.callId, 'a');
  assert.equal(stub?.isError, true);
});

test('A4: a last call group whose results are still to come is left alone', () => {
  const list = [user('u'), calls({ a: 'bash', b: 'bash' }), result('a', '1')];
  assert.equal(repair(list).messages, list);
});

test('A4: a result that a hook or the user separated from its call moves back to it', () => {
  const list = [
    user('u'),
    calls({ a: 'bash', b: 'bash' }),
    result('a', '1'),
    user('by the way'),
    result('b', '2'),
    assistant('ok'),
  ];
  const { messages, changes } = repair(list);
  assert.deepEqual(messages, [
    user('u'),
    calls({ a: 'bash', b: 'bash' }),
    result('a', '1'),
    result('b', '2'),
    user('by the way'),
    assistant('ok'),
  ]);
  assert.deepEqual(changes, [{ at: 4, action: 'moved', detail: 'the result of b back to its call' }]);
});

test('A4: an id that is used twice is renamed together with its result', () => {
  const list = [
    user('u'),
    calls({ call_0: 'bash' }),
    result('call_0', '1'),
    calls({ call_0: 'read' }),
    result('call_0', '2'),
  ];
  const { messages } = repair(list);
  assert.deepEqual(messages.slice(3), [calls({ call_0_2: 'read' }), result('call_0_2', '2')]);
});

test('A4: broken arguments become a JSON object that holds the text', () => {
  const list: Message[] = [
    user('u'),
    { role: 'assistant', parts: [call('a', 'bash', '{"cmd": "l')] },
    result('a', '1'),
  ];
  const repaired = repair(list).messages[1];
  assert.equal(repaired && toolCalls(repaired)[0]?.input, '{"broken_arguments":"{\\"cmd\\": \\"l"}');
});

test('A4: a late system message becomes a marked user note', () => {
  const { messages } = repair([message('system', 's'), user('u'), message('system', 'be brief'), assistant('a')]);
  assert.equal(messages[2]?.role, 'user');
  assert.equal(messages[2]?.origin, 'host');
  assert.equal(messages[2] && readableText(messages[2]), '<system-note>\nbe brief\n</system-note>');
});
