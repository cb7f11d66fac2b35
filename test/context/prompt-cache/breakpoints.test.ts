/** Where breakpoints stand: over messages of ours, and on the requests of Anthropic and of routers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type CacheLayout,
  type CacheTarget,
  cacheTargetOf,
  type Message,
  markAnthropic,
  markCompletions,
  planBreakpoints,
} from '@palimpsest/core';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import { assistant, calls, conversations, message, result, user } from '../../support/conversations.ts';
import { anthropicMessages, chatMessages } from '../../support/messages.ts';

const targets: readonly CacheTarget[] = ['anthropic', 'openrouter', 'litellm'];
const anyLayout = fc.constantFrom<CacheLayout>('system_and_3', 'turns');
const anyTtl = fc.constantFrom('5m' as const, '1h' as const);
const mark = { type: 'ephemeral' };

describe('a plan', () => {
  const talk: readonly Message[] = [
    message('system', 'Be brief.'),
    user('one'),
    assistant('two'),
    user('three'),
    assistant('four'),
    user('five'),
  ];
  const placesOf = (messages: readonly Message[], layout: CacheLayout = 'system_and_3') =>
    planBreakpoints(messages, { layout }).map((one) => one.message);

  test('C1 stands on the system prompt and the last three messages', () => {
    assert.deepEqual(placesOf(talk), [0, 3, 4, 5]);
  });

  test('C1 stands on the last four messages where there is no system prompt', () => {
    assert.deepEqual(placesOf(talk.slice(1)), [1, 2, 3, 4]);
  });

  test('C1 leaves out system messages in the middle', () => {
    const noted = [...talk.slice(0, 5), message('system', 'a note'), user('five')];
    assert.deepEqual(placesOf(noted), [0, 3, 4, 6]);
  });

  test('C1 leaves out what cannot carry one, and marks the part that can', () => {
    const thought: Message = {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'so' },
        { type: 'text', text: ' \n' },
        { type: 'reasoning', text: 'because' },
      ],
    };
    const plan = planBreakpoints([user('one'), thought, message('user', ''), user('two')]);
    assert.deepEqual(plan, [
      { message: 0, part: 0 },
      { message: 1, part: 0 },
      { message: 3, part: 0 },
    ]);
  });

  test('C4 looks into the messages near its places only, however long the list is', () => {
    let looks = 0;
    const seen = (one: Message): Message =>
      Object.defineProperty({ ...one }, 'parts', {
        get: () => {
          looks++;
          return one.parts;
        },
      });
    const steps = Array.from({ length: 1_000 }, (_, at) => [
      calls({ [`c${at}`]: 'bash' }),
      result(`c${at}`, 'ok'),
    ]).flat();
    const list = [message('system', 'Be brief.'), user('one'), ...steps].map(seen);
    for (const layout of ['system_and_3', 'turns'] as const) placesOf(list, layout);
    assert.ok(looks <= 30, `${looks} looks into ${list.length} messages`);
  });

  test('C4 by turns stands where this request, the one before it and the turn end', () => {
    const step = [calls({ a: 'bash', b: 'bash' }), result('a', 'ok'), result('b', 'ok')];
    const turn = [...talk, ...step, assistant('a word'), calls({ c: 'bash' }), result('c', 'ok')];
    // The request before the newest answer ended with the answer "a word", which a second message continues.
    assert.deepEqual(placesOf(turn, 'turns'), [0, 5, 9, 11]);
    assert.deepEqual(placesOf([...talk, ...step], 'turns'), [0, 5, 8]);
  });

  test('C4 by turns, the end of a request has a breakpoint in that request and in the next', () => {
    fc.assert(
      fc.property(conversations({ maxSteps: 12 }), (messages) => {
        for (const [at, { role }] of messages.entries()) {
          const next = messages.findIndex((one, index) => index > at && one.role === 'assistant');
          if (role !== 'assistant' || next === -1 || at === 0) continue;
          const sent = planBreakpoints(messages.slice(0, at), { layout: 'turns' }).at(-1);
          const after = planBreakpoints(messages.slice(0, next), { layout: 'turns' });
          if (sent) assert.ok(after.some((one) => one.message === sent.message && one.part === sent.part));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('C1 has at most four breakpoints, in order, each on a part with something in it', () => {
    const arbitrary = fc.tuple(conversations({ faults: true }), anyLayout, fc.constantFrom(...targets));
    fc.assert(
      fc.property(arbitrary, ([messages, layout, target]) => {
        const plan = planBreakpoints(messages, { layout, target });
        assert.ok(plan.length <= 4);
        const rising = plan.every(({ message: at }, index) => index === 0 || at > (plan[index - 1]?.message ?? -1));
        assert.ok(rising);
        for (const { message: at, part } of plan) {
          const found = messages[at]?.parts[part];
          assert.ok(found && found.type !== 'reasoning');
          assert.ok(found.type !== 'text' || found.text.trim() !== '');
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a request of Anthropic', () => {
  test('C1 has the mark on the system prompt and the last part of the last three messages', () => {
    const body = {
      model: 'claude-sonnet-5',
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a b' }] },
      ],
    };
    assert.deepEqual(markAnthropic(body), {
      model: 'claude-sonnet-5',
      system: [{ type: 'text', text: 'Be brief.', cache_control: mark }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'one', cache_control: mark }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ls', input: {}, cache_control: mark }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a b', cache_control: mark }] },
      ],
    });
  });

  test('C2 says how long the cache is to live, where it is an hour', () => {
    const { messages } = markAnthropic({ messages: [{ role: 'user', content: 'one' }] }, { ttl: '1h' });
    const content = [{ type: 'text', text: 'one', cache_control: { type: 'ephemeral', ttl: '1h' } }];
    assert.deepEqual(messages, [{ role: 'user', content }]);
  });

  test('C1 keeps to four marks, whatever it had before; twice is as once; the given one stays as it was', () => {
    const system = fc.oneof(fc.constantFrom<JsonValue>('', 'Be brief.'), fc.array(textPart(), { maxLength: 3 }));
    const arbitrary = fc.record({
      system: fc.option(system, { nil: undefined }),
      tools: fc.option(fc.array(fc.constant<JsonObject>({ name: 'ls', cache_control: mark })), { nil: undefined }),
      messages: fc.array(anthropicMessages(), { maxLength: 8 }),
    });
    fc.assert(
      fc.property(arbitrary, anyLayout, anyTtl, (given, layout, ttl) => {
        const body: JsonObject = JSON.parse(JSON.stringify(given));
        const before = JSON.stringify(body);
        const once = markAnthropic(body, { layout, ttl });
        assert.equal(JSON.stringify(body), before);
        assert.deepEqual(markAnthropic(once, { layout, ttl }), once);
        checkMarks(once);
        assert.deepEqual(plain(once), plain(body));
      }),
      { numRuns: 300 },
    );
  });
});

describe('messages of Chat Completions', () => {
  const step: readonly JsonObject[] = [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'https://a.b/c.png' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [] },
    { role: 'tool', tool_call_id: 't', content: 'a b' },
  ];
  const marksOf = (target: CacheTarget): readonly JsonObject[] => markCompletions(step, { target });
  const textWithMark = (text: string) => [{ type: 'text', text, cache_control: mark }];

  test('C1 have the mark on texts only for OpenRouter, those of tool results included', () => {
    const [system, look, call, tool] = marksOf('openrouter');
    assert.deepEqual(system, { role: 'system', content: textWithMark('Be brief.') });
    assert.deepEqual(look?.content, [
      ...textWithMark('look'),
      { type: 'image_url', image_url: { url: 'https://a.b/c.png' } },
    ]);
    assert.deepEqual(call, step[2]);
    assert.deepEqual(tool, { role: 'tool', tool_call_id: 't', content: textWithMark('a b') });
  });

  test('C1 have no mark on tool results for LiteLLM', () => {
    assert.deepEqual(marksOf('litellm').slice(2), step.slice(2));
  });

  test('C1 have it on the message for native Anthropic, where it is a tool result or without content', () => {
    const [, look, call, tool] = marksOf('anthropic');
    assert.deepEqual(look?.content, [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'https://a.b/c.png' }, cache_control: mark },
    ]);
    assert.deepEqual(call, { role: 'assistant', content: null, tool_calls: [], cache_control: mark });
    assert.deepEqual(tool, { role: 'tool', tool_call_id: 't', content: 'a b', cache_control: mark });
  });

  test('C1 keep to four marks, whatever they had before; twice is as once; the given ones stay as they were', () => {
    const given = fc.array(chatMessages(), { maxLength: 8 });
    fc.assert(
      fc.property(given, anyLayout, fc.constantFrom(...targets), (list, layout, target) => {
        const messages: readonly JsonObject[] = JSON.parse(JSON.stringify(list));
        const before = JSON.stringify(messages);
        const once = markCompletions(messages, { layout, target });
        assert.equal(JSON.stringify(messages), before);
        assert.deepEqual(markCompletions(once, { layout, target }), once);
        checkMarks(once);
        assert.deepEqual(plain(once), plain(messages));
      }),
      { numRuns: 300 },
    );
  });
});

describe('breakpoints are of use', () => {
  const cases: readonly (readonly [Parameters<typeof cacheTargetOf>[0], CacheTarget | undefined])[] = [
    [{ model: 'claude-sonnet-5' }, 'anthropic'],
    [{ model: 'anthropic/claude-opus-4.7' }, 'anthropic'],
    [{ model: 'openrouter/anthropic/claude-opus-4.7' }, 'openrouter'],
    [{ model: 'anthropic/claude-opus-4.7', provider: 'openrouter' }, 'openrouter'],
    [{ model: 'anthropic/claude-opus-4.7', baseUrl: 'https://openrouter.ai/api/v1' }, 'openrouter'],
    [{ model: 'claude-opus-4-7', baseUrl: 'https://api.anthropic.com' }, 'anthropic'],
    [{ model: 'claude-opus-4-7', baseUrl: 'https://openrouter.ai.example.com' }, undefined],
    [{ model: 'bedrock/claude-opus-4-7' }, undefined],
    [{ model: 'openrouter/openai/gpt-5-mini' }, undefined],
    [{ model: 'gpt-5-mini' }, undefined],
  ];
  for (const [model, target] of cases) {
    test(`C2 to ${JSON.stringify(model)}: ${target ?? 'no'}`, () => assert.equal(cacheTargetOf(model), target));
  }
});

const textPart = (): fc.Arbitrary<JsonObject> =>
  fc.constantFrom<JsonObject>(
    { type: 'text', text: 'x' },
    { type: 'text', text: '' },
    { type: 'text', text: 'y', cache_control: mark },
  );

/** What a model or a tool wrote may say anything. */
const data: readonly string[] = ['input', 'arguments'];

/** At most four marks, none on an empty text or on thinking. */
function checkMarks(value: JsonObject | readonly JsonObject[]): void {
  const found: JsonObject[] = [];
  JSON.stringify(value, (key, inner) => {
    if (data.includes(key)) return undefined;
    if (inner?.cache_control !== undefined) found.push(inner);
    return inner;
  });
  assert.ok(found.length <= 4, `${found.length} marks`);
  for (const part of found) {
    assert.notEqual(part.type, 'thinking');
    assert.ok(part.type !== 'text' || (typeof part.text === 'string' && part.text.trim() !== ''));
  }
}

/** Without marks, and every text in a list: what a provider reads of it. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (key === 'cache_control') return undefined;
      return (key === 'content' || key === 'system') && typeof inner === 'string'
        ? [{ type: 'text', text: inner }]
        : inner;
    }),
  );
}
