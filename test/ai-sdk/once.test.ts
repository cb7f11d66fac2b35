/** What looks the same and is not: ids that are counted up, results that come twice, sessions that are named twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Summarizer } from '@palimpsest/core';
import { type Notice, storeOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { toolResults } from '../../packages/core/src/transcript/text.ts';
import { steps } from './prompts.ts';
import { type ModelV4, type Prompt, recorder } from './recorder.ts';

const said = (text: string): Prompt[number] => ({ role: 'user', content: [{ type: 'text', text }] });

/** A program whose tool cuts what it reads at the same length, and whose provider counts its calls. */
const reading = (name: string): Prompt => {
  const call = { toolCallId: 'functions.read:0', toolName: 'read' };
  return [
    said(`Read ${name}.`),
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { name } }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', ...call, output: { type: 'text', value: `${name}\n`.repeat(9_000).slice(0, 40_000) } },
      ],
    },
  ];
};

test('R1 what stands for a large result is its own, also where another call had the same id and length', async () => {
  const { model, calls } = recorder();
  const wrapped = withPalimpsest(model, { contextLength: 32_000 });
  for (const name of ['alpha', 'gamma', 'alpha']) await wrapped.doGenerate({ prompt: reading(name) });
  const shown = calls.map(({ prompt }) => JSON.stringify(prompt[2]));
  assert.ok(shown.every((text) => text.length < 30_000));
  assert.deepEqual(
    shown.map((text) => [text.includes('alpha'), text.includes('gamma')]),
    [
      [true, false],
      [false, true],
      [true, false],
    ],
  );
  assert.equal(shown[2], shown[0]);
});

test('L1 a result that comes in stages is kept once, as it is at the end', async () => {
  const call = { toolCallId: 'img_0123456789abcdef', toolName: 'image' };
  const { model } = recorder([
    [
      { type: 'tool-call', ...call, input: '{}', providerExecuted: true },
      { type: 'tool-result', ...call, result: { stage: 1 }, preliminary: true },
      { type: 'tool-result', ...call, result: { stage: 2 } },
      { type: 'text', text: 'There.' },
    ],
  ]);
  const wrapped = withPalimpsest(model);
  const { stream } = await wrapped.doStream({ prompt: [said('Paint.')] });
  assert.equal((await Array.fromAsync(stream)).filter(({ type }) => type === 'tool-result').length, 2);
  const store = await storeOf(wrapped);
  const [conversation] = await store.sessions.list();
  const view = await store.messages.view(conversation?.tip.id ?? '');
  const results = view.flatMap(({ message }) => toolResults(message));
  assert.deepEqual(
    results.map(({ content }) => content.map((part) => part.type === 'other' && part.value)),
    [[{ stage: 2 }]],
  );
});

test('L4 a call belongs to the session that it names', async () => {
  const store = await openStore({ path: ':memory:' });
  const [one, other] = [
    await store.sessions.create({ source: 'test', model: 'some-model' }),
    await store.sessions.create({ source: 'test', model: 'some-model' }),
  ];
  const wrapped = withPalimpsest(recorder().model, { store });
  for (const { id } of [other, one]) {
    const call = { prompt: [said('Hello')], providerOptions: { palimpsest: { sessionId: id } } };
    const { providerMetadata } = await wrapped.doGenerate(call);
    assert.equal(providerMetadata?.palimpsest?.sessionId, id);
  }
  await store.close();
});

test('F3 a call that is called off while its failure is being cured ends with what called it off', async () => {
  const controller = new AbortController();
  const reason = new Error('a person pressed a key');
  const summarizer: Summarizer = {
    name: 'test/never',
    write: () => {
      controller.abort(reason);
      return new Promise(() => undefined);
    },
  };
  const notices: Notice[] = [];
  const { model } = recorder();
  const full: ModelV4 = {
    ...model,
    doGenerate: () => Promise.reject(new Error('prompt is too long: 9000 tokens > 8000 maximum')),
  };
  const wrapped = withPalimpsest(full, { contextLength: 60_000, summarizer, onNotice: (one) => notices.push(one) });
  const running = wrapped.doGenerate({ prompt: [said('Look.'), ...steps(14)], abortSignal: controller.signal });
  await assert.rejects(Promise.resolve(running), reason);
  assert.deepEqual(notices, []);
});
