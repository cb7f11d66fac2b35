import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CompressReport, type ContextCompression, type Summarizer, SummarizerError } from '@palimpsest/core';
import {
  compressFeedback,
  compressionLines,
  toldEnd,
  toldReport,
} from '../../packages/palimpsest/src/models/compression-lines.ts';
import { runtimeOver, system, user, withStore, work } from '../conversation/agent.ts';

const failing = (name: string, message: string, kind: SummarizerError['kind'] = 'quota'): Summarizer => ({
  name,
  write: () => Promise.reject(new SummarizerError(kind, message, { model: name })),
});

const writing = (name: string, text = '## Active Task\nMove the ledgers.'): Summarizer => ({
  name,
  write: async () => ({ text, finish: 'stop' }),
});

const noCredit =
  'anthropic/claude-opus-4-5 has no credit left (429): "Your quota\nis spent". Add credit with the provider.';

/** What `/compress` of a conversation of ten steps reports. */
async function asked(summarizer: Summarizer | undefined, steps = 10): Promise<CompressReport> {
  const reports: CompressReport[] = [];
  await withStore(async (store) => {
    const runtime = runtimeOver(store, summarizer ? { summarizer } : {});
    const list = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
    await work(runtime, list, { steps });
    reports.push(await runtime.compress({ messages: list }));
  });
  const [report] = reports;
  return report ?? assert.fail('nothing was reported');
}

describe('two lines about a compression', () => {
  test('F5 say how much smaller the conversation is, and who wrote the handoff in which time', async () => {
    const report = await asked(writing('openai/gpt-5-mini'));
    const [size, writer] = compressionLines(toldReport(report, 12_400));
    assert.match(size, /^Compressed 21 → \d+ messages, [\d,]+ → [\d,]+ tokens \(\d+ % less\)$/);
    assert.equal(writer, 'written by openai/gpt-5-mini in 12 s, nothing removed by the check');
  });

  test('F5 say how many lines the check has removed', async () => {
    const text = '## Active Task\nMove the ledgers.\n\n## Completed Actions\n1. Published mill-core 9.9.9 to npm.';
    const [, writer] = compressionLines(toldReport(await asked(writing('openai/gpt-5-mini', text)), 900));
    assert.equal(writer, 'written by openai/gpt-5-mini in 0.9 s, 1 line removed by the check');
  });

  test('F5 name the model that failed, what was wrong, and what was done instead', async () => {
    const first = failing('anthropic/claude-opus-4-5', noCredit);
    const other = await asked({ ...first, fallback: writing('openai/gpt-5') });
    assert.equal(
      compressionLines(toldReport(other))[1],
      'anthropic/claude-opus-4-5 failed (429, quota) → openai/gpt-5 wrote it, nothing removed by the check',
    );
    const both = await asked({
      ...failing('a/b', 'a/b failed on the server side (503).', 'server_error'),
      fallback: failing('c/d', 'c/d did not answer in time.', 'timeout'),
    });
    assert.equal(
      compressionLines(toldReport(both))[1],
      'a/b failed (503, server error) → c/d failed (timeout) → the ledger wrote the handoff',
    );
  });

  test('F5 say that nothing was done, and why', async () => {
    const [size, writer] = compressionLines(
      toldReport(await asked(failing('a/b', 'a/b refused the key (401).', 'auth'))),
    );
    assert.match(size, /^Nothing was compressed: 21 messages, [\d,]+ tokens$/);
    assert.equal(writer, 'a/b failed (401, key refused) → the conversation was left as it is');
    const none = compressionLines(toldReport(await asked(undefined, 0)));
    assert.match(none[1], /The conversation was not changed\.$/);
  });

  test('F5 are of a compression that happened by itself, too', () =>
    withStore(async (store) => {
      const ends: ContextCompression[] = [];
      const hooks = { onCompressionEnd: (end: ContextCompression): void => void ends.push(end) };
      const runtime = runtimeOver(store, { hooks });
      await work(runtime, [system('You move ledgers.'), user('Move the ledgers of all regions.')], { steps: 30 });
      const [end] = ends;
      assert.ok(end);
      const [size, writer] = compressionLines(toldEnd({ ...end, inBackground: true }));
      assert.match(
        size,
        /^Compressed \d+ → \d+ messages, [\d,]+ → [\d,]+ tokens \(\d+ % less, prepared in the background\)$/,
      );
      assert.equal(writer, 'written by the ledger, without a model');
    }));

  test('F5 are two lines whatever a provider says', async () => {
    const name = 'evil/\u001b[2Jmodel\nline';
    const told = compressionLines(toldReport(await asked(failing(name, 'no\n\n\u001b[31mway'))));
    assert.equal(told.join('\n').split('\n').length, 2);
    assert.ok(!told.join('').includes('\u001b'));
  });
});

describe('the feedback of /compress', () => {
  test('F5 tells messages and the tokens of the whole request, before and after', async () => {
    const { noop, headline, tokenLine, ...rest } = compressFeedback(await asked(undefined));
    assert.equal(noop, false);
    assert.match(headline, /^Compressed: 21 → \d+ messages$/);
    assert.match(tokenLine, /^Whole request: about [\d,]+ → [\d,]+ tokens$/);
    assert.deepEqual(rest, { aborted: false, refusedWouldGrow: false, fallbackUsed: false, busy: false, failures: [] });
  });

  test('F5 tells that nothing changed', async () => {
    const { noop, headline, tokenLine, failures } = compressFeedback(await asked(undefined, 0));
    assert.deepEqual([noop, headline], [true, 'Nothing to compress: 1 message, unchanged']);
    assert.match(tokenLine, /^Whole request: about [\d,]+ tokens \(unchanged\)$/);
    assert.equal(failures.length, 1);
  });

  test('F5 tells that it was given up, or that somebody else stepped in', async () => {
    const aborted = compressFeedback(await asked(failing('a/b', 'a/b cannot be reached.', 'network')));
    assert.deepEqual([aborted.noop, aborted.aborted, aborted.fallbackUsed], [true, true, false]);
    assert.match(aborted.headline, /^Not compressed: the model failed, and nothing was cut \(21 messages\)$/);
    const fallen = compressFeedback(await asked(failing('a/b', 'a/b failed.', 'server_error')));
    assert.deepEqual([fallen.noop, fallen.aborted, fallen.fallbackUsed], [false, false, true]);
    assert.match(
      fallen.failures.join(),
      /a\/b could not write the summary: a\/b failed\. The handoff was written from/,
    );
  });

  test('F5 notes where fewer messages have more tokens, and tells a busy conversation and one that would grow', async () => {
    const report = await asked(undefined);
    const denser = { ...report, after: { ...report.after, tokens: report.before.tokens + 7 } };
    assert.match(compressFeedback(denser).note ?? '', /fewer messages, but they have more tokens/);
    const unchanged = { ...report, status: 'unchanged' as const, after: report.before };
    const busy = compressFeedback({ ...unchanged, why: 'busy' });
    assert.deepEqual(
      [busy.busy, busy.headline],
      [true, 'Not compressed: another process is compressing this conversation (21 messages)'],
    );
    const grown = compressFeedback({ ...unchanged, why: 'would_grow' });
    assert.deepEqual([grown.refusedWouldGrow, grown.noop], [true, true]);
  });
});
