/** Tool loops that are many times longer than the window, over the real packages and real HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Notice, storeOf, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, streamText } from 'ai';
import { providers } from './providers.ts';
import { type Plan, type Question, worker, workTools } from './worker.ts';

const window = 32_000;
const plan: Plan = { steps: 80, askEvery: 6, askBack: 30, hugeEvery: 12 };

for (const [at, provider] of providers.entries()) {
  const isStreamed = at % 2 === 1;
  test(`invariant 5: ${plan.steps} steps in a window of ${window} tokens over ${provider.name}${isStreamed ? ', streamed' : ''}: every request is taken, and every fact is there or found again`, async () => {
    const questions: Question[] = [];
    await using fake = await startFakeProvider({ contextLength: window, script: worker(plan, questions) });
    const notices: Notice[] = [];
    const model = withPalimpsest(provider.model(fake), {
      contextLength: window,
      onNotice: (notice) => notices.push(notice),
    });
    const call = {
      model,
      maxRetries: 0,
      stopWhen: isStepCount(plan.steps + 1),
      system: 'You visit depots.',
      prompt: 'Visit all depots, and remember their access codes.',
      tools: { ...workTools(plan), ...tools(model) },
    };
    const text = isStreamed ? await streamText(call).text : (await generateText(call)).text;
    assert.equal(text, 'All depots are done.');
    // One request a step, and the provider refused none of them.
    assert.equal(fake.requests.length, plan.steps);
    assert.deepEqual([...new Set(fake.requests.map(({ status }) => status))], [200]);
    assert.ok(questions.length >= 6);
    assert.deepEqual(
      questions.filter(({ found }) => found === 'nowhere'),
      [],
    );
    assert.ok(notices.some(({ type }) => type === 'compressed'));
    assert.deepEqual(
      notices.filter(({ type }) => type === 'bypassed' || type === 'gave_up' || type === 'branched'),
      [],
    );
    // One conversation, in which everything was kept once: a question, and an answer and a result for every step.
    const store = await storeOf(model);
    const [conversation, ...others] = await store.sessions.list();
    assert.deepEqual(others, []);
    assert.ok(conversation);
    await store.close();
  });
}
