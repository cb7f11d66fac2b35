// A plugin engine in a live conversation: found by its name, guarded, and called when the context is too big.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversations, type Message } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { chooseEngine, pluginPlaces } from 'palimpsest';

// A folder with plugins; `palimpsest plugins` shows where yours are.
const dataFolder = await mkdtemp(join(tmpdir(), 'palimpsest-example-'));
const home = join(dataFolder, 'plugins', 'context_engine', 'newest');
await cp(join(import.meta.dirname, 'newest'), home, { recursive: true });

const notices: string[] = [];
const onNotice = (notice: string): void => void notices.push(notice);
await using store = await openStore({ path: ':memory:' });
const model = 'claude-sonnet-4-5';
const chosen = await chooseEngine({
  name: 'newest',
  places: pluginPlaces({ dataFolder, trustedProject: undefined, packages: [] }),
  options: { newest: { groups: 6 } },
  store,
  onNotice,
  compressor: { model, contextLength: 8_000 },
});
console.log(`${chosen.name} from ${chosen.from}`);
if (!chosen.engine) throw new Error(chosen.warning);
const conversations = createConversations({ store, model, contextLength: 8_000, engine: chosen.engine });

const text = (role: Message['role'], words: string): Message => ({ role, parts: [{ type: 'text', text: words }] });
const messages: Message[] = [text('system', 'You move ledgers.')];
let last: readonly Message[] = [];
let compressions = 0;
for (let at = 1; at <= 30; at++) {
  messages.push(text('user', `Move the ledger of region ${at}.`));
  const prepared = await conversations.prepare({ messages });
  if (prepared.compression) compressions++;
  last = prepared.messages;
  const reply = text('assistant', `Region ${at} is moved. ${'Every row was checked. '.repeat(40)}`);
  await conversations.settle(prepared, { type: 'answered', reply });
  messages.push(reply);
}
await rm(dataFolder, { recursive: true, force: true });
console.log(`${compressions} compressions; the model sees ${last.length} of ${messages.length} messages:`);
const [, summary] = last;
const [part] = summary?.parts ?? [];
if (part?.type === 'text') console.log(part.text);

// ---
assert.equal(chosen.warning, undefined);
assert.deepEqual(notices, []);
assert.ok(compressions > 1, `expected several compressions, got ${compressions}`);
assert.ok(last.length < messages.length / 2, `expected a short context, got ${last.length} messages`);
assert.deepEqual(last.at(-1), messages.at(-2));
assert.match(JSON.stringify(summary), /Move the ledger of region 1\./);
