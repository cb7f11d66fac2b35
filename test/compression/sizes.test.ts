import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompressOptions } from '../../packages/core/src/compression/options.ts';
import { type Sizes, sizesFor, tightened } from '../../packages/core/src/compression/run.ts';
import { compressionDefaults } from '../../packages/core/src/context/settings.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { message, roughTokens, user } from '../support/conversations.ts';

const tokenizer = { name: 'rough', exact: false, count: (text: string): number => Math.ceil(text.length / 4) };
const sizes = (options: Partial<CompressOptions>, messages: readonly Message[] = [user('hi')]): Sizes =>
  sizesFor(messages, { tokenizer, ...options }, { config: compressionDefaults, tokensOf: roughTokens });

test('T1: without a target a 200K window compresses to 100,000 tokens with a tail of 20,000', () => {
  const { targetTokens, contextLength, boundaries, isFixed, summaryTokens } = sizes({});
  assert.deepEqual([targetTokens, contextLength, boundaries.tailTokens, isFixed], [100_000, 200_000, 20_000, false]);
  assert.equal(summaryTokens(80_000), 10_000);
});

test('T1: windows down to 4K have sizes that fit into them', () => {
  for (const contextLength of [4_000, 8_000, 32_000, 200_000, 1_000_000]) {
    const { targetTokens, boundaries, summaryTokens } = sizes({ contextLength });
    assert.ok(targetTokens < contextLength);
    assert.ok(boundaries.tailTokens * 1.5 + summaryTokens(1_000_000) < targetTokens, `${contextLength}`);
  }
});

test('B1: the head is three messages, and none once there was a compression', () => {
  const old = user('<handoff covers="m1-m2" messages="2">\nx\n</handoff>');
  assert.equal(sizes({}).boundaries.headMessages, 3);
  assert.equal(sizes({ compressionCount: 1 }).boundaries.headMessages, 0);
  assert.equal(sizes({}, [old]).boundaries.headMessages, 0);
});

test('B2: of a named target the tail gets a small share of what the system prompt leaves', () => {
  const prompt = message('system', 'x'.repeat(4_000));
  assert.equal(sizes({ targetTokens: 40_000 }).boundaries.tailTokens, 2_400);
  assert.ok(sizes({ targetTokens: 40_000 }, [prompt]).boundaries.tailTokens < 2_400);
  assert.equal(sizes({ targetTokens: 8_000 }).boundaries.headMessages, 0, 'a small target has no room for a head');
});

test('B2: under pressure only what must be kept is', () => {
  const { boundaries } = tightened(sizes({ targetTokens: 2_000 }));
  assert.deepEqual(
    [boundaries.headMessages, boundaries.minTailMessages, boundaries.protectLastN, boundaries.force],
    [0, 1, 0, true],
  );
  assert.ok(boundaries.tailTokens <= 160);
});
