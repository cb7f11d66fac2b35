/** What must hold of a store whatever happened to the processes that wrote it. */
import assert from 'node:assert/strict';
import { type Message, validate } from '@palimpsest/core';
import { exportSession, type Store } from '@palimpsest/core/store';
import { messageBody } from '../../packages/core/src/store/message-body.ts';
import { sessionsOf, stored } from './agent.ts';

/** The ids that a store gives them: short to compare. */
const idsOf = (messages: readonly Message[]): readonly (string | undefined)[] =>
  messages.map((message, at) => messageBody(message, at).ids[0]);

/** The conversation of a client is there whole and once, every view is valid, and no message belongs to nobody. */
export async function requireWhole(store: Store, list: readonly Message[], label: string): Promise<void> {
  const conversations = await store.sessions.list();
  assert.equal(conversations.length, 1, `${label}: ${conversations.length} conversations`);
  const { messages } = await exportSession(store, conversations[0]?.tip.id ?? '');
  assert.deepEqual(idsOf(messages), idsOf(list), label);
  await requireSound(store, label);
}

/** Every view is valid, and every message of the store stands in one. */
export async function requireSound(store: Store, label: string): Promise<void> {
  const ids = await stored(store);
  assert.equal(ids.length, await store.messages.count(), `${label}: messages that no session shows`);
  for (const session of await sessionsOf(store)) {
    const view = await store.messages.view(session.id);
    assert.deepEqual(validate(view.map(({ message }) => message)), [], label);
  }
}
