/** Providers that report more than the window holds, and answer all the same. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationNotice, type Message, type Store, validate } from '../../src/index.ts';
import { anew, runtimeOver, smallWindow, step, system, usageOf, user, withStore } from './agent.ts';
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
    test(`T5 ${name} is asked on, without a compression in every step, and a person is told once`, () =>
      withStore(async (store) => {
        const { list, notices, compressions } = await workUnder(store, count, 40);
        assert.ok(compressions <= 3, `${compressions} compressions`);
        const held = notices.filter(({ type }) => type === 'held_back');
        assert.ok(held.length <= 1, held.map(({ message }) => message).join('\n'));
        await requireWhole(store, list.slice(0, -1), name);
      }));
  }

  test('T5 more than the window is told with what to do', () =>
    withStore(async (store) => {
      const { notices } = await workUnder(store, () => 2 * smallWindow, 3);
      const [held] = notices.filter(({ type }) => type === 'held_back');
      assert.match(held?.message ?? '', /more than the 8000 .* contextLength.*\/new.*\/compress/);
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
