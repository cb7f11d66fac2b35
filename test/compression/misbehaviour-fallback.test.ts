/** A second model steps in once, for the whole job, and the report tells of both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { misbehaving, startFakeProvider } from '@palimpsest/core/testing';
import type { SummaryProgress } from '../../packages/core/src/compression/summarize/run-plan.ts';
import { dialects, summarizerAt } from './misbehaviour-models.ts';
import {
  assertKept,
  assertNothingLost,
  assertSubstitute,
  compressed,
  handoffOf,
  newRecord,
} from './misbehaviour-outcome.ts';
import { longSession } from './misbehaviour-session.ts';

for (const [at, dialect] of dialects.entries()) {
  test(`F2: the auxiliary model fails, the main model writes, and each is asked once (${dialect})`, async () => {
    await using auxiliary = await startFakeProvider({ script: misbehaving('status500') });
    await using main = await startFakeProvider();
    const record = newRecord();
    const fallback = summarizerAt(main, dialects[(at + 1) % dialects.length] ?? dialect, {
      name: 'main/one',
    });
    const result = await compressed({
      record,
      summarizer: { ...summarizerAt(auxiliary, dialect, { name: 'auxiliary/one' }), fallback },
    });
    assertNothingLost(result, record);
    assert.deepEqual([auxiliary.requests.length, main.requests.length], [1, 1]);
    assert.equal(result.failure, undefined);
    const { model, failures } = result.summary ?? assert.fail('no report');
    assert.equal(model, 'main/one');
    assert.deepEqual(
      failures.map(({ kind, model: by }) => [kind, by]),
      [['server_error', 'auxiliary/one']],
    );
    assert.ok(!handoffOf(result).includes('mechanically'));
  });
}

test('F2: when the main model fails as well nobody else is asked, and the last failure decides', async () => {
  await using auxiliary = await startFakeProvider({ script: misbehaving('empty') });
  await using main = await startFakeProvider({ script: misbehaving('status401') });
  const record = newRecord();
  const events: SummaryProgress[] = [];
  const result = await compressed({
    record,
    summarizer: {
      ...summarizerAt(auxiliary, 'anthropic', { name: 'auxiliary/one' }),
      fallback: summarizerAt(main, 'openai-chat', { name: 'main/one' }),
    },
    onSummaryProgress: (event) => events.push(event),
  });
  assertNothingLost(result, record);
  assertKept(result);
  assert.deepEqual([auxiliary.requests.length, main.requests.length], [1, 1]);
  const { kind, model, before, calls } = result.failure ?? assert.fail('no failure');
  assert.deepEqual([kind, model], ['auth', 'main/one']);
  assert.deepEqual(
    before?.map((one) => [one.kind, one.model]),
    [['empty_output', 'auxiliary/one']],
  );
  // The empty answer was an answer, and has to be paid.
  assert.deepEqual(
    calls?.map((one) => one.model),
    ['auxiliary/one'],
  );
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'failed' ? [[event.error.model, event.next]] : [])),
    [
      ['auxiliary/one', 'main/one'],
      ['main/one', undefined],
    ],
  );
});

test('F2: a refused key of the auxiliary model does not keep the main model from writing', async () => {
  await using auxiliary = await startFakeProvider({ apiKey: 'another key' });
  await using main = await startFakeProvider();
  const record = newRecord();
  const result = await compressed({
    record,
    summarizer: { ...summarizerAt(auxiliary, 'openai-responses'), fallback: summarizerAt(main, 'openai-responses') },
  });
  assertNothingLost(result, record);
  assert.equal(result.handoff?.writtenBy, 'model');
  assert.equal(result.summary?.failures[0]?.kind, 'auth');
});

test('F2, S6: a part of a long job that fails ends the job of that model; the next one begins anew', async () => {
  await using auxiliary = await startFakeProvider();
  auxiliary.reply({ error: { status: 529 } });
  await using main = await startFakeProvider();
  const record = newRecord();
  const result = await compressed(
    {
      record,
      // The middle does not fit: it goes in parts.
      summarizer: {
        ...summarizerAt(auxiliary, 'openai-chat', { contextLength: 9_000 }),
        fallback: summarizerAt(main, 'openai-chat', { contextLength: 9_000 }),
      },
    },
    longSession,
  );
  assertNothingLost(result, record, longSession);
  const parts = result.summary?.coverage.parts.length ?? 0;
  assert.ok(parts > 1, `${parts} parts`);
  assert.ok(auxiliary.requests.length <= parts, 'the merge is not asked of a model that failed');
  assert.equal(main.requests.length, parts + 1);
  await Promise.all(auxiliary.requests.map(({ ended }) => ended));
});

test('F1, F2: both models answer nonsense: the ledger writes, and the report has both', async () => {
  await using fake = await startFakeProvider();
  fake.reply(misbehaving('answersQuestion'), misbehaving('refusesInText'));
  const record = newRecord();
  const result = await compressed({
    record,
    summarizer: { ...summarizerAt(fake, 'openai-chat'), fallback: summarizerAt(fake, 'anthropic') },
  });
  assertNothingLost(result, record);
  assertSubstitute(result);
  assert.equal(fake.requests.length, 2);
  assert.deepEqual([result.failure?.kind, result.failure?.before?.length], ['bad_output', 1]);
});
