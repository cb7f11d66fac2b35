/** Streams of the OpenAI Responses API, as OpenAI, Codex upstreams and others write them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { ReadAnswer } from '../../../packages/core/src/transcript/wire/answer-reader.ts';
import { fromOpenAiResponses } from '../../../packages/core/src/transcript/wire/responses/messages.ts';
import { only, readJson, readStream } from './answer-bytes.ts';

const event = (name: string, fields: JsonObject): JsonObject => ({ type: `response.${name}`, ...fields });
const read = (...events: readonly JsonObject[]): ReadAnswer =>
  readStream(
    'openai-responses',
    event('created', { response: { model: 'gpt-x', usage: null, output: [] } }),
    ...events,
  );
const sentBack = (...items: readonly JsonValue[]) => only(fromOpenAiResponses(items));
const usage = { input_tokens: 9, output_tokens: 4, total_tokens: 13 };
const completed = (output: readonly JsonValue[] = []): JsonObject =>
  event('completed', { response: { status: 'completed', model: 'gpt-x', usage, output } });

const reasoning = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [
    { type: 'summary_text', text: 'First look.' },
    { type: 'summary_text', text: 'Then act.' },
  ],
  encrypted_content: 'gAAAAA',
};
const message = {
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  phase: 'commentary',
  content: [
    { type: 'output_text', text: 'I read.', annotations: [{ type: 'url_citation', url: 'https://mill.example' }] },
  ],
};
const items: readonly JsonObject[] = [
  reasoning,
  { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'mill' } },
  message,
  {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: 'call_1',
    name: 'bash',
    arguments: '{"command":"ls"}',
  },
  {
    id: 'ctc_1',
    type: 'custom_tool_call',
    status: 'completed',
    call_id: 'call_2',
    name: 'apply_patch',
    input: '*** Begin',
  },
  { id: 'ci_1', type: 'code_interpreter_call', status: 'completed', code: 'print(1)', container_id: 'c', outputs: [] },
  { id: 'mcp_1', type: 'mcp_call', server_label: 's', name: 'echo', arguments: '{}', output: 'Hi', error: null },
  { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'AAAA', output_format: 'png' },
  { id: 'cmp_1', type: 'compaction', encrypted_content: 'gBBBBB' },
  { id: 'xx_1', type: 'hologram', sides: 6 },
];

/** The events of items that nothing but deltas spell out, all at once and in turns. */
const spelled: readonly JsonObject[] = [
  event('output_item.added', { output_index: 0, item: { ...reasoning, summary: [] } }),
  event('output_item.added', { output_index: 1, item: { ...message, content: [] } }),
  event('reasoning_summary_part.added', {
    output_index: 0,
    summary_index: 0,
    part: { type: 'summary_text', text: '' },
  }),
  event('content_part.added', {
    output_index: 1,
    content_index: 0,
    part: { type: 'output_text', text: '', annotations: [] },
  }),
  event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'First ' }),
  event('output_text.delta', { output_index: 1, content_index: 0, delta: 'I ' }),
  event('reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'look.' }),
  event('reasoning_summary_text.delta', { output_index: 0, summary_index: 1, delta: 'Then ' }),
  event('reasoning_summary_text.done', { output_index: 0, summary_index: 1, text: 'Then act.' }),
  event('output_text.delta', { output_index: 1, content_index: 0, delta: 'read.' }),
  event('output_text.annotation.added', {
    output_index: 1,
    content_index: 0,
    annotation_index: 0,
    annotation: { type: 'url_citation', url: 'https://mill.example' },
  }),
  event('output_item.added', {
    output_index: 2,
    item: { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'bash', arguments: '' },
  }),
  event('output_item.added', {
    output_index: 3,
    item: { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: '' },
  }),
  event('function_call_arguments.delta', { output_index: 2, delta: '{"comm' }),
  event('custom_tool_call_input.delta', { output_index: 3, delta: '*** Be' }),
  event('function_call_arguments.delta', { output_index: 2, delta: 'and":"ls"}' }),
  event('custom_tool_call_input.delta', { output_index: 3, delta: 'gin' }),
];
const spelledOut: readonly JsonObject[] = [
  reasoning,
  message,
  { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'bash', arguments: '{"command":"ls"}' },
  { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: '*** Begin' },
];

test('K2: the items of the last event are the answer, whatever came before it', () => {
  const { reply, isWhole, finish, model, ...about } = read(...spelled, completed(items));
  assert.deepEqual(reply, sentBack(...items));
  assert.deepEqual([isWhole, finish, model, about], [true, 'completed', 'gpt-x', { usage }]);
});

test('K2: where the last event has no items, those that came whole are the answer', () => {
  const done = items.flatMap((item, at) => [
    event('output_item.added', { output_index: at, item: { id: item.id ?? '', type: item.type ?? '' } }),
    event('output_item.done', { output_index: at, item }),
  ]);
  const { reply, isWhole } = read(...done, completed());
  assert.deepEqual(reply, sentBack(...items));
  assert.equal(isWhole, true);
});

test('K2: items that only deltas spell out are put together from them', () => {
  const broken = read(...spelled);
  assert.deepEqual(broken.reply, sentBack(...spelledOut));
  assert.equal(broken.isWhole, false);
  assert.equal(read(...spelled, completed()).isWhole, true);
});

test('K2: events that name their item by its id alone are put together too', () => {
  const byId = spelled.map(({ output_index: at, ...fields }) => {
    const id = ['rs_1', 'msg_1', 'fc_1', 'ctc_1'][Number(at)] ?? '';
    return 'item' in fields ? fields : { ...fields, item_id: id };
  });
  assert.deepEqual(read(...byId, completed()).reply, sentBack(...spelledOut));
});

test('K2: refusals and raw reasoning are put together', () => {
  const { reply } = read(
    event('output_item.added', { output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [] } }),
    event('reasoning_text.delta', { output_index: 0, content_index: 0, delta: 'First ' }),
    event('reasoning_text.delta', { output_index: 0, content_index: 0, delta: 'look.' }),
    event('output_item.added', { output_index: 1, item: { type: 'message', role: 'assistant', content: [] } }),
    event('refusal.delta', { output_index: 1, content_index: 0, delta: 'I can' }),
    event('refusal.delta', { output_index: 1, content_index: 0, delta: 'not.' }),
    completed(),
  );
  const raw = [{ type: 'reasoning_text', text: 'First look.' }];
  const refusal = { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot.' }] };
  assert.deepEqual(reply, sentBack({ id: 'rs_1', type: 'reasoning', summary: [], content: raw }, refusal));
});

test('K2: an answer that was cut names the reason, and a failed one its error', () => {
  const incomplete = {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [message],
    usage,
  };
  const cut = read(event('incomplete', { response: incomplete }));
  assert.deepEqual([cut.finish, cut.isWhole, cut.reply], ['max_output_tokens', true, sentBack(message)]);
  const error = { code: 'server_error', message: 'The model failed.' };
  const failed = read(...spelled, event('failed', { response: { status: 'failed', error, output: [] } }));
  assert.deepEqual([failed.error, failed.isWhole, failed.finish], [error, false, 'failed']);
  const event1 = { type: 'error', sequence_number: 3, code: 'rate_limit_exceeded', message: 'Slow down', param: null };
  const { sequence_number: _, ...written } = event1;
  assert.deepEqual(read(event1).error, written);
  assert.deepEqual(read({ type: 'error', error }).error, error);
});

test('K2: a tool that the provider ran in a shell of its own makes several messages', () => {
  const call = { type: 'shell_call', call_id: 'call_1', action: { commands: ['ls'] }, status: 'completed' };
  const output = { type: 'shell_call_output', call_id: 'call_1', output: [{ stdout: 'a' }] };
  const { reply, further } = read(completed([call, output, message]));
  const [first, ...more] = fromOpenAiResponses([call, output, message]);
  assert.deepEqual([reply, further], [first, more]);
});

test('K2: what stands before the first word of the model is not its reply', () => {
  const note = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Note' }] };
  assert.deepEqual(read(completed([note, message])).reply, sentBack(message));
  assert.equal(read(completed([note])).reply, undefined);
});

test('K2: a body that failed has its error and no end', () => {
  const error = { code: 'invalid_prompt', message: 'The prompt is not allowed.' };
  assert.deepEqual(readJson('openai-responses', { error }), { error, isWhole: false });
  const failed = { status: 'failed', error, output: [] };
  assert.deepEqual(readJson('openai-responses', failed), { error, finish: 'failed', isWhole: false });
});

test('K2: a body has its items whole', () => {
  const body = { object: 'response', status: 'completed', model: 'gpt-x', error: null, output: items, usage };
  const answer = { reply: sentBack(...items), usage, model: 'gpt-x', finish: 'completed', isWhole: true };
  assert.deepEqual(readJson('openai-responses', body), answer);
});
