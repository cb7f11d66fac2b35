/** What is no usage is unknown: nothing that a provider, a proxy or a caller hands in is a TypeError. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Message, normaliseUsage, PalimpsestError, priceOf } from '@palimpsest/core';
import {
  BaseEngine,
  type ContextEngine,
  createCompressor,
  defineEngine,
  type EngineUsage,
  guardEngine,
} from '@palimpsest/core/engine';
import { openStore, type Store } from '@palimpsest/core/store';
import { importUsage, insights, toolUse, type Usage } from '@palimpsest/core/usage';
import { reply, runtimeOver, user } from '../conversation/agent.ts';

const throws = (): never => {
  throw new Error('nobody reads this');
};
const closed = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const cyclic: Record<string, unknown> = {};
cyclic.inputTokens = cyclic;

const values: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['NaN', Number.NaN],
  ['an endless number', Number.POSITIVE_INFINITY],
  ['a number below zero', -5],
  ['a number beyond all calls', 1e300],
  ['a large integer', 10n],
  ['a symbol', Symbol('tokens')],
  ['a text', '12'],
  ['true', true],
  ['a function', throws],
  ['an empty list', []],
  ['a list', [1, null]],
  ['a date that is none', new Date(Number.NaN)],
  ['an object without a prototype', Object.create(null)],
  ['an object that is no number', { valueOf: throws, toString: throws }],
  ['an object in itself', cyclic],
  ['a member that throws', Object.defineProperty({}, 'inputTokens', { get: throws, enumerable: true })],
  ['a proxy that throws', new Proxy({}, { get: throws, has: throws, ownKeys: throws })],
  ['a proxy that is closed', closed()],
];
const members = [
  'inputTokens',
  'outputTokens',
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'cacheReadTokens',
  'input_tokens',
  'output_tokens',
  'prompt_tokens',
  'completion_tokens',
  'prompt_tokens_details',
  'usageMetadata',
  'cost',
  'cost_details',
  'cost_in_usd_ticks',
  'server_tool_use',
  'service_tier',
  'raw',
];

/** Every value, and every value as a member of a report. */
const reports: readonly (readonly [string, unknown])[] = [
  ...values,
  ...members.flatMap((member) => values.map(([name, value]) => [`${member}: ${name}`, { [member]: value }] as const)),
];

const isCount = (value: unknown): boolean => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  await using store = await openStore({ path: ':memory:' });
  await use(store);
}

class Keeping extends BaseEngine<Message> {
  readonly name = 'keeping';
  async compress(messages: readonly Message[]): Promise<readonly Message[]> {
    return messages;
  }
}
const engines: readonly (readonly [string, () => ContextEngine<Message>])[] = [
  ['a defined engine', () => defineEngine<Message>({ name: 'keeping', compress: async (messages) => messages })],
  ['a class of one’s own', () => new Keeping()],
  ['the compressor', () => createCompressor()],
  ['a guarded engine', () => guardEngine(new Keeping(), { fallback: createCompressor() })],
];

describe('U1: what is no usage', () => {
  test('has no tokens, or whole numbers of them, in every shape', () => {
    const shapes = [undefined, 'completions', 'anthropic', 'ai-sdk', 'responses', 'gemini', 'none', 'toString', null];
    for (const [name, report] of reports) {
      for (const shape of shapes) {
        // As a caller without a compiler would name it.
        const usage = normaliseUsage(report, shape as 'completions');
        assert.ok(usage === undefined || Object.values(usage).every(isCount), name);
      }
    }
  });

  test('has no price that is no amount', () => {
    for (const [name, report] of reports) {
      // As a caller without a compiler would hand it in.
      for (const { amount } of [
        priceOf('anthropic/claude-sonnet-4-5', report as Usage),
        priceOf(report as string, { inputTokens: 1, outputTokens: 1 }),
      ]) {
        assert.ok(amount === undefined || (Number.isFinite(amount) && amount >= 0), `${name}: ${amount}`);
      }
    }
    for (const tokens of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      const { status } = priceOf('anthropic/claude-sonnet-4-5', { inputTokens: tokens, outputTokens: 1 });
      assert.equal(status, 'unknown');
    }
  });

  for (const [title, make] of engines) {
    test(`leaves the numbers of ${title} as they were`, () => {
      for (const [name, report] of reports) {
        const engine = make();
        engine.updateModel({ model: 'some-model', contextLength: 32_000 });
        engine.updateFromResponse({ promptTokens: 900, completionTokens: 80, totalTokens: 980 });
        // As a provider sends it.
        engine.updateFromResponse(report as EngineUsage);
        const { lastPromptTokens, lastCompletionTokens, lastTotalTokens } = engine;
        const numbers = [lastPromptTokens, lastCompletionTokens, lastTotalTokens];
        assert.deepEqual(numbers, [900, 80, 980], name);
      }
    });
  }

  test('is counted as a call whose use is not known, whoever answered', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      let calls = 0;
      for (const [name, usage] of reports) {
        const prepared = await runtime.prepare({ messages: [user(`Move the ledgers: ${name}.`)] });
        const type = calls % 2 === 0 ? ('answered' as const) : ('aborted' as const);
        const ended = type === 'answered' ? { type, reply: reply('Done.'), usage } : { type, usage, hasBegun: true };
        assert.equal((await runtime.settle(prepared, ended)).type, 'done', name);
        calls++;
      }
      const totals = await store.usage.totals();
      assert.equal(totals.calls, calls);
      assert.ok(Object.values(totals).every((value) => value === undefined || (Number.isFinite(value) && value >= 0)));
    }));

  test('a reported zero is another thing than what was not reported', () => {
    assert.deepEqual(normaliseUsage({ input_tokens: 0, output_tokens: 0 }), { inputTokens: 0, outputTokens: 0 });
    assert.deepEqual(normaliseUsage({ input_tokens: null, output_tokens: 0 }), { outputTokens: 0 });
    assert.equal(normaliseUsage({ input_tokens: null }), undefined);
    const free = priceOf('anthropic/claude-sonnet-4-5', { inputTokens: 0, outputTokens: 0 });
    assert.deepEqual([free.status, free.amount], ['estimated', 0]);
    assert.equal(priceOf('anthropic/claude-sonnet-4-5', { outputTokens: 0 }).status, 'unknown');
  });
});

describe('U1: what a caller hands in that is none', () => {
  test('is BAD_OPTION or BAD_MESSAGES, and nothing is counted', () =>
    withStore(async (store) => {
      // A caller's own options may throw where they are read; what came as data may not.
      const given = values.filter(([name]) => !name.includes('proxy') && name !== 'a member that throws');
      const call = {
        task: 'turn',
        model: 'm',
        inputTokens: 1,
        outputTokens: 1,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
      };
      const entry = { ...call, sessionId: 's', reasoningTokens: 0 };
      for (const [name, value] of given) {
        // As a caller without a compiler would hand it in.
        const odd = value as never;
        const acts: readonly (() => Promise<unknown>)[] = [
          () => store.usage.add(odd),
          () => store.usage.add({ ...entry, inputTokens: odd }),
          () => store.usage.add([odd]),
          () => store.usage.totals(odd),
          () => insights(store, odd),
          ...['since', 'until', 'largest', 'now'].map((option) => () => insights(store, { [option]: odd })),
          () => toolUse(store, odd),
          () => importUsage(store, odd, odd),
        ];
        for (const [at, act] of acts.entries()) {
          const error = await act().then(
            () => undefined,
            (failed: unknown) => failed,
          );
          assert.ok(error === undefined || PalimpsestError.isInstance(error), `${name}, ${at}: ${error}`);
        }
      }
      assert.equal((await store.usage.totals()).calls, 0);
    }));
});
