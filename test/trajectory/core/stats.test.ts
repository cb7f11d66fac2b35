/** Figures of a trajectory before it is fitted. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { trajectoryStats } from '../../../packages/core/src/trajectories.ts';
import { codeOf, record, runOf, words } from './runs.ts';

describe('the figures of a trajectory', () => {
  test('J2 turns, tokens and calls are counted by who spoke and by tool', () => {
    const stats = trajectoryStats(record(runOf(3, 5)), { tokenizer: words, targetTokens: 50 });
    assert.equal(stats.format, 'sharegpt');
    assert.deepEqual(stats.turnsBySpeaker, { system: 1, human: 1, gpt: 4, tool: 3 });
    assert.equal(stats.turns, 9);
    assert.deepEqual([...stats.calls], [['terminal', 3]]);
    const all = runOf(3, 5).reduce((sum, { value }) => sum + words.count(value), 0);
    assert.equal(stats.tokens, all);
    assert.equal(stats.isOverTarget, true);
  });
  test('J2 calls of OpenAI and Anthropic records are found, the most called tool first', () => {
    const call = (name: string) => ({ id: name, type: 'function', function: { name, arguments: '{}' } });
    const openAi = { messages: [{ role: 'assistant', content: null, tool_calls: [call('a'), call('b'), call('b')] }] };
    assert.deepEqual(
      [...trajectoryStats(JSON.stringify(openAi), { tokenizer: words }).calls],
      [
        ['b', 2],
        ['a', 1],
      ],
    );
    const use = { type: 'tool_use', id: 'toolu_1', name: 'c', input: {} };
    const anthropic = { system: 'S', messages: [{ role: 'assistant', content: [use] }] };
    const stats = trajectoryStats(JSON.stringify(anthropic), { tokenizer: words });
    assert.deepEqual([...stats.calls], [['c', 1]]);
    assert.equal(stats.turnsBySpeaker.system, 1);
    assert.equal(stats.isOverTarget, false);
  });
  test('J2 a broken line says so', () => {
    assert.throws(
      () => trajectoryStats('{}', { tokenizer: words }),
      (error) => codeOf(error) === 'TRAJECTORY_BROKEN',
    );
  });
});
