/** Clients that change their system prompt while they are compressed: handoffs name messages by the numbers of the store. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { expandSession } from '@palimpsest/core/search';
import type { Store } from '@palimpsest/core/store';
import { answer, listOf, reply, runtimeOver, system, user, withStore, work } from './agent.ts';

const textOf = (messages: readonly Message[]): string => JSON.stringify(messages);

/** What the handoff of a context says that a message did, and what the message with this number did. */
async function requireNumbers(store: Store, id: string, messages: readonly Message[]): Promise<void> {
  const named = [...new Set(textOf(messages).match(/m\d+ bash node scripts\/move-\d+\.ts/g))];
  assert.ok(named.length > 5, `${named.length} calls are named`);
  for (const one of named) {
    const [ref = '', , , script = ''] = one.split(' ');
    const found = await expandSession(store, id, ref);
    assert.ok(textOf(found.map(({ message }) => message)).includes(script), `${one}, but ${ref} is another message`);
  }
}

describe('a system prompt that is changed', () => {
  test('P1 in a request that is compressed: what is named later is found under its number', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = listOf(0);
      await work(runtime, list, { steps: 10 });
      list[0] = system('You move ledgers at night.');
      const { status } = await runtime.compress({ messages: list });
      assert.equal(status, 'compressed');
      await work(runtime, list, { from: 11, steps: 30 });
      const { sessionId, messages } = await runtime.prepare({ messages: list });
      assert.match(textOf(messages), /bash node scripts\/move-2\d\.ts/);
      await requireNumbers(store, sessionId, messages);
    }));

  test('P1 where a compression came to nothing: what is named later is found under its number', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = listOf(0);
      await answer(runtime, await runtime.prepare({ messages: list }), reply('Which ones first?'));
      list.push(reply('Which ones first?'), user('The northern ones.'));
      list[0] = system('You move ledgers at night.');
      const { status } = await runtime.compress({ messages: list });
      assert.equal(status, 'unchanged');
      await work(runtime, list, { steps: 30 });
      const { sessionId, messages } = await runtime.prepare({ messages: list });
      await requireNumbers(store, sessionId, messages);
    }));
});
