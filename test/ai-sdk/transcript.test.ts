/** Going on with a conversation in another process: what was said comes back as messages of the SDK, over the real packages. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { conversationsOf, type Notice, storeOf, tools, transcriptOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { providers } from './providers.ts';
import { type Plan, worker, workTools } from './worker.ts';

const window = 32_000;
const plan: Plan = { steps: 45, askEvery: 100, askBack: 100, hugeEvery: 9 };

for (const provider of providers) {
  test(`K2 over ${provider.name}: another process goes on with what transcriptOf gives, in the same conversation`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-transcript-'));
    const path = join(folder, 'agent.db');
    const notices: Notice[] = [];
    const said: ModelMessage[] = [{ role: 'user', content: 'Visit all depots.' }];
    let sessionId = '';
    {
      await using fake = await startFakeProvider({ contextLength: window, script: worker(plan, []) });
      await using model = withPalimpsest(provider.model(fake), {
        store: path,
        contextLength: window,
        onNotice: (notice) => notices.push(notice),
      });
      const { responseMessages, finalStep } = await generateText({
        model,
        maxRetries: 0,
        stopWhen: isStepCount(plan.steps + 1),
        instructions: 'You visit depots.',
        messages: said,
        tools: { ...workTools(plan), ...tools(model) },
      });
      said.push(...responseMessages);
      sessionId = String(finalStep.providerMetadata?.palimpsest?.sessionId);
    }
    assert.ok(notices.some(({ type }) => type === 'compressed'));
    await using fake = await startFakeProvider({ contextLength: window, script: { text: 'Twenty-three.' } });
    await using model = withPalimpsest(provider.model(fake), {
      store: path,
      contextLength: window,
      onNotice: (notice) => notices.push(notice),
    });
    const before = await transcriptOf(model, sessionId);
    assert.equal(before.length, said.length);
    assert.deepEqual(
      before.map(({ role }) => role),
      said.map(({ role }) => role),
    );
    const { text } = await generateText({
      model,
      maxRetries: 0,
      instructions: 'You visit depots.',
      messages: [...before, { role: 'user', content: 'How many were there?' }],
      tools: { ...workTools(plan), ...tools(model) },
      providerOptions: { palimpsest: { sessionId } },
    });
    assert.equal(text, 'Twenty-three.');
    assert.deepEqual(
      notices.filter(({ type }) => type === 'branched' || type === 'bypassed'),
      [],
    );
    const store = await storeOf(model);
    assert.equal((await store.sessions.list()).length, 1);
    // The runtime that serves the calls knows what was said since.
    const runtime = await conversationsOf(model);
    assert.equal((await runtime.transcript(sessionId)).length, before.length + 2);
    await rm(folder, { recursive: true });
  });
}

test('K2: a session that does not exist has no transcript', async () => {
  await using fake = await startFakeProvider({ script: { text: 'Hello.' } });
  const [provider] = providers;
  assert.ok(provider);
  await using model = withPalimpsest(provider.model(fake));
  await assert.rejects(transcriptOf(model, 'nobody'), { code: 'ID_UNKNOWN' });
});
