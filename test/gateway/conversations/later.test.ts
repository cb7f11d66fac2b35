/** Answers that wait for a moment without requests: which of them are begun when, and that none is forgotten. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore, type Store } from '@palimpsest/core/store';
import { openLater } from '../../../packages/palimpsest/src/gateway/conversations/later.ts';
import {
  type ConversationsMiddle,
  openConversations,
} from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import type { Received } from '../../../packages/palimpsest/src/gateway/middle.ts';
import { handTimers } from '../support/gateway.ts';

describe('K2 work that waits', () => {
  test('is begun when no request has come for a moment, some of it at a time, the oldest first', async () => {
    const timers = handTimers();
    const later = openLater(timers);
    const done: number[] = [];
    const all = Array.from({ length: 20 }, (_, at) => later.add('one', async () => done.push(at)));
    assert.deepEqual(done, []);
    timers.fire(2);
    assert.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7]);
    for (let tick = 0; tick < 2; tick++) timers.fire(0);
    await Promise.all(all);
    assert.deepEqual(done.length, 20);
  });

  test('is begun at once for the conversation that goes on, and for a stop', async () => {
    const timers = handTimers();
    const later = openLater(timers);
    const done: string[] = [];
    for (const name of ['a', 'b', 'c']) void later.add(name, async () => done.push(name));
    later.begin('b');
    assert.deepEqual(done, ['b']);
    later.beginAll();
    assert.deepEqual(done, ['b', 'a', 'c']);
    timers.fire(2);
    assert.deepEqual(done, ['b', 'a', 'c']);
  });

  test('tells what came of it', async () => {
    const timers = handTimers();
    const later = openLater(timers);
    const [good, bad] = [later.add('a', async () => 7), later.add('a', () => Promise.reject(new Error('full')))];
    later.begin('a');
    assert.equal(await good, 7);
    await assert.rejects(bad, /full/);
  });
});

const event = (data: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** A request of a client, and the whole answer to it. */
async function ask(middle: ConversationsMiddle, said: readonly string[]): Promise<void> {
  const messages = said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
  const received: Received = {
    ...{ dialect: 'anthropic', act: 'answer', method: 'POST', path: '/v1/messages', headers: [], user: undefined },
    body: Buffer.from(JSON.stringify({ model: 'some-model', max_tokens: 100, messages })),
    signal: new AbortController().signal,
  };
  const { settle } = await middle.prepare(received);
  const headers = [['content-type', 'text/event-stream']] as const;
  const watch = settle?.({ type: 'answer', status: 200, headers, triesLeft: 0 })?.watch;
  const message = { role: 'assistant', content: [], usage: { input_tokens: 9, output_tokens: 1 } };
  const block = { type: 'text', text: '' };
  const events = [
    event({ type: 'message_start', message }),
    event({ type: 'content_block_start', index: 0, content_block: block }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes.' } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
    event({ type: 'message_stop' }),
  ];
  watch?.read(Buffer.from(events.join('')));
  // What it used is known once it is kept, which waits.
  void watch?.end('whole');
}

/** Of each conversation, by how it begins, its messages and its calls. */
async function keptIn(store: Store): Promise<ReadonlyMap<string, readonly [messages: number, calls: number]>> {
  const rows = await store.sessions.list();
  return new Map(rows.map(({ preview, tip }) => [preview.slice(0, 1), [tip.messages, tip.usage.calls]]));
}

test('K2 an answer is kept before the next request of its conversation is, and not before those of others', async () => {
  await using store = await openStore({ path: ':memory:' });
  const middle = openConversations({ store, later: handTimers() });
  await ask(middle, ['a?']);
  await ask(middle, ['b?']);
  const before = await keptIn(store);
  assert.deepEqual(
    [before.get('a'), before.get('b')],
    [
      [1, 0],
      [1, 0],
    ],
  );
  await ask(middle, ['a?', 'Yes.', 'a??']);
  const then = await keptIn(store);
  assert.deepEqual(
    [then.get('a'), then.get('b')],
    [
      [3, 1],
      [1, 0],
    ],
  );
  await middle.stop();
  const stopped = await keptIn(store);
  assert.deepEqual(
    [stopped.get('a'), stopped.get('b')],
    [
      [4, 2],
      [2, 1],
    ],
  );
});
