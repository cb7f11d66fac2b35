/** Two processes that follow one conversation, each with its own connection to the store. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { ConversationOptions, ConversationRuntime, Message, Summarizer } from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';
import { anew, answer, listOf, reply, runtimeOver, sessionsOf, system, user } from './agent.ts';
import { openedFile } from './store-file.ts';

interface Processes {
  readonly store: Store;
  readonly one: ConversationRuntime;
  readonly two: ConversationRuntime;
  /** How many summaries were written, and how many at the same time at most. */
  readonly written: { calls: number; most: number };
}

async function withTwo(
  t: TestContext,
  options: Partial<ConversationOptions>,
  run: (processes: Processes) => Promise<void>,
): Promise<void> {
  const written = { calls: 0, most: 0 };
  let open = 0;
  const summarizer: Summarizer = {
    name: 'some/model',
    contextLength: 100_000,
    async write() {
      written.calls++;
      written.most = Math.max(written.most, ++open);
      await setTimeout(300);
      open--;
      return { text: '## Active Task\nMove the ledgers of all regions.', finish: 'stop' };
    },
  };
  await openedFile(t, async (path) => {
    const [first, second] = [await openStore({ path }), await openStore({ path })];
    try {
      const runtimes = [first, second].map((store, at) =>
        runtimeOver(store, { summarizer, owner: `process ${at}`, ...options }),
      );
      const [one = assert.fail(), two = assert.fail()] = runtimes;
      await run({ store: first, one, two, written });
    } finally {
      await first.close();
      await second.close();
    }
  });
}

describe('two processes at one conversation', () => {
  test('F4 of two whose next request does not fit, one compresses and the other one takes what it made', (t) =>
    withTwo(t, {}, async ({ one, two, written }) => {
      const list: Message[] = [system('You move ledgers.'), user('Is it all there?')];
      await answer(one, await one.prepare({ messages: list }), reply('It is.'));
      list.push(reply('It is.'), user('Then move it.'), ...listOf(30).slice(2));
      const [first, second] = await Promise.all([
        one.prepare({ messages: list }),
        two.prepare({ messages: anew(list) }),
      ]);
      assert.deepEqual(written, { calls: 1, most: 1 });
      assert.equal(first.sessionId, second.sessionId);
      assert.deepEqual(anew(second.messages), anew(first.messages));
    }));

  test('F4 of two whose request is refused as too long, one compresses and the other one sends what it made', (t) =>
    withTwo(t, { contextLength: 100_000 }, async ({ store, one, two, written }) => {
      const list = listOf(12);
      await answer(one, await one.prepare({ messages: list.slice(0, 2) }), list[2] ?? reply(''));
      const contexts = [await one.prepare({ messages: list }), await two.prepare({ messages: anew(list) })] as const;
      const error = Object.assign(new Error("This model's maximum context length is 8000 tokens, but you sent 9000."), {
        status: 400,
      });
      const [first, second] = await Promise.all([
        one.settle(contexts[0], { type: 'failed', error }),
        two.settle(contexts[1], { type: 'failed', error }),
      ]);
      assert.ok(first.type === 'retry' && second.type === 'retry');
      assert.deepEqual(written, { calls: 1, most: 1 });
      assert.equal(first.prepared.sessionId, second.prepared.sessionId);
      assert.equal((await store.sessions.chain(first.prepared.sessionId)).length, 2);
    }));

  test('U1 an answer that its client has sent back to the other process already is counted there, and makes no branch', (t) =>
    withTwo(t, {}, async ({ store, one, two }) => {
      const list: Message[] = [system('You move ledgers.'), user('Is it all there?')];
      const first = await one.prepare({ messages: list });
      list.push(reply('It is.'), user('Then move it.'));
      await answer(two, await two.prepare({ messages: anew(list) }), reply('Done.'));
      await answer(one, first, reply('It is.'));
      assert.deepEqual(
        (await sessionsOf(store)).map(({ relation, messages }) => [relation, messages]),
        [['root', 5]],
      );
      assert.equal((await store.usage.totals()).calls, 2);
      const next = await one.prepare({ messages: [...list, reply('Done.'), user('And the rest?')] });
      assert.equal(next.sessionId, first.sessionId);
    }));

  test('F4 a request that waits for another process stops waiting when it is called off', (t) =>
    withTwo(t, {}, async ({ store, one }) => {
      const list: Message[] = [system('You move ledgers.'), user('Is it all there?')];
      const { sessionId } = await one.prepare({ messages: list });
      await store.leases.acquire(`compress:${sessionId}`, 'another process', 60_000);
      const calledOff = new AbortController();
      const wished = one.prepare({ messages: [...list, ...listOf(40).slice(2)], signal: calledOff.signal });
      const refused = assert.rejects(wished, /enough/);
      await setTimeout(100);
      calledOff.abort(new Error('enough'));
      await refused;
    }));
});
