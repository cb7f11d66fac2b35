/** How much of the end a compression keeps: under `planned`, and where stubs alone made everything small. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CompressionResult,
  compress,
  compressionDefaults,
  createRecord,
  estimatingTokenizer,
  type Message,
} from '@palimpsest/core';
import { plannedCompression } from '@palimpsest/core/engine';
import fc from 'fast-check';
import { assistant, calls, conversations, message, result, user } from '../support/conversations.ts';

const tokenizer = estimatingTokenizer('claude');
const count = (text: string): number => tokenizer.count(text);
const config = compressionDefaults;
const compressed = (messages: readonly Message[], more = {}): Promise<CompressionResult> =>
  compress(messages, { tokenizer, config, contextLength: 64_000, record: createRecord({ count }), ...more });

/** Steps of an agent; a result has so many lines of about 20 tokens. */
const steps = (number: number, lines: number, from = 0): readonly Message[] =>
  Array.from({ length: number }, (_, at) => from + at).flatMap((step) => [
    calls({ [`call-${step}`]: 'read' }, { path: `src/ledger-${step}.ts` }),
    result(
      `call-${step}`,
      Array.from({ length: lines }, (_, row) => `export const row${row} = ${step} * ${row}; // of ${step}`).join('\n'),
    ),
  ]);

test('B2 keeps a good part of the tail where old results are stubs by then and everything fits it', async () => {
  const messages = [user('Move the ledgers.'), ...steps(30, 90), ...steps(8, 5, 30)];
  const { before, after, fates } = await compressed(messages);
  assert.ok(before.total > 32_000);
  const kept = fates.filter(({ fate }) => fate === 'kept' || fate === 'stubbed').length;
  assert.ok(kept >= 20 && after.tail > 0.25 * 6_400, `${kept} messages, ${after.tail} tokens`);
  assert.ok(after.total < 0.5 * before.total);
});

test('B5 cuts down to the last group where a person has a small conversation compressed', async () => {
  const { after, fates } = await compressed([user('Move the ledgers.'), ...steps(10, 5), assistant('They are moved.')]);
  assert.ok(fates.filter(({ fate }) => fate === 'kept').length <= 5 && after.tail < 1_000);
});

test('C4 a planned compression leaves no more than the configured tail would, and tells how much less', async () => {
  const both = (messages: readonly Message[], contextLength = 64_000) =>
    Promise.all([
      compressed(messages, { contextLength, config: plannedCompression(config) }),
      compressed(messages, { contextLength }),
    ]);
  const [planned, usual] = await both([user('Move the ledgers.'), ...steps(300, 8)]);
  assert.ok((planned.usualExtraTokens ?? 0) > 1_000 && planned.after.tail < 0.7 * usual.after.tail);
  assert.equal(usual.usualExtraTokens, undefined);
  await fc.assert(
    fc.asyncProperty(conversations({ maxSteps: 30 }), fc.constantFrom(8_000, 16_000), async (talk, contextLength) => {
      const session = [message('system', 'Be careful.'), ...talk, ...steps(20, 12)];
      const [one, other] = await both(session, contextLength);
      assert.equal(one.after.total + (one.usualExtraTokens ?? 0), other.after.total);
    }),
    { numRuns: 25 },
  );
});
