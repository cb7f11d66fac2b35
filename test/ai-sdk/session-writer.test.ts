/** The session's own model as the writer of its summaries, also where one middleware stands before several models. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnyModel, palimpsestMiddleware, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import { providers } from './providers.ts';

/** Turns until the window of 8,000 tokens was full more than once. */
async function converse(model: AnyModel, messages: ModelMessage[], turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: 'user', content: `Region ${messages.length}: ${'the ledger has many rows. '.repeat(150)}` });
    const { text } = await generateText({ model, messages, maxRetries: 0 });
    messages.push({ role: 'assistant', content: text });
  }
}

const summariesIn = ({ requests }: FakeProvider): number =>
  requests.filter(({ body }) => JSON.stringify(body).includes('You write checkpoints')).length;

for (const provider of providers) {
  test(`S7 over ${provider.name} the session's own model writes the summaries`, async () => {
    await using fake = await startFakeProvider();
    await using model = withPalimpsest(provider.model(fake), { summarizer: 'session', contextLength: 8_000 });
    await converse(model, [], 12);
    assert.ok(summariesIn(fake) > 0);
  });
}

test('S7 a conversation that goes on with another model has its summaries from that one', async () => {
  await using one = await startFakeProvider();
  await using other = await startFakeProvider();
  await using middleware = palimpsestMiddleware({ summarizer: { writer: 'session' }, contextLength: 8_000 });
  const [provider] = providers;
  assert.ok(provider);
  const models = [one, other].map((fake) => wrapLanguageModel({ model: provider.model(fake), middleware }));
  const [first, second] = models;
  assert.ok(first && second);
  const messages: ModelMessage[] = [];
  await converse(first, messages, 12);
  const before = summariesIn(one);
  assert.deepEqual([before > 0, summariesIn(other)], [true, 0]);
  await converse(second, messages, 12);
  assert.deepEqual([summariesIn(one), summariesIn(other) > 0], [before, true]);
});

test('S7 a writer that is none is told at once', () => {
  const [provider] = providers;
  assert.ok(provider);
  const model = { specificationVersion: 'v3', provider: 'a', modelId: 'b', doStream: () => {} };
  for (const summarizer of ['sesion', { writer: 'session', fallbak: 1 }, 7]) {
    // Programs without a compiler write anything.
    assert.throws(() => withPalimpsest(model as never, { summarizer: summarizer as never }), { code: 'BAD_OPTION' });
  }
});
