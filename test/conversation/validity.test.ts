/** Contexts are made valid in time that grows with what is new, also behind a tool that a person had to allow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Message, repair } from '@palimpsest/core';
import { listOf, reply, runtimeOver, step, system, user, withStore, work } from './agent.ts';

/** A call of a tool that the provider runs, and what a person said about it. */
const allowed = (at: number): readonly [Message, Message] => [
  {
    role: 'assistant',
    parts: [{ type: 'toolCall', callId: `mcp-${at}`, name: 'delete', input: '{}', inputType: 'json', server: true }],
  },
  {
    role: 'tool',
    parts: [{ type: 'other', value: { type: 'tool-approval-response', approvalId: `approval-${at}`, approved: true } }],
  },
];

/** The same message, and how often somebody has looked into it. */
function watched(message: Message, looks: { count: number }): Message {
  const { parts } = message;
  return {
    ...message,
    get parts() {
      looks.count++;
      return parts;
    },
  };
}

/** How often a request looks into each message of the opening while the conversation goes on behind it. */
const looksOf = (opening: readonly Message[]): Promise<number> =>
  new Promise((resolve, reject) => {
    withStore(async (store) => {
      const looks = { count: 0 };
      const runtime = runtimeOver(store, { contextLength: 1_000_000 });
      const list = [system('You move ledgers.'), ...opening.map((message) => watched(message, looks))];
      await work(runtime, list, { steps: 3, lines: 1 });
      looks.count = 0;
      await work(runtime, list, { from: 4, steps: 10, lines: 1 });
      resolve(looks.count / 10 / opening.length);
    }).catch(reject);
  });

test('invariant 10: a step behind an allowed tool looks no more often at what is old than any other step', async () => {
  const start = [user('Move all.'), ...Array.from({ length: 100 }, (_, at) => step(100 + at, 1)).flat()];
  const plain = await looksOf(start);
  const behind = await looksOf([...start, ...allowed(1), reply('It is deleted.')]);
  assert.ok(behind <= plain, `${behind} looks a message, and ${plain} without it`);
  assert.ok(behind < 1, `${behind} looks a message`);
});

test('A3 what follows an allowed tool is mended as if everything had been looked at', async () => {
  const [called, result] = step(50, 1);
  const stray: Message = {
    ...result,
    parts: result.parts.map((part) => ({ ...part, callId: 'nobody' }) as typeof part),
  };
  const again: Message = { ...result, parts: [...result.parts, ...result.parts] };
  const both: Message = { role: 'assistant', parts: [...(allowed(7)[0].parts ?? []), ...called.parts] };
  const tails: readonly (readonly Message[])[] = [
    [...step(51, 1)],
    [called, user('Never mind the result.'), reply('Good.')],
    [called, stray, user('Go on.')],
    [called, again, user('Go on.')],
    // The same id as before.
    [...step(1, 1), user('Go on.')],
    [...allowed(1), reply('Good.')],
    [...allowed(2), ...allowed(3), reply('Good.')],
    // One call waits for a person, the other one for its result, which does not come.
    [both, allowed(7)[1], user('Go on.')],
    [both, allowed(7)[1], result, user('Go on.')],
    [allowed(8)[0], user('I say nothing to that.')],
    [user('Late.'), { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] }, user('Go on.')],
  ];
  for (const tail of tails) {
    for (const orphanCalls of ['remove', 'stub'] as const) {
      await withStore(async (store) => {
        const runtime = runtimeOver(store, { contextLength: 1_000_000, config: { prune: { orphanCalls } } });
        const opening = [...listOf(3), ...allowed(1), reply('It is deleted.'), ...allowed(9)];
        for (let end = opening.length - 4; end <= opening.length + tail.length; end++) {
          const list = [...opening, ...tail].slice(0, end);
          const { messages } = await runtime.prepare({ messages: list });
          assert.deepEqual(messages, repair(list, { unanswered: orphanCalls }).messages);
        }
      });
    }
  }
});
