/** Streams with what the fake provider does not say, read by us and by the SDKs of the providers out of the same bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { type DialectName, startFakeProvider } from '@palimpsest/core/testing';
import OpenAI from 'openai';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import { messageHash } from '../../../packages/core/src/transcript/message.ts';
import { fromAnthropic } from '../../../packages/core/src/transcript/wire/anthropic/messages.ts';
import { fromOpenAiChat } from '../../../packages/core/src/transcript/wire/chat/messages.ts';
import { bytesOf, only, readBytes, streamOf } from './answer-bytes.ts';

const keyed = { apiKey: 'key', maxRetries: 0 };

/** The hash of what we read, and what a client put together out of the same stream. */
async function readTwice<T>(
  dialect: DialectName,
  stream: string,
  ask: (url: string) => Promise<T>,
): Promise<{ readonly hash: string; readonly sent: JsonValue }> {
  await using fake = await startFakeProvider();
  fake.reply({ raw: { status: 200, contentType: 'text/event-stream', body: stream } });
  const sent: JsonValue = JSON.parse(JSON.stringify(await ask(fake.url)));
  const { reply, isWhole } = readBytes(dialect, bytesOf(stream));
  assert.ok(reply && isWhole);
  return { hash: messageHash(reply), sent };
}

const blocks: readonly (readonly [JsonObject, ...(readonly JsonObject[])])[] = [
  [
    { type: 'compaction', content: '' },
    { type: 'compaction_delta', content: 'Summary.', encrypted_content: 'EqQB' },
  ],
  [
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: 'First ' },
    { type: 'thinking_delta', thinking: 'look.' },
    { type: 'signature_delta', signature: 'EqQBCg' },
  ],
  [{ type: 'redacted_thinking', data: 'EmwKAh' }],
  [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    { type: 'input_json_delta', partial_json: '{"query":"mi' },
    { type: 'input_json_delta', partial_json: 'll"}' },
  ],
  [
    {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', title: 'Mill' }],
    },
  ],
  [
    { type: 'text', text: '', citations: [] },
    { type: 'text_delta', text: 'The mill ' },
    { type: 'citations_delta', citation: { type: 'web_search_result_location', cited_text: 'mill' } },
    { type: 'text_delta', text: 'turns.' },
  ],
  [
    { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'echo', server_name: 's', input: {} },
    { type: 'input_json_delta', partial_json: '{"a":[1]}' },
  ],
  [{ type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [{ type: 'text', text: 'Hi' }] }],
  [
    { type: 'tool_use', id: 'toolu_1', name: 'list', input: {} },
    { type: 'input_json_delta', partial_json: '' },
  ],
];

test('K2: every kind of block is the block that the SDK of Anthropic sends back', async () => {
  const stream = streamOf(
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'claude-x',
        stop_reason: null,
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    },
    ...blocks.flatMap(([content_block, ...deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  );
  const { hash, sent } = await readTwice('anthropic', stream, async (baseURL) => {
    const client = new Anthropic({ ...keyed, baseURL });
    const ask = { model: 'claude-x', max_tokens: 99, messages: [{ role: 'user' as const, content: 'Go' }] };
    return (await client.beta.messages.stream(ask).finalMessage()).content;
  });
  assert.equal(hash, messageHash(only(fromAnthropic([{ role: 'assistant', content: sent }]))));
});

test('K2: calls in turns, and one with a field of its own, are those that the SDK of OpenAI sends back', async () => {
  const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = (index: number, fields: JsonObject): JsonObject => chunk({ tool_calls: [{ index, ...fields }] });
  const stream = streamOf(
    chunk({ role: 'assistant', content: 'I read.' }),
    call(0, {
      id: 'a',
      type: 'function',
      function: { name: 'bash', arguments: '' },
      extra_content: { google: { a: 1 } },
    }),
    call(0, { function: { arguments: '{"command":1}' } }),
    call(1, { id: 'b', type: 'function', function: { name: 'read', arguments: '{"path"' } }),
    call(1, { function: { arguments: ':"x"}' } }),
    chunk({}, 'tool_calls'),
    '[DONE]',
  );
  const { hash, sent } = await readTwice('openai-chat', stream, async (url) => {
    const client = new OpenAI({ ...keyed, baseURL: `${url}/v1` });
    const runner = client.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'Go' }] });
    return (await runner.finalChatCompletion()).choices[0]?.message;
  });
  // The SDK adds what it parsed to the message that it hands out.
  const plain = JSON.stringify(sent).replaceAll(/,"parsed_arguments":[^,}]*|,"parsed":null/g, '');
  assert.equal(hash, messageHash(only(fromOpenAiChat([JSON.parse(plain)]))));
});
