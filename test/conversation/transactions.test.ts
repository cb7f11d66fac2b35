/** What a turn writes, in how many transactions of the store: its mark counts them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createConversations, type Message } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';

const text = (role: Message['role'], words: string): Message => ({ role, parts: [{ type: 'text', text: words }] });

test('F3 a request is kept in one transaction with all that begins with it, and its answer in another with its usage', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-transactions-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'kept.db');
  await using store = await openStore({ path });
  using reader = new DatabaseSync(path, { readOnly: true });
  const marks = reader.prepare('select mark from store_mark');
  const count = (): number => Number(String(marks.get()?.mark).split(':').at(-1));
  const runtime = createConversations({ store, model: 'claude-sonnet-4-5' });
  const messages = [text('system', 'You plan harbours.'), text('user', 'Which berth is free?')];
  let before = count();
  const written = (): number => {
    const now = count();
    const since = now - before;
    before = now;
    return since;
  };
  for (const turn of [1, 2, 3]) {
    const prepared = await runtime.prepare({ messages });
    assert.equal(written(), 1, `request ${turn}`);
    const reply = text('assistant', `Berth ${turn}.`);
    await runtime.settle(prepared, { type: 'answered', reply, usage: { input_tokens: 900, output_tokens: 9 } });
    assert.equal(written(), 1, `answer ${turn}`);
    const session = await store.sessions.get(prepared.sessionId);
    assert.deepEqual([session?.messages, session?.usage.calls], [1 + 2 * turn, turn]);
    messages.push(reply, text('user', `And after ${turn}?`));
  }
});
