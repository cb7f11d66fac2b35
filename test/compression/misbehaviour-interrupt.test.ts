/** Somebody stops a compression while a model works: nothing has changed, and no request is left at the provider. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeProvider, misbehaving, startFakeProvider, type Wait } from '@palimpsest/core/testing';
import type { CompressionResult } from '../../packages/core/src/compression/result.ts';
import type { SummaryProgress } from '../../packages/core/src/compression/summarize/run-plan.ts';
import { dialects, summarizerAt } from './misbehaviour-models.ts';
import { assertNothingLost, compressed, newRecord } from './misbehaviour-outcome.ts';
import { longSession, session } from './misbehaviour-session.ts';

const reason = new Error('I changed my mind.');

/** A pause that only the end of the connection ends. */
const forEver: Wait = (_, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const before = JSON.stringify(longSession);

/** The reason comes through, the input is what it was, no request is open, and the next attempt is none the worse. */
async function assertStopped(stopped: Promise<CompressionResult>, fakes: readonly FakeProvider[]): Promise<void> {
  await assert.rejects(stopped, (thrown) => thrown === reason);
  assert.equal(JSON.stringify(longSession), before);
  const requests = fakes.flatMap((fake) => fake.requests);
  await Promise.all(requests.map(({ ended }) => ended));
}

for (const dialect of dialects) {
  test(`F3: stopped while the provider says nothing (${dialect})`, async () => {
    await using fake = await startFakeProvider({ script: { hang: true } });
    const [controller, record] = [new AbortController(), newRecord()];
    const stopped = compressed({ record, summarizer: summarizerAt(fake, dialect), signal: controller.signal });
    await fake.received(1).then(() => controller.abort(reason));
    await assertStopped(stopped, [fake]);
    assert.deepEqual(
      fake.requests.map(({ aborted }) => aborted),
      [true],
    );
    await assertGoesOn(record);
  });

  test(`F3: stopped in the middle of the answer (${dialect})`, async () => {
    await using fake = await startFakeProvider({ wait: forEver });
    fake.reply({ text: '## Active Task\nThe linter is under way.', pieceChars: 12, pieceDelayMs: 1 });
    const [controller, record] = [new AbortController(), newRecord()];
    const stopped = compressed({
      record,
      summarizer: summarizerAt(fake, dialect),
      signal: controller.signal,
      onSummaryProgress: ({ type }) => type === 'text' && controller.abort(reason),
    });
    await assertStopped(stopped, [fake]);
    assert.equal(fake.requests[0]?.aborted, true);
    await assertGoesOn(record);
  });
}

test('F3: stopped before anybody was asked', async () => {
  await using fake = await startFakeProvider();
  const signal = AbortSignal.abort(reason);
  await assertStopped(compressed({ summarizer: summarizerAt(fake, 'anthropic'), signal }), [fake]);
  assert.equal(fake.requests.length, 0);
});

test('F3: stopped while parts are summarised: none of them goes on', async () => {
  await using fake = await startFakeProvider({ script: { hang: true } });
  const [controller, record] = [new AbortController(), newRecord()];
  const summarizer = summarizerAt(fake, 'openai-chat', { contextLength: 9_000 });
  const stopped = compressed({ record, summarizer, signal: controller.signal }, longSession);
  // All that are sent at once have to be there, or one may come after the look at them.
  await fake.received(3).then(() => controller.abort(reason));
  await assertStopped(stopped, [fake]);
  assert.ok(fake.requests.every(({ aborted }) => aborted));
  await assertGoesOn(record, longSession);
});

test('F3: stopped while the first model has failed and the second one is asked', async () => {
  await using fake = await startFakeProvider();
  fake.reply(misbehaving('status500'), { hang: true });
  const [controller, record] = [new AbortController(), newRecord()];
  const summarizer = { ...summarizerAt(fake, 'openai-chat'), fallback: summarizerAt(fake, 'anthropic') };
  const stopped = compressed({ record, summarizer, signal: controller.signal });
  await fake.received(2).then(() => controller.abort(reason));
  await assertStopped(stopped, [fake]);
  await assertGoesOn(record);
});

/** A record that was stopped in one attempt serves the next as if nothing had been. */
async function assertGoesOn(record: ReturnType<typeof newRecord>, messages = session): Promise<void> {
  await using fake = await startFakeProvider();
  const summarizer = summarizerAt(fake, 'openai-chat');
  const result = await compressed({ record, summarizer }, messages);
  assertNothingLost(result, record, messages);
  assert.deepEqual(result.messages, (await compressed({ summarizer }, messages)).messages);
}

/** A job with every kind of event: parts, their merge, a model that fails, and another one. */
async function longJob(onSummaryProgress: (event: SummaryProgress) => void, signal: AbortSignal) {
  const auxiliary = await startFakeProvider();
  const main = await startFakeProvider();
  const record = newRecord();
  auxiliary.reply({ error: { status: 503 } });
  const running = compressed(
    {
      record,
      signal,
      onSummaryProgress,
      summarizer: {
        ...summarizerAt(auxiliary, 'openai-responses', { contextLength: 9_000 }),
        fallback: summarizerAt(main, 'anthropic', { contextLength: 9_000 }),
      },
    },
    longSession,
  );
  return { running, record, fakes: [auxiliary, main] };
}

test('F3: stopped at any event of a long job: between parts, between parts and merge, between two models', async () => {
  const seen: string[] = [];
  const whole = await longJob((event) => seen.push(nameOf(event)), new AbortController().signal);
  assertNothingLost(await whole.running, whole.record, longSession);
  await Promise.all(whole.fakes.map((fake) => fake.close()));
  assert.ok(
    ['calling part', 'text part', 'failed', 'calling merge', 'text merge'].every((name) => seen.includes(name)),
  );
  const firsts = [...new Set(seen)].map((name) => seen.indexOf(name));
  for (const stopAt of [...firsts, seen.length - 1]) {
    const controller = new AbortController();
    let events = 0;
    const { running, record, fakes } = await longJob(
      () => void (events++ === stopAt && controller.abort(reason)),
      controller.signal,
    );
    await assertStopped(running, fakes);
    await Promise.all(fakes.map((fake) => fake.close()));
    assert.equal(record.size, longSession.length);
  }
});

const nameOf = (event: SummaryProgress): string =>
  event.type === 'failed' || event.type === 'answered' ? event.type : `${event.type} ${event.purpose}`;
