/** A conversation that goes on with a model whose window is a fraction of the one before, over real HTTP. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { estimateTextTokens } from '@palimpsest/core';
import { type AnyModel, type CallReport, conversationsOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore, type Store } from '@palimpsest/core/store';
import { type FakeProvider, type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, type ModelMessage } from 'ai';
import { configDefaults } from '../../packages/palimpsest/src/config/config.ts';
import { type MainModel, mainModel } from '../../packages/palimpsest/src/models/main-model.ts';
import {
  type PreparedSwitch,
  prepareSwitch,
  type SwitchOptions,
} from '../../packages/palimpsest/src/models/prepare-switch.ts';
import { anthropic } from '../ai-sdk/providers.ts';

const large = 64_000;
const small = 8_000;

const modelAt = (fake: FakeProvider, name: string, contextLength: number): Promise<MainModel> =>
  mainModel({
    config: { ...configDefaults.model, name, contextLength, baseUrl: fake.baseUrl('openai-chat') },
    env: {},
  });

type From = Pick<MainModel, 'model' | 'name' | 'contextLength'>;

/** A conversation of about 14,000 tokens. */
interface Held extends AsyncDisposable {
  readonly messages: ModelMessage[];
  readonly sessionId: string;
  readonly contextTokens: number;
  /** As `/model` changes the model. */
  switchTo(to: SwitchOptions['to']): Promise<PreparedSwitch>;
}

const region = (at: number): string =>
  `Region north-${at}: ${Array.from({ length: 90 }, (_, row) => `ledger_${at}_${row} has ${row * 17} rows.`).join(' ')}`;

/** Says something in a conversation. */
async function say(model: AnyModel, messages: ModelMessage[]): Promise<CallReport> {
  const { text, finalStep } = await generateText({ model, messages, maxRetries: 0, system: 'You move ledgers.' });
  messages.push({ role: 'assistant', content: text });
  return finalStep.providerMetadata?.palimpsest as unknown as CallReport; // what `withReport` put there
}

const wrap = ({ model, name, contextLength = large }: From, store: Store) =>
  withPalimpsest(model, { store, model: name, contextLength, summarizer: 'session' });

async function held(
  store: Store,
  from: From,
  texts: readonly string[] = Array.from({ length: 10 }, (_, at) => region(at)),
): Promise<Held> {
  const wrapped = wrap(from, store);
  const messages: ModelMessage[] = [];
  let last: CallReport | undefined;
  for (const content of texts) {
    messages.push({ role: 'user', content });
    last = await say(wrapped, messages);
  }
  const { sessionId, contextTokens } = last ?? assert.fail('nothing was said');
  const conversations = await conversationsOf(wrapped);
  return {
    messages,
    sessionId,
    contextTokens,
    switchTo: (to) =>
      prepareSwitch({
        from,
        to,
        contextTokens,
        compress: (nextModel) => conversations.compress({ sessionId, nextModel }),
      }),
    [Symbol.asyncDispose]: () => wrapped[Symbol.asyncDispose](),
  };
}

const isSummary = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('You write checkpoints');

/** What asks for a summary behind the conversation. */
const isContinued = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('about to be shortened');

describe('a change of the model', () => {
  test('K1: to a smaller window compresses first, by the model that was there, so that the next request fits as it is', async () => {
    await using one = await startFakeProvider({ contextLength: large });
    await using other = await startFakeProvider({ contextLength: small });
    await using store = await openStore({ path: ':memory:' });
    const [from, to] = [await modelAt(one, 'mill', large), await modelAt(other, 'sieve', small)];
    await using conversation = await held(store, from);
    assert.ok(conversation.contextTokens > small);
    const asked = one.requests.length;
    const prepared = await conversation.switchTo(to);
    assert.ok(prepared.type === 'compressed');
    assert.ok(prepared.report.after.tokens < small);
    assert.equal(prepared.report.compression?.result?.handoff?.writtenBy, 'model');
    assert.ok(one.requests.slice(asked).every(isSummary) && one.requests.length > asked);
    const messages = [...conversation.messages, { role: 'user', content: 'Go on with region north-10.' } as const];
    await using next = wrap(to, store);
    const { sessionId } = await say(next, messages);
    // One request, which the provider took, and no summary of the smaller model's.
    assert.deepEqual(
      other.requests.map((request) => [request.status, isSummary(request)]),
      [[200, false]],
    );
    assert.equal(sessionId, prepared.report.sessionId);
  });

  test('C5: to a smaller window asks for the summary behind what the model there is has in its cache, where that is cheaper', async () => {
    const script = (request: FakeRequest): Reply => {
      const tokens = Math.ceil(JSON.stringify(request.body).length / 4);
      const read = Math.floor(tokens * 0.9);
      const usage = { inputTokens: tokens - read, cacheReadTokens: read, outputTokens: 40 };
      return { text: isContinued(request) ? '## Active Task\nMove the ledgers.' : 'Moved.', usage };
    };
    await using fake = await startFakeProvider({ script, contextLength: large });
    await using store = await openStore({ path: ':memory:' });
    const from = { model: anthropic.model(fake), name: 'anthropic/claude-sonnet-4-5', contextLength: large };
    await using conversation = await held(store, from);
    const before = fake.requests.length;
    const prepared = await conversation.switchTo({ name: 'sieve', contextLength: small });
    assert.ok(prepared.type === 'compressed');
    assert.ok(prepared.report.after.tokens < small);
    assert.equal(prepared.report.result?.summary?.coverage.continued, true);
    const [last, summary, ...rest] = fake.requests.slice(before - 1);
    assert.ok(last && summary && isContinued(summary));
    assert.deepEqual(rest, []);
    // Byte for byte what was sent last, and one message more.
    const sent = JSON.stringify(last.body.messages).replace(/[\]}]+$/, '');
    assert.ok(JSON.stringify(summary.body.messages).startsWith(sent));
    assert.deepEqual(summary.body.system, last.body.system);
  });

  test('K1: to a window that holds the conversation with ease changes nothing', async () => {
    await using one = await startFakeProvider();
    await using store = await openStore({ path: ':memory:' });
    const from = await modelAt(one, 'mill', small);
    await using conversation = await held(store, from, ['Move the ledgers.']);
    for (const contextLength of [small, large, undefined]) {
      const to = { name: 'sieve', ...(contextLength === undefined ? {} : { contextLength }) };
      assert.deepEqual(await conversation.switchTo(to), { type: 'fits' });
    }
    assert.equal(one.requests.length, 1);
  });

  test('K1: to a window that does not even hold the newest request is refused with advice, and nothing is changed', async () => {
    await using one = await startFakeProvider();
    await using store = await openStore({ path: ':memory:' });
    const from = await modelAt(one, 'mill', large);
    const text = Array.from({ length: 9 }, (_, at) => region(at)).join('\n');
    await using conversation = await held(store, from, [text]);
    assert.ok(estimateTextTokens(text) > small);
    const prepared = await conversation.switchTo({ name: 'sieve', contextLength: small });
    assert.ok(prepared.type === 'refused');
    assert.match(
      prepared.advice,
      /has about [\d,]+ tokens, but the window of sieve has 8,000: .+ It stays with openai-compatible\/mill\./,
    );
    assert.deepEqual([prepared.report.status, prepared.report.sessionId], ['unchanged', conversation.sessionId]);
  });

  test('F5: by a model that fails is written by the ledger, and told', async () => {
    await using one = await startFakeProvider();
    await using store = await openStore({ path: ':memory:' });
    await using conversation = await held(store, await modelAt(one, 'mill', large));
    one.reply({ error: { status: 500, message: 'boom' } });
    const prepared = await conversation.switchTo({ name: 'sieve', contextLength: small });
    assert.ok(prepared.type === 'compressed');
    assert.match(prepared.report.failures[0]?.consequence ?? '', /The handoff was written from extracted facts only/);
  });

  test('E5: a next model that is none is refused, and the window of the model there is holds again behind the compression', async () => {
    await using one = await startFakeProvider();
    await using store = await openStore({ path: ':memory:' });
    const from = await modelAt(one, 'mill', large);
    const wrapped = wrap(from, store);
    await using _wrapped = wrapped;
    const messages: ModelMessage[] = [{ role: 'user', content: region(1) }];
    const { sessionId } = await say(wrapped, messages);
    const conversations = await conversationsOf(wrapped);
    const wrong = { name: 'sieve', contextLength: 0 };
    await assert.rejects(conversations.compress({ sessionId, nextModel: wrong }), {
      code: 'BAD_OPTION',
      message: /nextModel an object with name and contextLength/,
    });
    await conversations.compress({ sessionId, nextModel: { name: 'sieve', contextLength: small } });
    // More than the smaller window holds, and no compression of its own.
    const sessions = new Set<string>();
    for (let at = 2; at < 9; at++) {
      messages.push({ role: 'user', content: region(at) });
      sessions.add((await say(wrapped, messages)).sessionId);
    }
    assert.equal(sessions.size, 1);
  });
});
