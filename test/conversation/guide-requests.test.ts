/** The other examples of the guide: they run here, and the page shows what stands between the lines. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConversationRuntime, createConversations, type Message } from '@palimpsest/core';
import { search } from '@palimpsest/core/search';
import type { Store } from '@palimpsest/core/store';
import { answer, listOf, reply, runtimeOver, system, user, withStore } from './agent.ts';

// --- an example begins

/** Compresses on request, and returns what to show the user. */
async function compressNow(conversations: ConversationRuntime, sessionId: string): Promise<readonly string[]> {
  const { headline, failures } = await conversations.compress({ sessionId, focusTopic: 'the schema migration' });
  return [headline, ...failures.map(({ message, consequence }) => `${message} ${consequence}`)];
}

// --- it ends

// --- an example begins

/** A runtime that recalls what other conversations said about a request. */
const withRecall = (store: Store): ConversationRuntime =>
  createConversations({
    store,
    model: 'claude-sonnet-4-5',
    recall: async ({ text, sessionId }) => {
      const { hits } = await search(store, text, { limit: 5 });
      const others = hits.filter((hit) => hit.sessionId !== sessionId);
      return others.map(({ passage }) => passage.text).join('\n');
    },
  });

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

test('Y2 the example of the guide recalls what another conversation said, and leaves it out of the store', () =>
  withStore(async (store) => {
    const runtime = withRecall(store);
    const earlier = [system('You move ledgers.'), user('The archive of region south is on the host lotus-7.')];
    await answer(runtime, await runtime.prepare({ messages: earlier }), reply('Noted.'));
    const list: Message[] = [system('You move ledgers.'), user('Where is the archive of region south?')];
    const { messages } = await runtime.prepare({ messages: list });
    assert.match(JSON.stringify(messages.at(-1)), /recalled-context[\s\S]*lotus-7/);
    const again = await runtimeOver(store).prepare({ messages: list });
    assert.deepEqual(again.messages, list);
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
