import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { Part } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { writeTranscript } from '../../../packages/core/src/transcript/registry.ts';
import { groupsOf } from '../../../packages/core/src/transcript/text.ts';
import { validate } from '../../../packages/core/src/transcript/validate.ts';
import {
  fromOpenAiResponses,
  toOpenAiResponses,
} from '../../../packages/core/src/transcript/wire/responses/messages.ts';
import { withoutExtra } from '../../support/without-extra.ts';

const read = (...list: readonly JsonValue[]): JsonValue => withoutExtra(fromOpenAiResponses(list));
const call = (callId: string): JsonObject => ({ type: 'function_call', call_id: callId, name: 'f', arguments: '{}' });
const output = (callId: string): JsonObject => ({ type: 'function_call_output', call_id: callId, output: 'done' });
const answer = (text: string): JsonObject => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const reasoning: JsonObject = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] };

test('what the model wrote in one go is one message, and parallel calls are one group with their outputs', () => {
  const items = [reasoning, answer('let me look'), call('a'), call('b'), output('b'), output('a'), answer('found')];
  const messages = fromOpenAiResponses(items);
  assert.deepEqual(
    messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)]),
    [
      ['assistant', ['reasoning', 'text', 'toolCall', 'toolCall']],
      ['tool', ['toolResult']],
      ['tool', ['toolResult']],
      ['assistant', ['text']],
    ],
  );
  assert.deepEqual(
    groupsOf(messages).map(({ end, open }) => [end, open]),
    [
      [3, []],
      [4, []],
    ],
  );
  assert.deepEqual(toOpenAiResponses(messages).items, items);
});

test('two message items behind each other stay two', () => {
  const items = [answer('one'), answer('two')];
  const messages = fromOpenAiResponses(items);
  assert.equal(messages.length, 1);
  assert.deepEqual(toOpenAiResponses(messages).items, items);
});

describe('calls', () => {
  const cases: readonly [JsonObject, Part][] = [
    [call('a'), { type: 'toolCall', callId: 'a', name: 'f', input: '{}', inputType: 'json' }],
    [
      { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: 'raw' },
      { type: 'toolCall', callId: 'a', name: 'patch', input: 'raw', inputType: 'text' },
    ],
    [
      { type: 'computer_call', call_id: 'a', id: 'cc', action: { type: 'click', x: 1 } },
      { type: 'toolCall', callId: 'a', name: 'computer', input: '{"type":"click","x":1}', inputType: 'json' },
    ],
    [
      { type: 'local_shell_call', call_id: 'a', action: { command: ['ls'] } },
      { type: 'toolCall', callId: 'a', name: 'local_shell', input: '{"command":["ls"]}', inputType: 'json' },
    ],
  ];
  for (const [item, part] of cases) {
    test(String(item.type), () => {
      assert.deepEqual(read(item), [{ role: 'assistant', parts: [part] }]);
    });
  }
});

describe('tools of the provider are a call with its result in one message', () => {
  const cases: readonly [JsonObject, Partial<Part>, JsonValue][] = [
    [{ type: 'web_search_call', id: 'w', action: { query: 'q' } }, { name: 'web_search', input: '{"query":"q"}' }, []],
    [
      { type: 'file_search_call', id: 'w', queries: ['q'], results: [{ score: 1 }] },
      { name: 'file_search', input: '{"queries":["q"]}' },
      [{ type: 'other', value: [{ score: 1 }] }],
    ],
    [
      { type: 'code_interpreter_call', id: 'w', code: '1+1', outputs: null },
      { name: 'code_interpreter', input: '1+1' },
      [],
    ],
    [
      { type: 'image_generation_call', id: 'w', result: 'aGk=' },
      { name: 'image_generation', input: '{}' },
      [{ type: 'image', mediaType: 'image/png', data: 'aGk=' }],
    ],
    [
      { type: 'mcp_call', id: 'w', name: 'ask', arguments: '{}', output: 'yes', error: null },
      { name: 'ask', input: '{}' },
      [{ type: 'text', text: 'yes' }],
    ],
  ];
  for (const [item, expected, content] of cases) {
    test(String(item.type), () => {
      const messages = fromOpenAiResponses([item, { role: 'user', content: 'x' }]);
      const [first, second] = messages[0]?.parts ?? [];
      assert.partialDeepStrictEqual(first, { type: 'toolCall', callId: 'w', server: true, ...expected });
      assert.partialDeepStrictEqual(second, { type: 'toolResult', callId: 'w', server: true });
      assert.deepEqual(second?.type === 'toolResult' && withoutExtra([{ role: 'tool', parts: second.content }]), [
        { role: 'tool', parts: content },
      ]);
      assert.deepEqual(validate(messages), []);
    });
  }
});

describe('outputs', () => {
  const cases: readonly [JsonValue, JsonValue][] = [
    ['done', [{ type: 'text', text: 'done' }]],
    [
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'data:image/png;base64,aa' },
      ],
      [
        { type: 'text', text: 'a' },
        { type: 'image', mediaType: 'image/png', data: 'aa' },
      ],
    ],
    [{ odd: true }, [{ type: 'other', value: { odd: true } }]],
    ['', []],
  ];
  for (const [value, content] of cases) {
    test(JSON.stringify(value).slice(0, 30), () => {
      assert.deepEqual(read({ type: 'function_call_output', call_id: 'a', output: value }), [
        { role: 'tool', parts: [{ type: 'toolResult', callId: 'a', content }] },
      ]);
    });
  }
  test('a screenshot is an image', () => {
    const shot = {
      type: 'computer_call_output',
      call_id: 'a',
      output: { type: 'computer_screenshot', image_url: 'https://a.b/c' },
    };
    assert.deepEqual(read(shot), [
      {
        role: 'tool',
        parts: [{ type: 'toolResult', callId: 'a', content: [{ type: 'image', url: 'https://a.b/c' }] }],
      },
    ]);
  });
});

test('reasoning shows its text and keeps what is encrypted', () => {
  const item = {
    type: 'reasoning',
    summary: [
      { type: 'summary_text', text: 'a' },
      { type: 'summary_text', text: 'b' },
    ],
    encrypted_content: 'zz',
  };
  assert.deepEqual(read(item), [
    { role: 'assistant', parts: [{ type: 'reasoning', text: 'a\n\nb', encrypted: 'zz' }] },
  ]);
});

test('items without a name of ours are kept and reported', () => {
  const notes: string[] = [];
  const items = [
    { id: 'msg_1' },
    { type: 'item_reference', id: 'x' },
    { type: 'mcp_list_tools', tools: [] },
    { type: 'thing_output', x: 1 },
  ];
  const messages = fromOpenAiResponses(items, { report: ({ message }) => notes.push(message) });
  assert.deepEqual(toOpenAiResponses(messages).items, items);
  assert.equal(notes.length, 1);
});

test('a request keeps its instructions as the first message and writes them back', async () => {
  for (const body of [
    {
      model: 'm',
      instructions: 'Be brief.',
      input: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'function', name: 'f' }],
    },
    { model: 'm', instructions: 'Be brief.', input: 'hi' },
    {
      object: 'response',
      input: [call('a'), output('a')],
      output: [reasoning, answer('x')],
      usage: { total_tokens: 3 },
    },
  ]) {
    const { transcripts } = await readTranscripts(JSON.stringify(body));
    assert.ok(transcripts[0]);
    assert.deepEqual(JSON.parse([...writeTranscript(transcripts[0], 'openai-responses')].join('')), body);
  }
});
