/** Models whose window is smaller than was thought: they are asked again in parts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SummaryProgress } from '../../../packages/core/src/compression/summarize/run-plan.ts';
import { SummarizerError } from '../../../packages/core/src/compression/summarize/summarizer.ts';
import { writeSummary } from '../../../packages/core/src/compression/summarize/write-summary.ts';
import { assistant, user } from '../../support/conversations.ts';
import { inputFor, rough, type Scripted, scripted, summaryFor } from './scripted.ts';

describe('a window that is smaller than was thought', () => {
  const long = Array.from({ length: 60 }, (_, at) => [
    user(`Region ${at}: ${'move the ledger of it to the archive. '.repeat(12)}`),
    assistant(`Moved ${at}. ${'It has as many rows as before. '.repeat(12)}`),
  ]).flat();

  /** A model that refuses what is larger than its window, naming it or not. */
  const within = (window: number, isNamed: boolean, name = 'fake/one'): Scripted =>
    scripted(
      (call) => {
        if (rough(call.system) + rough(call.prompt) <= window) return { text: summaryFor(call) };
        const evidence = { overflow: true, ...(isNamed ? { contextLength: window } : {}) };
        throw new SummarizerError('other', 'It does not fit.', { model: name, evidence });
      },
      { name },
    );

  for (const isNamed of [true, false]) {
    for (const window of [4_000, 6_000, 9_000]) {
      test(`S6 F2 of ${window} tokens, ${isNamed ? 'which is named' : 'which nobody names'}, is asked again in parts, before anybody else`, async () => {
        const model = within(window, isNamed);
        const other = within(100_000, false, 'fake/two');
        const events: SummaryProgress[] = [];
        const input = inputFor(long, model, { fallback: other, onProgress: (event) => events.push(event) });
        const { model: by, coverage, failures } = await writeSummary(input);
        assert.deepEqual([by, other.calls.length, failures], ['fake/one', 0, []]);
        const { parts, window: planned } = coverage;
        assert.ok(parts.length > 1 && planned.tokens <= 20_000);
        assert.equal(planned.assumed, !isNamed);
        assert.equal(
          parts.reduce((sum, { messages }) => sum + messages, 0),
          long.length,
        );
        const refused = events.filter(({ type }) => type === 'failed');
        assert.ok(refused.length >= 1 && refused.length <= 3);
      });
    }
  }

  test('S6 F2 is asked three times more at most, then the fallback is, and the failure is told', async () => {
    const model = within(1, false);
    const other = within(100_000, false, 'fake/two');
    const { model: by, failures } = await writeSummary(inputFor(long, model, { fallback: other, maxParallel: 1 }));
    assert.equal(by, 'fake/two');
    assert.ok(model.calls.length <= 4, `${model.calls.length} calls`);
    assert.deepEqual(
      failures.map(({ message }) => message),
      ['It does not fit.'],
    );
  });

  test('F2 another failure is no reason to ask again in parts', async () => {
    const model = scripted(() => {
      throw new SummarizerError('rate_limit', 'Too many.', { model: 'fake/one' });
    });
    await assert.rejects(writeSummary(inputFor(long, model)), { kind: 'rate_limit' });
    assert.equal(model.calls.length, 1);
  });
});
