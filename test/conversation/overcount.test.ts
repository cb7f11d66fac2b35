/** Providers that report more than the window holds, and answer all the same. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationNotice, type Message, validate } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { anew, reply, runtimeOver, smallWindow, step, system, usageOf, user, withStore } from './agent.ts';
import { requireWhole } from './whole.ts';

interface Seen {
  readonly list: Message[];
  readonly notices: ConversationNotice[];
  compressions: number;
}

/** What a provider says of a prompt, and of all before it. */
type Count = (tokens: number, all: number) => number;

/** One long turn; the process is started anew with every step. */
async function workUnder(store: Store, count: Count, steps: number): Promise<Seen> {
  const seen: Seen = { list: [system('You move ledgers.'), user('Move the ledgers.')], notices: [], compressions: 0 };
  const { list, notices } = seen;
  let all = 0;
  for (let at = 1; at <= steps; at++) {
    const runtime = runtimeOver(store, { onNotice: (notice) => notices.push(notice) });
    const prepared = await runtime.prepare({ messages: anew(list) });
    assert.deepEqual(validate(prepared.messages), []);
    if (prepared.compression) seen.compressions++;
    const { inputTokens } = usageOf(prepared.messages);
    all += inputTokens;
    const [called, result] = step(at, 15);
    await runtime.settle(prepared, {
      type: 'answered',
      reply: called,
      usage: { inputTokens: count(inputTokens, all) },
    });
    list.push(called, result);
  }
  return seen;
}

const providers: Readonly<Record<string, Count>> = {
  'twice the window': () => 2 * smallWindow,
  'a little more than the window': () => smallWindow + 100,
  'all tokens of the session': (_, all) => all,
  'more than there is in the world': () => 1e15,
};

describe('T5 a provider that reports', () => {
  for (const [name, count] of Object.entries(providers)) {
    test(`T5 ${name} is asked on, without a compression in every step, and a person is told once, and again after a compression`, () =>
      withStore(async (store) => {
        const { list, notices, compressions } = await workUnder(store, count, 40);
        assert.ok(compressions <= 3, `${compressions} compressions`);
        const held = notices.filter(({ type }) => type === 'held_back' || type === 'usage');
        assert.ok(held.length <= 1 + compressions, held.map(({ message }) => message).join('\n'));
        await requireWhole(store, list.slice(0, -1), name);
      }));
  }

  test('T5 more than the window is told with what to do', () =>
    withStore(async (store) => {
      const { notices } = await workUnder(store, () => 2 * smallWindow, 3);
      const [told] = notices.filter(({ type }) => type === 'usage');
      assert.match(
        told?.message ?? '',
        /reports 16000 tokens for .* about \d+, more than the window of 8000 .*contextLength.*usage/,
      );
    }));

  for (const times of [2, 10, 1_000]) {
    test(`T5 ${times} windows for ever is compressed when there is enough, by estimate, and a person is told all the while`, () =>
      withStore(async (store) => {
        const list: Message[] = [system('You move ledgers.')];
        const notices: ConversationNotice[] = [];
        const runtime = runtimeOver(store, { onNotice: (notice) => notices.push(notice) });
        let [compressions, largest, newestTold] = [0, 0, 0];
        for (let at = 1; at <= 200; at++) {
          if (at % 5 === 1) list.push(user(`Move the ledgers of region ${at}.`));
          const prepared = await runtime.prepare({ messages: list });
          largest = Math.max(largest, usageOf(prepared.messages).inputTokens);
          if (prepared.compression) compressions++;
          const [called, result] = step(at, 15);
          const done = await runtime.settle(prepared, {
            type: 'answered',
            reply: called,
            usage: { inputTokens: times * smallWindow },
          });
          assert.ok(done.type === 'done');
          if (done.notices.some(({ type }) => type === 'usage')) newestTold = at;
          list.push(called, result);
        }
        assert.ok(largest <= smallWindow, `${largest} tokens`);
        assert.ok(compressions >= 5 && compressions <= 30, `${compressions} compressions`);
        assert.deepEqual(
          notices.filter(({ type }) => type === 'held_back'),
          [],
        );
        assert.ok(newestTold > 150, `told last in step ${newestTold}`);
      }));
  }

  test('T5 more than the window once is believed again when what it reports fits', () =>
    withStore(async (store) => {
      const { list } = await workUnder(store, () => 10 * smallWindow, 3);
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: list });
      assert.equal(prepared.size.from, 'estimate');
      await runtime.settle(prepared, { type: 'answered', reply: reply('ok'), usage: { inputTokens: 3_000 } });
      const next = await runtime.prepare({ messages: [...list, reply('ok'), user('Go on.')] });
      assert.equal(next.size.from, 'anchored');
    }));

  test('T5 more than a window that is really larger is believed, and told in every turn where nothing is compressed', () =>
    withStore(async (store) => {
      const notices: ConversationNotice[] = [];
      const options = {
        config: { enabled: false },
        onNotice: (notice: ConversationNotice) => void notices.push(notice),
      };
      const runtime = runtimeOver(store, options);
      const list = [system('You move ledgers.'), user('the ledgers of all regions '.repeat(1_200))];
      for (let at = 1; at <= 60; at++) {
        if (at % 20 === 0) list.push(user('Go on.'));
        const prepared = await runtime.prepare({ messages: list });
        const [called, result] = step(at, 15);
        const usage = { inputTokens: Math.floor(1.5 * usageOf(prepared.messages).inputTokens) };
        await runtime.settle(prepared, { type: 'answered', reply: called, usage });
        list.push(called, result);
      }
      assert.deepEqual(
        notices.filter(({ type }) => type === 'usage'),
        [],
      );
      const held = notices.filter(({ message }) => /it still answers/.test(message));
      assert.ok(held.length >= 2 && held.length <= 4, `${held.length} notices`);
    }));

  test('invariant 5: more than the window lets nothing pass that is larger than a window by itself', () =>
    withStore(async (store) => {
      const { list } = await workUnder(store, () => 2 * smallWindow, 3);
      const huge = user('a long remark '.repeat(9_000));
      await assert.rejects(runtimeOver(store).prepare({ messages: [...list, huge] }), { code: 'CONTEXT_OVERFLOW' });
    }));

  test('invariant 5: more than the window says nothing of a smaller window', () =>
    withStore(async (store) => {
      const { list } = await workUnder(store, () => 2 * smallWindow, 25);
      const smaller = await runtimeOver(store, { contextLength: smallWindow / 2 }).prepare({ messages: list });
      assert.ok(smaller.compression);
      assert.ok(usageOf(smaller.messages).inputTokens <= smallWindow / 2);
    }));
});
