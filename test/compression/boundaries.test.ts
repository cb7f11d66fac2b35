import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Boundaries,
  type BoundaryOptions,
  planBoundaries,
} from '../../packages/core/src/compression/boundaries.ts';
import { handoffBlock, isHandoff, personMessage } from '../../packages/core/src/compression/handoff-block.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { carriesCalls, groupsOf, messageText } from '../../packages/core/src/transcript/text.ts';
import {
  assistant,
  calls,
  conversations,
  deepFreeze,
  message,
  result,
  roughTokens,
  user,
} from '../support/conversations.ts';

const block = handoffBlock('The state.', { covers: 'm1-m9', count: 9 });
const handoff: Message = { role: 'user', origin: 'summary', parts: [{ type: 'text', text: block }] };
const talk = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, i) => [user(`question ${i}`), assistant(`answer ${i}`)]).flat();
/** Every message weighs 10 tokens, unless its text says otherwise. */
const tens = (one: Message): number => Number(/weighs (\d+)/.exec(JSON.stringify(one.parts))?.[1] ?? 10);
const plan = (messages: readonly Message[], options: Partial<BoundaryOptions> = {}): Boundaries =>
  planBoundaries(deepFreeze(messages), { tokensOf: tens, tailTokens: 100, protectLastN: 0, ...options });

test('B1: the head is the system messages and the first messages, and only the system messages later', () => {
  const messages = [message('system', 's'), message('system', 't'), ...talk(20)];
  assert.deepEqual(plan(messages, { headMessages: 4 }), { type: 'cut', headEnd: 6, tailStart: 32 });
  assert.deepEqual(plan(messages), { type: 'cut', headEnd: 6, tailStart: 32 }, 'a request keeps its answer');
  assert.deepEqual(plan(messages, { headMessages: 0 }), { type: 'cut', headEnd: 2, tailStart: 32 });
});

test('B1: an earlier handoff never stays in the head, and the tail starts after it', () => {
  const messages = [message('system', 's'), user('first'), handoff, ...talk(20)];
  assert.deepEqual(plan(messages), { type: 'cut', headEnd: 2, tailStart: 33 });
  const short = [message('system', 's'), handoff, ...talk(4)];
  assert.equal(plan(short, { tailTokens: 10_000 }).type, 'nothing');
  assert.deepEqual(plan(short, { tailTokens: 10_000, force: true }), { type: 'cut', headEnd: 1, tailStart: 7 });
});

test('B1: a first group that is larger than the head may be goes into the summary', () => {
  const messages = [user('a'), calls({ a: 'bash' }), result('a', 'weighs 5000'), ...talk(20)];
  assert.deepEqual(plan(messages), { type: 'cut', headEnd: 1, tailStart: 33 });
});

test('B2: the tail has its budget; a group that crosses it fits up to 1.5 times', () => {
  const messages = [...talk(20), user('weighs 45'), ...talk(4)];
  assert.deepEqual(plan(messages), { type: 'cut', headEnd: 4, tailStart: 40 });
  const larger = [...talk(20), user('weighs 75'), ...talk(4)];
  assert.deepEqual(plan(larger), { type: 'cut', headEnd: 4, tailStart: 41 });
});

test('B2: the tail has 3 messages in any case, and protectLastN where the ceiling allows it', () => {
  const messages = [...talk(10), user('weighs 1000'), assistant('weighs 1000'), user('weighs 1000')];
  assert.deepEqual(plan(messages), { type: 'cut', headEnd: 4, tailStart: 20 });
  assert.deepEqual(plan(talk(20), { protectLastN: 14 }), { type: 'cut', headEnd: 4, tailStart: 26 });
  assert.deepEqual(plan(talk(20), { protectLastN: 30 }), { type: 'cut', headEnd: 4, tailStart: 25 });
});

test('B3: no cut inside a group: the head aligns forward, the tail backward, a group in flight stays whole', () => {
  const group = (id: string): Message[] => [
    calls({ [id]: 'bash', [`${id}2`]: 'bash' }),
    result(id, 'x'),
    result(`${id}2`, 'y'),
  ];
  const messages = [
    user('a'),
    ...group('a'),
    ...talk(10),
    ...group('b'),
    ...group('c'),
    ...group('d'),
    calls({ e: 'bash', f: 'bash' }),
    result('e', 'x'),
  ];
  const cut = plan(messages, { headMessages: 2, headTokens: 100, tailTokens: 60 });
  assert.deepEqual(cut, { type: 'cut', headEnd: 4, tailStart: 27, restate: 22, restateReply: 23 });
});

test('B4: the newest request and the newest reply come after the summary', () => {
  const rows = (n: number): Message[] =>
    Array.from({ length: n }, (_, i) => [calls({ [`c${i}`]: 'bash' }), result(`c${i}`, 'x')]).flat();
  const near = [...talk(10), user('go'), ...rows(6)];
  assert.deepEqual(
    plan(near),
    { type: 'cut', headEnd: 4, tailStart: 19 },
    'kept whole where 1.5 times the budget allows it',
  );
  const far = [...talk(10), user('go'), ...rows(30)];
  assert.deepEqual(plan(far), { type: 'cut', headEnd: 4, tailStart: 71, restate: 20, restateReply: 19 });
});

test('B4: host messages, summaries and tool results are not the newest request', () => {
  const messages = [
    ...talk(10),
    user('go'),
    ...talk(0),
    assistant('on it'),
    user('<environment_context>x</environment_context>'),
    user('[System: note]'),
  ];
  assert.equal(plan(messages, { tailTokens: 20 }).type, 'cut');
  const cut = plan(messages, { tailTokens: 20, minTailMessages: 1 });
  assert.ok(cut.type === 'cut' && (cut.restate === 20 || cut.tailStart <= 20));
});

test('B5: a conversation that fits the tail is cut on demand only', () => {
  const messages = [message('system', 's'), ...talk(6)];
  assert.deepEqual(plan(messages, { tailTokens: 1_000 }), { type: 'nothing', reason: 'fits-tail' });
  assert.deepEqual(plan(messages, { tailTokens: 1_000, force: true }), { type: 'cut', headEnd: 5, tailStart: 10 });
});

test('B5: too few messages are left as they are, and it says so', () => {
  assert.deepEqual(plan([]), { type: 'nothing', reason: 'empty' });
  assert.deepEqual(plan([message('system', 's')], { force: true }), { type: 'nothing', reason: 'empty' });
  assert.deepEqual(plan(talk(3), { force: true }), { type: 'nothing', reason: 'too-few' });
  assert.deepEqual(plan([...talk(3), user('x')], { force: true }), { type: 'nothing', reason: 'too-few' });
  assert.equal(plan(talk(4), { force: true, tailTokens: 10 }).type, 'cut');
});

test('B6: one turn larger than the ceiling is split between groups and its request named to be restated', () => {
  const rows = Array.from({ length: 50 }, (_, i) => [calls({ [`c${i}`]: 'bash' }), result(`c${i}`, 'x')]).flat();
  const messages = [message('system', 's'), user('the only request'), ...rows];
  assert.deepEqual(plan(messages), { type: 'cut', headEnd: 1, tailStart: 92, restate: 1 });
});

test('B6: with the smallest budget the tail is the last group and the request is restated', () => {
  const rows = Array.from({ length: 5 }, (_, i) => [
    calls({ [`c${i}`]: 'bash' }),
    result(`c${i}`, 'weighs 5000'),
  ]).flat();
  const cut = plan([message('system', 's'), user('go'), ...rows], {
    headMessages: 0,
    minTailMessages: 1,
    tailTokens: 50,
    force: true,
  });
  assert.deepEqual(cut, { type: 'cut', headEnd: 1, tailStart: 10, restate: 1 });
});

test('B6: a request that is merged with an earlier handoff is restated without it', () => {
  const merged: Message = {
    role: 'user',
    origin: 'summary',
    parts: [
      { type: 'text', text: block },
      { type: 'text', text: 'go on' },
    ],
  };
  const rows = Array.from({ length: 30 }, (_, i) => [calls({ [`c${i}`]: 'bash' }), result(`c${i}`, 'x')]).flat();
  const cut = plan([message('system', 's'), merged, ...rows]);
  assert.deepEqual(cut, { type: 'cut', headEnd: 1, tailStart: 52, restate: 1 });
});

test('B3: whatever the conversation, cuts lie between groups, nothing newest is left before the summary', () => {
  const options = fc.record({
    headMessages: fc.integer({ min: 0, max: 5 }),
    tailTokens: fc.integer({ min: 1, max: 5_000 }),
    minTailMessages: fc.integer({ min: 1, max: 5 }),
    protectLastN: fc.integer({ min: 0, max: 20 }),
    force: fc.boolean(),
  });
  fc.assert(
    fc.property(conversations({ handoffs: [block] }), options, (messages, given) => {
      const cut = planBoundaries(messages, { ...given, tokensOf: roughTokens });
      if (cut.type === 'nothing') return;
      const edges = new Set([0, ...groupsOf(messages).map((group) => group.end)]);
      assert.ok(edges.has(cut.headEnd) && edges.has(cut.tailStart));
      assert.ok(cut.headEnd < cut.tailStart && (cut.tailStart < messages.length || cut.restate !== undefined));
      assert.ok(messages.slice(cut.headEnd).every((one) => one.role !== 'system'));
      assert.ok([...messages.slice(0, cut.headEnd), ...messages.slice(cut.tailStart)].every((one) => !isHandoff(one)));
      const person = messages.findLastIndex((one) => personMessage(one) !== undefined);
      assert.ok(person === -1 || person >= cut.tailStart || person === cut.restate);
      const reply = messages.findLastIndex(
        (one) => one.role === 'assistant' && messageText(one).trim() !== '' && !carriesCalls(one),
      );
      assert.ok(reply === -1 || reply >= cut.tailStart || reply === cut.restateReply);
    }),
    { numRuns: 800 },
  );
});

test('B2: of a long conversation only what may stay is measured', () => {
  const measured = new Set<number>();
  const messages = [user('go'), ...Array.from({ length: 5_000 }, (_, i) => assistant(`step ${i} `.repeat(40)))];
  const cut = planBoundaries(messages, {
    tailTokens: 2_000,
    tokensOf: (message, at) => {
      measured.add(at);
      return roughTokens(message);
    },
  });
  assert.equal(cut.type, 'cut');
  assert.ok(measured.size < 100, `${measured.size} messages were measured`);
});

test('B6: what a person said right before the newest request is said again with it, where a tail has room for that', () => {
  const row = [user('a picture'), user('<system-reminder>brief</system-reminder>'), user('what is in it?')];
  const steps = Array.from({ length: 30 }, (_, i) => [calls({ [`c${i}`]: 'bash' }), result(`c${i}`, 'x')]).flat();
  const cut = plan([...talk(2), ...row, ...steps]);
  assert.ok(cut.type === 'cut');
  assert.deepEqual([cut.restateBefore, cut.restate], [[4], 6]);
  const large = plan([...talk(2), user('weighs 1000'), user('fix it'), ...steps]);
  assert.ok(large.type === 'cut');
  assert.deepEqual([large.restateBefore, large.restate], [undefined, 5]);
});
