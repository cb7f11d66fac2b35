/** How turns end, and what is kept and asked for after each end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { calls, look, setting } from './setting.ts';

test('K1: what tools gave before Esc is known to the next process, also where no call followed', async () => {
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
