/** A conversation that goes on with a model whose window is another one: what a tool gave back keeps the shape it was said in. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type Notice, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore, type Store } from '@palimpsest/core/store';
import { type FakeProvider, type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage, type Tool } from 'ai';
import { compatible } from './providers.ts';

/** Characters of what the tool gives back: too much for 6,000 tokens, and not for 24,000. */
const large = 10_920;

const list: Tool<{ readonly chars?: number }, string> = {
  description: 'Lists what is in the depot.',
  inputSchema: jsonSchema<{ readonly chars?: number }>({ type: 'object' }),
  execute: ({ chars = large }) => 'a shelf with seventeen crates of paper\n'.repeat(300).slice(0, chars),
};

interface Client {
  readonly fake: FakeProvider;
  readonly store: Store;
  readonly messages: ModelMessage[];
  readonly notices: Notice[];
}

/** Says something, in a process that knows nothing but the list of its client and the store. */
async function say({ fake, store, messages, notices }: Client, content: string, contextLength: number): Promise<void> {
  const onNotice = (notice: Notice): unknown => notices.push(notice);
  const model = withPalimpsest(compatible.model(fake), { store, contextLength, onNotice });
  messages.push({ role: 'user', content });
  const all = { list, ...tools(model) };
  const stopWhen = isStepCount(5);
  const { responseMessages } = await generateText({ model, messages, tools: all, stopWhen, maxRetries: 0 });
  messages.push(...responseMessages);
}

const calls = (...chars: readonly number[]): Reply => ({
  toolCalls: chars.map((one) => ({ name: 'list', input: { chars: one } })),
});

const branches = ({ notices }: Client): readonly string[] =>
  notices.filter(({ type }) => type === 'branched').map(({ message }) => message);

const bytes = ({ body }: FakeRequest): readonly string[] =>
  (Array.isArray(body.messages) ? body.messages : []).map((message) => JSON.stringify(message));

/** The messages that were sent with the last request of the first turn, and with the first of the second one. */
function sentAround({ fake: { requests } }: Client, first: number): readonly [readonly string[], readonly string[]] {
  const [before, after] = [requests[first - 1], requests[first]];
  assert.ok(before && after);
  return [bytes(before), bytes(after)];
}

const shapes = (sent: readonly string[]): readonly string[] =>
  sent
    .filter((message) => message.includes('"role":"tool"'))
    .map((message) => (message.includes('[spilled: ') ? 'spilled' : 'whole'));

for (const { first, second, chars, shown } of [
  { first: 24_000, second: 6_000, chars: [large], shown: ['whole'] },
  { first: 6_000, second: 24_000, chars: [large], shown: ['spilled'] },
  // Each is small enough; together they are not.
  { first: 6_000, second: 24_000, chars: [5_500, 6_500, 6_000], shown: ['whole', 'spilled', 'whole'] },
  { first: 24_000, second: 6_000, chars: [900, large], shown: ['whole', 'whole'] },
]) {
  test(`L2 a conversation from a window of ${first} tokens goes on in one of ${second}, is the same, and begins with the same bytes: results of ${chars} characters`, async () => {
    await using fake = await startFakeProvider();
    fake.reply(calls(...chars), { text: 'Crates of paper.' }, { text: 'Seventeen.' });
    await using store = await openStore({ path: ':memory:' });
    const client: Client = { fake, store, messages: [], notices: [] };
    await say(client, 'What is in the depot?', first);
    await say(client, 'How many crates are on a shelf?', second);
    assert.deepEqual(branches(client), []);
    assert.equal((await store.sessions.list()).length, 1);
    const [before, after] = sentAround(client, 2);
    assert.deepEqual(shapes(before), shown);
    assert.deepEqual(after.slice(0, before.length), before);
  });
}

test('R1 a result that is new is shaped for the window that it comes in, behind one of another window', async () => {
  await using fake = await startFakeProvider();
  fake.reply(calls(large), { text: 'Paper.' }, calls(large), { text: 'Again.' }, { text: 'Done.' });
  await using store = await openStore({ path: ':memory:' });
  const client: Client = { fake, store, messages: [], notices: [] };
  await say(client, 'What is in the depot?', 24_000);
  await say(client, 'And in the other one?', 8_000);
  await say(client, 'Is that all?', 24_000);
  assert.deepEqual(branches(client), []);
  const [before, after] = sentAround(client, 4);
  assert.deepEqual(shapes(before), ['whole', 'spilled']);
  assert.deepEqual(after.slice(0, before.length), before);
});

test('R1 what was said in a conversation that is deleted is shaped anew', async () => {
  await using fake = await startFakeProvider();
  fake.reply(calls(large), { text: 'Paper.' }, { text: 'Seventeen.' });
  await using store = await openStore({ path: ':memory:' });
  const client: Client = { fake, store, messages: [], notices: [] };
  await say(client, 'What is in the depot?', 24_000);
  for (const { root } of await store.sessions.list()) await store.sessions.delete(root.id);
  await say(client, 'How many crates are on a shelf?', 6_000);
  assert.deepEqual(shapes(bytes(fake.requests[2] ?? assert.fail())), ['spilled']);
});

const run = promisify(execFile);
const sayer = new URL('workers/sayer.ts', import.meta.url).pathname;

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-window-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

for (const [first, second, from] of [
  [24_000, 6_000, 'what the store has'],
  [6_000, 24_000, 'the list of its client'],
] as const) {
  test(`K2 another process goes on from ${from} in a window of ${second} tokens instead of ${first}, in the same conversation`, async (t) => {
    const folder = await folderFor(t);
    const path = join(folder, 'agent.db');
    await using fake = await startFakeProvider();
    fake.reply(calls(large), { text: 'Crates of paper.' }, { text: 'Seventeen.' });
    const client = { fake, messages: [], notices: [] };
    let session = '';
    {
      await using store = await openStore({ path });
      await say({ ...client, store }, 'What is in the depot?', first);
      session = (await store.sessions.list())[0]?.root.id ?? '';
    }
    const file = join(folder, 'list.json');
    await writeFile(file, JSON.stringify(client.messages));
    const given = from === 'what the store has' ? session : file;
    const words = 'How many crates are on a shelf?';
    const args = [sayer, fake.baseUrl('openai-chat'), path, String(second), words, given];
    const { stdout } = await run(process.execPath, args, { timeout: 60_000 });
    assert.deepEqual(JSON.parse(stdout), []);
    await using store = await openStore({ path });
    assert.equal((await store.sessions.list()).length, 1);
    const [before, after] = sentAround({ ...client, store }, 2);
    assert.deepEqual(after.slice(0, before.length), before);
  });
}
