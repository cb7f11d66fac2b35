/** The example of the guide: it runs here, and the page shows what stands between the two lines. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createConversations } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { openedFile } from './store-file.ts';

// --- the page begins

import type { ConversationRuntime, Message } from '@palimpsest/core';

interface Answer {
  readonly reply: Message;
  /** As the provider reported it. */
  readonly usage: unknown;
}

/** Sends the list as it fits the window, and does what a failure requires. */
async function ask(
  conversations: ConversationRuntime,
  messages: readonly Message[],
  send: (context: readonly Message[], maxTokens?: number) => Promise<Answer>,
): Promise<Message> {
  let prepared = await conversations.prepare({ messages });
  for (;;) {
    try {
      const { reply, usage } = await send(prepared.messages, prepared.maxTokens);
      await conversations.settle(prepared, { type: 'answered', reply, usage });
      return reply;
    } catch (error) {
      const next = await conversations.settle(prepared, { type: 'failed', error });
      if (next.type !== 'retry') throw error;
      await new Promise((resolve) => setTimeout(resolve, next.waitMs));
      prepared = next.prepared;
    }
  }
}

// --- the page ends

const said = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });

test('the example of the guide keeps a conversation through a restart', (t) =>
  openedFile(t, async (path) => {
    const messages: Message[] = [said('system', 'You move ledgers.')];
    const seen: number[] = [];
    for (const request of ['Move region north.', 'And region south?']) {
      const store = await openStore({ path });
      const conversations = createConversations({ store, model: 'claude-sonnet-4-5' });
      messages.push(said('user', request));
      const reply = await ask(conversations, messages, async (context) => {
        seen.push(context.length);
        return { reply: said('assistant', `Done: ${request}`), usage: { input_tokens: 40, output_tokens: 5 } };
      });
      messages.push(reply);
      await store.close();
    }
    assert.deepEqual(seen, [2, 4]);
    const store = await openStore({ path });
    const [row] = await store.sessions.list();
    assert.equal(row?.tip.messages, 5);
    assert.equal(row?.tip.usage.calls, 2);
    await store.close();
  }));

test('the guide shows the example that runs here', () => {
  const source = readFileSync(import.meta.filename, 'utf8');
  const shown = /\/\/ --- the page begins\n\n([\s\S]*?)\n\/\/ --- the page ends/.exec(source)?.[1] ?? '';
  const page = readFileSync(join(import.meta.dirname, '../../docs/guide/conversation.md'), 'utf8');
  assert.ok(page.includes(shown.trim()), shown);
});
