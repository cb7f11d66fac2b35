/** When a conversation is compressed, and when it is not: promises shown through the runtime. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ConversationNotice,
  type ConversationRuntime,
  type Message,
  type Summarizer,
  SummarizerError,
} from '@palimpsest/core';
import { defineEngine, type FailureKind } from '@palimpsest/core/engine';
import { openStore } from '@palimpsest/core/store';
import { listOf, reply, runtimeOver, smallWindow, step, usageOf, user, withStore } from './agent.ts';

const start = 1_795_305_600_000;

describe('what counts', () => {
  test('T4 the schemas of tools count before every call, and leave less room for messages', () =>
    withStore(async (store) => {
      const tools = [{ name: 'sheet', description: 'moves a ledger of a region '.repeat(600), parameters: {} }];
      const runtime = runtimeOver(store, { contextLength: 16_000 });
      const bare = await runtime.prepare({ messages: listOf(30) });
      const armed = await runtime.prepare({ messages: [user('Once more.'), ...listOf(30).slice(2)], tools });
      assert.equal(bare.compression, undefined);
      assert.ok(armed.compression && armed.compression.tokensBefore > bare.size.tokens + 2_000);
    }));

  test('T6 the preset of tiers tells once of each: 0.65, 0.75, 0.85 and 0.95 of the window', () =>
    withStore(async (store) => {
      const config = { modelThresholds: { claude: smallWindow - 1 }, pressure: 'tiers' } as const;
      const runtime = runtimeOver(store, { config });
      const list = [user('Move the ledgers.')];
      const heard: [share: number, level: string][] = [];
      for (const share of [0.649, 0.65, 0.7, 0.75, 0.849, 0.85, 0.95, 0.99, 0.3, 0.65]) {
        const prepared = await runtime.prepare({ messages: list });
        const usage = { inputTokens: smallWindow * share };
        const next = await runtime.settle(prepared, { type: 'answered', reply: reply('ok'), usage });
        const notices = next.type === 'done' ? next.notices : assert.fail(next.type);
        for (const { type, level } of notices) if (type === 'tier') heard.push([share, level]);
        list.push(reply('ok'), user(`Region ${share}.`));
      }
      assert.deepEqual(heard, [
        [0.65, 'log'],
        [0.75, 'warn'],
        [0.85, 'compress'],
        [0.95, 'emergency'],
        [0.65, 'log'],
      ]);
    }));
});

describe('a session whose compressions do not help', () => {
  test('T5 compresses once more after 300 s, not before, in whichever process', () =>
    withStore(async (store) => {
      let now = start;
      const list = listOf(0);
      const compressed: number[] = [];
      const held: ConversationNotice[] = [];
      for (let at = 1; at <= 24; at++) {
        // Every step has a process of its own.
        const runtime = runtimeOver(store, { contextLength: 16_000, clock: { now: () => now } });
        const prepared = await runtime.prepare({ messages: list });
        if (prepared.compression) compressed.push(at);
        held.push(...prepared.notices.filter(({ type }) => type === 'held_back'));
        const [called, result] = step(at, 100);
        // From a step on, whatever is sent is said to be over the threshold.
        const usage = at < 9 ? usageOf(prepared.messages) : { inputTokens: 14_000 };
        await runtime.settle(prepared, { type: 'answered', reply: called, usage });
        list.push(called, result);
        if (at === 18) now += 299_000;
        if (at === 20) now += 1_000;
      }
      const [first = 0, second = 0, probe, ...more] = compressed;
      assert.ok(first >= 9 && second <= 14, `compressed at ${compressed.join(', ')}`);
      assert.deepEqual([probe, more], [21, []]);
      assert.match(held[0]?.message ?? '', /\/new.*\/compress <topic>/);
    }));
});

describe('a summary model that cannot be asked', () => {
  const failing = (kind: FailureKind, calls: string[]): Summarizer => ({
    name: 'aux/one',
    write: async () => {
      calls.push(kind);
      throw new SummarizerError(kind, 'no', { model: 'aux/one' });
    },
  });

  for (const [kind, seconds] of [
    ['auth', 600],
    ['quota', 600],
    ['network', 60],
  ] as const) {
    test(`F2 after ${kind} a conversation stays as it is for ${seconds} s, unless the window forces a cut`, () =>
      withStore(async (store) => {
        let now = start;
        const calls: string[] = [];
        const process = (): ConversationRuntime =>
          runtimeOver(store, { summarizer: failing(kind, calls), clock: { now: () => now } });
        // Over the threshold and inside the window.
        const list = listOf(17);
        const kept = await process().prepare({ messages: list });
        assert.deepEqual([kept.compression, kept.messages, calls.length], [undefined, list, 1]);
        assert.match(kept.notices[0]?.message ?? '', new RegExp(`waits ${seconds} s`));
        for (const [pause, asked] of [
          [seconds * 1_000 - 1, 1],
          [1, 2],
        ] as const) {
          now += pause;
          assert.equal((await process().prepare({ messages: list })).compression, undefined);
          assert.equal(calls.length, asked);
        }
        const forced = await process().prepare({ messages: listOf(30) });
        assert.equal(forced.compression?.result?.handoff?.writtenBy, 'ledger');
        assert.ok(forced.size.tokens < smallWindow);
      }));
  }
});

test('E2 an engine hears of an end when a person leaves, and never at a compression, a turn, or for want of room', async () => {
  const store = await openStore({ path: ':memory:' });
  const heard: string[] = [];
  const engineFor = (name: string): ReturnType<typeof defineEngine<Message>> => {
    const engine = defineEngine<Message>({
      name,
      compress: async (messages) =>
        messages.filter(({ role }, at) => role === 'system' || role === 'user' || at >= messages.length - 4),
      onSessionStart: async (_, { reason }) => void heard.push(`start ${reason}`),
      onSessionEnd: async () => void heard.push('end'),
      onSessionReset: () => void heard.push('reset'),
    });
    engine.updateModel({ model: 'claude-sonnet-4-5', contextLength: smallWindow });
    return engine;
  };
  const runtime = runtimeOver(store, { maxLive: 2, engine: (id) => engineFor(id) });
  const list = listOf(2);
  let sessionId = '';
  for (let at = 3; at < 40; at++) {
    const prepared = await runtime.prepare({ messages: list });
    const [called, result] = step(at);
    await runtime.settle(prepared, { type: 'answered', reply: called, usage: usageOf(prepared.messages) });
    list.push(called, result);
    if (at % 10 === 0) list.push(user(`Region ${at} as well.`));
    sessionId = prepared.sessionId;
  }
  // More conversations than are followed at once.
  for (const name of ['a', 'b', 'c']) await runtime.prepare({ messages: [user(name)] });
  await runtime.stop();
  assert.ok(heard.includes('start compression'));
  assert.deepEqual([heard.includes('end'), heard.includes('reset')], [false, false]);
  await runtime.prepare({ messages: list });
  await runtime.end(sessionId, 'left');
  assert.equal(heard.filter((one) => one === 'end').length, 1);
  await store.close();
});
