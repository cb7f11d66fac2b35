/** What people are told of a conversation says what was done, in every state in which it is told. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationNotice, type Message, type Summarizer, SummarizerError } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { listOf, type RunOptions, reply, runtimeOver, smallWindow, step, system, user, withStore } from './agent.ts';

const pressure = 'both' as const;

/** What is told after an answer that fills so much of the window. */
async function toldAt(store: Store, share: number, options: RunOptions = {}): Promise<readonly ConversationNotice[]> {
  const runtime = runtimeOver(store, { ...options, config: { pressure, ...options.config } });
  const messages = listOf(4);
  const prepared = await runtime.prepare({ messages });
  const usage = { inputTokens: Math.floor(smallWindow * share) };
  const next = await runtime.settle(prepared, { type: 'answered', reply: reply('Good.'), usage });
  return next.type === 'done' ? next.notices : assert.fail(next.type);
}

const texts = (notices: readonly ConversationNotice[]): string => notices.map(({ message }) => message).join('\n');

describe('T6 a context that fills up', () => {
  for (const share of [0.76, 0.86, 0.96]) {
    test(`T6 at ${share} of the window says that it is switched off where it is`, () =>
      withStore(async (store) => {
        const told = texts(await toldAt(store, share, { config: { enabled: false } }));
        assert.match(told, /turned off/);
        assert.doesNotMatch(told, /is compressed|about to be compressed|be compressed/);
      }));

    test(`T6 at ${share} of the window leaves it to the planner where there is one`, () =>
      withStore(async (store) => {
        const told = texts(await toldAt(store, share, { planner: () => 'wait' }));
        assert.match(told, /when that saves money/);
        assert.doesNotMatch(told, /about to be compressed/);
      }));
  }

  test('T6 says that it is held back while it is, and why with the next request', () =>
    withStore(async (store) => {
      const summarizer = failing('the key is wrong');
      const list: Message[] = [system('You move ledgers.'), user('Move the ledgers.')];
      const runtime = runtimeOver(store, { summarizer, config: { pressure } });
      const told: string[] = [];
      for (let at = 1; at <= 20; at++) {
        const prepared = await runtime.prepare({ messages: list });
        told.push(...prepared.notices.map(({ message }) => message));
        const [called, result] = step(at, 15);
        // The summary is refused at the threshold; the window has room for some more.
        const usage = { inputTokens: Math.floor(smallWindow * Math.min(0.97, 0.6 + at * 0.03)) };
        const next = await runtime.settle(prepared, { type: 'answered', reply: called, usage });
        if (next.type === 'done') told.push(...next.notices.map(({ message }) => message));
        if (prepared.notices.some(({ type }) => type === 'summary_failed')) break;
        list.push(called, result);
      }
      const refused = told.findIndex((message) => /the key is wrong/.test(message));
      assert.ok(refused >= 0, told.join('\n'));
      assert.match(told[refused] ?? '', /^aux\/one could not write the summary: .*not changed/);
      const after = told.slice(refused + 1).filter((message) => /fills|is at/.test(message));
      for (const message of after) assert.match(message, /paused for now/);
    }));
});

/** A model that is refused in these words. */
const failing = (words: string, kind: 'auth' | 'server_error' = 'auth'): Summarizer => ({
  name: 'aux/one',
  write: () => Promise.reject(new SummarizerError(kind, `${words}.`, { model: 'aux/one' })),
});

describe('T6 F2 a summary that a model could not write', () => {
  test('T6 is told with the reason, and that facts stand in its place', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { summarizer: failing('it broke down', 'server_error') });
      const { compression, notices } = await runtime.prepare({ messages: listOf(25) });
      assert.ok(compression);
      const [failed] = notices.filter(({ type }) => type === 'summary_failed');
      assert.match(failed?.message ?? '', /aux\/one could not write.*it broke down.*extracted facts only/);
    }));

  test('T6 is told with the model that was asked instead', () =>
    withStore(async (store) => {
      const main: Summarizer = {
        name: 'main/two',
        write: async () => ({ text: '## Goal\nMove the ledgers of all regions.', finish: 'stop' }),
      };
      const summarizer = failing('it broke down', 'server_error');
      const runtime = runtimeOver(store, { summarizer: { ...summarizer, fallback: main } });
      const { notices } = await runtime.prepare({ messages: listOf(25) });
      const failed = notices.filter(({ type }) => type === 'summary_failed');
      assert.match(failed[0]?.message ?? '', /aux\/one could not write.*it broke down.*main\/two was asked instead/);
    }));

  test('T6 after a refusal of the context is told with the retry', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, {
        contextLength: 64_000,
        summarizer: failing('it broke down', 'server_error'),
      });
      const prepared = await runtime.prepare({ messages: listOf(60) });
      const error = Object.assign(new Error('Input is too long for requested model.'), { statusCode: 400 });
      const next = await runtime.settle(prepared, { type: 'failed', error });
      assert.ok(next.type === 'retry');
      assert.deepEqual(
        next.prepared.notices.map(({ type }) => type),
        ['window', 'summary_failed', 'compressed'],
      );
    }));
});

describe('F5 a request that cannot be made smaller', () => {
  test('F5 is not said to have been compressed', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { contextLength: 64_000 });
      const prepared = await runtime.prepare({ messages: [user('a long remark '.repeat(9_000))] });
      const error = Object.assign(new Error('Input is too long for requested model.'), { statusCode: 400 });
      const next = await runtime.settle(prepared, { type: 'failed', error }).catch((thrown: unknown) => thrown);
      const words = next instanceof Error ? next.message : (Object(next).advice ?? '');
      assert.doesNotMatch(words, /was compressed|used up/);
      assert.match(words, /\/new/);
    }));

  test('F5 after three compressions that helped is said to have used them up', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { contextLength: 64_000 });
      const error = Object.assign(new Error('prompt is too long: 1 tokens > 60000 maximum'), { statusCode: 413 });
      let prepared = await runtime.prepare({ messages: listOf(60) });
      let done = 0;
      for (;;) {
        const next = await runtime.settle(prepared, { type: 'failed', error });
        if (next.type !== 'retry') {
          assert.ok(next.type === 'give_up');
          assert.match(next.advice, done === 1 ? /was compressed once/ : new RegExp(`was compressed ${done} times`));
          return;
        }
        if (next.prepared.compression) done++;
        prepared = next.prepared;
      }
    }));
});
