import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';
import { toolUse } from '@palimpsest/core/usage';

const at = (hour: number): string => new Date(2026, 2, 5, hour).toISOString();
const noon = new Date(2026, 2, 5, 12).getTime();

const asks: Message = { role: 'user', time: at(0), parts: [{ type: 'text', text: 'Why is the bread flat?' }] };

/** A call at an hour of the day, and its result. */
function step(callId: string, name: string, { hour = 9, isError = false, text = 'no yeast' } = {}): readonly Message[] {
  return [
    { role: 'assistant', time: at(hour), parts: [{ type: 'toolCall', callId, name, input: '{}', inputType: 'json' }] },
    {
      role: 'tool',
      time: at(hour),
      parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text }], isError }],
    },
  ];
}

async function withStore(run: (store: Store) => Promise<void>): Promise<void> {
  await using store = await openStore({ path: ':memory:' });
  await run(store);
}

const begun = async (store: Store, messages: readonly Message[]): Promise<string> =>
  (await store.sessions.begin({ source: 'library', startedAt: Date.parse(at(0)) }, messages)).session.id;

describe('tools that were used', () => {
  test('U2 counts calls, failures and the tokens of results, those with most calls first', () =>
    withStore(async (store) => {
      const long = 'bread and butter '.repeat(100);
      await begun(store, [asks, ...step('a', 'look', { isError: true }), ...step('b', 'bake'), ...step('c', 'look')]);
      await begun(store, [asks, ...step('a', 'bake', { text: long }), ...step('b', 'look'), ...step('c', 'taste')]);
      const { tools, messages, isWhole } = await toolUse(store);
      const [look, bake] = tools;
      assert.deepEqual(
        tools.map(({ name, calls, errors }) => [name, calls, errors]),
        [
          ['look', 3, 1],
          ['bake', 2, 0],
          ['taste', 1, 0],
        ],
      );
      assert.ok((bake?.resultTokens ?? 0) > 250 && (look?.resultTokens ?? 0) < 20, JSON.stringify(tools));
      assert.deepEqual([messages, isWhole], [14, true]);
    }));

  test('U2 counts what a compression carried over, and what a branch shares with its origin, once', () =>
    withStore(async (store) => {
      const said = [asks, ...step('a', 'look'), ...step('b', 'bake')];
      const root = await begun(store, said);
      const note: Message = { role: 'user', origin: 'summary', parts: [{ type: 'text', text: 'It was about bread.' }] };
      const draft = { sessionId: root, size: 5, messages: [note, ...said.slice(3)], origins: [-1, 3, 4] };
      const next = await store.sessions.continue(draft);
      await store.messages.append(next.id, step('c', 'look'));
      await store.sessions.begin({ source: 'library', parentId: root }, [...said, ...step('d', 'taste')]);
      const { tools } = await toolUse(store);
      assert.deepEqual(
        tools.map(({ name, calls }) => [name, calls]),
        [
          ['look', 2],
          ['bake', 1],
          ['taste', 1],
        ],
      );
    }));

  test('U2 looks at the time asked for', () =>
    withStore(async (store) => {
      const early = step('a', 'early', { hour: 8 });
      await begun(store, [asks, ...early, ...step('b', 'noon', { hour: 12 }), ...step('c', 'late', { hour: 15 })]);
      const named = async (times: object): Promise<string> =>
        (await toolUse(store, times)).tools.map(({ name }) => name).join(' ');
      assert.equal(await named({ since: noon }), 'late noon');
      assert.equal(await named({ until: noon }), 'early');
      assert.equal(await named({ since: noon, until: noon + 1 }), 'noon');
    }));

  test('U2 reads no more messages than it may, the newest first, and says so', () =>
    withStore(async (store) => {
      const steps = Array.from({ length: 300 }, (_, place) => step(`call-${place}`, place < 200 ? 'old' : 'new'));
      await begun(store, [asks, ...steps.flat()]);
      const told: number[] = [];
      const onProgress = (read: number): void => void told.push(read);
      const { tools, messages, isWhole } = await toolUse(store, { mostMessages: 250, onProgress });
      assert.deepEqual(told, [250]);
      assert.deepEqual([messages, isWhole], [250, false]);
      assert.deepEqual(
        tools.map(({ name, calls }) => [name, calls]),
        [
          ['new', 100],
          ['old', 25],
        ],
      );
      assert.equal((await toolUse(store, { mostMessages: 601 })).isWhole, true);
    }));

  test('U2 names the tool of a result whose call was not read by what the result says', () =>
    withStore(async (store) => {
      const [, result] = step('a', 'look');
      const named = result?.parts.map((part) => (part.type === 'toolResult' ? { ...part, name: 'look' } : part)) ?? [];
      await begun(store, [asks, { role: 'tool', parts: named }]);
      const { tools } = await toolUse(store);
      assert.deepEqual(
        tools.map(({ name, calls, resultTokens }) => [name, calls, resultTokens > 0]),
        [['look', 0, true]],
      );
    }));
});
