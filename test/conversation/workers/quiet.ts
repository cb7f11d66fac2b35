/** A process that has a memory, makes one request, and leaves without a word: the curator would begin in five minutes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversations } from '@palimpsest/core';
import { createMemory } from '@palimpsest/core/memory';
import { openStore } from '@palimpsest/core/store';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-quiet-'));
const store = await openStore({ path: ':memory:' });
const memory = createMemory({ store, folder });
const conversations = createConversations({ store, model: 'claude-sonnet-4-5', memory });
await conversations.prepare({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello.' }] }] });
rmSync(folder, { recursive: true, force: true });
process.stdout.write('left');
