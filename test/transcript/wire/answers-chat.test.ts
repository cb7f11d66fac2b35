/** Streams of Chat Completions as OpenAI, DeepSeek, OpenRouter, Mistral and others write them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { ReadAnswer } from '../../../packages/core/src/transcript/wire/answer-reader.ts';
import { fromOpenAiChat } from '../../../packages/core/src/transcript/wire/chat/messages.ts';
import { bytesOf, only, readBytes, readJson, readStream } from './answer-bytes.ts';

const chunk = (delta: JsonValue, finish: string | null = null, index = 0): JsonObject => ({
  object: 'chat.completion.chunk',
  model: 'mill-1',
  choices: [{ index, delta, finish_reason: finish }],
});
const read = (...events: readonly (JsonObject | string)[]): ReadAnswer => readStream('openai-chat', ...events);
const sentBack = (message: JsonObject) => only(fromOpenAiChat([{ role: 'assistant', ...message }]));

test('K2: calls in fragments, several at once, are the calls that the client sends back', () => {
  const call = (index: number, fields: JsonObject): JsonObject => chunk({ tool_calls: [{ index, ...fields }] });
  const { reply, isWhole, finish } = read(
    chunk({ role: 'assistant', content: null }),
    call(0, { id: 'a', type: 'function', function: { name: 'bash', arguments: '' } }),
    call(1, { id: 'b', type: 'function', function: { name: 'read', arguments: '{"pa' } }),
    call(0, { function: { arguments: '{"command":"l' } }),
    call(1, { function: { arguments: 'th":"x"}' } }),
    call(0, { function: { arguments: 's"}' } }),
    call(2, { id: 'c', type: 'custom', custom: { name: 'patch', input: '*** Be' } }),
    call(2, { custom: { input: 'gin' } }),
    chunk({}, 'tool_calls'),
    '[DONE]',
  );
  const tool_calls = [
    { id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
    { id: 'b', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } },
    { id: 'c', type: 'custom', custom: { name: 'patch', input: '*** Begin' } },
  ];
  assert.deepEqual(reply, sentBack({ content: null, tool_calls }));
  assert.deepEqual([isWhole, finish], [true, 'tool_calls']);
});

test('K2: calls without an index, or all with the same one, stay apart by their ids', () => {
  const called = (id: string, index: number | undefined): JsonObject => ({
    ...(index === undefined ? {} : { index }),
    id,
    type: 'function',
    function: { name: 'bash', arguments: `{"id":"${id}"}` },
  });
  for (const index of [undefined, 0]) {
    const { reply } = read(
      chunk({ tool_calls: [called('a', index)] }),
      chunk({ tool_calls: [called('b', index), called('c', index)] }, 'tool_calls'),
    );
    const ids = reply?.parts.map((part) => part.type === 'toolCall' && [part.callId, part.input]);
    assert.deepEqual(ids, [
      ['a', '{"id":"a"}'],
      ['b', '{"id":"b"}'],
      ['c', '{"id":"c"}'],
    ]);
  }
});

test('K2: fields of a call that are not known come back with it', () => {
  const extra_content = { google: { thought_signature: 'sig' } };
  const call = { id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' }, extra_content };
  const { reply } = read(chunk({ tool_calls: [{ index: 0, ...call }] }, 'tool_calls'));
  assert.deepEqual(reply, sentBack({ content: null, tool_calls: [call] }));
});

test('K2: reasoning under the names of DeepSeek and OpenRouter is put together', () => {
  for (const name of ['reasoning_content', 'reasoning']) {
    const { reply } = read(chunk({ [name]: 'First ' }), chunk({ [name]: 'look.' }), chunk({ content: 'Done' }, 'stop'));
    assert.deepEqual(reply, sentBack({ content: 'Done', [name]: 'First look.' }));
  }
  const detail = (fields: JsonObject): JsonObject => chunk({ reasoning_details: [fields] });
  const { reply } = read(
    detail({ type: 'reasoning.text', text: 'First ', index: 0, format: 'anthropic-claude-v1' }),
    detail({ type: 'reasoning.text', text: 'look.', index: 0, format: 'anthropic-claude-v1' }),
    detail({ type: 'reasoning.text', signature: 'sig', index: 0, format: 'anthropic-claude-v1' }),
    detail({ type: 'reasoning.text', text: 'Then act.', index: 2 }),
    detail({ type: 'reasoning.encrypted', data: 'AAAA', index: 1 }),
    detail({ type: 'reasoning.encrypted', data: 'BBBB', index: 1 }),
    chunk({ content: 'Done' }, 'stop'),
  );
  const reasoning_details = [
    { type: 'reasoning.text', text: 'First look.', index: 0, format: 'anthropic-claude-v1', signature: 'sig' },
    { type: 'reasoning.text', text: 'Then act.', index: 2 },
    { type: 'reasoning.encrypted', data: 'AAAA', index: 1 },
    { type: 'reasoning.encrypted', data: 'BBBB', index: 1 },
  ];
  assert.deepEqual(reply, sentBack({ content: 'Done', reasoning_details }));
});

test('K2: content that comes as lists, as Mistral sends its thoughts, is one list', () => {
  const think = (text: string): JsonObject => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
  const { reply } = read(
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: [think('First ')] }),
    chunk({ content: [think('look.')] }),
    chunk({ content: 'Do' }),
    chunk({ content: 'ne' }, 'stop'),
  );
  assert.deepEqual(reply, sentBack({ content: [think('First look.'), { type: 'text', text: 'Done' }] }));
});

test('K2: images, sources, audio and the old call of a function are kept', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const { reply } = read(
    chunk({ images: [image], annotations: [{ type: 'url_citation' }] }),
    chunk({ images: [image], audio: { id: 'audio_1', data: 'AA', transcript: 'He' } }),
    chunk({ audio: { data: 'BB', transcript: 'llo' }, function_call: { name: 'bash', arguments: '{' } }),
    chunk({ function_call: { arguments: '}' } }, 'function_call'),
  );
  const back = sentBack({
    content: null,
    images: [image, image],
    annotations: [{ type: 'url_citation' }],
    audio: { id: 'audio_1', data: 'AABB', transcript: 'Hello' },
    function_call: { name: 'bash', arguments: '{}' },
  });
  assert.deepEqual(reply, back);
});

test('K2: of several choices the first is read', () => {
  const { reply, finish } = read(
    chunk({ content: 'B' }, null, 1),
    chunk({ content: 'A' }),
    chunk({}, 'length', 1),
    chunk({}, 'stop'),
  );
  assert.deepEqual(reply, sentBack({ content: 'A' }));
  assert.equal(finish, 'stop');
  const choices = [1, 0].map((index) => ({ index, message: { role: 'assistant', content: `${index}` } }));
  assert.deepEqual(readJson('openai-chat', { choices }).reply, sentBack({ content: '0' }));
});

test('K2: usage is that of the last chunk which has one, also where Groq puts it', () => {
  const last = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } };
  assert.deepEqual(read(chunk({ content: 'A' }, 'stop'), { ...last }, '[DONE]').usage, last.usage);
  const groq = { ...chunk({}, 'stop'), x_groq: { usage: last.usage } };
  assert.deepEqual(read(chunk({ content: 'A' }), groq).usage, last.usage);
});

test('K2: an error in place of a chunk, in a choice or as a text ends the answer', () => {
  const error = { code: 502, message: 'Provider disconnected' };
  const rest = { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] };
  assert.deepEqual(read(chunk({ content: 'A' }), { error, ...rest }).error, error);
  assert.deepEqual(read({ choices: [{ index: 0, delta: {}, error }] }).error, error);
  assert.deepEqual(read({ error: 'overloaded' }).error, { error: 'overloaded' });
  const { isWhole, reply } = read(chunk({ content: 'A' }), { error, ...rest });
  assert.equal(isWhole, false);
  assert.deepEqual(reply, sentBack({ content: 'A' }));
  assert.deepEqual(readJson('openai-chat', { error }), { error, isWhole: false });
});

test('K2: an answer without a choice says nothing', () => {
  assert.deepEqual(read({ choices: [], prompt_filter_results: [] }, '[DONE]'), { isWhole: false });
});

test('K2: a body behind blank lines, and a stream behind comments, are read', () => {
  const body = JSON.stringify({ choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] });
  assert.equal(readBytes('openai-chat', bytesOf(`\n   \n ${body}`)).isWhole, true);
  const stream = `: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\ndata: ${JSON.stringify(chunk({ content: 'Hi' }, 'stop'))}\n\n`;
  assert.deepEqual(readBytes('openai-chat', bytesOf(stream)).reply, sentBack({ content: 'Hi' }));
});

test('K2: a stray JSON line before a stream that was asked for does not hide it', () => {
  const stream = bytesOf(`{"queued":true}\n\ndata: ${JSON.stringify(chunk({ content: 'Hi' }, 'stop'))}\n\n`);
  assert.equal(readBytes('openai-chat', stream, { isStream: true }).isWhole, true);
  assert.deepEqual(readBytes('openai-chat', stream, { isStream: false }), { isWhole: false });
});

test('K2: the old call of a function is named by the place that the answer will have', () => {
  const message = { content: null, function_call: { name: 'bash', arguments: '{}' } };
  const { reply } = readJson('openai-chat', { choices: [{ message, finish_reason: 'function_call' }] }, { at: 3 });
  assert.equal(reply?.parts[0]?.type === 'toolCall' && reply.parts[0].callId, 'function_call_3');
});

test('K2: a member called __proto__ changes what no object inherits', () => {
  const proto = '"__proto__":{"id":"x","signature":"No","name":"y"}';
  const call = `{"index":0,"id":"a","function":{"name":"bash","arguments":"{}",${proto}},${proto}}`;
  const delta = `{"content":"Hi","tool_calls":[${call}],"reasoning_details":[{"text":"a"},{"text":"b",${proto}}],${proto}}`;
  const stream = `data: {"choices":[{"index":0,"delta":${delta},"finish_reason":"tool_calls"}]}\n\n`;
  const { reply } = readBytes('openai-chat', bytesOf(stream));
  const tool_calls = [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' } }];
  assert.deepEqual(reply, sentBack({ content: 'Hi', reasoning_details: [{ text: 'ab' }], tool_calls }));
});
