import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { Part } from '../../../packages/core/src/transcript/message.ts';
import { groupsOf } from '../../../packages/core/src/transcript/text.ts';
import {
  fromAnthropic,
  fromAnthropicSystem,
  toAnthropic,
} from '../../../packages/core/src/transcript/wire/anthropic/messages.ts';
import { withoutExtra } from '../../support/without-extra.ts';

const read = (content: JsonValue, role = 'assistant'): JsonValue => withoutExtra(fromAnthropic([{ role, content }]));

describe('blocks', () => {
  const cases: readonly [string, JsonValue, Part][] = [
    ['text', { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }, { type: 'text', text: 'x' }],
    [
      'image data',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aa' } },
      { type: 'image', mediaType: 'image/png', data: 'aa' },
    ],
    [
      'image address',
      { type: 'image', source: { type: 'url', url: 'https://a.b/c' } },
      { type: 'image', url: 'https://a.b/c' },
    ],
    ['uploaded image', { type: 'image', source: { type: 'file', file_id: 'f' } }, { type: 'image', fileId: 'f' }],
    [
      'document',
      { type: 'document', title: 'T', source: { type: 'base64', media_type: 'application/pdf', data: 'aa' } },
      { type: 'file', mediaType: 'application/pdf', data: 'aa', name: 'T' },
    ],
    [
      'text document',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hello' } },
      { type: 'file', mediaType: 'text/plain', text: 'hello' },
    ],
    [
      'thinking',
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'reasoning', text: 'hm', signature: 's' },
    ],
    ['redacted thinking', { type: 'redacted_thinking', data: 'zz' }, { type: 'reasoning', text: '', encrypted: 'zz' }],
    [
      'tool use',
      { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } },
      { type: 'toolCall', callId: 'a', name: 'f', input: '{"n":1}', inputType: 'json' },
    ],
    [
      'server tool use',
      { type: 'server_tool_use', id: 'a', name: 'web_search', input: {} },
      { type: 'toolCall', callId: 'a', name: 'web_search', input: '{}', inputType: 'json', server: true },
    ],
    [
      'search result of the server',
      { type: 'web_search_tool_result', tool_use_id: 'a', content: [{ type: 'web_search_result', url: 'u' }] },
      {
        type: 'toolResult',
        callId: 'a',
        content: [{ type: 'other', value: { type: 'web_search_result', url: 'u' } }],
        server: true,
      },
    ],
    [
      'failed search of the server',
      { type: 'web_search_tool_result', tool_use_id: 'a', content: { type: 'web_search_tool_result_error' } },
      {
        type: 'toolResult',
        callId: 'a',
        content: [{ type: 'other', value: { type: 'web_search_tool_result_error' } }],
        isError: true,
        server: true,
      },
    ],
    [
      'result of an MCP tool',
      { type: 'mcp_tool_result', tool_use_id: 'a', is_error: false, content: [{ type: 'text', text: 'x' }] },
      { type: 'toolResult', callId: 'a', content: [{ type: 'text', text: 'x' }], isError: false, server: true },
    ],
    ['upload', { type: 'container_upload', file_id: 'f' }, { type: 'file', fileId: 'f' }],
    ['unknown block', { type: 'hologram', n: 1 }, { type: 'other', value: { type: 'hologram', n: 1 } }],
  ];
  for (const [what, block, part] of cases) {
    test(what, () => {
      assert.deepEqual(read([block]), [{ role: 'assistant', parts: [part] }]);
      assert.deepEqual(toAnthropic(fromAnthropic([{ role: 'assistant', content: [block] }])).messages, [
        { role: 'assistant', content: [block] },
      ]);
    });
  }
});

test('results with a text beside them stay one message and close the group', () => {
  const messages = fromAnthropic([
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'f', input: {} },
        { type: 'tool_use', id: 'b', name: 'f', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'x', is_error: true },
        { type: 'tool_result', tool_use_id: 'b' },
        { type: 'text', text: 'go on' },
      ],
    },
  ]);
  assert.deepEqual(withoutExtra(messages.slice(1)), [
    {
      role: 'user',
      parts: [
        { type: 'toolResult', callId: 'a', content: [{ type: 'text', text: 'x' }], isError: true },
        { type: 'toolResult', callId: 'b', content: [] },
        { type: 'text', text: 'go on' },
      ],
    },
  ]);
  assert.deepEqual(groupsOf(messages), [{ start: 0, end: 2, open: [] }]);
});

test('the system prompt leads the list as text or blocks and is written back as it came', () => {
  for (const system of [
    'Be brief.',
    '',
    [],
    [{ type: 'text', text: 'Be brief.' }],
    [
      { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'b' },
    ],
  ]) {
    const lead = fromAnthropicSystem(system);
    assert.ok(lead);
    assert.deepEqual(toAnthropic([lead, ...fromAnthropic([{ role: 'user', content: 'hi' }])]), {
      system,
      messages: [{ role: 'user', content: 'hi' }],
    });
  }
});

test('thinking of Claude Code keeps its signature, thinking of others stays out', () => {
  const message = {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'hm', signature: 's' },
      { type: 'text', text: 'x' },
    ],
  } as const;
  assert.deepEqual(toAnthropic([message], 'claude-code').messages[0]?.content, [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'text', text: 'x' },
  ]);
  assert.deepEqual(toAnthropic([message], 'codex').messages[0]?.content, [{ type: 'text', text: 'x' }]);
});
