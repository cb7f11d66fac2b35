/** The plan of the reference, worked out by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compress, type Entry, filler, isSummary, record, turnsIn } from './runs.ts';

const turn = (from: string, count: number): Entry => ({ from, value: filler(count, from) });

/** Head: system 10, human 10, gpt 10, tool 10. Then six pairs of 50. Tail: four turns of 10. */
const pairs = Array.from({ length: 6 }, () => [turn('gpt', 20), turn('tool', 30)]).flat();
const head = [turn('system', 10), turn('human', 10), turn('gpt', 10), turn('tool', 10)];
const tail = [turn('gpt', 10), turn('tool', 10), turn('gpt', 10), turn('tool', 10)];
const all = [...head, ...pairs, ...tail];

describe('the greedy plan', () => {
  test('J1 takes turns from behind the head until what is over the target and the summary is saved', async () => {
    // 380 words in all; the target is 300, so 80 + 40 must go: 20 + 30 + 20 + 30 = 100 are too few, with 20 more it is 120.
    // The region would end before a tool, so it takes that one too: six turns, 150 words.
    const result = await compress(record(all), { mode: 'greedy', targetTokens: 300, summaryTokens: 40, notice: false });
    assert.deepEqual(result.metrics.regions, [{ startIdx: 4, endIdx: 10, turnsCount: 6 }]);
    const turns = turnsIn(result);
    assert.equal(turns.length, all.length - 6 + 1);
    assert.equal(turns.filter(isSummary).length, 1);
    assert.equal(turns[4]?.from, 'human');
    assert.match(turns[4]?.value ?? '', /^\[CONTEXT SUMMARY\]:/);
    assert.deepEqual(turns.slice(5), all.slice(10));
  });
  test('J1 skips a region that is no larger than its summary', async () => {
    const options = { mode: 'greedy', targetTokens: 100, summaryTokens: 300, notice: false } as const;
    const result = await compress(record(all), options);
    assert.equal(result.metrics.wasCompressed, false);
    assert.equal(result.metrics.stillOverLimit, true);
    assert.equal(result.text, record(all));
  });
  test('J1 says on the system turn that something was replaced, once', async () => {
    const first = await compress(record(all), { mode: 'greedy', targetTokens: 300, summaryTokens: 40 });
    const [system] = turnsIn(first);
    assert.match(system?.value ?? '', /replaced by a summary/);
    assert.equal(first.metrics.clippedTurns, 0, 'what is added is not cut out');
    const second = await compress(first.text, { mode: 'greedy', targetTokens: 220, summaryTokens: 40 });
    assert.equal(turnsIn(second)[0]?.value.match(/replaced by a summary/g)?.length, 1);
  });
  test('J1 keeps what is protected, and only that', async () => {
    const protect = { firstGpt: false, firstTool: false, lastTurns: 2 };
    const options = { mode: 'greedy', targetTokens: 60, summaryTokens: 20, notice: false, protect } as const;
    const result = await compress(record(all), options);
    assert.deepEqual(result.metrics.regions, [{ startIdx: 2, endIdx: 18, turnsCount: 16 }]);
  });
});
