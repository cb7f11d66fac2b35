import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SummarizerError, type SummaryCall, tokenizerFor } from '@palimpsest/core';
import { type Notice, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, type ModelMessage } from 'ai';
import { configDefaults } from '../../packages/palimpsest/src/config/config.ts';
import { type MainModel, mainModel } from '../../packages/palimpsest/src/models/main-model.ts';
import {
  type SessionSummarizer,
  type SessionSummarizerOptions,
  sessionSummarizer,
} from '../../packages/palimpsest/src/models/session-summarizer.ts';

const noMain = configDefaults.model;
const own = configDefaults.auxiliary.compression;

/** A model at a fake provider, as a conversation has it. */
const liveAt = (fake: FakeProvider, name = 'mill'): Promise<MainModel> =>
  mainModel({ config: { ...noMain, name, baseUrl: fake.baseUrl('openai-chat'), contextLength: 8_000 }, env: {} });

const choose = (
  live: MainModel,
  config: Partial<SessionSummarizerOptions['config']> = {},
  main: Partial<SessionSummarizerOptions['main']> = {},
): Promise<SessionSummarizer> =>
  sessionSummarizer({
    config: { ...own, ...config },
    main: { ...noMain, ...main },
    live,
    env: { OPENAI_API_KEY: 'k' },
  });

const call: SummaryCall = { system: 'You write a checkpoint.', prompt: 'The records.' };

/** The kind of the error that a summarizer fails with. */
async function failureOf({ summarizer }: SessionSummarizer): Promise<string> {
  assert.ok(typeof summarizer === 'object' && 'write' in summarizer);
  return summarizer.write(call).then(
    () => 'none',
    (error: SummarizerError) => error.kind,
  );
}

describe('who writes the summaries of a conversation', () => {
  test('S7: auto is the model of the session, with the main model behind it where that is another one', async () => {
    await using fake = await startFakeProvider();
    const live = await liveAt(fake);
    const auto = await choose(live);
    assert.deepEqual([auto.name, auto.contextLength, auto.fallback], ['openai-compatible/mill', 8_000, undefined]);
    assert.ok(typeof auto.summarizer === 'object' && 'writer' in auto.summarizer);
    const behind = await choose(live, {}, { name: 'openai/gpt-5' });
    assert.deepEqual([behind.name, behind.fallback], ['openai-compatible/mill', 'openai/gpt-5']);
    const same = await choose(live, {}, { name: 'mill', baseUrl: `${fake.baseUrl('openai-chat')}/` });
    assert.equal(same.fallback, undefined);
  });

  test('S7: main is the configured model, whatever the session talks to', async () => {
    await using fake = await startFakeProvider();
    const main = await choose(
      await liveAt(fake),
      { provider: 'main' },
      { name: 'openai/gpt-5', contextLength: 64_000 },
    );
    assert.deepEqual([main.name, main.contextLength, main.fallback], ['openai/gpt-5', 64_000, undefined]);
    assert.deepEqual((await choose(await liveAt(fake), { provider: 'main' })).name, 'openai-compatible/mill');
  });

  test('S7: a model of its own has its address and window, and the session steps in', async () => {
    await using fake = await startFakeProvider();
    await using other = await startFakeProvider();
    const config = { model: 'small', baseUrl: other.baseUrl('openai-chat'), contextLength: 16_000 };
    const chosen = await choose(await liveAt(fake), config);
    assert.deepEqual(
      [chosen.name, chosen.contextLength, chosen.fallback],
      ['openai-compatible/small', 16_000, 'openai-compatible/mill'],
    );
    other.reply({ text: 'A summary.' });
    assert.equal(await failureOf(chosen), 'none');
    assert.deepEqual([fake.requests.length, other.requests.length], [0, 1]);
  });

  test('F2, F5: one that cannot be used is no error at a start: it fails with the reason when it is asked', async () => {
    await using fake = await startFakeProvider();
    const chosen = await choose(await liveAt(fake), { model: 'anthropic/claude-haiku-4-5' });
    assert.match(chosen.notes.join(), /needs a key: set the environment variable ANTHROPIC_API_KEY/);
    assert.equal(chosen.fallback, 'openai-compatible/mill');
    assert.equal(await failureOf(chosen), 'no_provider');
  });
});

/** A conversation that is longer than its window, turn by turn, with this summarizer; what a person was told. */
async function converse(live: MainModel, { summarizer }: SessionSummarizer): Promise<readonly string[]> {
  const notices: string[] = [];
  const onNotice = ({ message }: Notice): void => void notices.push(message);
  const tokenizer = await tokenizerFor('gpt-4o');
  await using model = withPalimpsest(live.model, { summarizer, model: live.name, contextLength: 8_000, onNotice });
  const messages: ModelMessage[] = [];
  for (let turn = 0, tokens = 0; tokens < 9_000; turn++) {
    const text = `Region ${turn}: ${`ledger_${turn} has ${turn * 17} rows. `.repeat(60)}`;
    tokens += tokenizer.count(text);
    messages.push({ role: 'user', content: text });
    const { text: answer } = await generateText({ model, messages, maxRetries: 0 });
    messages.push({ role: 'assistant', content: answer });
  }
  return notices;
}

const summariesOf = ({ requests }: FakeProvider): number =>
  requests.filter(({ body }) => JSON.stringify(body).includes('You write checkpoints')).length;

describe('in a conversation', () => {
  test('S7: the model of the session writes its summaries, and no other is asked', async () => {
    await using fake = await startFakeProvider();
    const live = await liveAt(fake);
    await converse(live, await choose(live));
    assert.ok(summariesOf(fake) > 0);
    assert.ok(fake.requests.every(({ model }) => model === 'mill'));
  });

  test('F2: a model of its own that fails is followed once by the model of the session', async () => {
    await using fake = await startFakeProvider();
    await using other = await startFakeProvider();
    const live = await liveAt(fake);
    const broken = { error: { status: 429, message: 'You exceeded your current quota' } };
    other.reply(...Array.from({ length: 20 }, () => broken));
    const notices = await converse(live, await choose(live, { model: 'small', baseUrl: other.baseUrl('openai-chat') }));
    assert.ok(summariesOf(other) > 0 && summariesOf(fake) > 0);
    assert.match(
      notices.join('\n'),
      /openai-compatible\/small .+\(429\).+ openai-compatible\/mill was asked instead\./,
    );
  });
});
