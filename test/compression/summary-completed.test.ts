/** A model's summary at every window: it is asked for with the story of the record, and completed from the same one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CompressionResult, compress, estimatingTokenizer, type Message } from '@palimpsest/core';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { assistant, user } from '../support/conversations.ts';

const tokenizer = estimatingTokenizer('claude');

const parts = [
  'reader',
  'writer',
  'parser',
  'printer',
  'router',
  'loader',
  'cache',
  'queue',
  'index',
  'clock',
] as const;
const faults = [
  'a lock',
  'a race',
  'a typo',
  'a leak',
  'a loop',
  'a gap',
  'a cast',
  'a flag',
  'a path',
  'a unit',
] as const;

const messages: readonly Message[] = [
  ...parts.flatMap((part, at) => [
    user(`Why does the ${part} stop after an hour? ${'It did so on every machine of the first floor. '.repeat(12)}`),
    assistant(
      `The ${part} stops because of ${faults[at]} that an earlier change left behind. ` +
        `I compared the versions of the ${part} day by day, which took the whole morning. `.repeat(10),
    ),
  ]),
  user('Which of them is left?'),
];

const summary = [
  '## Completed Actions',
  ...parts.map((part, at) => `${at + 1}. Found that ${faults[at]} stops the ${part} (m${2 * at + 2}).`),
].join('\n');

async function compressed(options: { contextLength?: number; targetTokens?: number }) {
  const prompts: string[] = [];
  const summarizer: Summarizer = {
    name: 'fake/one',
    write: async ({ prompt }) => {
      prompts.push(prompt);
      return { text: summary, finish: 'stop' };
    },
  };
  const result = await compress(messages, { tokenizer, summarizer, ...options });
  return { result, prompt: prompts[0] ?? '' };
}

const toldIn = ({ handoff }: CompressionResult): number[] =>
  [...(handoff?.text ?? '').matchAll(/^(\d+)\. Found that /gm)].map(([, number]) => Number(number));

describe('S9: verified lines of a summary', () => {
  for (const [name, options] of [
    ['a window of 4,096 tokens', { contextLength: 4_096 }],
    ['a window of 8,192 tokens', { contextLength: 8_192 }],
    ['a target of 700 tokens', { targetTokens: 700 }],
    ['a target of 1,200 tokens', { targetTokens: 1_200 }],
    ['a target of 4,000 tokens', { targetTokens: 4_000 }],
  ] as const) {
    test(`stand in their order, and what is not there is named with its reason: ${name}`, async () => {
      const { result } = await compressed(options);
      const told = toldIn(result);
      const leftOut = (result.handoff?.leftOut ?? []).map(({ text }) => Number(/^(\d+)\./.exec(text)?.[1]));
      assert.equal(result.handoff?.writtenBy, 'model');
      assert.deepEqual(
        told,
        told.toSorted((a, b) => a - b),
      );
      assert.deepEqual(
        [...told, ...leftOut].sort((a, b) => a - b),
        parts.map((_, at) => at + 1),
      );
    });
  }

  test('are all there where the handoff is half as large again', async () => {
    const { result } = await compressed({ targetTokens: 4_000 });
    assert.equal(toldIn(result).length, parts.length);
    assert.deepEqual(result.handoff?.leftOut, []);
  });

  test('a handoff without a model names none', async () => {
    const result = await compress(messages, { tokenizer, contextLength: 8_192 });
    assert.equal(result.handoff?.leftOut, undefined);
  });
});

describe('S9: the prompt', () => {
  test('gives the requests with what came of each, and neither names nor lines chosen for their names', async () => {
    const { prompt } = await compressed({ contextLength: 8_192 });
    const facts = /<facts>\n([\s\S]*?)\n<\/facts>/.exec(prompt)?.[1] ?? '';
    assert.match(facts, /^### m19 user:\n Why does the clock stop after an hour\?$/m);
    assert.match(facts, /→ m20 assistant: The clock stops because of a unit that an earlier change left behind\./);
    assert.doesNotMatch(facts, /^ \+ m\d+/m);
  });

  test('asks for no index of names', async () => {
    const { prompt } = await compressed({ contextLength: 8_192 });
    assert.doesNotMatch(prompt, /Index of Names/);
  });
});
