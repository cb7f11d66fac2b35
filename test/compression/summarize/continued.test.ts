/** A summary that is asked for behind the request of the conversation itself (C5): the message, and when it is that way. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { templates } from '../../../packages/core/src/compression/ledger/templates.ts';
import {
  type Continuation,
  namedStart,
  type WayTokens,
} from '../../../packages/core/src/compression/summarize/continued.ts';
import { SummarizerError, type SummaryReply } from '../../../packages/core/src/compression/summarize/summarizer.ts';
import {
  type SummaryInput,
  type WrittenSummary,
  writeSummary,
} from '../../../packages/core/src/compression/summarize/write-summary.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { user } from '../../support/conversations.ts';
import { assertGolden } from '../../support/golden.ts';
import { inputFor, scripted, smallSession, summaryFor } from './scripted.ts';

const text = '## Active Task\nList the options.\n\n## Completed Actions\n1. Read `src/options.ts`.';

interface Behind {
  readonly reply?: () => Promise<SummaryReply>;
  readonly isCheaper?: boolean;
  readonly tokens?: number;
  readonly contextLength?: number;
}

interface Asked {
  readonly written: WrittenSummary | SummarizerError;
  /** The messages behind the request. */
  readonly behind: readonly string[];
  /** The prompts of requests of its own. */
  readonly own: readonly string[];
  readonly ways: readonly WayTokens[];
}

async function ask(
  messages: readonly Message[],
  { reply, isCheaper = true, tokens = 5_000, contextLength = 100_000 }: Behind = {},
  rest: Partial<SummaryInput> = {},
): Promise<Asked> {
  const model = scripted((call) => ({ text: summaryFor(call) }));
  const behind: string[] = [];
  const ways: WayTokens[] = [];
  const continuation: Continuation = {
    keptFrom: 'Now list the options of the second command',
    prefix: {
      messages: messages.length,
      tokens,
      contextLength,
      isCheaper(way) {
        ways.push(way);
        return isCheaper;
      },
      async write({ prompt }) {
        behind.push(prompt);
        return reply
          ? reply()
          : { text, finish: 'stop', usage: { inputTokens: 900, cacheReadTokens: 5_000, outputTokens: 40 } };
      },
    },
  };
  const written = await writeSummary(inputFor(messages, model, { continuation, ...rest })).catch((error: unknown) => {
    if (error instanceof SummarizerError) return error;
    throw error;
  });
  return { written, behind, own: model.calls.map(({ prompt }) => prompt), ways };
}

const facts = 'm5 bash npm test: failed, exit 1';
const previous =
  '## Active Task\n"Please list the options." (m1)\n## Completed Actions\n1. Read `src/options.ts` (m2).';

describe('C5: the message behind the conversation', () => {
  for (const [name, rest] of [
    ['first', {}],
    ['later', { previous }],
  ] as const) {
    test(`${name}`, async () => {
      const { behind, own } = await ask(smallSession, {}, { template: templates.handoff, facts, ...rest });
      assert.equal(own.length, 0);
      assertGolden(`compression/golden/summary-prompts/continued-${name}.txt`, `${behind[0]}\n`);
    });
  }

  test('S6: shows no credential of the facts, the topic and the message that stays', async () => {
    const key = 'sk-ant-api03-Zq8xV2mN4bT7wK1pR9sL3dF6gH0jC5yE8uA2iO4nB7vX1zM6qW3eS9tD0rP5fG8h-AbCdEfGhAA';
    const { behind } = await ask(smallSession, {}, { facts: `m5 key ${key}`, focusTopic: `the key ${key}` });
    assert.ok(!behind.join('').includes(key));
    assert.ok(!namedStart(`Use the key ${key} from now on, and no other one.`).includes(key));
  });

  test('names the first message that stays only where its words say which it is', () => {
    assert.equal(namedStart('Go on.'), '');
    assert.equal(
      namedStart('Now list the options of\nthe second command, please.'),
      'Now list the options of the second command, please.',
    );
  });
});

describe('C5: which way is gone', () => {
  test('the summary is the one that was written behind the conversation, with what it read and cost', async () => {
    const { written, own, ways } = await ask(smallSession);
    assert.ok(!(written instanceof SummarizerError));
    assert.equal(written.text, text);
    assert.deepEqual([own.length, ways.length], [0, 1]);
    assert.deepEqual(
      written.calls.map(({ purpose, inputTokens, usage }) => [purpose, inputTokens > 5_000, usage?.cacheReadTokens]),
      [['continued', true, 5_000]],
    );
    const { continued, shortened, characters, tokens, window } = written.coverage;
    assert.deepEqual([continued, shortened, window.tokens], [true, [], 100_000]);
    assert.deepEqual([characters.read, tokens.read], [characters.of, tokens.of]);
  });

  test('a request of its own where that costs less, and where there is no room behind the conversation', async () => {
    for (const setting of [{ isCheaper: false }, { tokens: 99_000 }]) {
      const { behind, own } = await ask(smallSession, setting);
      assert.deepEqual([behind.length, own.length], [0, 1]);
    }
  });

  test('what is compared is what both ways read, and an answer of the same length', async () => {
    const long: Message[] = Array.from({ length: 12 }, (_, at) =>
      user(`Region ${at}: ${'the ledger has many rows. '.repeat(150)}`),
    );
    const { ways, own } = await ask(long, { isCheaper: false });
    const [way] = ways;
    assert.ok(way);
    const read = own.reduce((sum, prompt) => sum + Math.ceil(prompt.length / 4), 0);
    assert.ok(Math.abs(way.plainTokens / read - 1) < 0.5, `${way.plainTokens} expected, ${read} read`);
    assert.ok(way.askedTokens > 300 && way.askedTokens < way.plainTokens);
  });

  test('F2: an answer that is no summary is asked for again in a request of its own, and both are paid', async () => {
    const { written, behind, own } = await ask(smallSession, {
      reply: async () => ({ text: 'On it!', finish: 'stop' }),
    });
    assert.ok(!(written instanceof SummarizerError));
    assert.deepEqual([behind.length, own.length, written.failures], [1, 1, []]);
    assert.deepEqual(
      written.calls.map(({ purpose }) => purpose),
      ['continued', 'whole'],
    );
    assert.equal(written.coverage.continued, undefined);
  });

  test('F2: a model that cannot be reached is not asked again; its fallback is, in requests of its own', async () => {
    const refuse = (): Promise<never> => Promise.reject(new SummarizerError('quota', 'no credit', { model: 'a/b' }));
    const alone = await ask(smallSession, { reply: refuse });
    assert.ok(alone.written instanceof SummarizerError);
    assert.deepEqual([alone.written.kind, alone.own.length], ['quota', 0]);
    const fallback = scripted((call) => ({ text: summaryFor(call) }));
    const summarizer = { name: 'a/b', fallback, write: refuse };
    const { written, behind } = await ask(smallSession, { reply: refuse }, { summarizer });
    assert.ok(!(written instanceof SummarizerError));
    assert.deepEqual([behind.length, fallback.calls.length, written.model], [1, 1, fallback.name]);
  });
});
