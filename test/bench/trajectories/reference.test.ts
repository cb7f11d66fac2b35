import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  compressByReference,
  compressibleBetween,
  extractOf,
  fallbackText,
  noticeText,
  protectedTurns,
  type ReferenceOptions,
  snapOffTools,
  summaryPrefix,
  withPrefix,
} from '../../../bench/trajectories/reference.ts';
import type { Turn } from '../../../bench/trajectories/turns.ts';

/** A token is a letter here, so that a size can be read off. */
const encoder = { count: (text: string) => text.length, truncate: (text: string, most: number) => text.slice(0, most) };

const roles: Readonly<Record<string, string>> = { s: 'system', h: 'human', g: 'gpt', t: 'tool' };

/** Turns by the first letters of their roles, each of a size. */
const turnsOf = (letters: string, size = 100): readonly Turn[] =>
  [...letters].map((letter, at) => ({ from: roles[letter] ?? letter, value: `${at}`.padEnd(size, letter) }));

const letters = 'shgtgtgtgthgtgtg';
const turns = turnsOf(letters);
const options: ReferenceOptions = { encoder, targetTokens: 1_200, summaryTokens: 150 };

describe('protected turns', () => {
  test('the first of each role and the last four stay', () => {
    assert.deepEqual(
      [...protectedTurns(turns, 4)].toSorted((a, b) => a - b),
      [0, 1, 2, 3, 12, 13, 14, 15],
    );
  });

  test('turns may go between the last protected one of the first half and the first one of the second', () => {
    assert.deepEqual(compressibleBetween(turns, 4), { start: 4, end: 12 });
  });

  test('a first tool turn in the second half ends the region', () => {
    assert.deepEqual(compressibleBetween(turnsOf('shghghghghgtghgh'), 4), { start: 3, end: 11 });
  });

  test('nothing may go where protected turns leave no room', () => {
    const { start, end } = compressibleBetween(turnsOf('shgtgtg'), 4);
    assert.ok(start >= end, `${start} to ${end}`);
  });
});

describe('the region', () => {
  test('takes turns from its start until the target and a summary have room', () => {
    // 1,600 - 1,200 + 150 = 550, which six turns cover; the seventh is the human one, so nothing snaps.
    const { turns: left, metrics } = compressByReference(turns, options);
    assert.deepEqual(metrics.compressionRegion, { startIdx: 4, endIdx: 10, turnsCount: 6 });
    assert.deepEqual(left.slice(5), turns.slice(10));
  });

  test('takes everything between the protected turns where that is not enough, but for the call of a kept result', () => {
    const { metrics } = compressByReference(turns, { ...options, targetTokens: 300 });
    assert.deepEqual(metrics.compressionRegion, { startIdx: 4, endIdx: 11, turnsCount: 7 });
    assert.equal(metrics.stillOverLimit, true);
  });

  test('an end before a tool turn moves forward behind it', () => {
    assert.equal(snapOffTools(turns, { start: 4, until: 5, end: 12 }), 6);
  });

  test('an end that finds only tool turns ahead moves back to their call', () => {
    const tools = turnsOf('shgtghgttttgtg');
    assert.equal(snapOffTools(tools, { start: 4, until: 8, end: 10 }), 6);
  });

  test('a region that is no larger than a summary stays', () => {
    const { turns: left, metrics } = compressByReference(turns, { ...options, summaryTokens: 900 });
    assert.equal(left, turns);
    assert.equal(metrics.wasCompressed, false);
    assert.equal(metrics.stillOverLimit, true);
  });

  test('a conversation within the target stays', () => {
    const { turns: left, metrics } = compressByReference(turns, { ...options, targetTokens: 1_600 });
    assert.equal(left, turns);
    assert.equal(metrics.skippedUnderTarget, true);
    assert.equal(metrics.compressionRatio, 1);
  });
});

describe('the summary', () => {
  test('is one human turn with the fixed text, behind the head', () => {
    const { turns: left } = compressByReference(turns, options);
    assert.deepEqual(left[4], { from: 'human', value: `${summaryPrefix} ${fallbackText}` });
    assert.deepEqual(left.slice(1, 4), turns.slice(1, 4));
  });

  test('the system turn gets a notice', () => {
    assert.equal(compressByReference(turns, options).turns[0]?.value, `${turns[0]?.value}${noticeText}`);
  });

  test('an extract is clipped to twice the tokens of a summary', () => {
    const { turns: left } = compressByReference(turns, { ...options, standIn: 'extract' });
    assert.equal(left[4]?.value, `${summaryPrefix} ${extractOf(turns.slice(4, 10), 4).slice(0, 300)}`);
  });

  test('an extract numbers its turns, and keeps the ends of a turn of more than 3,000 characters', () => {
    const [gpt, tool] = extractOf(turnsOf('gt', 4_000), 7).split('\n\n');
    assert.match(gpt ?? '', /^\[Turn 7 - GPT\]:\n0g{1499}\n\.\.\.\[truncated\]\.\.\.\ng{500}$/);
    assert.match(tool ?? '', /^\[Turn 8 - TOOL\]:\n/);
    assert.doesNotMatch(extractOf(turnsOf('g', 3_000)), /truncated/);
  });

  test('has its prefix exactly once', () => {
    assert.equal(withPrefix(`${summaryPrefix} ${summaryPrefix} done`), `${summaryPrefix} done`);
    assert.equal(withPrefix('done'), `${summaryPrefix} done`);
  });
});

test('the metrics count turns and tokens of both sides', () => {
  const { turns: left, metrics } = compressByReference(turns, options);
  const compressedTokens = left.reduce((sum, { value }) => sum + value.length, 0);
  assert.deepEqual(metrics, {
    originalTokens: 1_600,
    compressedTokens,
    tokensSaved: 1_600 - compressedTokens,
    compressionRatio: Math.round((compressedTokens / 1_600) * 10_000) / 10_000,
    originalTurns: 16,
    compressedTurns: 11,
    turnsRemoved: 5,
    compressionRegion: { startIdx: 4, endIdx: 10, turnsCount: 6 },
    wasCompressed: true,
    stillOverLimit: compressedTokens > 1_200,
    skippedUnderTarget: false,
    summarizationApiCalls: 0,
    summarizationErrors: 1,
  });
});
