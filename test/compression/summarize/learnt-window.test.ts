/** A model whose window turned out smaller than was thought is never sent a prompt of that length again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compress, createConversations, estimatingTokenizer } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { SummarizerError } from '../../../packages/core/src/compression/summarize/summarizer.ts';
import { searchToolWith } from '../../../packages/core/src/recall/session-search/session-search.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { assistant, user } from '../../support/conversations.ts';
import { rough, type Scripted, scripted, summaryFor } from './scripted.ts';

const long = (from: number): readonly Message[] =>
  Array.from({ length: 60 }, (_, i) => from + i).flatMap((at) => [
    user(`Region ${at}: ${'move the ledger of it to the archive. '.repeat(12)}`),
    assistant(`Moved ${at}. ${'It has as many rows as before. '.repeat(12)}`),
  ]);

interface Narrow extends Scripted {
  /** Sizes of the prompts that it refused, in the order of the calls. */
  readonly refused: number[];
}

/** A model that refuses what is larger than its window, naming it or not. */
function narrow(window: number, { isNamed, name = 'fake/one' }: { isNamed: boolean; name?: string }): Narrow {
  const refused: number[] = [];
  const model = scripted(
    (call) => {
      const size = rough(call.system) + rough(call.prompt);
      if (size <= window) return { text: summaryFor(call) };
      refused.push(size);
      const evidence = { overflow: true, ...(isNamed ? { contextLength: window } : {}) };
      throw new SummarizerError('other', 'It does not fit.', { model: name, evidence });
    },
    { name },
  );
  return Object.assign(model, { refused });
}

const options = { contextLength: 20_000, tokenizer: { ...estimatingTokenizer('claude'), count: rough } };

describe('the window of a model that writes summaries', () => {
  for (const isNamed of [true, false]) {
    test(`F2 that was ${isNamed ? 'named' : 'found'} in one compression holds in the next one`, async () => {
      const model = narrow(6_000, { isNamed });
      await compress(long(0), { ...options, summarizer: model });
      assert.ok(model.refused.length > 0);
      const before = model.refused.splice(0).length;
      const { summary } = await compress(long(100), { ...options, summarizer: model });
      assert.deepEqual([summary?.model, model.refused], ['fake/one', []], `${before} refused before`);
      assert.equal(summary?.coverage.window.assumed, !isNamed);
    });
  }

  test('F2 holds for the fallback too, and for each model alone', async () => {
    const [first, second] = [narrow(1, { isNamed: true }), narrow(6_000, { isNamed: true, name: 'fake/two' })];
    const wide = narrow(100_000, { isNamed: true, name: 'fake/wide' });
    for (const from of [0, 100]) {
      first.refused.length = 0;
      second.refused.length = 0;
      const summarizer = Object.assign(first, { fallback: second });
      const { summary } = await compress(long(from), { ...options, summarizer });
      assert.equal(summary?.model, 'fake/two');
    }
    assert.deepEqual([first.refused, second.refused], [[], []]);
    const { summary } = await compress(long(0), { ...options, summarizer: wide });
    assert.equal(summary?.coverage.parts.length, 1);
  });

  test('F2 that was only guessed, and too low to hold anything, is asked for again', async () => {
    let isBusy = true;
    const model = scripted((call) => {
      if (!isBusy) return { text: summaryFor(call) };
      throw new SummarizerError('other', 'Too long.', { model: 'fake/one', evidence: { overflow: true } });
    });
    await compress(long(0), { ...options, summarizer: model });
    isBusy = false;
    for (const from of [100, 200]) {
      const { summary } = await compress(long(from), { ...options, summarizer: model });
      assert.equal(summary?.model, 'fake/one');
    }
  });

  test('Q1 holds for the searches that come after one', async () => {
    await using store = await openStore({ path: ':memory:' });
    for (const from of [0, 100, 200]) await store.sessions.begin({ source: 'cli' }, long(from));
    const model = narrow(6_000, { isNamed: false });
    const tool = searchToolWith({ store, summarizer: model }, { limits: { retryAfterMs: [0, 0], maxConcurrency: 1 } });
    await tool.run({ query: 'ledger archive' });
    assert.ok(model.refused.length > 0 && model.refused.length <= 2, `${model.refused.length} refused`);
    model.refused.length = 0;
    await tool.run({ query: 'region moved' });
    assert.deepEqual(model.refused, []);
  });
});

describe('conversations of a store', () => {
  const compressOnce = async (store: Store, model: Narrow, from: number): Promise<void> => {
    const conversations = createConversations({
      store,
      model: 'fake/main',
      contextLength: options.contextLength,
      tokenizer: options.tokenizer,
      summarizer: model,
    });
    const report = await conversations.compress({ messages: long(from) });
    assert.equal(report.status, 'compressed');
  };

  test('F2 keep a window that was named for the next process, and a guess for none', async () => {
    for (const isNamed of [true, false]) {
      await using store = await openStore({ path: ':memory:' });
      const before = narrow(6_000, { isNamed });
      await compressOnce(store, before, 0);
      assert.ok(before.refused.length > 0);
      // Another object, as a new process has it.
      const after = narrow(6_000, { isNamed });
      await compressOnce(store, after, 100);
      assert.equal(after.refused.length > 0, !isNamed);
    }
  });

  test('F2 do not ask for it twice in one process, in any conversation', async () => {
    await using store = await openStore({ path: ':memory:' });
    const model = narrow(6_000, { isNamed: false });
    const conversations = createConversations({
      store,
      model: 'fake/main',
      contextLength: options.contextLength,
      tokenizer: options.tokenizer,
      summarizer: model,
    });
    await conversations.compress({ messages: long(0) });
    assert.ok(model.refused.length > 0);
    model.refused.length = 0;
    await conversations.compress({ messages: long(100) });
    assert.deepEqual(model.refused, []);
  });
});
