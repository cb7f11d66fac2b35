/** A conversation that goes on with a model whose window is a fraction of the one before, over real HTTP. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { estimateTextTokens } from '@palimpsest/core';
import { type CallReport, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore, type Store } from '@palimpsest/core/store';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, type ModelMessage } from 'ai';
import { configDefaults } from '../../packages/palimpsest/src/config/config.ts';
import { type MainModel, mainModel } from '../../packages/palimpsest/src/models/main-model.ts';
import { prepareSwitch } from '../../packages/palimpsest/src/models/prepare-switch.ts';

const large = 64_000;
const small = 8_000;

const modelAt = (fake: FakeProvider, name: string, contextLength: number): Promise<MainModel> =>
  mainModel({
    config: { ...configDefaults.model, name, contextLength, baseUrl: fake.baseUrl('openai-chat') },
    env: {},
  });

interface Held {
  readonly sessionId: string;
  readonly contextTokens: number;
  readonly answer: string;
}

/** Says something in a conversation. */
async function say({ model, name, contextLength }: MainModel, messages: ModelMessage[], store: Store): Promise<Held> {
  const window = contextLength === undefined ? {} : { contextLength };
  const wrapped = withPalimpsest(model, { store, model: name, ...window });
  const { text, finalStep } = await generateText({
    model: wrapped,
    messages,
    maxRetries: 0,
    system: 'You move ledgers.',
  });
  const report = finalStep.providerMetadata?.palimpsest as unknown as CallReport; // what `withReport` put there
  messages.push({ role: 'assistant', content: text });
  return { sessionId: report.sessionId, contextTokens: report.contextTokens, answer: text };
}

const region = (at: number): string =>
  `Region north-${at}: ${Array.from({ length: 90 }, (_, row) => `ledger_${at}_${row} has ${row * 17} rows.`).join(' ')}`;

/** A conversation of about 14,000 tokens with a large model. */
async function held(store: Store, from: MainModel): Promise<Held & { readonly messages: ModelMessage[] }> {
  const messages: ModelMessage[] = [];
  let last: Held | undefined;
  for (let at = 0; at < 10; at++) {
    messages.push({ role: 'user', content: region(at) });
    last = await say(from, messages, store);
  }
  assert.ok(last);
  return { ...last, messages };
}

const isSummary = ({ body }: FakeProvider['requests'][number]): boolean =>
  JSON.stringify(body).includes('You write checkpoints');

describe('a change of the model', () => {
  test('to a smaller window compresses first, by the model that was there, so that the next request fits as it is', async () => {
    await using one = await startFakeProvider({ contextLength: large });
    await using other = await startFakeProvider({ contextLength: small });
    await using store = await openStore({ path: ':memory:' });
    const [from, to] = [await modelAt(one, 'mill', large), await modelAt(other, 'sieve', small)];
    const { messages, sessionId, contextTokens } = await held(store, from);
    assert.ok(contextTokens > small);
    const asked = one.requests.length;
    const prepared = await prepareSwitch({ store, sessionId, from, to, contextTokens });
    assert.ok(prepared.type === 'compressed');
    assert.ok(prepared.report.after.tokens < small);
    assert.equal(prepared.report.compression?.result?.handoff?.writtenBy, 'model');
    assert.ok(one.requests.slice(asked).every(isSummary) && one.requests.length > asked);
    messages.push({ role: 'user', content: 'Go on with region north-10.' });
    const next = await say(to, messages, store);
    // One request, which the provider took, and no summary of the smaller model's.
    assert.deepEqual(
      other.requests.map((request) => [request.status, isSummary(request)]),
      [[200, false]],
    );
    assert.equal(next.sessionId, prepared.report.sessionId);
  });

  test('to a window that holds the conversation with ease changes nothing', async () => {
    await using one = await startFakeProvider();
    await using store = await openStore({ path: ':memory:' });
    const from = await modelAt(one, 'mill', small);
    const messages: ModelMessage[] = [{ role: 'user', content: 'Move the ledgers.' }];
    const { sessionId, contextTokens } = await say(from, messages, store);
    for (const contextLength of [small, large, undefined]) {
      const to = { name: 'sieve', ...(contextLength === undefined ? {} : { contextLength }) };
      assert.deepEqual(await prepareSwitch({ store, sessionId, from, to, contextTokens }), { type: 'fits' });
    }
    assert.equal(one.requests.length, 1);
  });

  test('to a window that does not even hold the newest request is refused with advice, and nothing is changed', async () => {
    await using one = await startFakeProvider();
    await using store = await openStore({ path: ':memory:' });
    const from = await modelAt(one, 'mill', large);
    const messages: ModelMessage[] = [
      { role: 'user', content: Array.from({ length: 9 }, (_, at) => region(at)).join('\n') },
    ];
    const { sessionId, contextTokens } = await say(from, messages, store);
    assert.ok(estimateTextTokens(String(messages[0]?.content)) > small);
    const to = { name: 'sieve', contextLength: small };
    const prepared = await prepareSwitch({ store, sessionId, from, to, contextTokens });
    assert.ok(prepared.type === 'refused');
    assert.match(
      prepared.advice,
      /has about [\d,]+ tokens, but the window of sieve has 8,000: .+ It stays with openai-compatible\/mill\./,
    );
    assert.deepEqual([prepared.report.status, prepared.report.sessionId], ['unchanged', sessionId]);
  });

  test('by a model that fails is written by the ledger, and told', async () => {
    await using one = await startFakeProvider();
    await using store = await openStore({ path: ':memory:' });
    const from = await modelAt(one, 'mill', large);
    const { sessionId, contextTokens } = await held(store, from);
    one.reply({ error: { status: 500, message: 'boom' } });
    const to = { name: 'sieve', contextLength: small };
    const prepared = await prepareSwitch({ store, sessionId, from, to, contextTokens });
    assert.ok(prepared.type === 'compressed');
    assert.match(prepared.report.failures[0]?.consequence ?? '', /The handoff was written from extracted facts only/);
  });
});
