/** The agent over the SDK's loop, our wrapped model and a provider over real HTTP. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createMemory } from '@palimpsest/core/memory';
import { openStore, type Store } from '@palimpsest/core/store';
import { type FakeProvider, type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { jsonSchema, type ToolSet } from 'ai';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { type Agent, type AgentOptions, createAgent } from '../../packages/palimpsest/src/agent/agent.ts';
import type { AgentEvent } from '../../packages/palimpsest/src/agent/events.ts';

interface Setting {
  readonly agent: Agent;
  readonly store: Store;
  readonly events: AgentEvent[];
  /** Settles when an event of the type has come that holds. */
  seen(holds: (event: AgentEvent) => boolean): Promise<AgentEvent>;
}

function setting(fake: FakeProvider, store: Store, more: Partial<AgentOptions> = {}): Setting {
  const events: AgentEvent[] = [];
  const waiting = new Set<() => void>();
  const agent = createAgent({
    store,
    project: '/project',
    model: modelOf(fake),
    memory: { memory: createMemory({ store, folder: join(tmpdir(), 'palimpsest-nothing-remembered') }) },
    prompt: () => 'You work on ovens.',
    tools: {},
    onEvent: (event) => {
      events.push(event);
      for (const look of waiting) look();
    },
    ...more,
  });
  const seen = (holds: (event: AgentEvent) => boolean): Promise<AgentEvent> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = events.find(holds);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { agent, store, events, seen };
}

function modelOf(fake: FakeProvider, name = 'some-model'): AgentOptions['model'] {
  const provider = createOpenAICompatible({
    name: 'own',
    apiKey: 'key-of-a-test',
    includeUsage: true,
    baseURL: fake.baseUrl('openai-chat'),
  });
  return { model: provider.chatModel(name), name: `own/${name}`, contextLength: 32_000 };
}

const look = (
  execute: (input: { readonly at: string }, signal: AbortSignal | undefined) => Promise<string>,
): ToolSet => ({
  look: {
    description: 'Looks at a thing.',
    inputSchema: jsonSchema<{ readonly at: string }>({
      type: 'object',
      properties: { at: { type: 'string' } },
      required: ['at'],
    }),
    execute: (input, { abortSignal }) => execute(input, abortSignal),
  },
});

const calls = (at: string): Reply => ({ text: `I look at ${at}.`, toolCalls: [{ name: 'look', input: { at } }] });
const text = (events: readonly AgentEvent[]): string =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');

test('K1: a turn calls tools until the model is done, and tells each step', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const { agent, events } = setting(fake, store, { tools: look(async ({ at }) => `${at} is warm`) });
  fake.reply(calls('the oven'), { text: 'It is warm.' });
  const end = await agent.send('Is the oven warm?');
  assert.deepEqual(end, { reason: 'done' });
  assert.equal(text(events), 'I look at the oven.It is warm.');
  assert.deepEqual(
    events.map(({ type }) => type).filter((type) => type !== 'text' && type !== 'text_end'),
    ['session', 'request', 'tool_call', 'tool_result', 'step', 'step', 'turn_end'],
  );
  assert.equal(agent.messages, 4);
  const [conversation] = await store.sessions.list();
  assert.equal(conversation?.tip.source, 'chat');
  assert.equal(conversation?.tip.project, '/project');
  await agent.close();
});

test('A2 14: what is said while it works is heard at the next step, and a follow-up when it is done', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const { promise: looked, resolve: begun } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const tools = look(async () => {
    begun();
    await released;
    return 'warm';
  });
  const { agent, events } = setting(fake, store, { tools });
  fake.reply(calls('the oven'), { text: 'The fridge, then.' }, { text: 'Bye.' });
  const done = agent.send('Is the oven warm?');
  await looked;
  assert.equal(await agent.send('and say goodbye', 'follow_up'), undefined);
  assert.equal(await agent.send('I meant the fridge', 'steer'), undefined);
  assert.deepEqual(
    agent.queue.map((one) => one.text),
    ['and say goodbye', 'I meant the fridge'],
  );
  release();
  assert.deepEqual(await done, { reason: 'done' });
  const [, second, third] = fake.requests;
  assert.ok(second && third);
  assert.deepEqual(
    second.messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool', 'user'],
  );
  assert.equal(messageText(second.messages.at(-1) ?? assert.fail()), 'I meant the fridge');
  assert.equal(messageText(third.messages.at(-1) ?? assert.fail()), 'and say goodbye');
  assert.equal(agent.queue.length, 0);
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'request' ? [event.kind] : [])),
    ['send', 'steer', 'follow_up'],
  );
  await agent.close();
});

test('A2 14: Esc breaks the call off on the wire, keeps what was said, and the conversation goes on', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const { agent, events, seen } = setting(fake, store);
  fake.reply({ text: 'The oven is warm, and the rest never comes', hangAfter: 16 }, { text: 'Good.' });
  const done = agent.send('Is the oven warm?');
  await seen((event) => event.type === 'text');
  assert.equal(agent.interrupt(), true);
  assert.deepEqual(await done, { reason: 'interrupted' });
  await fake.requests[0]?.ended;
  assert.equal(fake.requests[0]?.aborted, true);
  const half = text(events);
  assert.ok(half.length > 0);
  assert.deepEqual(await agent.send('Never mind.'), { reason: 'done' });
  const { messages = [] } = fake.requests[1] ?? {};
  assert.deepEqual(
    messages.map((message) => [message.role, messageText(message)]),
    [
      ['system', 'You work on ovens.'],
      ['user', 'Is the oven warm?'],
      ['assistant', half],
      ['user', 'Never mind.'],
    ],
  );
  assert.equal((await store.sessions.list()).length, 1);
  assert.deepEqual(
    events.filter((event) => event.type === 'notice'),
    [],
  );
  await agent.close();
});

test('A2 14: Esc ends a running tool, whose call keeps a result', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const tools = look(
    (_, signal) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  const { agent, seen } = setting(fake, store, { tools });
  fake.reply(calls('the oven'), { text: 'I stop.' });
  const done = agent.send('Is the oven warm?');
  await seen((event) => event.type === 'tool_call');
  await fake.requests[0]?.ended;
  agent.interrupt();
  assert.deepEqual(await done, { reason: 'interrupted' });
  assert.equal(fake.requests.length, 1);
  await agent.send('Stop it.');
  const { messages = [], status } = fake.requests[1] ?? {};
  assert.equal(status, 200);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool', 'user'],
  );
  assert.match(JSON.stringify(messages[3]), /Stopped by the person/);
  await agent.close();
});

test('A2 12: what tools gave before Esc is known to the next process, also where no call followed', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const first = setting(fake, store, {
    tools: look((input, signal) =>
      input.at === 'the oven'
        ? Promise.resolve('warm, 240 degrees')
        : new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    ),
  });
  const both = ['the oven', 'the kiln'].map((at) => ({ name: 'look', input: { at } }));
  fake.reply({ text: 'I look.', toolCalls: both }, { text: 'Now I know.' });
  const done = first.agent.send('Are they warm?');
  await first.seen((event) => event.type === 'tool_result');
  await fake.requests[0]?.ended;
  first.agent.interrupt();
  assert.deepEqual(await done, { reason: 'interrupted' });
  const { sessionId = '' } = first.agent;
  await first.agent.close();
  const second = setting(fake, store);
  await second.agent.resume(sessionId);
  await second.agent.send('And?');
  const { messages = [] } = fake.requests[1] ?? {};
  const results = JSON.stringify(messages.filter(({ role }) => role === 'tool'));
  assert.match(results, /warm, 240 degrees/);
  assert.match(results, /Stopped by the person/);
  assert.doesNotMatch(results, /is not known/);
  assert.equal((await store.sessions.list()).length, 1);
  assert.equal(second.agent.sessionId, sessionId);
  await second.agent.close();
});

test('F1: a call that fails for good says what to do, and the request is sent once more on demand', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const { agent } = setting(fake, store);
  fake.reply({ error: { status: 401, message: 'Incorrect API key provided.' } }, { text: 'Warm.' });
  const end = await agent.send('Is the oven warm?');
  assert.equal(end?.reason, 'failed');
  assert.ok(end?.reason === 'failed' && end.advice);
  assert.deepEqual(await agent.retry(), { reason: 'done' });
  assert.deepEqual(
    fake.requests[1]?.messages.map(({ role }) => role),
    ['system', 'user'],
  );
  assert.equal(await agent.retry(), undefined);
  await agent.close();
});

test('F1: an answer that says nothing is told, and the request is sent once more on demand', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const { agent } = setting(fake, store, { tools: look(async () => 'warm') });
  fake.reply({}, { text: 'Warm.' }, calls('the oven'), { reasoning: 'Is that all?' });
  const end = await agent.send('Is the oven warm?');
  assert.ok(end?.reason === 'failed' && end.message === 'The model answered nothing.');
  assert.deepEqual(await agent.retry(), { reason: 'done' });
  assert.deepEqual(
    fake.requests[1]?.messages.map(({ role }) => role),
    ['system', 'user'],
  );
  assert.equal((await agent.send('And now?'))?.reason, 'failed', 'behind a tool as well');
  assert.equal((await store.sessions.list()).length, 1);
  await agent.close();
});

test('F1: an answer that broke off is asked for once more without its beginning', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const { agent } = setting(fake, store);
  fake.reply({ text: 'The oven is at two hundred degrees.', closeAfter: 24 }, { text: 'Warm.' }, { text: 'No.' });
  assert.equal((await agent.send('Is the oven warm?'))?.reason, 'failed');
  assert.deepEqual(await agent.retry(), { reason: 'done' });
  await agent.send('And the kiln?');
  assert.deepEqual(fake.requests[2]?.messages.map((message) => messageText(message)).slice(1), [
    'Is the oven warm?',
    'Warm.',
    'And the kiln?',
  ]);
  await agent.close();
});

test('A2 12: after a crash in the middle of a tool the conversation is resumed whole, and the call has a result that says what is not known', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const hanging = look(() => new Promise(() => undefined));
  const first = setting(fake, store, { tools: hanging });
  fake.reply({ text: 'Hello.' }, calls('the oven'), { text: 'I look again.' });
  await first.agent.send('Hello');
  void first.agent.send('Is the oven warm?');
  // The process is as good as gone: nobody waits for the tool.
  await first.seen((event) => event.type === 'tool_call');
  const { sessionId = '' } = first.agent;
  // Two requests, two answers.
  while ((await store.sessions.get(sessionId))?.messages !== 4) await new Promise(setImmediate);
  const second = setting(fake, store, { tools: look(async () => 'warm') });
  const session = await second.agent.resume(sessionId);
  assert.equal(session.id, sessionId);
  assert.equal(second.agent.messages, 5);
  assert.deepEqual(await second.agent.send('Go on.'), { reason: 'done' });
  const { messages = [] } = fake.requests[2] ?? {};
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user', 'assistant', 'tool', 'user'],
  );
  assert.match(JSON.stringify(messages[5]), /The result is not known/);
  assert.equal((await store.sessions.list()).length, 1);
  await second.agent.close();
});

test('C3: the system prompt of a session is the same to the byte in another process', async () => {
  await using fake = await startFakeProvider({ script: { text: 'Hello.' } });
  await using store = await openStore({ path: ':memory:' });
  let day = 1;
  const prompt = (): string => `Day ${day++}.`;
  const first = setting(fake, store, { prompt });
  await first.agent.send('Hello');
  await first.agent.close();
  const second = setting(fake, store, { prompt });
  const { sessionId = '' } = first.agent;
  await second.agent.resume(sessionId);
  await second.agent.send('Hello again');
  await second.agent.begin();
  await second.agent.send('Something else');
  assert.deepEqual(
    fake.requests.map(({ messages: [system] }) => system && messageText(system)),
    ['Day 1.', 'Day 1.', 'Day 2.'],
  );
  await second.agent.close();
});

test('A model that goes in circles is stopped, and the turn says why', async () => {
  await using fake = await startFakeProvider({ script: calls('the oven') });
  await using store = await openStore({ path: ':memory:' });
  const { agent } = setting(fake, store, { tools: look(async () => 'warm') });
  const end = await agent.send('Is the oven warm?');
  assert.equal(end?.reason, 'loop');
  assert.equal(fake.requests.length, 6);
  await agent.close();
});

test('A model that goes to and fro between two calls is stopped as well', async () => {
  const script = ({ messages }: FakeRequest): Reply => calls(messages.length % 4 === 2 ? 'the oven' : 'the fridge');
  await using fake = await startFakeProvider({ script });
  await using store = await openStore({ path: ':memory:' });
  const { agent } = setting(fake, store, { tools: look(async () => 'warm') });
  const end = await agent.send('Is the oven warm?');
  assert.equal(end?.reason, 'loop');
  assert.match(end?.message ?? '', /look, then look 6 times/);
  assert.equal(fake.requests.length, 12);
  await agent.close();
});

test('A2 14: a tool that does not heed Esc is left behind, and its call says so', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const begun = Promise.withResolvers<void>();
  const tools = look(() => {
    // The call on the wire is over by then.
    setImmediate(begun.resolve);
    return new Promise(() => undefined);
  });
  const { agent } = setting(fake, store, { tools });
  fake.reply(calls('the oven'), { text: 'I stop.' });
  const done = agent.send('Is the oven warm?');
  await fake.requests[0]?.ended;
  await begun.promise;
  agent.interrupt();
  assert.deepEqual(await done, { reason: 'interrupted' });
  await agent.send('Stop it.');
  assert.match(JSON.stringify(fake.requests[1]?.messages[3]), /did not end when it was told to/);
  await agent.close();
});

test('What is said while something is done between two turns is heard after it', async () => {
  await using fake = await startFakeProvider({ script: () => ({ text: 'Warm.' }) });
  await using store = await openStore({ path: ':memory:' });
  const { agent } = setting(fake, store);
  const held = Promise.withResolvers<void>();
  const between = agent.between((signal) => {
    signal.addEventListener('abort', () => held.reject(signal.reason));
    return held.promise;
  });
  assert.equal(await agent.send('Is the oven warm?'), undefined);
  assert.equal(await agent.goOn(), undefined);
  assert.equal(fake.requests.length, 0);
  assert.equal(agent.interrupt(), true);
  await assert.rejects(between, { name: 'AbortError' });
  assert.deepEqual(await agent.goOn(), { reason: 'done' });
  assert.equal(fake.requests.length, 1);
  await agent.close();
});

test('K1: delegate runs a sub-agent in a context of its own, one report comes back, and its record is linked', async () => {
  const scripts = ({ messages }: FakeRequest): Reply => {
    const isSub = messages.some((message) => messageText(message).includes('You are a sub-agent'));
    const last = messages.at(-1);
    if (isSub) return last?.role === 'tool' ? { text: 'The oven is warm; the fridge is not.' } : calls('the oven');
    if (last?.role === 'tool') return { text: 'All looked at.' };
    return { toolCalls: [{ name: 'delegate', input: { task: 'Look at the oven and report.' } }] };
  };
  await using fake = await startFakeProvider({ script: scripts });
  await using store = await openStore({ path: ':memory:' });
  const { agent, events } = setting(fake, store, { tools: look(async ({ at }) => `${at} is warm`) });
  assert.deepEqual(await agent.send('Look at everything.'), { reason: 'done' });
  const [first, sub] = fake.requests;
  assert.ok(first && sub);
  assert.deepEqual(
    sub.messages.map((message) => [message.role, messageText(message).slice(0, 28)]),
    [
      ['system', 'You are a sub-agent: another'],
      ['system', 'You work on ovens.'],
      ['user', 'Look at the oven and report.'],
    ],
  );
  const names = (request: FakeRequest): readonly unknown[] => asNames(request.body.tools);
  assert.ok(names(first).includes('delegate'));
  assert.ok(!names(sub).includes('delegate'));
  const result = events.find((event) => event.type === 'tool_result' && event.name === 'delegate');
  assert.ok(result?.type === 'tool_result');
  assert.match(result.text, /^The oven is warm; the fridge is not\.\n\n\[Record of the sub-agent: session \S+\]$/);
  const [conversation] = await store.sessions.list();
  const sides = (await store.sessions.list({ sides: true })).filter(({ tip }) => tip.relation === 'side');
  assert.deepEqual(
    sides.map(({ tip }) => [tip.parentId, tip.endReason]),
    [[conversation?.tip.id, 'done']],
  );
  assert.ok(events.some((event) => event.type === 'tool_call' && event.agent !== undefined && event.name === 'look'));
  assert.equal(agent.sessionId, conversation?.tip.id);
  await agent.close();
});

const asNames = (tools: unknown): readonly unknown[] =>
  Array.isArray(tools) ? tools.map((tool) => tool?.function?.name) : [];
