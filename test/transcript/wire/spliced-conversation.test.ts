/** A gateway in small: bodies of a growing conversation through the runtime, whose contexts are spliced back into them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextMessages } from '../../../packages/core/src/transcript/wire/body/next-messages.ts';
import { type Body, readBody } from '../../../packages/core/src/transcript/wire/body/read-body.ts';
import { spliceBody } from '../../../packages/core/src/transcript/wire/body/splice-body.ts';
import { dialectNamed, dialects } from '../../../packages/core/src/transcript/wire/dialects.ts';
import { runtimeOver, withStore } from '../../conversation/agent.ts';
import { chanceOf, oddJson } from '../../support/odd-json.ts';
import { bodyOf, type Round } from '../../support/request-bodies.ts';

const model = 'gemini-3-pro';
const rounds = Array.from(
  { length: 16 },
  (_, number): Round => ({
    ask: `Please look at case ${number} of the importer. ${'It matters. '.repeat(4)}`,
    steps: [
      {
        thought: number % 2 === 0,
        calls: [
          {
            input: { path: `src/case-${number}.ts` },
            result: `=case ${number}\n${`const row = ${number} * 2;\n`.repeat(50)}`,
          },
        ],
      },
    ],
    answer: `Case ${number} multiplies its rows.`,
    more: number % 3 === 0 ? { x_n: 1 } : {},
    isMarked: true,
  }),
);

for (const { name } of dialects) {
  describe(name, () => {
    test('K2 every request is the original or one that the provider takes, after a restart as well', () =>
      withStore(async (store) => {
        const bodyAt = (count: number): Body => {
          const { value } = bodyOf(name, {
            system: 'You are careful.',
            around: { temperature: 1 },
            rounds: rounds.slice(0, count),
          });
          // A client writes what it has written before in the same way.
          return readBody(name, JSON.stringify(value, null, 1), { model });
        };
        let runtime = runtimeOver(store);
        const sizes: number[] = [];
        for (let count = 1; count <= rounds.length; count++) {
          // Another process, which has seen none of the objects.
          if (count === 12) runtime = runtimeOver(store);
          const body = bodyAt(count);
          const prepared = await runtime.prepare({ messages: body.messages });
          const spliced = spliceBody(body, nextMessages(body, prepared.messages));
          assert.equal(dialectNamed(name).reject(JSON.parse(spliced), model), undefined);
          if (prepared.isWhole) assert.equal(spliced, body.text);
          else sizes.push(spliced.length / body.text.length);
          const reply = bodyAt(count + 1).messages[body.messages.length];
          if (reply) await runtime.settle(prepared, { type: 'answered', reply });
        }
        assert.ok(sizes.length >= 4, `${sizes.length} were changed`);
        assert.ok((sizes.at(-1) ?? 1) < 0.7, `${sizes}`);
      }));
  });
}

test('K2 what was spliced is spliced again in the same way', () => {
  const { value } = bodyOf('anthropic', { system: 'You are careful.', around: {}, rounds });
  const text = oddJson(value, chanceOf(7));
  const first = readBody('anthropic', text);
  const next = nextMessages(first, first.messages.slice(0, 1).concat(first.messages.slice(-3)));
  assert.equal(spliceBody(first, next), spliceBody(readBody('anthropic', text), next));
});
