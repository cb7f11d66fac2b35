/** What a result says of itself, and what a model or the ledger writes into it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { redact } from '../../../packages/core/src/index.ts';
import {
  addMetrics,
  emptySum,
  metricsJson,
  sumJson,
  type TrajectorySummarizer,
} from '../../../packages/core/src/trajectories.ts';
import { codeOf, compress, isSummary, record, runOf, turnsIn, words } from './runs.ts';

const line = record(runOf(16));

/** Invented, in the form of a real one. */
const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;

/** How a recognised credential is shown. */
const masked = (text: string): string => redact(text);

describe('a result', () => {
  test('J3 the loss mask names the tokens of the turns of the model, and no other', async () => {
    const { text } = await compress(line, { targetTokens: 900, lossMask: true });
    const { conversations, loss_mask: ranges } = JSON.parse(text) as {
      conversations: { from: string; value: string }[];
      loss_mask: [number, number][];
    };
    const expected: [number, number][] = [];
    let at = 0;
    for (const { from, value } of conversations) {
      const end = at + words.count(value);
      if (from === 'gpt') expected.push([at, end]);
      at = end;
    }
    assert.deepEqual(ranges, expected);
    assert.ok(ranges.length > 3);
  });
  test('J3 a record under its target gets its loss mask, and is else as it was', async () => {
    const short = record(runOf(1, 5), { id: 7 });
    const { text } = await compress(short, { lossMask: true });
    assert.ok(text.startsWith(short.slice(0, -1)));
    assert.ok(Array.isArray((JSON.parse(text) as { loss_mask: unknown }).loss_mask));
  });
  test('J3 provenance says which turns each summary stands for, and which were shortened', async () => {
    const result = await compress(line, { targetTokens: 900 });
    const made = turnsIn(result);
    const { provenance } = JSON.parse(result.text) as {
      provenance: {
        original_turns: number;
        summaries: { turn: number; stands_for: { start_idx: number; end_idx: number }; written_by: string }[];
        changed: { turn: number; original_turn: number }[];
      };
    };
    assert.equal(provenance.original_turns, 35);
    assert.equal(provenance.summaries.length, made.filter(isSummary).length);
    for (const { turn, written_by: by, stands_for: range } of provenance.summaries) {
      assert.match(made[turn]?.value ?? '', /^\[CONTEXT SUMMARY\]:/);
      assert.match(
        made[turn]?.value ?? '',
        new RegExp(`: ${range.end_idx - range.start_idx} turns were taken out here`),
      );
      assert.equal(by, 'ledger');
    }
    for (const { turn, original_turn: original } of provenance.changed)
      assert.equal(made[turn]?.from, runOf(16)[original]?.from);
    const gone = provenance.summaries.reduce((sum, { stands_for: of }) => sum + of.end_idx - of.start_idx, 0);
    assert.equal(made.length, 35 - gone + provenance.summaries.length);
  });
  test('J1 metrics have the names of the tool that sets were made with, and add up', async () => {
    const one = await compress(line, { targetTokens: 900 });
    const other = await compress(record(runOf(1, 5)));
    const json = metricsJson(one.metrics);
    assert.deepEqual(Object.keys(json).slice(0, 14), [
      'original_tokens',
      'compressed_tokens',
      'tokens_saved',
      'compression_ratio',
      'original_turns',
      'compressed_turns',
      'turns_removed',
      'compression_region',
      'compression_regions',
      'was_compressed',
      'still_over_limit',
      'skipped_under_target',
      'summarization_api_calls',
      'summarization_errors',
    ]);
    const sum = addMetrics(addMetrics(emptySum, one.metrics), other.metrics);
    const all = sumJson(sum, { workers: 1 });
    assert.deepEqual(Object.keys(all), ['summary', 'tokens', 'turns', 'averages', 'summarization', 'processing']);
    assert.equal(sum.trajectories, 2);
    assert.equal(sum.compressed, 1);
    assert.equal(sum.compressedTokens, one.metrics.compressedTokens + other.metrics.compressedTokens);
  });
  test('J3 the original tokens of a result are those of turns that stand word for word', async () => {
    const result = await compress(line, { targetTokens: 900 });
    const originals = new Set(runOf(16).map(({ from, value }) => `${from} ${value}`));
    const kept = turnsIn(result).filter(({ from, value }) => originals.has(`${from} ${value}`));
    assert.equal(
      result.metrics.originalTurnTokens,
      kept.reduce((sum, { value }) => sum + words.count(value), 0),
    );
  });
});

describe('the summaries', () => {
  test('J3 tell names and outcomes of what went, without numbers of messages', async () => {
    const summaries = turnsIn(await compress(line, { targetTokens: 900 })).filter(isSummary);
    assert.ok(summaries.length > 0);
    const text = summaries.map(({ value }) => value).join('\n');
    assert.match(text, /data\/part_\d+\.db/);
    assert.doesNotMatch(text, /^(?:### )?m\d+ /m);
    assert.doesNotMatch(text, /word for word below/);
  });
  test('J3 show no credential that a tool printed or a person pasted', async () => {
    const turns = runOf(16).map((turn, at) => {
      if (at === 9)
        return { ...turn, value: `ledgerOf3 reads GITHUB_TOKEN=${secret} in data/part_3.db.\n${turn.value}` };
      if (turn.from !== 'tool' || at > 24) return turn;
      return { ...turn, value: turn.value.replace('line 3 of', `GITHUB_TOKEN=${secret} ledgerOf${at}`) };
    });
    turns.splice(12, 0, { from: 'human', value: `Use the token ${secret} for ledgerOf5, and never print it.` });
    let told = '';
    for (const targetTokens of [400, 600, 900, 1_200]) {
      const made = turnsIn(await compress(record(turns), { targetTokens }));
      told += made.flatMap(({ value }) => (value.startsWith('[CONTEXT SUMMARY]') ? [value] : [])).join('\n');
    }
    assert.ok(!told.includes(secret));
    assert.ok(told.includes(masked(secret)), told);
  });
  test('J1 are written by a model that is given, one call for each region', async () => {
    const asked: number[] = [];
    const summarizer: TrajectorySummarizer = ({ text, targetTokens }) => {
      asked.push(targetTokens);
      assert.match(text, /^\[Turn \d+ - (?:GPT|HUMAN|TOOL)\]:/);
      return Promise.resolve({ text: '[CONTEXT SUMMARY]: [CONTEXT SUMMARY]: Part after part was read.', calls: 2 });
    };
    const result = await compress(line, { targetTokens: 900, summarizer });
    const summaries = turnsIn(result).filter(isSummary);
    for (const { value } of summaries) assert.equal(value, '[CONTEXT SUMMARY]: Part after part was read.');
    assert.equal(summaries.length, asked.length);
    assert.equal(result.metrics.summarizationApiCalls, 2 * asked.length);
    assert.equal(result.metrics.summarizationErrors, 0);
  });
  test('J1 are written by the ledger where the model fails, and the metrics count it', async () => {
    const failure = Object.assign(new Error('no reply'), { calls: 3 });
    const summarizer: TrajectorySummarizer = () => Promise.reject(failure);
    const result = await compress(line, { targetTokens: 900, summarizer });
    const count = turnsIn(result).filter(isSummary).length;
    assert.equal(result.metrics.summarizationErrors, count);
    assert.equal(result.metrics.summarizationApiCalls, 3 * count);
    assert.equal(result.metrics.stillOverLimit, false);
    assert.match(result.text, /ledger after the model failed/);
  });
  test('J1 are given up when the caller gives up', async () => {
    const controller = new AbortController();
    const summarizer: TrajectorySummarizer = () => {
      controller.abort(new Error('enough'));
      return Promise.reject(new Error('no reply'));
    };
    const given = compress(line, { targetTokens: 900, summarizer, signal: controller.signal });
    await assert.rejects(given, /enough/);
  });
  test('J1 an option that nobody knows is named', async () => {
    const options = { targetToken: 900 } as object;
    const error = await compress(line, options).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.equal(codeOf(error), 'BAD_OPTION');
    assert.match(String(error), /targetTokens/);
  });
});
