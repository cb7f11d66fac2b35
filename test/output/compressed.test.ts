/** A result that was saved whole, once its conversation is compressed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compress, estimatingTokenizer } from '@palimpsest/core';
import { prune } from '../../packages/core/src/compression/prune/prune.ts';
import { budgetWith, createOutputBudget, type OutputBudget } from '../../packages/core/src/output/budget.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { resultText, spilledOutput, toolResults } from '../../packages/core/src/transcript/text.ts';
import { assistant, call, result, roughTokens, user } from '../support/conversations.ts';
import { lines, memoryStore, part, quoted } from './results.ts';

const log = `${lines(150_000)}\nthe heron broke the build`;

/** A conversation whose first result was saved whole, and then a long talk. */
async function talkAfter(
  budget: OutputBudget,
): Promise<{ readonly messages: readonly Message[]; readonly id: string }> {
  const admitted = await budget.admit(part(log));
  const talk = Array.from({ length: 60 }, (_, i) => [
    user(`Question ${i}: ${'what next '.repeat(30)}`),
    { role: 'assistant', parts: [call(`c${i}`, 'Read', { file_path: `/code/${i}.ts` })] } as const,
    result(`c${i}`, lines(2_000)),
    assistant(`Answer ${i}: ${'it is done '.repeat(30)}`),
  ]).flat();
  const opening: readonly Message[] = [
    user('Why do the tests fail?'),
    { role: 'assistant', parts: [call('call_1', 'bash', { command: 'make test' })] },
    { role: 'tool', parts: [admitted] },
    assistant('I look.'),
  ];
  return { messages: [...opening, ...talk], id: spilledOutput(resultText(admitted)) ?? '' };
}

/** What stands in place of the first result. */
function firstResult(messages: readonly Message[]): string {
  const [first] = messages.flatMap(toolResults);
  return first ? resultText(first) : '';
}

async function requireReadable(budget: OutputBudget, shown: string): Promise<void> {
  const [, id] = /\boutput ([0-9a-f]{16})\b/.exec(shown) ?? [];
  const [read, search] = budget.tools;
  assert.ok(id && read && search, shown);
  assert.ok(log.startsWith(quoted(await read.run({ id, from: 1, to: 20 }))));
  assert.match(await search.run({ id, query: 'heron' }), /the heron broke the build/);
}

test('R2 after a compression the stub names the saved output, and read_output gives it back', async () => {
  await using store = await memoryStore();
  const budget = createOutputBudget({ outputs: store.outputs, contextLength: 32_000 });
  const { messages, id } = await talkAfter(budget);
  const { messages: shorter } = await compress(messages, {
    contextLength: 32_000,
    tokenizer: estimatingTokenizer('claude'),
  });
  assert.ok(shorter.length < messages.length);
  const stub = firstResult(shorter);
  assert.match(
    stub,
    new RegExp(`^\\[pruned: bash make test \\| .* \\| saved whole as output ${id} \\| expand m\\d+\\]$`),
  );
  await requireReadable(budget, stub);
});

test('R2 so does every other form of an old result', async () => {
  await using store = await memoryStore();
  const budget = budgetWith({ outputs: store.outputs, contextLength: 32_000 }, 5_000);
  const { messages } = await talkAfter(budget);
  for (const mode of ['stub', 'placeholder', 'head_tail'] as const) {
    const pruned = prune(messages, { refOf: (one) => `m${messages.indexOf(one)}`, tokensOf: roughTokens, mode });
    const shown = firstResult(pruned.messages);
    assert.ok(shown.length < firstResult(messages).length, mode);
    await requireReadable(budget, shown);
    const again = prune(pruned.messages, { refOf: () => 'm1', tokensOf: roughTokens, mode });
    assert.equal(firstResult(again.messages), shown, `${mode} is left alone`);
  }
});
