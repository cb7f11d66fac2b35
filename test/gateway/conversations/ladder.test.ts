/** A model that fails to write summaries is left alone for longer each time, and nobody who talks through the gateway notices. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiSdkSummarizer } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { newFolder } from '../../support/store-files.ts';
import { agentOf, askAgain } from './agents.ts';
import { fileOf, keptGateway } from './support.ts';

const contextLength = 5_000;
const start = Date.parse('2026-11-23T09:00:00Z');
const minute = 60_000;

test('H2 a model that writes no summary is asked again after 300, 900 and 2,700 s, also by another process, and its success ends that', async (t) => {
  const path = join(await newFolder(t), 'store.db');
  let time = start;
  let isBroken = true;
  await using writer = await startFakeProvider({
    script: () => (isBroken ? { error: { status: 503, message: 'down' } } : { text: summary }),
  });
  const model = createOpenAICompatible({ name: 'fake', baseURL: writer.baseUrl('openai-chat') })('writer');
  const summarizer = aiSdkSummarizer(model, { contextLength: 100_000 });
  const list: Parameters<typeof askAgain>[0]['list'] = [];
  /** Asks at each of these minutes, in a process of its own, and says at which of them the model was asked. */
  const askedAt = async (minutes: readonly number[]): Promise<readonly number[]> => {
    const asked: number[] = [];
    await using store = await openStore({ path });
    const options = { contextLength, store, summarizer, clock: { now: () => time } };
    await using kept = await keptGateway({ contextLength, script: { text: 'Read.' } }, options);
    const agent = agentOf('anthropic', kept.url, 'Please read what I send.');
    if (list.length > 0) agent.list.splice(0, agent.list.length, ...list);
    for (const at of minutes) {
      time = start + at * minute;
      const before = writer.requests.length;
      // As much as is compressed at each of them, where nobody waits.
      for (let part = 0; part < 7; part++) {
        askAgain(agent, fileOf(at * 7 + part));
        agent.list.push({ role: 'assistant', content: `Part ${part} of ${at} is read.` });
      }
      askAgain(agent, `What is in them, at ${at}?`);
      assert.equal((await agent.step('')).status, 200);
      if (writer.requests.length > before) asked.push(at);
    }
    assert.ok(kept.provider.requests.every(({ status }) => status === 200));
    list.splice(0, list.length, ...agent.list);
    return asked;
  };
  // 300 s are 5 minutes, 900 s 15, and 2,700 s 45.
  assert.deepEqual(await askedAt([0, 4, 6]), [0, 6]);
  assert.deepEqual(await askedAt([20, 22]), [22]);
  assert.deepEqual(await askedAt([66, 68]), [68]);
  isBroken = false;
  assert.deepEqual(await askedAt([114, 115]), [114, 115]);
});

const summary = '## Goal\nRead what is sent.\n\n## Active Task\nRead the newest file.';

test('H2 a context that stays over 95 % of its window is told in a header, and once in a line', async () => {
  await using kept = await keptGateway({ script: { text: 'Read.' } }, { contextLength: 4_000 });
  const agent = agentOf('anthropic', kept.url, `Please read this. ${fileOf(1).repeat(4)} ${'word '.repeat(740)}`);
  const first = await agent.step('');
  assert.match(
    first.headers.get('x-palimpsest-full') ?? '',
    /^9[5-9]%$/,
    first.headers.get('x-palimpsest-tokens') ?? '',
  );
  await agentOf('anthropic', kept.url, 'A short one.').step('');
  askAgain(agent, 'Go on.');
  assert.notEqual((await agent.step('')).headers.get('x-palimpsest-full'), null);
  const lines = kept.notes.filter((line) => /fills 9\d % of its window/.test(line));
  assert.equal(lines.length, 1, kept.notes.join('\n'));
});
