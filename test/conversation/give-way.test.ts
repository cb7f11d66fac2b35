/** What a request can do without gives way before anybody is told that it does not fit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PreparedContext } from '@palimpsest/core';
import { runtimeOver, system, user, withStore } from './agent.ts';

const recalledIn = ({ messages }: PreparedContext): readonly string[] =>
  messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'text' && part.text.startsWith('<recalled-context') ? [part.text] : []));

/** About 350 tokens. */
const found = (turn: number): string => `kiln ${turn} is fired on Fridays, and its door is new\n`.repeat(25);

const window = 4_500;

test('O4 a request that its provider refuses for its length goes out again without what was recalled, and is not compressed', () =>
  withStore(async (store) => {
    const runtime = runtimeOver(store, { contextLength: window, recall: () => found(1) });
    const messages = [system('You look after kilns.'), user('Look at kiln 1.')];
    const prepared = await runtime.prepare({ messages });
    assert.equal(recalledIn(prepared).length, 1);
    const error = Object.assign(new Error(`prompt is too long: ${window + 88} tokens > ${window} maximum`), {
      status: 400,
    });
    const next = await runtime.settle(prepared, { type: 'failed', error });
    assert.ok(next.type === 'retry');
    assert.equal(next.prepared.compression, undefined);
    assert.deepEqual(next.prepared.messages, messages);
    // Another process sends the same.
    const again = await runtimeOver(store, { contextLength: window, recall: () => found(1) }).prepare({ messages });
    assert.deepEqual(again.messages, messages);
  }));

test('O4 so does one that may not be compressed', () =>
  withStore(async (store) => {
    const runtime = runtimeOver(store, { contextLength: window, recall: () => found(1), config: { enabled: false } });
    const prepared = await runtime.prepare({ messages: [user('Look at kiln 1.')] });
    const error = Object.assign(new Error(`prompt is too long: ${window + 88} tokens > ${window} maximum`), {
      status: 400,
    });
    const next = await runtime.settle(prepared, { type: 'failed', error });
    assert.ok(next.type === 'retry');
    assert.deepEqual(recalledIn(next.prepared), []);
    const last = await runtime.settle(next.prepared, { type: 'failed', error });
    assert.equal(last.type, 'give_up');
  }));

test('Y2 recalled text takes at most a tenth of the window, and half of what it has left', () =>
  withStore(async (store) => {
    for (const [tokens, most] of [
      [4_000, 400],
      [8_000, 800],
    ] as const) {
      const runtime = runtimeOver(store, { contextLength: tokens, recall: () => found(1).repeat(20) });
      const prepared = await runtime.prepare({ messages: [user(`Look at kiln 1 in ${tokens}.`)] });
      const [text = ''] = recalledIn(prepared);
      assert.match(text, /\[more was recalled; it did not fit\]/);
      assert.ok(prepared.size.tokens <= most + 40, `${prepared.size.tokens} tokens of ${tokens}`);
    }
  }));
