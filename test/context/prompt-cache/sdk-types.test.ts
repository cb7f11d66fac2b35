/** Marking requests as the types of the SDKs have them: what goes in under its own type comes out under it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Anthropic from '@anthropic-ai/sdk';
import { markAnthropic, markCompletions } from '@palimpsest/core';
import type OpenAI from 'openai';

const text = (words: string) => [{ type: 'text', text: words, cache_control: { type: 'ephemeral' } }];

test('C1 a request of Anthropic’s own types is marked and keeps its type', () => {
  const request: Anthropic.MessageCreateParamsNonStreaming = {
    model: 'claude-sonnet-4-5',
    max_tokens: 1_000,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'one' }],
  };
  const marked: Anthropic.MessageCreateParamsNonStreaming = markAnthropic(request);
  assert.deepEqual(marked.system, text('Be brief.'));
  assert.deepEqual(marked.messages, [{ role: 'user', content: text('one') }]);
  assert.equal(marked.max_tokens, 1_000);

  const either: Anthropic.MessageCreateParams = request;
  const still: Anthropic.MessageCreateParams = markAnthropic(either, { ttl: '1h' });
  assert.equal(still.model, 'claude-sonnet-4-5');
});

test('C1 a request without a declared type comes out as one that the SDK takes, and says that texts became parts', () => {
  const marked = markAnthropic({
    model: 'claude',
    max_tokens: 9,
    messages: [{ role: 'user' as const, content: 'one' }],
  });
  const taken: Anthropic.MessageCreateParamsNonStreaming = marked;
  type Parts = Extract<(typeof marked)['messages'][number]['content'], readonly unknown[]>;
  const parts: Parts = [{ type: 'text', text: 'one', cache_control: { type: 'ephemeral' } }];
  assert.deepEqual(marked.messages[0]?.content, parts);
  assert.equal(taken.max_tokens, 9);
});

test('C1 messages of OpenAI’s own types are marked and keep their type', () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'one' },
  ];
  const marked: OpenAI.ChatCompletionMessageParam[] = markCompletions(messages);
  assert.deepEqual(marked, [
    { role: 'system', content: text('Be brief.') },
    { role: 'user', content: text('one') },
  ]);
  const request: OpenAI.ChatCompletionCreateParamsNonStreaming = { model: 'anthropic/claude', messages: marked };
  assert.equal(request.messages.length, 2);
});

test('C1 what is no request, and an option that is none, is refused with what was expected', () => {
  const untyped = (value: unknown): object => value as object; // as a caller without a compiler has it
  assert.throws(() => markAnthropic(untyped(undefined)), { code: 'BAD_MESSAGES', message: /got undefined/ });
  assert.throws(() => markAnthropic([{ role: 'user' }]), { code: 'BAD_MESSAGES', message: /give \{ messages \}/ });
  assert.throws(() => markCompletions([untyped('hi')]), {
    code: 'BAD_MESSAGES',
    message: /a list with something else/,
  });
  assert.throws(() => markAnthropic({ messages: [] }, untyped({ tll: '1h' })), {
    code: 'BAD_OPTION',
    message: /an option of markAnthropic, got tll: did you mean ttl\?/,
  });
  assert.throws(() => markCompletions([], untyped({ targt: 'litellm' })), { code: 'BAD_OPTION', message: /target\?/ });
});
