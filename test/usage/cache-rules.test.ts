import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheRulesFor } from '@palimpsest/core';
import { cacheRuleRows } from '../../packages/core/src/usage/cache-rules.ts';

test('C4 every rule names its page, and the month in which that was read', () => {
  for (const { name, source, read } of cacheRuleRows) {
    assert.match(source, /^https:\/\//, name);
    assert.match(read, /^20\d\d-(?:0[1-9]|1[0-2])$/, name);
  }
});

const cases: readonly (readonly [model: string, name: string | undefined, minimumTokens?: number])[] = [
  ['claude-opus-5', 'anthropic-5m', 512],
  ['claude-opus-4-7', 'anthropic-5m', 2_048],
  ['anthropic/claude-opus-4.5-20251101', 'anthropic-5m', 4_096],
  ['openrouter/anthropic/claude-sonnet-4.5', 'anthropic-5m', 1_024],
  ['gpt-6-sol', 'openai-30m', 1_024],
  ['gpt-5.5', 'openai', 1_024],
  ['gemini-2.5-flash', 'gemini', 2_048],
  ['gemini-3.5-flash', 'gemini', 4_096],
  ['deepseek-v4-pro', 'deepseek', 64],
  ['my-model', undefined],
];
for (const [model, name, minimum] of cases) {
  test(`C4 ${model} is cached by the rules ${name ?? 'of nobody'}`, () => {
    const rules = cacheRulesFor(model);
    assert.deepEqual([rules?.name, rules?.minimumTokens], [name, minimum]);
  });
}

test('C2 an hour is asked for where Anthropic is, and nowhere else', () => {
  assert.equal(cacheRulesFor('claude-opus-5', '1h')?.ttlSeconds, 3_600);
  assert.equal(cacheRulesFor('gpt-5.5', '1h')?.ttlSeconds, 300);
});

test('C4 what a provider does not say is assumed aloud', () => {
  assert.match(cacheRulesFor('gemini-3.5-flash')?.remarks.join('\n') ?? '', /documents no lifetime/);
});
