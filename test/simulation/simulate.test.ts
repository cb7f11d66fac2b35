/** What a conversation would have cost: by hand on small ones, and by laws on random ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message, Tokenizer } from '@palimpsest/core';
import fc from 'fast-check';
import { type PolicyOutcome, simulate, simulationPolicies } from 'palimpsest';
import { simulateWith } from '../../packages/palimpsest/src/simulate/simulate.ts';
import { assistant, calls, conversations, message, result, user } from '../support/conversations.ts';

/** A token a character: sums can be checked by hand. Four more are around each message. */
const letters: Tokenizer = { name: 'letters', exact: true, callTokens: 0, count: (text) => text.length };
const model = 'claude-sonnet-4-5';
const words = (count: number): string => 'x'.repeat(count - 4);
const noon = Date.parse('2026-01-01T12:00:00Z');
const timed = (one: Message, seconds: number): Message => ({
  ...one,
  time: new Date(noon + seconds * 1_000).toISOString(),
});

async function played(messages: readonly Message[], policy = 'never', more = {}): Promise<PolicyOutcome> {
  const options = { model, contextLength: 200_000, policies: [policy], ...more };
  const { policies } = await simulateWith(async () => letters, { messages }, options);
  const [outcome] = policies;
  assert.ok(outcome);
  return outcome;
}

/** Two questions and answers; the second question comes after so many seconds. */
const twoCalls = (pause: number): readonly Message[] => [
  message('system', words(2_000)),
  timed(user(words(1_000)), 0),
  assistant(words(100)),
  timed(user(words(500)), pause),
  assistant(words(200)),
];

describe('a call', () => {
  test('C4 costs what reads, writes and answers cost by the list', async () => {
    const { played: two, dollars, hitRate } = await played(twoCalls(60));
    const [first, second] = two;
    assert.deepEqual([first?.cacheReadTokens, first?.cacheWriteTokens, first?.outputTokens], [0, 3_000, 100]);
    assert.deepEqual([second?.cacheReadTokens, second?.cacheWriteTokens, second?.outputTokens], [3_000, 600, 200]);
    // 3 dollars a million for input: reads a tenth of it, writes a quarter more; 15 for output.
    const expected = (3_600 * 3 * 1.25 + 3_000 * 0.3 + 300 * 15) / 1_000_000;
    assert.ok(Math.abs(dollars - expected) < 1e-12);
    assert.equal(hitRate, 3_000 / 6_600);
  });

  test('C4 finds nothing in the cache after five minutes, or after an hour where that is asked for', async () => {
    const reads = async (pause: number, ttl: '5m' | '1h') =>
      (await played(twoCalls(pause), 'never', { ttl })).played[1]?.cacheReadTokens;
    assert.deepEqual([await reads(300, '5m'), await reads(301, '5m')], [3_000, 0]);
    assert.deepEqual([await reads(3_600, '1h'), await reads(3_601, '1h')], [3_000, 0]);
  });

  test('C4 costs twice the input for what is kept for an hour', async () => {
    const { played: two } = await played(twoCalls(60), 'never', { ttl: '1h' });
    assert.ok(Math.abs((two[0]?.dollars ?? 0) - (3_000 * 6 + 100 * 15) / 1_000_000) < 1e-12);
  });

  test('C4 leaves nothing in the cache that is too short for it', async () => {
    const { cacheReadTokens, cacheWriteTokens, inputTokens } = await played(twoCalls(60), 'never', {
      model: 'claude-opus-4-6',
    });
    assert.deepEqual([cacheReadTokens, cacheWriteTokens, inputTokens], [0, 0, 6_600]);
  });

  test('C4 is read in steps of 128 tokens and written for nothing where the provider caches unasked', async () => {
    const { played: two } = await played(twoCalls(60), 'never', { model: 'gpt-5.4' });
    assert.deepEqual([two[1]?.cacheReadTokens, two[1]?.cacheWriteTokens], [2_944, 0]);
  });

  test('C1 after a step with many results is found by a breakpoint at the end of the request before it', async () => {
    const ids = Array.from({ length: 24 }, (_, at) => `c${at}`);
    const wide: readonly Message[] = [
      message('system', words(2_000)),
      user(words(1_000)),
      calls(Object.fromEntries(ids.map((id) => [id, 'bash']))),
      ...ids.map((id) => result(id, words(100))),
      assistant('done'),
    ];
    const readsBy = async (layout: string) => (await played(wide, 'never', { layout })).played[1]?.cacheReadTokens;
    assert.equal(await readsBy('turns'), 3_000);
    assert.equal(await readsBy('system_and_3'), 2_000);
  });

  test('C4 is made of what is read, what is written, and the rest', async () => {
    const models = ['claude-opus-4-8', 'gpt-5.6', 'gpt-5.4', 'gemini-3-1-pro', 'deepseek-v4-pro'];
    const arbitrary = fc.tuple(conversations({ maxSteps: 12, faults: true }), fc.constantFrom(...models));
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([messages, name]) => {
        const { policies } = await simulate({ messages }, { model: name, contextLength: 20_000 });
        for (const { played: all, calls: count } of policies) {
          assert.equal(all.length, count);
          for (const call of all) {
            const sum = call.inputTokens + call.cacheReadTokens + call.cacheWriteTokens;
            assert.equal(sum, call.promptTokens);
            assert.ok(Math.min(call.inputTokens, call.cacheReadTokens, call.cacheWriteTokens) >= 0);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('a policy', () => {
  test('C4 that never takes anything out stops where the window is full', async () => {
    const { failedAt, calls: made, lossyEvents } = await played(twoCalls(60), 'never', { contextLength: 3_500 });
    assert.deepEqual([failedAt, made, lossyEvents], [2, 1, 0]);
  });

  test('C4 that clears old results says how often and how much it took out', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const steps = ids.flatMap((id) => [calls({ [id]: 'bash' }), result(id, words(1_000))]);
    const { lossyEvents, lostTokens } = await played(
      [user(words(2_000)), ...steps, user('on'), assistant('ok')],
      'clear-each-turn',
    );
    const stub = '[Old tool result cleared]'.length;
    assert.deepEqual([lossyEvents, lostTokens], [1, 2 * (1_000 - 4 - stub)]);
  });

  test('C4 with a summarizer pays for its calls', async () => {
    const long = loop(120);
    const options = { contextLength: 32_000 };
    const free = await played(long, 'compress-50', options);
    const paid = await played(long, 'compress-50', { ...options, summarizer: 'claude-haiku-4-5' });
    assert.equal(free.summaryDollars, 0);
    assert.ok(paid.summaryDollars > 0 && free.compressions === paid.compressions);
    assert.ok(Math.abs(paid.dollars - free.dollars - paid.summaryDollars) < 1e-9);
  });

  test('C4 costs alone what it costs beside others', async () => {
    const arbitrary = fc.tuple(conversations({ maxSteps: 30, faults: true }), fc.constantFrom(600, 1_500, 4_000));
    const together = { model: 'claude-opus-4-8' };
    const check = async (messages: readonly Message[], contextLength: number): Promise<void> => {
      const { policies } = await simulateWith(async () => letters, { messages }, { ...together, contextLength });
      for (const outcome of policies)
        assert.deepEqual(outcome, await played(messages, outcome.name, { ...together, contextLength }));
    };
    await fc.assert(
      fc.asyncProperty(arbitrary, ([messages, contextLength]) => check(messages, contextLength)),
      {
        numRuns: 5,
      },
    );
    await check(loop(60), 8_000);
  });

  test('an unknown one, and a model without a known price, are errors that say what to do', async () => {
    await assert.rejects(played(twoCalls(1), 'plannd'), /did you mean planned\?/);
    await assert.rejects(played(twoCalls(1), 'never', { model: 'my-model' }), /name another one/);
  });

  test('C4 can be stopped in the middle of a long conversation', async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error('enough')));
    await assert.rejects(played(loop(300), 'never', { signal: stop.signal }), /enough/);
  });

  test('C4 tells how many calls were played meanwhile', async () => {
    const told: (readonly number[])[] = [];
    const onProgress = (done: number, all: number): void => void told.push([done, all]);
    await played(loop(120), 'never', { onProgress });
    assert.deepEqual(told, [
      [0, 120],
      [50, 120],
      [100, 120],
    ]);
  });

  test('C4 that plans is among them, and so are the ones of other agents', () => {
    const names = simulationPolicies.map(({ name }) => name);
    for (const name of [
      'planned',
      'compress-50',
      'compress-75',
      'compress-90',
      'clear-each-turn',
      'clear-when-cold',
      'never',
    ])
      assert.ok(names.includes(name), name);
  });
});

describe('a loop of 1,000 steps in a window of 32K', () => {
  for (const policy of ['planned', 'threshold']) {
    test(`C3, C4 ${policy}: 95 % come from the cache between compressions, and the prefix changes at those only`, async () => {
      const messages = loop(1_000);
      const outcome = await played(messages, policy, { contextLength: 32_000, layout: 'system_and_3' });
      assert.ok(outcome.compressions > 5 && outcome.calls === 1_000 && outcome.failedAt === undefined);
      assert.ok(outcome.steadyHitRate >= 0.95, String(outcome.steadyHitRate));
      for (const [at, call] of outcome.played.entries()) {
        const before = outcome.played[at - 1];
        if (!before) continue;
        // Unless it was compressed, all of the request before it is read; and the system prompt always is.
        if (call.rewrite) assert.ok(call.cacheReadTokens >= systemTokens, String(call.cacheReadTokens));
        else assert.equal(call.cacheReadTokens, before.promptTokens);
      }
    });
  }
});

const systemTokens = 2_000;

/** An agent that calls a tool again and again, a call every ten seconds. */
function loop(steps: number): readonly Message[] {
  const step = (at: number): readonly Message[] => [
    calls({ [`c${at}`]: 'bash' }, { command: `make part-${at}` }),
    timed(result(`c${at}`, `part ${at} ${'lorem ipsum '.repeat(20)}`), 10 * (at + 1)),
  ];
  const all = [message('system', words(systemTokens)), timed(user('build all parts'), 0)];
  return [...all, ...Array.from({ length: steps }, (_, at) => step(at)).flat()];
}
