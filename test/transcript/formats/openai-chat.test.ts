import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { Part, Role } from '../../../packages/core/src/transcript/message.ts';
import { groupsOf } from '../../../packages/core/src/transcript/text.ts';
import { fromOpenAiChat, toOpenAiChat } from '../../../packages/core/src/transcript/wire/chat/messages.ts';
import { withoutExtra } from '../../support/without-extra.ts';

const read = (...list: readonly JsonValue[]): JsonValue => withoutExtra(fromOpenAiChat(list));

describe('roles', () => {
  const cases: readonly [string, Role][] = [
    ['system', 'system'],
    ['developer', 'system'],
    ['user', 'user'],
    ['assistant', 'assistant'],
  ];
  for (const [role, expected] of cases) {
    test(`${role} is ${expected}`, () => {
      assert.deepEqual(read({ role, content: 'x', name: 'n' }), [
        { role: expected, parts: [{ type: 'text', text: 'x' }], name: 'n' },
      ]);
    });
  }
  test('an unknown role is reported and kept as the host', () => {
    const notes: string[] = [];
    const [message] = fromOpenAiChat([{ role: 'critic', content: 'x' }], {
      report: ({ message: text }) => notes.push(text),
    });
    assert.equal(message?.origin, 'host');
    assert.match(notes.join(), /"critic"/);
  });
});

describe('content', () => {
  const cases: readonly [string, JsonValue, Part][] = [
    ['text', { type: 'text', text: 'x' }, { type: 'text', text: 'x' }],
    ['refusal', { type: 'refusal', refusal: 'no' }, { type: 'text', text: 'no' }],
    [
      'image address',
      { type: 'image_url', image_url: { url: 'https://a.b/c.png', detail: 'low' } },
      { type: 'image', url: 'https://a.b/c.png' },
    ],
    [
      'image data',
      { type: 'image_url', image_url: { url: 'data:image/gif;base64,R0=' } },
      { type: 'image', mediaType: 'image/gif', data: 'R0=' },
    ],
    [
      'audio',
      { type: 'input_audio', input_audio: { data: 'aa', format: 'mp3' } },
      { type: 'file', mediaType: 'audio/mpeg', data: 'aa' },
    ],
    ['uploaded file', { type: 'file', file: { file_id: 'f1' } }, { type: 'file', fileId: 'f1' }],
    [
      'sent file',
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aa' } },
      { type: 'file', name: 'a.pdf', mediaType: 'application/pdf', data: 'aa' },
    ],
    ['unknown part', { type: 'hologram', depth: 3 }, { type: 'other', value: { type: 'hologram', depth: 3 } }],
  ];
  for (const [what, wire, part] of cases) {
    test(what, () => {
      assert.deepEqual(read({ role: 'user', content: [wire] }), [{ role: 'user', parts: [part] }]);
    });
  }
  test('nothing said gives no part, however it was written', () => {
    for (const content of [null, '', []])
      assert.deepEqual(read({ role: 'assistant', content }), [{ role: 'assistant', parts: [] }]);
  });
});

test('reasoning is read under each of its names, and not twice', () => {
  const reasoning = { type: 'reasoning', text: 'hm' };
  assert.deepEqual(read({ role: 'assistant', content: 'x', reasoning_content: 'hm' }), [
    { role: 'assistant', parts: [reasoning, { type: 'text', text: 'x' }] },
  ]);
  const details = [
    { type: 'reasoning.text', text: 'hm', signature: 's' },
    { type: 'reasoning.encrypted', data: 'zz' },
  ];
  assert.deepEqual(read({ role: 'assistant', content: 'x', reasoning: 'hm', reasoning_details: details }), [
    {
      role: 'assistant',
      parts: [
        { ...reasoning, signature: 's' },
        { type: 'reasoning', text: '', encrypted: 'zz' },
        { type: 'text', text: 'x' },
      ],
    },
  ]);
});

test('a repeated reasoning goes with the reasoning', () => {
  const [message] = fromOpenAiChat([
    { role: 'assistant', content: 'x', reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] },
  ]);
  assert.ok(message);
  const pruned = { ...message, parts: message.parts.filter(({ type }) => type !== 'reasoning') };
  assert.deepEqual(toOpenAiChat([pruned]), [{ role: 'assistant', content: 'x' }]);
});

test('calls keep their arguments to the letter, broken or not', () => {
  const call = (id: string, text: string): JsonValue => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: text },
  });
  const calls = [
    call('a', '{ "n" : 1.0 }'),
    call('b', '{"n":'),
    { id: 'c', type: 'custom', custom: { name: 'g', input: 'raw' } },
  ];
  const wire = { role: 'assistant', content: null, tool_calls: calls };
  assert.deepEqual(read(wire), [
    {
      role: 'assistant',
      parts: [
        { type: 'toolCall', callId: 'a', name: 'f', input: '{ "n" : 1.0 }', inputType: 'json' },
        { type: 'toolCall', callId: 'b', name: 'f', input: '{"n":', inputType: 'json' },
        { type: 'toolCall', callId: 'c', name: 'g', input: 'raw', inputType: 'text' },
      ],
    },
  ]);
  assert.deepEqual(toOpenAiChat(fromOpenAiChat([wire])), [wire]);
});

test('a refusal and spoken audio are parts', () => {
  assert.deepEqual(
    read({ role: 'assistant', content: null, refusal: 'no', audio: { id: 'au1', transcript: 'hi', data: 'aa' } }),
    [
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'no' },
          { type: 'file', fileId: 'au1', text: 'hi' },
        ],
      },
    ],
  );
});

test('an old function call and its answer are one group', () => {
  const messages = fromOpenAiChat([
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: 'one' },
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: 'two' },
  ]);
  assert.deepEqual(
    groupsOf(messages).map(({ start, end, open }) => [start, end, open.length]),
    [
      [0, 2, 0],
      [2, 4, 0],
    ],
  );
});

test('shape hints that no longer fit are ignored', () => {
  const [message] = fromOpenAiChat([{ role: 'assistant', content: null }]);
  assert.deepEqual(toOpenAiChat([{ ...message, role: 'assistant', parts: [{ type: 'text', text: 'now' }] }]), [
    { role: 'assistant', content: 'now' },
  ]);
});

test('what a provider ran itself is a call with its result behind it', () => {
  const call = { type: 'toolCall', callId: 's', name: 'web_search', input: '{"q":"x"}', inputType: 'json' } as const;
  const wire = toOpenAiChat([
    {
      role: 'assistant',
      parts: [
        { ...call, server: true },
        { type: 'toolResult', callId: 's', server: true, content: [{ type: 'text', text: 'found' }] },
        { type: 'text', text: 'I looked it up.' },
      ],
    },
  ]);
  assert.deepEqual(
    wire.map(({ role, content }) => [role, content]),
    [
      ['assistant', null],
      ['tool', 'found'],
      ['assistant', 'I looked it up.'],
    ],
  );
});
