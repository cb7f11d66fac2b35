/** What a model is told of the room that its summary has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compress, estimatingTokenizer, type Message } from '@palimpsest/core';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { assistant, user } from '../support/conversations.ts';

const tokenizer = estimatingTokenizer('claude');

/** The tokens that a model is told, for a talk of so many turns; its middle holds few names that facts could be made of. */
async function toldFor(
  turns: number,
  contextLength: number,
): Promise<{ readonly told: number; readonly middle: number }> {
  const prompts: string[] = [];
  const summarizer: Summarizer = {
    name: 'fake/one',
    write: async ({ prompt }) => {
      prompts.push(prompt);
      return { text: '## Goal\nThey talk about the sea.', finish: 'stop' };
    },
  };
  const messages: Message[] = [];
  for (let at = 0; at < turns; at++) {
    messages.push(
      user('What is the sea like today?'),
      assistant('It is calm and grey, and the wind comes from the land. '.repeat(30)),
    );
  }
  const { fates } = await compress([...messages, user('And tomorrow?')], { tokenizer, contextLength, summarizer });
  const middle = fates
    .filter(({ fate }) => fate === 'summarised')
    .reduce((sum, { tokensBefore }) => sum + tokensBefore, 0);
  return { told: Number(/at most about (\d+) tokens/.exec(prompts[0] ?? '')?.[1]), middle };
}

for (const [turns, contextLength] of [
  [40, 32_000],
  [120, 64_000],
  [400, 200_000],
] as const) {
  test(`S1 is told half of what the handoff may have, however little facts alone would fill: ${turns} turns in ${contextLength}`, async () => {
    const { told, middle } = await toldFor(turns, contextLength);
    const least = Math.min(2_000, contextLength / 8);
    const most = Math.min(Math.max(contextLength * 0.05, least), 12_000);
    const budget = Math.min(most, Math.max(least, middle * 0.2));
    assert.ok(told >= 0.45 * budget && told <= 0.55 * budget, `${told} of ${budget}`);
  });
}

test('S1 is told no more than half of what it stands for', async () => {
  const { told, middle } = await toldFor(12, 200_000);
  assert.ok(middle > 0 && told <= middle / 2, `${told} for ${middle}`);
});
