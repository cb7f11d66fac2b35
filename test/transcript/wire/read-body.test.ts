import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PalimpsestError } from '../../../packages/core/src/shared/errors.ts';
import type { JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { DialectName } from '../../../packages/core/src/transcript/wire/answer.ts';
import { type Body, readBody } from '../../../packages/core/src/transcript/wire/body/read-body.ts';
import { withoutExtra } from '../../support/without-extra.ts';

const read = (dialect: DialectName, body: JsonValue): Body => readBody(dialect, JSON.stringify(body));
const placed = ({ text, entries }: Body): readonly (readonly string[])[] =>
  entries.map(({ spans }) => spans.map(({ start, end }) => text.slice(start, end)));
const hi = { role: 'user', content: 'Hi' };

describe('what a body says', () => {
  test('K2 Anthropic: the system prompt leads, then messages with texts, blocks and a late system message', () => {
    const late = {
      role: 'system',
      content: [{ type: 'text', text: 'New tools.', cache_control: { type: 'ephemeral' } }],
    };
    const body = read('anthropic', {
      model: 'claude-opus-5-5',
      messages: [hi, late, { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] }],
      system: [{ type: 'text', text: 'Be brief.' }],
      tools: [{ name: 'Read' }, { type: 'tool_search_tool_regex_20251119' }],
      max_tokens: 128_000,
      stream: true,
    });
    assert.deepEqual(withoutExtra(body.messages), [
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { role: 'system', parts: [{ type: 'text', text: 'New tools.' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Yes?' }] },
    ]);
    assert.deepEqual(placed(body).slice(0, 3), [
      ['[{"type":"text","text":"Be brief."}]'],
      [JSON.stringify(hi)],
      [JSON.stringify(late)],
    ]);
    assert.deepEqual(
      body.entries.map(({ field, from, to }) => [field, from, to]),
      [
        ['system', 0, 0],
        [undefined, 0, 1],
        [undefined, 1, 2],
        [undefined, 2, 3],
      ],
    );
    const { model, stream, maxTokens, acts, continues } = body;
    assert.deepEqual(
      { model, stream, maxTokens, acts, continues },
      { model: 'claude-opus-5-5', stream: true, maxTokens: 128_000, acts: [], continues: undefined },
    );
    assert.deepEqual(
      body.tools.map(({ value, span }) => [value, body.text.slice(span.start, span.end)]),
      [
        [{ name: 'Read' }, '{"name":"Read"}'],
        [{ type: 'tool_search_tool_regex_20251119' }, '{"type":"tool_search_tool_regex_20251119"}'],
      ],
    );
  });

  test('K2 Responses: what the model wrote between two inputs is one message with several stretches', () => {
    const items = [
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
    ];
    const body = read('openai-responses', { model: 'gpt', instructions: 'Base.', input: items, max_output_tokens: 5 });
    assert.deepEqual(
      body.messages.map(({ role }) => role),
      ['system', 'system', 'user', 'assistant', 'tool'],
    );
    assert.deepEqual(placed(body), [
      ['"Base."'],
      [JSON.stringify(items[0])],
      [JSON.stringify(items[1])],
      [JSON.stringify(items[2]), JSON.stringify(items[3])],
      [JSON.stringify(items[4])],
    ]);
    assert.equal(body.maxTokens, 5);
  });

  test('K2 Responses: a plain text is one message of the user; a body that continues need not have one', () => {
    const plain = readBody('openai-responses', '{"model":"m", "input" : "H\\u0069"}');
    assert.deepEqual(withoutExtra(plain.messages), [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]);
    assert.deepEqual(placed(plain), [['"H\\u0069"']]);
    const more = read('openai-responses', { model: 'm', previous_response_id: 'resp_1' });
    assert.deepEqual([more.messages, more.continues], [[], 'previous_response_id']);
    assert.equal(read('openai-responses', { input: [], conversation: 'conv_1' }).continues, 'conversation');
    assert.equal(read('openai-responses', { input: [], previous_response_id: null }).continues, undefined);
  });

  test('K2 Chat: every tool message and every old function call has an entry of its own', () => {
    const body = read('openai-chat', {
      model: 'gpt',
      messages: [
        { role: 'developer', content: 'Rules.' },
        hi,
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'old' },
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'new' },
      ],
      functions: [{ name: 'f' }],
      max_completion_tokens: 7,
      max_tokens: 9,
    });
    assert.deepEqual(
      body.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
    );
    assert.deepEqual([body.maxTokens, body.stream, body.tools.length], [7, false, 1]);
  });

  test('K2 Gemini: contents with the system prompt under either name; the path says model and stream', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ text: 'Yes?', thoughtSignature: 'c2ln' }] },
    ];
    for (const name of ['systemInstruction', 'system_instruction']) {
      const value = { contents, [name]: { parts: [{ text: 'Be brief.' }] }, generationConfig: { maxOutputTokens: 3 } };
      const body = readBody('gemini', JSON.stringify(value), { model: 'gemini-3-pro' });
      assert.deepEqual(
        body.messages.map(({ role }) => role),
        ['system', 'user', 'assistant'],
      );
      assert.deepEqual([body.model, body.stream, body.maxTokens], ['gemini-3-pro', undefined, 3]);
    }
    assert.equal(read('gemini', { contents, cachedContent: 'cachedContents/1' }).continues, 'cachedContent');
  });
});

describe('what a client asks its provider to do by itself', () => {
  const cases: readonly [DialectName, JsonValue, JsonValue][] = [
    [
      'anthropic',
      {
        messages: [],
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }, { type: 'compact_20260112' }] },
      },
      [
        { field: 'context_management', type: 'clear_thinking_20251015' },
        { field: 'context_management', type: 'compact_20260112' },
      ],
    ],
    ['anthropic', { messages: [], compaction: { type: 'summarize' } }, [{ field: 'compaction', type: 'summarize' }]],
    [
      'openai-responses',
      {
        input: [{ role: 'user', content: 'Hi' }, { type: 'compaction_trigger' }],
        context_management: [{ type: 'compaction', compact_threshold: 9 }],
        truncation: 'auto',
      },
      [
        { field: 'context_management', type: 'compaction' },
        { field: 'truncation', type: 'auto' },
        { field: 'compaction_trigger' },
      ],
    ],
    ['openai-responses', { input: 'Hi', truncation: 'disabled' }, []],
    ['openai-chat', { messages: [], transforms: ['middle-out'] }, [{ field: 'transforms', type: 'middle-out' }]],
    ['gemini', { contents: [] }, []],
  ];
  for (const [dialect, body, acts] of cases) {
    test(`H3 ${dialect}: ${JSON.stringify(acts)}`, () => assert.deepEqual(read(dialect, body).acts, acts));
  }
});

describe('what cannot be read faithfully is refused, and can be passed on', () => {
  const cases: readonly [string, DialectName, string | Uint8Array, RegExp][] = [
    ['no JSON', 'anthropic', '{"messages":[', /expected JSON/],
    ['bytes that are no UTF-8', 'anthropic', Uint8Array.of(0x7b, 0xff, 0x7d), /no UTF-8/],
    ['a list', 'anthropic', '[]', /a JSON object in the body of a request, got a list/],
    ['no messages', 'openai-chat', '{"model":"m"}', /a list under messages/],
    ['messages that are none', 'openai-chat', '{"messages":"Hi"}', /a list under messages.*got a string/],
    ['a message that is none', 'openai-chat', '{"messages":[1]}', /found a number/],
    [
      'a role that Anthropic does not have',
      'anthropic',
      '{"messages":[{"role":"tool","content":"x"}]}',
      /with the keys role, content/,
    ],
    ['an item that is none', 'openai-responses', '{"input":[{"a":1}]}', /an item with a type or a role/],
    ['a content that is none', 'gemini', '{"contents":[{"role":"user"}]}', /a content with a list of parts/],
    ['a system prompt that is none', 'anthropic', '{"system":7,"messages":[]}', /a system prompt under system/],
    ['a member of the body twice', 'openai-chat', '{"messages":[],"x":1,"mess\\u0061ges":[]}', /"messages" twice/],
    [
      'a member of a message twice',
      'openai-chat',
      '{"messages":[{"role":"user","content":"a","content":"b"}]}',
      /twice in messages\[0\]/,
    ],
    [
      'a member inside a message twice',
      'anthropic',
      '{"messages":[{"role":"user","content":[{"type":"text","text":"a","text":"b"}]}]}',
      /twice in messages\[0\]/,
    ],
    [
      'a member of the system prompt twice',
      'gemini',
      '{"systemInstruction":{"parts":[],"parts":[]},"contents":[]}',
      /twice under systemInstruction/,
    ],
  ];
  for (const [what, dialect, given, words] of cases) {
    test(`K2 ${what}`, () => {
      assert.throws(
        () => readBody(dialect, given),
        (error: PalimpsestError) => {
          assert.equal(error.code, 'BODY_BROKEN');
          assert.match(error.message, words);
          assert.match(error.message, /pass it on as it came/);
          return true;
        },
      );
    });
  }

  test('K2 a member that is there twice where nothing is read passes', () => {
    const text = '{"tools":[{"a":1,"a":2}],"metadata":{"b":1,"b":2},"messages":[{"role":"user","content":"Hi"}]}';
    assert.equal(readBody('openai-chat', text).text, text);
  });

  test('K2 a member called __proto__ changes no prototype, and nothing is lost of it', () => {
    const text = '{"__proto__":{"stream":true},"messages":[{"role":"user","__proto__":{"x":1},"content":"Hi"}]}';
    const body = readBody('openai-chat', text);
    assert.equal(body.stream, false);
    assert.equal(Reflect.get({}, 'x'), undefined);
    assert.equal(Object.getPrototypeOf(body.messages[0]), Object.prototype);
  });
});
