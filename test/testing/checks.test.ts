/** Requests that a real provider rejects are rejected by the fake, in the words of the provider. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeProvider } from '@palimpsest/core/testing';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../packages/core/src/shared/json.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';
import type { DialectName, Rejection } from '../../packages/core/src/transcript/wire/answer.ts';
import { toAnthropic } from '../../packages/core/src/transcript/wire/anthropic/messages.ts';
import { toOpenAiChat } from '../../packages/core/src/transcript/wire/chat/messages.ts';
import { dialectNamed } from '../../packages/core/src/transcript/wire/dialects.ts';
import { toGemini } from '../../packages/core/src/transcript/wire/gemini/messages.ts';
import { toOpenAiResponses } from '../../packages/core/src/transcript/wire/responses/messages.ts';
import { conversations, message } from '../support/conversations.ts';

const rejectedBy =
  (name: DialectName) =>
  (body: JsonObject, model = ''): Rejection | undefined =>
    dialectNamed(name).reject(body, model);
const rejectChat = rejectedBy('openai-chat');
const rejectResponses = rejectedBy('openai-responses');
const rejectAnthropic = rejectedBy('anthropic');
const rejectGemini = rejectedBy('gemini');

const user = { role: 'user', content: 'Hello' };

const chat = (...messages: readonly JsonValue[]): JsonObject => ({ model: 'm', messages });
const chatCall = (id: string): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'ls', arguments: '{}' } }],
});
const chatResult = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'a b' });

const chatCases: readonly (readonly [string, JsonObject, RegExp | undefined])[] = [
  ['a plain request', chat(user), undefined],
  ['a call with its result', chat(user, chatCall('a'), chatResult('a'), user), undefined],
  ['a developer message', chat({ role: 'developer', content: 'Be brief.' }, user), undefined],
  ['parts', chat({ role: 'user', content: [{ type: 'text', text: 'Hello' }] }), undefined],
  ['no model', { messages: [user] }, /you must provide a model parameter/],
  ['no messages', { model: 'm' }, /Missing required parameter: 'messages'/],
  ['messages that are no list', { model: 'm', messages: 'Hello' }, /expected an array of objects, but got a string/],
  ['an empty list', chat(), /empty array/],
  ['a message that is none', chat('Hello'), /'messages\[0\]': expected an object/],
  ['an unknown role', chat({ role: 'human', content: 'Hello' }), /Invalid value: 'human'/],
  ['no role', chat({ content: 'Hello' }), /Missing required parameter: 'messages\[0\].role'/],
  ['no content', chat({ role: 'user', content: null }), /expected a string, got null/],
  ['an assistant message without anything', chat({ role: 'assistant' }), /expected a string, got null/],
  [
    'an empty list of calls',
    chat(user, { role: 'assistant', content: '', tool_calls: [] }),
    /tool_calls': empty array/,
  ],
  ['a call without a result', chat(user, chatCall('a'), user), /did not have response messages: a/],
  ['a call at the end', chat(user, chatCall('a')), /did not have response messages: a/],
  ['a result without a call', chat(user, chatResult('a')), /must be a response to a preceeding message/],
  [
    'a result of another call',
    chat(user, chatCall('a'), chatResult('b')),
    /must be a response to a preceeding message/,
  ],
  ['a result without an id', chat(user, chatCall('a'), { role: 'tool', content: 'x' }), /messages\[2\].tool_call_id/],
];

const responses = (...input: readonly JsonValue[]): JsonObject => ({ model: 'm', input });
const call = { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'a', output: 'a b' };

const responsesCases: readonly (readonly [string, JsonObject, RegExp | undefined])[] = [
  ['a string', { model: 'm', input: 'Hello' }, undefined],
  ['a call with its output', responses(user, call, output), undefined],
  [
    'an output far from its call',
    responses(user, call, { type: 'reasoning', id: 'rs_1', summary: [] }, output),
    undefined,
  ],
  ['an output for an earlier response', { ...responses(output), previous_response_id: 'resp_1' }, undefined],
  ['no model', { input: 'Hello' }, /Missing required parameter: 'model'/],
  ['no input', { model: 'm' }, /Missing required parameter/],
  ['an input of another type', { model: 'm', input: 7 }, /but got a number instead/],
  ['an unknown role', responses({ role: 'tool', content: 'x' }), /Invalid value: 'tool'/],
  ['no content', responses({ role: 'user' }), /'input\[0\].content'/],
  [
    'text of the wrong side',
    responses({ role: 'user', content: [{ type: 'output_text', text: 'x' }] }),
    /Invalid value: 'output_text'/,
  ],
  ['a call without an output', responses(user, call), /No tool output found for function call a\./],
  ['an output without a call', responses(user, output), /No tool call found for function call output with call_id a\./],
  ['an output before its call', responses(user, output, call), /No tool call found/],
  ['an output without an id', responses(user, { type: 'function_call_output', output: '' }), /'input\[1\].call_id'/],
];

const anthropic = (...messages: readonly JsonValue[]): JsonObject => ({ model: 'm', max_tokens: 10, messages });
const toolUse = (id: string): JsonObject => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'ls', input: {} }],
});
const toolResult = (id: string): JsonObject => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'a b' }],
});

const marked = (...ttls: readonly ('5m' | '1h')[]): JsonObject =>
  anthropic({
    role: 'user',
    content: ttls.map((ttl): JsonValue => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl } })),
  });
const thinking = { type: 'enabled', budget_tokens: 1_024 };
const answer = { role: 'assistant', content: 'Hi' };
const automatic = { cache_control: { type: 'ephemeral' } };

const anthropicCases: readonly (readonly [string, JsonObject, RegExp | undefined])[] = [
  ['four marks, the longer ones first', marked('1h', '1h', '5m', '5m'), undefined],
  ['a fifth mark', marked('5m', '5m', '5m', '5m', '5m'), /maximum of 4 blocks .* Found 5/],
  ['a fifth mark with the request', { ...marked('5m', '5m', '5m', '5m'), ...automatic }, /Found 5/],
  ['an hour behind five minutes', marked('5m', '1h'), /messages\.0\.content\.1\.cache_control\.ttl: a ttl='1h'/],
  ['a plain request', anthropic(user), undefined],
  ['users in a row', anthropic(user, user), undefined],
  ['a call with its result', anthropic(user, toolUse('a'), toolResult('a')), undefined],
  ['an empty last assistant message', anthropic(user, { role: 'assistant', content: '' }), undefined],
  ['no model', { max_tokens: 10, messages: [user] }, /^model: Field required/],
  ['no max_tokens', { model: 'm', messages: [user] }, /^max_tokens: Field required/],
  ['a max_tokens of nothing', { ...anthropic(user), max_tokens: 0 }, /greater than or equal to 1/],
  ['no messages', { model: 'm', max_tokens: 10 }, /^messages: Field required/],
  ['an empty list', anthropic(), /at least one message is required/],
  [
    'an assistant first',
    anthropic({ role: 'assistant', content: 'Hi' }, user),
    /first message must use the "user" role/,
  ],
  ['an unknown role', anthropic({ role: 'tool', content: 'x' }), /Unexpected role "tool"/],
  [
    'an empty message',
    anthropic({ role: 'user', content: '' }, user),
    /messages\.0: all messages must have non-empty content/,
  ],
  [
    'an empty text',
    anthropic({ role: 'user', content: [{ type: 'text', text: '' }] }),
    /text content blocks must be non-empty/,
  ],
  ['blanks at the end', anthropic(user, { role: 'assistant', content: 'I ' }), /cannot end with trailing whitespace/],
  [
    'a call without a result',
    anthropic(user, toolUse('a'), user),
    /messages\.1: `tool_use` ids were found without .*: a\./,
  ],
  ['a call at the end', anthropic(user, toolUse('a')), /were found without `tool_result`/],
  ['a result without a call', anthropic(user, toolResult('a')), /messages\.1\.content\.0: unexpected `tool_use_id`/],
  [
    'thinking without a signature',
    anthropic(user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }] }),
    /signature: Field required/,
  ],
  [
    'a turn that does not begin with a thought, where it could',
    { ...anthropic(user, toolUse('a'), toolResult('a')), max_tokens: 4_096, thinking },
    /messages\.1\.content\.0\.type: Expected `thinking`/,
  ],
  ['an earlier turn without a thought', { ...anthropic(user, answer, user), max_tokens: 4_096, thinking }, undefined],
  [
    'more thinking than tokens',
    { ...anthropic(user), max_tokens: 1_024, thinking: { type: 'enabled', budget_tokens: 2_048 } },
    /`max_tokens` must be greater than/,
  ],
];

const ask = { role: 'user', parts: [{ text: 'Hello' }] };
const gemini = (...contents: readonly JsonValue[]): JsonObject => ({ contents });
const geminiCall = (signature?: string): JsonObject => ({
  role: 'model',
  parts: [
    { functionCall: { name: 'ls', args: {} }, ...(signature === undefined ? {} : { thoughtSignature: signature }) },
    { functionCall: { name: 'ls', args: {} } },
  ],
});
const geminiAnswer = (...names: readonly string[]): JsonObject => ({
  role: 'user',
  parts: names.map((name) => ({ functionResponse: { name, response: { output: 'a b' } } })),
});
const spoken = { role: 'model', parts: [{ text: 'Yes.' }] };

const geminiCases: readonly (readonly [string, JsonObject, RegExp | undefined])[] = [
  ['a plain request', gemini(ask), undefined],
  ['a content without a role', gemini({ parts: [{ text: 'Hello' }] }), undefined],
  ['two users in a row', gemini(ask, ask), undefined],
  ['signed calls with their responses', gemini(ask, geminiCall('c2ln'), geminiAnswer('ls', 'ls')), undefined],
  ['an earlier turn without signatures', gemini(ask, geminiCall(), geminiAnswer('ls', 'ls'), spoken, ask), undefined],
  ['no contents', {}, /contents is not specified/],
  ['an empty list', gemini(), /contents is not specified/],
  [
    'an unknown role',
    gemini({ role: 'assistant', parts: [{ text: 'Hello' }] }),
    /Please use a valid role: user, model/,
  ],
  ['no parts', gemini({ role: 'user', parts: [] }), /contents\[0\]\.parts: contents\.parts must not be empty/],
  ['a part without data', gemini({ role: 'user', parts: [{}] }), /contents\[0\]\.parts\[0\]\.data: required oneof/],
  ['an empty system prompt', { ...gemini(ask), systemInstruction: { parts: [] } }, /system_instruction\.parts/],
  [
    'a call without a name',
    gemini(ask, { role: 'model', parts: [{ functionCall: { args: {} } }] }),
    /Name cannot be empty/,
  ],
  [
    'arguments that are no object',
    gemini(ask, { role: 'model', parts: [{ functionCall: { name: 'ls', args: '{}' } }] }),
    /function_call\.args/,
  ],
  [
    'a response that is no object',
    gemini(ask, geminiCall('c2ln'), { role: 'user', parts: [{ functionResponse: { name: 'ls', response: 'a b' } }] }),
    /function_response\.response/,
  ],
  ['two turns of the model in a row', gemini(ask, spoken, spoken), /alternate between user and model/],
  [
    'a call as the first turn',
    gemini(geminiCall('c2ln'), geminiAnswer('ls', 'ls')),
    /function call turn comes immediately after/,
  ],
  ['a response without a call', gemini(ask, geminiAnswer('ls')), /function response turn comes immediately after/],
  ['a call without a response', gemini(ask, geminiCall('c2ln'), ask), /number of function response parts is equal/],
  ['a call at the end', gemini(ask, geminiCall('c2ln')), /number of function response parts is equal/],
  [
    'one response for two calls',
    gemini(ask, geminiCall('c2ln'), geminiAnswer('ls')),
    /number of function response parts/,
  ],
  [
    'responses of other functions',
    gemini(ask, geminiCall('c2ln'), geminiAnswer('ls', 'cat')),
    /number of function response parts/,
  ],
  [
    'a call whose signature did not come back',
    gemini(ask, geminiCall(), geminiAnswer('ls', 'ls')),
    /missing a thought_signature .* function call `default_api:ls` , position 2/,
  ],
];

test('gemini: models before Gemini 3 take calls without a signature', () => {
  const body = gemini(ask, geminiCall(), geminiAnswer('ls', 'ls'));
  assert.equal(rejectGemini(body, 'gemini-2.5-pro'), undefined);
  assert.equal(rejectGemini(body, 'gemini-3-pro')?.status, 400);
});

for (const [name, reject, cases] of [
  ['chat', rejectChat, chatCases],
  ['responses', rejectResponses, responsesCases],
  ['anthropic', rejectAnthropic, anthropicCases],
  ['gemini', rejectGemini, geminiCases],
] as const) {
  for (const [title, body, expected] of cases) {
    test(`${name}: ${title} is ${expected ? 'rejected' : 'taken'}`, () => {
      const rejection = reject(body);
      assert.equal(rejection?.status, expected && 400);
      if (expected) assert.match(rejection?.message ?? '', expected);
    });
  }

  test(`${name}: no body makes the check fail`, () => {
    const body = fc.dictionary(
      fc.constantFrom(
        'model',
        'messages',
        'input',
        'contents',
        'max_tokens',
        'system',
        'systemInstruction',
        'thinking',
      ),
      fc.oneof(
        fc.jsonValue(),
        fc.array(fc.oneof(fc.jsonValue(), fc.constant(user), fc.constant(chatCall('a')), fc.constant(geminiCall()))),
      ),
    );
    // fast-check's JSON values are those of JSON.
    fc.assert(fc.property(body, (value) => void reject(value as JsonObject)));
  });
}

test('what our own check of messages takes, every dialect takes as our writers write it', () => {
  fc.assert(
    fc.property(conversations(), (messages) => {
      fc.pre(validate(messages, { strictRoles: true }).length === 0);
      const ended = messages.at(-1)?.role === 'user' ? messages : [...messages, message('user', 'Go on.')];
      fc.pre(validate(ended).length === 0);
      const { system, messages: list } = toAnthropic(ended, 'openai-chat');
      const { instructions, items } = toOpenAiResponses(ended, 'anthropic');
      assert.equal(rejectChat({ model: 'm', messages: toOpenAiChat(ended, 'anthropic') }), undefined);
      assert.equal(rejectResponses({ model: 'm', input: items, ...(instructions ? { instructions } : {}) }), undefined);
      assert.equal(
        rejectGemini({ ...toGemini(ended, 'anthropic').system, contents: toGemini(ended, 'anthropic').contents }),
        undefined,
      );
      assert.equal(rejectAnthropic({ ...anthropic(), messages: list, ...(system ? { system } : {}) }), undefined);
    }),
  );
});

test('a body that is no JSON is rejected by every dialect', async () => {
  await using fake = await startFakeProvider();
  for (const path of ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1beta/models/m:generateContent']) {
    const headers = { 'anthropic-version': '2023-06-01' };
    const response = await fetch(fake.url + path, { method: 'POST', headers, body: '{"model":' });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /JSON/);
  }
});

test('roles that do not alternate are rejected only where the template insists', async () => {
  const ask = async (strictRoles: boolean): Promise<number> => {
    await using fake = await startFakeProvider({ strictRoles });
    const body = JSON.stringify(chat(user, user));
    return (await fetch(`${fake.url}/v1/chat/completions`, { method: 'POST', body })).status;
  };
  assert.deepEqual([await ask(false), await ask(true)], [200, 400]);
});
