import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { BaseEngine, defineEngine, PalimpsestError } from '@palimpsest/core/engine';
import { groupsOf } from '@palimpsest/core/formats';
import { engineContract } from '../support/engine-contract.ts';

/** Keeps as many messages at the start and the end as the base says, and whole groups. */
class Ends extends BaseEngine<Message> {
  readonly name = 'ends';

  async compress(messages: readonly Message[]): Promise<readonly Message[]> {
    const groups = groupsOf(messages);
    const tail = groups.find(({ start }) => start >= messages.length - this.protectLastN)?.start ?? 0;
    const head = groups.findLast(({ end }) => end <= this.protectFirstN)?.end ?? 0;
    const request = messages.findLastIndex(({ role }) => role === 'user');
    const smaller = messages.filter((_, at) => at < head || at >= tail || at === request);
    if (smaller.length >= messages.length) return messages;
    this.compressionCount++;
    return smaller;
  }
}

describe('E1 a class built on the base engine', () => {
  engineContract('E1 keeps the contract', () => new Ends());

  test('E1 has threshold 0.75, head 3 and tail 6, and the public state', () => {
    const engine = new Ends();
    assert.deepEqual([engine.threshold, engine.protectFirstN, engine.protectLastN], [0.75, 3, 6]);
    const numbers = [
      engine.lastPromptTokens,
      engine.lastCompletionTokens,
      engine.lastTotalTokens,
      engine.thresholdTokens,
      engine.contextLength,
      engine.compressionCount,
    ];
    assert.deepEqual(numbers, [0, 0, 0, 0, 0, 0]);
    engine.updateModel({ model: 'some-model', contextLength: 100_000 });
    assert.deepEqual(
      [engine.thresholdTokens, engine.shouldCompress(74_999), engine.shouldCompress(75_000)],
      [75_000, false, true],
    );
  });

  test('E2 has working defaults for everything else', async () => {
    const engine = new Ends();
    assert.deepEqual([engine.shouldCompressPreflight([]), engine.hasContentToCompress([])], [false, true]);
    assert.deepEqual(engine.toolSchemas(), []);
    assert.match(
      JSON.parse(await engine.handleToolCall('lookup', {}, [])).error,
      /Unknown tool: .*"ends" has no tool "lookup"/,
    );
    assert.equal(engine.status().usagePercent, 0);
    await engine.onSessionStart('s', { reason: 'new' });
    await engine.onSessionEnd('s', []);
  });

  test('E1 does not take a prompt from before a compression for one from after', async () => {
    const engine = new Ends();
    engine.updateModel({ model: 'some-model', contextLength: 1_000 });
    engine.updateFromResponse({ promptTokens: 900, completionTokens: 10 });
    assert.equal(engine.shouldCompress(), true);
    const said = Array.from(
      { length: 20 },
      (_, at): Message => ({ role: at % 2 ? 'assistant' : 'user', parts: [{ type: 'text', text: `${at}` }] }),
    );
    await engine.compress(said);
    assert.equal(engine.shouldCompress(), false);
    engine.updateFromResponse({ promptTokens: 800 });
    assert.equal(engine.shouldCompress(), true);
    engine.onSessionReset();
    assert.deepEqual([engine.compressionCount, engine.lastPromptTokens, engine.shouldCompress()], [0, 0, false]);
  });

  test('E1 @palimpsest/core/engine throws errors of ours', () => {
    const compress = async (list: readonly object[]): Promise<readonly object[]> => list;
    assert.throws(
      () => defineEngine({ name: '', compress }),
      (error) => PalimpsestError.isInstance(error),
    );
  });
});
