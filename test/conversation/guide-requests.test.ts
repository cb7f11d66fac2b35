/** The other examples of the guide: they run here, and the page shows what stands between the lines. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConversationRuntime, createConversations, type Message } from '@palimpsest/core';
import { createMemory } from '@palimpsest/core/memory';
import type { Store } from '@palimpsest/core/store';
import { newFolder } from '../support/store-files.ts';
import { answer, listOf, reply, runtimeOver, system, user, withStore } from './agent.ts';

// --- an example begins

/** Compresses on request, and returns what to show the user. */
async function compressNow(conversations: ConversationRuntime, sessionId: string): Promise<readonly string[]> {
  const { headline, failures } = await conversations.compress({ sessionId, focusTopic: 'the schema migration' });
  return [headline, ...failures.map(({ message, consequence }) => `${message} ${consequence}`)];
}

// --- it ends

// --- an example begins

/** A runtime that recalls what is remembered, and what other conversations said. */
const withRecall = (store: Store, folder: string): ConversationRuntime =>
  createConversations({ store, model: 'claude-sonnet-4-5', memory: createMemory({ store, folder }) });

// --- it ends

test('F5 the example of the guide compresses because a person asks, and says when there was nothing to do', () =>
  withStore(async (store) => {
    const runtime = runtimeOver(store);
    const { sessionId } = await runtime.prepare({ messages: listOf(12) });
    const [headline, ...failures] = await compressNow(runtime, sessionId);
    assert.match(headline ?? '', /^Compressed from /);
    assert.deepEqual(failures, []);
    const short = await runtime.prepare({ messages: [user('Hello.')] });
    assert.equal((await compressNow(runtime, short.sessionId)).length, 2);
  }));

test('Y2 the example of the guide recalls what another conversation said, and leaves it out of the store', (t) =>
  withStore(async (store) => {
    const runtime = withRecall(store, await newFolder(t));
    const earlier = [system('You move ledgers.'), user('The archive of region south is on the host lotus-7.')];
    await answer(runtime, await runtime.prepare({ messages: earlier }), reply('Noted.'));
    const list: Message[] = [system('You move ledgers.'), user('Where is the archive of region south?')];
    const { messages, sessionId } = await runtime.prepare({ messages: list });
    assert.match(JSON.stringify(messages.at(-1)), /recalled-context[\s\S]*lotus-7/);
    assert.equal(runtime.explainRecall(sessionId)?.reason, 'recalled');
    const view = await store.messages.view(sessionId);
    assert.deepEqual(
      view.map(({ message }) => message.parts),
      list.map(({ parts }) => parts),
    );
  }));

test('the guide shows the examples that run here', () => {
  const source = readFileSync(import.meta.filename, 'utf8');
  const page = readFileSync(join(import.meta.dirname, '../../docs/guide/conversation.md'), 'utf8');
  const shown = [...source.matchAll(/\/\/ --- an example begins\n\n([\s\S]*?)\n\/\/ --- it ends/g)].map(
    ([, text = '']) => text.trim(),
  );
  assert.equal(shown.length, 2);
  for (const text of shown) assert.ok(page.includes(text), text);
});
