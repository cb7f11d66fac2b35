/** Programs without types hand in anything: it is refused in words, and nothing of the conversation is lost by it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ContextRequest, type ConversationOptions, createConversations } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { answer, listOf, reply, runtimeOver, stored, withStore } from './agent.ts';

/** As a program without types has it. */
const untyped = (value: object): Partial<ContextRequest & ConversationOptions> =>
  Object.assign(JSON.parse('{}'), value);

const runtimeWith = (store: Store, wrong: object) =>
  createConversations({ store, model: 'claude-sonnet-4-5', ...untyped(wrong) });

const named = (name: string): { code: string; message: RegExp } => ({
  code: 'BAD_OPTION',
  message: new RegExp(`expected as ${name} `),
});

describe('what is no request', () => {
  for (const [name, wrong] of [
    ['recall', 42],
    ['sessionId', null],
    ['maxTokens', 'many'],
    ['signal', {}],
    ['tools', [undefined]],
  ] as const) {
    test(`L1 with ${JSON.stringify(wrong)} as ${name} is refused before anything is kept`, () =>
      withStore(async (store) => {
        const runtime = runtimeOver(store);
        const request = { messages: listOf(2), ...untyped({ [name]: wrong }) };
        await assert.rejects(runtime.prepare(request), named(name));
        await assert.rejects(runtime.compress(request), named(name));
        assert.deepEqual(await stored(store), []);
      }));
  }

  for (const name of ['engine', 'recall', 'onNotice', 'clock']) {
    test(`L1 no runtime is made with a number as ${name}`, () =>
      withStore(async (store) => {
        assert.throws(() => runtimeWith(store, { [name]: 5 }), named(name));
      }));
  }

  for (const name of ['now', 'timers']) {
    test(`L1 no runtime is made with a number as ${name} of its clock`, () =>
      withStore(async (store) => {
        assert.throws(() => runtimeWith(store, { clock: { [name]: 5 } }), named(`${name} of clock`));
      }));
  }

  test('L1 what is no outcome is refused, and the answer that comes behind it is kept', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: listOf(2) });
      for (const wrong of [undefined, null, {}, { type: 'done' }, 'answered']) {
        const outcome = Object.assign(JSON.parse('{}'), { wrong }).wrong;
        await assert.rejects(runtime.settle(prepared, outcome), named('outcome'));
      }
      const { length } = await stored(store);
      await answer(runtime, prepared, reply('North-1 is moved.'));
      assert.equal((await stored(store)).length, length + 1);
    }));
});
