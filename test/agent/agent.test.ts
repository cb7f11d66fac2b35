/** The agent over the SDK's loop, our wrapped model and a provider over real HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import type { AgentOptions } from '../../packages/palimpsest/src/agent/agent-types.ts';
import { calls, look, modelOf, setting, text } from './setting.ts';

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

test('K1: what is said while it works is heard at the next step, and a follow-up when it is done', async () => {
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

test('K1: Esc breaks the call off on the wire, keeps what was said, and the conversation goes on', async () => {
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

test('K1: Esc ends a running tool, whose call keeps a result', async () => {
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

test('F1, K1: after a crash in the middle of a tool the conversation is resumed whole, and the call has a result that says what is not known', async () => {
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

test('K1: a tool that does not heed Esc is left behind, and its call says so', async () => {
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

test('C5, Y1: a compression for another model is written by the one there is, and its prompt is made for the other one', async () => {
  await using fake = await startFakeProvider();
  await using store = await openStore({ path: ':memory:' });
  const asked: string[] = [];
  const prompt: AgentOptions['prompt'] = (_, { name }) => {
    asked.push(name);
    return `You work on ovens with ${name}.`;
  };
  const { agent, events } = setting(fake, store, { prompt, model: { ...modelOf(fake), summarizer: 'session' } });
  const words = Array.from({ length: 600 }, (_, at) => `brick${at}`).join(' ');
  for (let at = 0; at < 8; at++) await agent.send(`Look at wall ${at}: ${words}`);
  const before = fake.requests.length;
  const nextModel = { ...modelOf(fake, 'small-model'), contextLength: 8_000 };
  const report = await agent.compress({ nextModel });
  assert.equal(report.status, 'compressed');
  assert.ok(report.after.tokens < 8_000);
  assert.deepEqual(asked, ['own/some-model', 'own/small-model']);
  assert.ok(fake.requests.slice(before).every(({ model }) => model === 'some-model'));
  assert.ok(fake.requests.length > before);
  assert.equal(events.filter(({ type }) => type === 'compressed').length, 1);
  await agent.useModel(nextModel);
  await agent.reload(report.sessionId);
  await agent.send('Go on.');
  const newest = fake.requests.at(-1);
  assert.equal(newest?.model, 'small-model');
  assert.match(JSON.stringify(newest?.body), /You work on ovens with own\/small-model\./);
  assert.equal(agent.model.name, 'own/small-model');
  await agent.close();
});
