/** Streams of the Anthropic Messages API, with every kind of block that its documentation shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { ReadAnswer } from '../../../packages/core/src/transcript/wire/answer-reader.ts';
import { fromAnthropic } from '../../../packages/core/src/transcript/wire/anthropic/messages.ts';
import { only, readJson, readStream } from './answer-bytes.ts';

const read = (...events: readonly JsonObject[]): ReadAnswer => readStream('anthropic', ...events);
const sentBack = (...content: readonly JsonValue[]) => only(fromAnthropic([{ role: 'assistant', content }]));
const begin = (usage: JsonObject = { input_tokens: 25, output_tokens: 1 }): JsonObject => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'claude-x',
    stop_reason: null,
    usage,
  },
});
const stop = (stop_reason: string, usage: JsonObject = { output_tokens: 15 }): readonly JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
];
const block = (index: number, content_block: JsonObject, ...deltas: readonly JsonObject[]): readonly JsonObject[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const json = (partial_json: string): JsonObject => ({ type: 'input_json_delta', partial_json });
const said = (text: string): JsonObject => ({ type: 'text_delta', text });

test('K2: thinking with its signature, sealed thinking, texts and calls are the blocks that the client sends back', () => {
  const { reply, isWhole, finish, model } = read(
    begin(),
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'First ' },
      { type: 'thinking_delta', thinking: 'look.' },
      { type: 'signature_delta', signature: 'EqQBCg' },
    ),
    ...block(1, { type: 'redacted_thinking', data: 'EmwKAh' }),
    { type: 'ping' },
    ...block(2, { type: 'text', text: '' }, said('I '), said('read.')),
    ...block(
      3,
      { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} },
      json(''),
      json('{"com'),
      json('mand":"ls"}'),
    ),
    ...block(4, { type: 'tool_use', id: 'toolu_2', name: 'list', input: {} }, json('')),
    ...stop('tool_use'),
  );
  const back = sentBack(
    { type: 'thinking', thinking: 'First look.', signature: 'EqQBCg' },
    { type: 'redacted_thinking', data: 'EmwKAh' },
    { type: 'text', text: 'I read.' },
    { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' } },
    { type: 'tool_use', id: 'toolu_2', name: 'list', input: {} },
  );
  assert.deepEqual(reply, back);
  assert.deepEqual([isWhole, finish, model], [true, 'tool_use', 'claude-x']);
});

test('K2: tools that the provider ran, over MCP too, come with their results', () => {
  const result = {
    type: 'web_search_result',
    title: 'Mill',
    url: 'https://mill.example',
    encrypted_content: 'EqgfCioIARgBI',
  };
  const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [result] };
  const failed = {
    ...found,
    tool_use_id: 'srvtoolu_2',
    content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
  };
  const echo = { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'echo', server_name: 'example', input: {} };
  const echoed = {
    type: 'mcp_tool_result',
    tool_use_id: 'mcptoolu_1',
    is_error: false,
    content: [{ type: 'text', text: 'Hi' }],
  };
  const { reply } = read(
    begin(),
    ...block(
      0,
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
      json('{"query":'),
      json('"mill"}'),
    ),
    ...block(1, found),
    ...block(2, failed),
    ...block(3, echo, json('{"param1":"Hi"}')),
    ...block(4, echoed),
    ...stop('end_turn'),
  );
  const back = sentBack(
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'mill' } },
    found,
    failed,
    { ...echo, input: { param1: 'Hi' } },
    echoed,
  );
  assert.deepEqual(reply, back);
});

test('K2: citations stand in the text that they belong to', () => {
  const citation = { type: 'web_search_result_location', url: 'https://mill.example', cited_text: 'The mill' };
  const { reply } = read(
    begin(),
    ...block(
      0,
      { type: 'text', text: '', citations: [] },
      { type: 'citations_delta', citation },
      said('The mill turns.'),
      {
        type: 'citations_delta',
        citation,
      },
    ),
    ...stop('end_turn'),
  );
  assert.deepEqual(reply, sentBack({ type: 'text', text: 'The mill turns.', citations: [citation, citation] }));
});

test('K2: compactions and blocks that nobody knows are kept as the client sends them back', () => {
  const done = { type: 'compaction', content: 'Summary: the mill turns.', encrypted_content: 'EqQB' };
  const { type: _, ...whole } = done;
  const { reply } = read(
    begin(),
    // A delta has the whole summary, and null where none could be written.
    ...block(0, { type: 'compaction', content: null }, { type: 'compaction_delta', ...whole }),
    ...block(1, { type: 'compaction', content: '' }, { type: 'compaction_delta', content: null }),
    ...block(
      2,
      { type: 'hologram', shape: { sides: 6 } },
      { type: 'hologram_delta', colour: 'bl' },
      {
        type: 'hologram_delta',
        colour: 'ue',
      },
    ),
    { type: 'weather_report', sky: 'blue' },
    ...stop('compaction'),
  );
  const hologram = { type: 'hologram', shape: { sides: 6 }, colour: 'blue' };
  assert.deepEqual(reply, sentBack(done, { type: 'compaction', content: null }, hologram));
});

test('K2: the reports of usage at the start and at the end are one', () => {
  const first = { input_tokens: 25, cache_read_input_tokens: 400, cache_creation_input_tokens: 0, output_tokens: 1 };
  const last = { output_tokens: 15, cache_creation_input_tokens: null, server_tool_use: { web_search_requests: 1 } };
  const { usage } = read(begin(first), ...block(0, { type: 'text', text: '' }, said('Hi')), ...stop('end_turn', last));
  assert.deepEqual(usage, { ...first, output_tokens: 15, server_tool_use: { web_search_requests: 1 } });
});

test('K2: input that its limit cut off stays the text that had come', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} };
  const { reply, finish } = read(begin(), ...block(0, call, json('{"command":"l')), ...stop('max_tokens'));
  assert.deepEqual(reply, sentBack({ ...call, input: '{"command":"l' }));
  assert.equal(finish, 'max_tokens');
});

test('K2: an error event is kept with its type, and the text before it', () => {
  const error = { type: 'overloaded_error', message: 'Overloaded' };
  const broken = read(begin(), ...block(0, { type: 'text', text: '' }, said('Hi')), { type: 'error', error });
  assert.deepEqual(broken.error, error);
  assert.deepEqual(broken.reply, sentBack({ type: 'text', text: 'Hi' }));
  assert.equal(broken.isWhole, false);
  assert.deepEqual(readJson('anthropic', { type: 'error', error, request_id: 'req_1' }), { error, isWhole: false });
});

test('K2: deltas whose block never began are still what was said', () => {
  const delta = { type: 'content_block_delta', index: 0, delta: said('Hi') };
  assert.deepEqual(read(delta, ...stop('end_turn')).reply, sentBack({ type: 'text', text: 'Hi' }));
});

test('K2: a body is the message without what stands around its content', () => {
  const usage = { input_tokens: 3, output_tokens: 2 };
  const body = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', stop_reason: 'end_turn', usage };
  const content = [{ type: 'text', text: 'Hi', citations: null }];
  const answer = { reply: sentBack(...content), usage, model: 'claude-x', finish: 'end_turn', isWhole: true };
  assert.deepEqual(readJson('anthropic', { ...body, content }), answer);
});
