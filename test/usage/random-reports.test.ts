import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConversations, type Message } from '@palimpsest/core';
import { prepareStep } from '@palimpsest/core/ai-sdk';
import {
  BaseEngine,
  type ContextEngine,
  createCompressor,
  defineEngine,
  type EngineUsage,
  guardEngine,
} from '@palimpsest/core/engine';
import { openStore } from '@palimpsest/core/store';
import fc from 'fast-check';

/** Numbers as broken reports have them, and a few that are none. */
const anyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e9, 1e300, 5n, '120', true, null, undefined),
);

const members = (names: readonly string[]): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(names.map((name) => [name, anyNumber])), { requiredKeys: [] });

const engineWords =
  'promptTokens completionTokens totalTokens inputTokens cacheReadTokens cacheWriteTokens outputTokens'.split(' ');
const providerWords =
  'input_tokens output_tokens prompt_tokens completion_tokens cached_tokens cache_read_input_tokens cost cost_in_usd_ticks promptTokenCount toolUsePromptTokenCount candidatesTokenCount thoughtsTokenCount reasoning_tokens'.split(
    ' ',
  );
const anyReport = (names: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(members(names), fc.jsonValue(), anyNumber, fc.constant([]));

class Keeping extends BaseEngine<Message> {
  readonly name = 'keeping';
  async compress(messages: readonly Message[]): Promise<readonly Message[]> {
    return messages;
  }
}

/** What a host that is not compiled with us may hand over. */
const tell = (engine: ContextEngine<Message>, report: unknown): void =>
  engine.updateFromResponse(report as EngineUsage);

const readings = (engine: ContextEngine<Message>): readonly number[] => [
  engine.lastPromptTokens,
  engine.lastCompletionTokens,
  engine.lastTotalTokens,
];

const doors: readonly (readonly [string, () => ContextEngine<Message>])[] = [
  ['a defined engine', () => defineEngine<Message>({ name: 'defined', compress: async (list) => list })],
  ['an engine on the base class', () => new Keeping()],
  ['the compressor', () => createCompressor()],
  ['a guarded engine', () => guardEngine(new Keeping(), { fallback: createCompressor() })],
];

describe('a report that is none', () => {
  for (const [door, make] of doors) {
    test(`E1 T3 never breaks ${door}: what is no number of tokens was not reported`, () => {
      fc.assert(
        fc.property(fc.array(anyReport(engineWords), { maxLength: 5 }), (reports) => {
          const engine = make();
          engine.updateModel({ model: 'some-model', contextLength: 100_000 });
          tell(engine, { promptTokens: 70_000, completionTokens: 10, totalTokens: 70_010 });
          for (const report of reports) tell(engine, report);
          const numbers = readings(engine);
          assert.ok(
            numbers.every((tokens) => Number.isSafeInteger(tokens) && tokens >= 0),
            String(numbers),
          );
          assert.ok(engine.lastPromptTokens > 0);
          assert.ok(engine.status().usagePercent <= 100);
          assert.equal(typeof engine.shouldCompress(), 'boolean');
        }),
      );
    });

    test(`E1 leaves ${door} as it was`, () => {
      const engine = make();
      tell(engine, { promptTokens: 100, completionTokens: 20 });
      const none = { promptTokens: Number.NaN, inputTokens: -1, totalTokens: '120', completionTokens: 5n };
      for (const report of [null, undefined, 'usage', 120, 120n, true, [], [120], {}, none]) tell(engine, report);
      assert.deepEqual(readings(engine), [100, 20, 120]);
      tell(engine, { promptTokens: 99.6, completionTokens: 1e300 });
      assert.deepEqual(readings(engine), [100, 20, 100]);
    });
  }

  test('E1 E3 is no fault of an engine of others: it is told of a call without usage', () => {
    const heard: unknown[] = [];
    const engine = defineEngine<Message>({
      name: 'eager',
      compress: async (list) => list,
      updateFromResponse: (usage) => void heard.push(usage.promptTokens),
    });
    const notices: string[] = [];
    const guard = guardEngine(engine, {
      fallback: createCompressor(),
      onNotice: (notice) => void notices.push(notice),
    });
    for (const report of [null, undefined, 12, [], 'usage', { promptTokens: 5 }]) tell(guard, report);
    assert.deepEqual(notices, []);
    assert.deepEqual(heard, [undefined, undefined, undefined, undefined, undefined, 5]);
  });

  test('T3 T5 says nothing about what a compression was worth', async () => {
    const engine = createCompressor({ contextLength: 100_000, config: { thresholdTokens: 4_000 } });
    const list = Array.from(
      { length: 60 },
      (_, at): Message => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        parts: [{ type: 'text', text: `${at}: ${'bread and butter '.repeat(60)}` }],
      }),
    );
    tell(engine, { promptTokens: 70_000, completionTokens: 10 });
    const shorter = await engine.compress(list);
    assert.notEqual(shorter, list);
    const before = engine.policyState();
    for (const report of [{}, null, { outputTokens: 7 }, { promptTokens: 0 }, { inputTokens: 0, cacheReadTokens: 0 }])
      tell(engine, report);
    assert.deepEqual(engine.policyState(), before);
    assert.equal(engine.shouldCompress(), false);
  });

  test('T3 of a prompt, such as one of zeros, tells an engine no part of a prompt either', async () => {
    await using store = await openStore({ path: ':memory:' });
    const told: EngineUsage[] = [];
    const engine = (): ContextEngine<Message> =>
      defineEngine({
        name: 'told',
        compress: async (list) => list,
        updateFromResponse: (usage) => void told.push(usage),
      });
    const runtime = createConversations({ store, engine, model: 'claude-sonnet-4-5', contextLength: 20_000 });
    const request: Message = { role: 'user', parts: [{ type: 'text', text: 'Why is the bread flat?' }] };
    const messages: Message[] = [request];
    const reply: Message = { role: 'assistant', parts: [{ type: 'text', text: 'No yeast.' }] };
    const reports = [
      { input_tokens: 90, cache_read_input_tokens: 10, output_tokens: 4 },
      { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 },
    ];
    for (const usage of reports) {
      const prepared = await runtime.prepare({ messages });
      await runtime.settle(prepared, { type: 'answered', reply, usage });
      messages.push(reply, request);
    }
    assert.deepEqual(told, [
      {
        inputTokens: 90,
        cacheReadTokens: 10,
        outputTokens: 4,
        promptTokens: 100,
        completionTokens: 4,
        totalTokens: 104,
      },
      { outputTokens: 3, completionTokens: 3 },
    ]);
  });

  test('T3 K2 leaves it to the estimate whether a step of the AI SDK is compressed', async () => {
    const messages = Array.from({ length: 60 }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `${at}: ${'bread and butter '.repeat(100)}`,
    }));
    const begun = messages.slice(0, 50);
    const input = { initialMessages: begun, instructions: undefined, model: 'openai/gpt-5' };
    for (const inputTokens of [undefined, 0, Number.NaN, -1]) {
      const step = prepareStep({ contextLength: 20_000 });
      assert.equal(await step({ ...input, messages: begun, steps: [] }), undefined);
      const compressed = await step({ ...input, messages, steps: [{ usage: { inputTokens } }] });
      assert.ok(compressed && compressed.messages.length < messages.length, String(inputTokens));
    }
  });

  test('U1 T3 is counted as a call of which nothing is known, and never stops a conversation', async () => {
    await using store = await openStore({ path: ':memory:' });
    const runtime = createConversations({ store, model: 'google/gemini-2.5-pro', contextLength: 20_000 });
    const messages: readonly Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Why is the bread flat?' }] }];
    const reply: Message = { role: 'assistant', parts: [{ type: 'text', text: 'No yeast.' }] };
    await fc.assert(
      fc.asyncProperty(anyReport([...providerWords, ...engineWords]), async (usage) => {
        const prepared = await runtime.prepare({ messages });
        assert.equal((await runtime.settle(prepared, { type: 'answered', reply, usage })).type, 'done');
        const { costUsd = 0, ...totals } = await store.usage.totals();
        assert.ok(costUsd >= 0 && costUsd <= totals.calls * 1e6, String(costUsd));
        assert.ok(Object.values(totals).every((count) => Number.isSafeInteger(Math.round(count))));
      }),
    );
  });
});
