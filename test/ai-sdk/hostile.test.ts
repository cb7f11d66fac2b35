/** Loops in which models and tools do what they should not, and providers fail in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Notice, storeOf, tools } from '@palimpsest/core/ai-sdk';
import type { Timers } from '@palimpsest/core/engine';
import { type FakeRequest, type Reply, type ReplyCall, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, streamText, type Tool } from 'ai';
import { wrapModel } from '../../packages/core/src/ai-sdk/with-palimpsest.ts';
import { providers } from './providers.ts';

const window = 16_000;
const count = 50;

/** Numbers from 0 to 1 that are the same on every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const anything = jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' });

/** A tool that gives back much, little, nothing, data, or an error. */
function restless(next: () => number): Tool<Readonly<Record<string, unknown>>, unknown> {
  return {
    description: 'Does something.',
    inputSchema: anything,
    execute: (): unknown => {
      const dice = next();
      if (dice < 0.1) throw new Error('It broke: exit code 3.');
      if (dice < 0.2) return '';
      if (dice < 0.3) return null;
      if (dice < 0.5)
        return { rows: Array.from({ length: 60 }, (_, i) => ({ i, crates: Math.floor(i * dice * 100) })) };
      if (dice < 0.55) return 'a'.repeat(90_000);
      return `line of ${dice}\n`.repeat(90);
    },
  };
}

/** A model that calls too much, calls what is not there, and writes broken arguments. */
function unruly(next: () => number): (request: FakeRequest) => Reply {
  let answers = 0;
  const call = (): ReplyCall => {
    const dice = next();
    if (dice < 0.1) return { name: 'no_such_tool', input: {} };
    if (dice < 0.2) return { name: 'work', input: '{"broken": ' };
    if (dice < 0.25) return { name: 'work', input: '' };
    if (dice < 0.35) return { name: 'session_search', input: { query: '"' } };
    if (dice < 0.4) return { name: 'expand', input: { refs: 'm3-m5' } };
    return { name: 'work', input: { dice } };
  };
  return () => {
    const dice = next();
    if (dice < 0.05) return { error: { status: 429 } };
    if (dice < 0.1) return { error: { status: 529, inStream: true } };
    if (dice < 0.15) return { error: { status: 500 } };
    if (++answers >= count) return { text: 'That is all.' };
    const reasoning = dice < 0.5 ? { reasoning: 'Hm. '.repeat(20) } : {};
    const text = dice < 0.7 ? { text: ` Step ${answers}. ` } : {};
    return { ...reasoning, ...text, toolCalls: Array.from({ length: 1 + Math.floor(dice * 3) }, call) };
  };
}

/** Waits are over at once. */
const timers: Timers = {
  after(_, fire) {
    queueMicrotask(fire);
    return () => undefined;
  },
};

for (const [at, provider] of providers.entries()) {
  const isStreamed = at % 2 === 0;
  test(`A4 every request of an unruly loop is valid over ${provider.name}${isStreamed ? ', streamed' : ''}, and it is one conversation`, async () => {
    await using fake = await startFakeProvider({ contextLength: window, script: unruly(numbers(at + 1)) });
    const notices: Notice[] = [];
    const model = wrapModel(
      provider.model(fake),
      { contextLength: window, onNotice: (notice) => notices.push(notice) },
      { clock: { timers } },
    );
    const call = {
      model,
      maxRetries: 0,
      stopWhen: isStepCount(count + 9),
      system: 'You work.',
      prompt: 'Work until all is done.',
      tools: { work: restless(numbers(at + 100)), ...tools(model) },
    };
    const text = isStreamed ? await streamText(call).text : (await generateText(call)).text;
    assert.equal(text, 'That is all.');
    const refused = fake.requests.filter(({ status }) => status === 400);
    assert.deepEqual(
      refused.map(({ body }) => body),
      [],
    );
    assert.deepEqual(
      notices.filter(({ type }) => type === 'bypassed' || type === 'branched' || type === 'gave_up'),
      [],
    );
    assert.ok(notices.some(({ type }) => type === 'compressed'));
    const rows = await (await storeOf(model)).sessions.list();
    assert.equal(rows.length, 1);
  });
}
