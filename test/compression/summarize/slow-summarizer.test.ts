/** A summarizer that takes too long, as a function of a user's own may: it is called off, and nobody waits for it. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  type CompressionResult,
  type CompressOptions,
  compress,
  createConversations,
  estimatingTokenizer,
} from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import type { Summarizer, SummaryCall } from '../../../packages/core/src/compression/summarize/summarizer.ts';
import { searchToolWith } from '../../../packages/core/src/recall/session-search/session-search.ts';
import { PalimpsestError } from '../../../packages/core/src/shared/errors.ts';
import { compressed, newRecord } from '../misbehaviour-outcome.ts';
import { scripted, smallSession, summaryFor } from './scripted.ts';

interface Stuck extends Summarizer {
  /** Told when it has been called so often. */
  readonly called: Promise<SummaryCall>;
}

/** A function that never answers, and does not listen to its signal. */
function stuck(more: Partial<Summarizer> = {}): Stuck {
  const { promise: called, resolve } = Promise.withResolvers<SummaryCall>();
  const write: Summarizer['write'] = (call) => {
    resolve(call);
    return new Promise(() => {});
  };
  return { name: 'mine/stuck', write, ...more, called };
}

const minute = 60_000;

const compressing = (options: Partial<CompressOptions>): Promise<CompressionResult> =>
  compressed({ record: newRecord(), ...options });

/** The clock of this test; nothing waits in it but calls of models. */
const ownClock = (t: TestContext): void => t.mock.timers.enable({ apis: ['setTimeout'] });

describe('a summarizer that never answers', () => {
  test('F2 is given up after ten minutes: its signal is aborted, and the ledger writes alone', async (t) => {
    ownClock(t);
    const model = stuck();
    const result = compressing({ summarizer: model });
    const { signal } = await model.called;
    t.mock.timers.tick(10 * minute - 1);
    assert.equal(signal?.aborted, false);
    t.mock.timers.tick(1);
    assert.equal(signal?.aborted, true);
    const { status, failure, handoff } = await result;
    assert.deepEqual(
      [status, handoff?.writtenBy, failure?.kind, failure?.model],
      ['compressed', 'ledger', 'timeout', 'mine/stuck'],
    );
    assert.match(
      failure?.message ?? '',
      /mine\/stuck was not done after 600 s.*try again, or choose another model.*timeoutMs/,
    );
  });

  test('F2 is told why by a CALL_TIMEOUT', async (t) => {
    ownClock(t);
    const model = stuck({ timeoutMs: 5_000 });
    void compressing({ summarizer: model });
    const { signal } = await model.called;
    t.mock.timers.tick(5_000);
    const reason: unknown = signal?.reason;
    assert.ok(reason instanceof Error && PalimpsestError.isInstance(reason.cause));
    assert.equal(reason.cause.code, 'CALL_TIMEOUT');
  });

  test('F2 gives way to the fallback, which has a time of its own', async (t) => {
    ownClock(t);
    const [first, second] = [stuck({ timeoutMs: 1_000 }), stuck({ name: 'mine/second', timeoutMs: 2_000 })];
    const result = compressing({ summarizer: { ...first, fallback: second } });
    await first.called;
    t.mock.timers.tick(1_000);
    const { signal } = await second.called;
    t.mock.timers.tick(1_999);
    assert.equal(signal?.aborted, false);
    t.mock.timers.tick(1);
    const { failure } = await result;
    assert.deepEqual([failure?.model, failure?.before?.map(({ model }) => model)], ['mine/second', ['mine/stuck']]);
  });

  test('F2 is waited for without end where that is wished, and ends with its caller', async (t) => {
    ownClock(t);
    const model = stuck({ timeoutMs: 0 });
    const person = new AbortController();
    const result = compressing({ summarizer: model, signal: person.signal });
    const { signal } = await model.called;
    t.mock.timers.tick(1_000 * minute);
    assert.equal(signal?.aborted, false);
    const reason = new Error('a person left');
    person.abort(reason);
    await assert.rejects(result, reason);
    assert.equal(signal?.reason, reason);
  });

  test('F2 what it says too late is told to nobody', async (t) => {
    ownClock(t);
    const model = stuck({ timeoutMs: 1_000 });
    const texts: string[] = [];
    const result = compressing({
      summarizer: model,
      onSummaryProgress: (event) => void (event.type === 'text' && texts.push(event.text)),
    });
    const { onText } = await model.called;
    onText?.('in time');
    t.mock.timers.tick(1_000);
    await result;
    onText?.('too late');
    assert.deepEqual(texts, ['in time']);
  });

  test('F2 holds up no request of a conversation', async (t) => {
    ownClock(t);
    const summarizer = stuck({ timeoutMs: 1_000 });
    await using store = await openStore({ path: ':memory:' });
    const conversations = createConversations({
      store,
      model: 'fake/main',
      contextLength: 4_000,
      tokenizer: estimatingTokenizer('claude'),
      summarizer,
    });
    const filler = Array.from({ length: 12 }, () => smallSession).flat();
    const report = conversations.compress({ messages: filler });
    await summarizer.called;
    t.mock.timers.tick(1_000);
    const { status, failures } = await report;
    assert.equal(status, 'compressed');
    assert.match(failures[0]?.message ?? '', /timeoutMs/);
  });
});

test('Q1 a search goes on without the summary of one that is too slow', async (t) => {
  ownClock(t);
  const summarizer = stuck({ timeoutMs: 1_000 });
  await using store = await openStore({ path: ':memory:' });
  await store.sessions.begin({ source: 'cli' }, smallSession);
  const limits = { retryAfterMs: [] };
  const tool = searchToolWith({ store, summarizer }, { limits });
  const answer = tool.run({ query: 'rename levels' });
  await summarizer.called;
  t.mock.timers.tick(1_000);
  assert.match(await answer, /mine\/stuck was not done after 1 s/);
});

test('F2 a summarizer that answers in time is not called off afterwards', async (t) => {
  ownClock(t);
  const model = scripted((call) => ({ text: summaryFor(call) }));
  const { summary } = await compressing({ summarizer: model });
  assert.equal(summary?.model, model.name);
  t.mock.timers.tick(60 * minute);
  assert.ok(model.calls.length > 0 && model.calls.every(({ signal }) => signal?.aborted === false));
});

test('F2 a time that is none is refused before anybody is called', async () => {
  for (const timeoutMs of [-1, Number.NaN, 2_147_483_648, 'soon'] as number[]) {
    const summarizer = stuck({ timeoutMs });
    await assert.rejects(compress(smallSession, { tokenizer: estimatingTokenizer('claude'), summarizer }), {
      code: 'BAD_OPTION',
      message: /timeoutMs/,
    });
  }
});
