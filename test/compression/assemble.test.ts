import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assemble, worthIt } from '../../packages/core/src/compression/assemble.ts';
import { planBoundaries } from '../../packages/core/src/compression/boundaries.ts';
import {
  bridge,
  handoffBlock,
  isHandoff,
  personMessage,
  unwrapHandoff,
} from '../../packages/core/src/compression/handoff-block.ts';
import { prune } from '../../packages/core/src/compression/prune/prune.ts';
import { repair } from '../../packages/core/src/compression/repair.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { carriesCalls } from '../../packages/core/src/transcript/text.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';
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
const own = (role: Message['role']): Message => ({ role, origin: 'summary', parts: [{ type: 'text', text: block }] });
const cut = (headEnd: number, tailStart: number): { type: 'cut'; headEnd: number; tailStart: number } => ({
  type: 'cut',
  headEnd,
  tailStart,
});
const system = message('system', 's');
const middle = [user('m'), assistant('n')];
const joined = (head: Message[], tail: Message[]): readonly Message[] =>
  assemble(deepFreeze([...head, ...middle, ...tail]), cut(head.length, head.length + 2), { block }).messages;

test('A3: the block takes the role that neither neighbour has', () => {
  assert.deepEqual(joined([system, user('u'), assistant('a')], [assistant('b')]), [
    system,
    user('u'),
    assistant('a'),
    own('user'),
    assistant('b'),
  ]);
  assert.deepEqual(joined([system, user('u')], [user('v')]), [system, user('u'), own('assistant'), user('v')]);
  const group = [calls({ a: 'bash' }), result('a', 'x')];
  assert.deepEqual(
    joined([system, user('u'), ...group], [user('v')]),
    [system, user('u'), ...group, own('assistant'), user('v')],
    'templates do not see rows of tools',
  );
  assert.deepEqual(
    joined([system, user('u'), ...group], group),
    [system, user('u'), ...group, bridge, own('user'), ...group],
    'a bridge ends the turn whose answer went into the summary',
  );
});

test('A3: without a user message before it, the block is a user message or part of one', () => {
  assert.deepEqual(joined([system], [assistant('b')]), [system, own('user'), assistant('b')]);
  assert.deepEqual(joined([], [calls({ a: 'bash' })]), [own('user'), calls({ a: 'bash' })]);
  const merged: Message = {
    role: 'user',
    origin: 'summary',
    parts: [
      { type: 'text', text: block },
      { type: 'text', text: 'v' },
    ],
  };
  assert.deepEqual(joined([system], [user('v'), assistant('b')]), [system, merged, assistant('b')]);
});

test('A3: where both roles collide the block is merged into the first message of the tail', () => {
  const { messages, placement, handoffAt } = assemble(
    [system, user('u'), assistant('a'), ...middle, user('v')],
    cut(3, 5),
    { block },
  );
  assert.equal(placement, 'merged');
  assert.equal(handoffAt, 3);
  assert.deepEqual(messages[3]?.parts, [
    { type: 'text', text: block },
    { type: 'text', text: 'v' },
  ]);
});

test('B6: the request and the reply of the middle are said again after the summary, in their order', () => {
  const list = [
    system,
    user('old'),
    { ...assistant('Shall I?'), time: '2026-01-01T00:00:00Z' },
    user('yes'),
    calls({ a: 'x' }),
    result('a', '1'),
    calls({ b: 'x' }),
    result('b', '2'),
  ];
  const { messages } = assemble(list, { ...cut(1, 6), restate: 3, restateReply: 2 }, { block });
  assert.deepEqual(messages, [system, own('user'), list[2], user('yes'), calls({ b: 'x' }), result('b', '2')]);
});

test('A2: the note goes into the system message, once', () => {
  const once = assemble([system, ...middle, assistant('b')], cut(1, 3), { block, systemNote: true }).messages;
  assert.equal(once[0]?.parts.length, 2);
  const twice = assemble([...once, ...middle, assistant('c')], cut(1, 5), { block, systemNote: true }).messages;
  assert.equal(twice[0], once[0]);
});

test('A5: a result that is not smaller is refused, or salvaged where a short handoff would do', () => {
  assert.deepEqual(worthIt({ beforeTokens: 100, afterTokens: 60, handoffTokens: 20 }), {
    type: 'smaller',
    savedTokens: 40,
  });
  assert.deepEqual(worthIt({ beforeTokens: 5_000, afterTokens: 5_200, handoffTokens: 4_000 }), {
    type: 'salvage',
    maxHandoffTokens: 2_000,
  });
  assert.deepEqual(worthIt({ beforeTokens: 5_000, afterTokens: 5_200, handoffTokens: 1_500 }), {
    type: 'salvage',
    maxHandoffTokens: 1_299,
  });
  assert.deepEqual(worthIt({ beforeTokens: 5_000, afterTokens: 5_000, handoffTokens: 400 }), {
    type: 'refuse',
    growthTokens: 0,
  });
});

const options = fc.record({
  headMessages: fc.integer({ min: 0, max: 4 }),
  tailTokens: fc.integer({ min: 1, max: 3_000 }),
  minTailMessages: fc.integer({ min: 1, max: 4 }),
  protectLastN: fc.integer({ min: 0, max: 10 }),
});
type Options = typeof options extends fc.Arbitrary<infer T> ? T : never;

/** One whole pass without a model: repair, prune, cut, assemble. */
function pass(messages: readonly Message[], given: Options, name: string): readonly Message[] {
  const valid = repair(messages).messages;
  const ids = new Map(valid.map((one, at) => [one, `m${at}`]));
  const { messages: pruned } = prune(valid, {
    tokensOf: roughTokens,
    refOf: (one) => ids.get(one) ?? 'm?',
    tailTokens: given.tailTokens,
  });
  const plan = planBoundaries(pruned, { ...given, tokensOf: roughTokens, force: true });
  if (plan.type === 'nothing') return pruned;
  const text = handoffBlock(`Summary ${name}.`, {
    covers: `m${plan.headEnd}-m${plan.tailStart - 1}`,
    count: plan.tailStart - plan.headEnd,
  });
  return deepFreeze(assemble(pruned, plan, { block: text, systemNote: true }).messages);
}

/** What a person said last, part by part. */
function newestWords(messages: readonly Message[]): readonly string[] {
  const newest = messages.map(personMessage).findLast((one) => one !== undefined);
  const words = newest?.parts.filter((part) => (part.type === 'text' ? part.text.trim() : part.type === 'image')) ?? [];
  return words.map((part) => JSON.stringify(part));
}

test('A3: after one, two and five passes the list is valid and the newest request stands verbatim after the summary', () => {
  fc.assert(
    fc.property(
      conversations({ faults: true, handoffs: [block, '[CONTEXT SUMMARY]: older'] }),
      fc.constantFrom(1, 2, 5),
      options,
      (messages, passes, given) => {
        let list = repair(messages).messages;
        const wanted = newestWords(list);
        for (let i = 1; i <= passes; i++) {
          list = pass(list, given, String(i));
          assert.deepEqual(validate(list), [], `pass ${i}`);
          const words = newestWords(list);
          assert.ok(
            wanted.every((word) => words.includes(word)),
            `pass ${i}`,
          );
          const handoffs = list.flatMap((one, at) => (isHandoff(one) ? [at] : []));
          if (!list.some((one) => unwrapHandoff(one)?.body.startsWith('Summary'))) continue;
          assert.equal(handoffs.length, 1, 'one summary');
          const person = list.findLastIndex((one) => personMessage(one) !== undefined);
          assert.ok(person === -1 || person >= (handoffs[0] ?? 0));
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('A3: what was valid under strict roles stays so', () => {
  fc.assert(
    fc.property(conversations({ faults: true, handoffs: [block] }), options, (messages, given) => {
      const before = repair(messages, { strictRoles: true }).messages;
      const after = pass(before, given, '1');
      assert.deepEqual(validate(after, { strictRoles: true }), []);
    }),
    { numRuns: 500 },
  );
});

test('A6: every message is in the list or covered by the cut', () => {
  fc.assert(
    fc.property(conversations(), options, (messages, given) => {
      const plan = planBoundaries(messages, { ...given, tokensOf: roughTokens, force: true });
      if (plan.type === 'nothing') return;
      const shown = new Set(assemble(messages, plan, { block }).messages.flatMap((one) => one.parts));
      const covered = new Set(messages.slice(plan.headEnd, plan.tailStart));
      for (const one of messages) assert.ok(covered.has(one) || one.parts.every((part) => shown.has(part)));
    }),
    { numRuns: 500 },
  );
});

test('A3: two visible neighbours have one role only where the conversation already had that', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 3, max: 12 }),
      fc.integer({ min: 10, max: 200 }),
      (headMessages, turns, tailTokens) => {
        const talk = Array.from({ length: turns }, (_, i) => [user(`q${i}`), assistant(`a${i}`)]).flat();
        const plan = planBoundaries(talk, {
          headMessages,
          tailTokens,
          headTokens: 10_000,
          minTailMessages: 1,
          protectLastN: 0,
          tokensOf: roughTokens,
          force: true,
        });
        if (plan.type === 'nothing') return;
        const roles = assemble(talk, plan, { block })
          .messages.filter((one) => !carriesCalls(one))
          .map((one) => one.role);
        assert.ok(
          roles.every((role, i) => role !== roles[i - 1]),
          roles.join(' '),
        );
      },
    ),
  );
});
