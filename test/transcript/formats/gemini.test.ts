/** Contents of the Gemini API: what each part means, and what a conversation of another provider becomes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sealedCalls } from '../../../packages/core/src/compression/prune/cuts.ts';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { FormatName, Message, Part } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { writeTranscript } from '../../../packages/core/src/transcript/registry.ts';
import { validate } from '../../../packages/core/src/transcript/validate.ts';
import { fromGemini, toGemini } from '../../../packages/core/src/transcript/wire/gemini/messages.ts';
import { calls, result, user } from '../../support/conversations.ts';
import { withoutExtra } from '../../support/without-extra.ts';

describe('reads a part of a model as what it is, and writes it back', () => {
  const cases: readonly (readonly [what: string, part: JsonObject, read: Part])[] = [
    ['text', { text: 'Hi.' }, { type: 'text', text: 'Hi.' }],
    ['signed text', { text: 'Hi.', thoughtSignature: 'c2ln' }, { type: 'text', text: 'Hi.' }],
    ['thought', { text: 'Hm.', thought: true }, { type: 'reasoning', text: 'Hm.' }],
    [
      'signed thought',
      { text: 'Hm.', thought: true, thoughtSignature: 'c2ln' },
      { type: 'reasoning', text: 'Hm.', signature: 'c2ln' },
    ],
    [
      'signature alone',
      { text: '', thoughtSignature: 'c2ln' },
      { type: 'other', value: { text: '', thoughtSignature: 'c2ln' } },
    ],
    [
      'call with an id',
      { functionCall: { id: 'a', name: 'read', args: { path: 'x' } }, thoughtSignature: 'c2ln' },
      { type: 'toolCall', callId: 'a', name: 'read', input: '{"path":"x"}', inputType: 'json' },
    ],
    [
      'call without id and arguments',
      { functionCall: { name: 'now' } },
      { type: 'toolCall', callId: 'call_0_0', name: 'now', input: '{}', inputType: 'json' },
    ],
    [
      'text of a tool',
      { functionResponse: { id: 'a', name: 'read', response: { output: 'done' } } },
      { type: 'toolResult', callId: 'a', name: 'read', content: [{ type: 'text', text: 'done' }] },
    ],
    [
      'failure of a tool',
      { functionResponse: { id: 'a', name: 'read', response: { error: 'no such file' } } },
      {
        type: 'toolResult',
        callId: 'a',
        name: 'read',
        content: [{ type: 'text', text: 'no such file' }],
        isError: true,
      },
    ],
    [
      'value of a tool, with an image',
      {
        functionResponse: {
          id: 'a',
          name: 'read',
          response: { n: 1, ok: true },
          parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
        },
      },
      {
        type: 'toolResult',
        callId: 'a',
        name: 'read',
        content: [
          { type: 'text', text: '{"n":1,"ok":true}' },
          { type: 'image', mediaType: 'image/png', data: 'aGk=' },
        ],
      },
    ],
    [
      'image',
      { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
      { type: 'image', mediaType: 'image/png', data: 'aGk=' },
    ],
    [
      'file with a name',
      { inlineData: { mimeType: 'application/pdf', data: 'aGk=', displayName: 'a.pdf' } },
      { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
    ],
    ['address', { fileData: { fileUri: 'https://a.example/b' } }, { type: 'file', url: 'https://a.example/b' }],
    [
      'uploaded file',
      { fileData: { mimeType: 'image/png', fileUri: 'gs://a/b' } },
      { type: 'image', mediaType: 'image/png', fileId: 'gs://a/b' },
    ],
    [
      'part of a type that we do not know',
      { executableCode: { language: 'PYTHON', code: '1' } },
      { type: 'other', value: { executableCode: { language: 'PYTHON', code: '1' } } },
    ],
  ];
  for (const [what, part, read] of cases) {
    test(what, () => {
      const messages = fromGemini([{ role: 'model', parts: [part] }]);
      assert.deepEqual(withoutExtra(messages), [{ role: 'assistant', parts: [read] }]);
      assert.deepEqual(toGemini(messages).contents, [{ role: 'model', parts: [part] }]);
    });
  }
});

test('responses without ids answer the calls of their names in order', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Read both.' }] },
    {
      role: 'model',
      parts: [
        { functionCall: { name: 'read', args: { n: 1 } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'now', args: {} } },
        { functionCall: { name: 'read', args: { n: 2 } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'read', response: { output: 'one' } } },
        { functionResponse: { name: 'read', response: { output: 'two' } } },
        { functionResponse: { name: 'now', response: { output: 'noon' } } },
      ],
    },
  ];
  const messages = fromGemini(contents);
  const answered = messages[2]?.parts.map((part) => (part.type === 'toolResult' ? part.callId : part.type));
  assert.deepEqual(answered, ['call_1_0', 'call_1_2', 'call_1_1']);
  assert.deepEqual(validate(messages), []);
  assert.deepEqual(toGemini(messages).contents, contents);
});

test('arguments of a signed call are sealed while its turn is open', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Read.' }] },
    { role: 'model', parts: [{ functionCall: { id: 'a', name: 'read', args: {} }, thoughtSignature: 'c2ln' }] },
  ];
  const messages = fromGemini(contents);
  assert.deepEqual([...sealedCalls(messages)], [messages[1]]);
  const unsigned = fromGemini([contents[0] ?? {}, { role: 'model', parts: [{ functionCall: { name: 'read' } }] }]);
  assert.deepEqual([...sealedCalls(unsigned)], []);
});

const read = async (value: JsonValue): Promise<{ format: FormatName; messages: readonly Message[] }> => {
  const found = await readTranscripts(JSON.stringify(value));
  return { format: found.format, messages: found.transcripts[0]?.messages ?? [] };
};

test('requests, responses and bare lists are recognised', async () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Hi.' }] },
    { role: 'model', parts: [{ text: 'Hello.' }] },
  ];
  const request = { systemInstruction: { parts: [{ text: 'Be brief.' }] }, contents, generationConfig: {} };
  const response = {
    candidates: [{ content: contents[1] ?? {}, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
  };
  for (const [value, roles] of [
    [contents, ['user', 'assistant']],
    [{ contents: contents.slice(0, 1) }, ['user']],
    [request, ['system', 'user', 'assistant']],
    [response, ['assistant']],
  ] as const) {
    const { format, messages } = await read(value);
    assert.equal(format, 'gemini');
    assert.deepEqual(
      messages.map(({ role }) => role),
      roles,
    );
  }
});

test('UI messages of the AI SDK, whose parts have types, are none of ours', async () => {
  const ui = [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }];
  const found = await readTranscripts(JSON.stringify(ui)).then(
    ({ format }) => format,
    () => 'none',
  );
  assert.notEqual(found, 'gemini');
});

test('a conversation of another provider becomes one that Gemini takes', () => {
  const messages: readonly Message[] = [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    user('Read both.'),
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'hm', signature: 'x' },
        { type: 'text', text: 'Yes.' },
      ],
    },
    calls({ a: 'read', b: 'write' }),
    result('a', 'one'),
    result('b', ''),
    { role: 'system', parts: [{ type: 'text', text: 'Budget: 3.' }] },
  ];
  const skip = 'skip_thought_signature_validator';
  assert.deepEqual(toGemini(messages, 'anthropic'), {
    system: { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
    contents: [
      { role: 'user', parts: [{ text: 'Read both.' }] },
      {
        role: 'model',
        parts: [
          { text: 'Yes.' },
          { thoughtSignature: skip, functionCall: { id: 'a', name: 'read', args: {} } },
          { functionCall: { id: 'b', name: 'write', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'read', response: { output: 'one' } } },
          { functionResponse: { id: 'b', name: 'write', response: { output: '(no output)' } } },
        ],
      },
      { role: 'user', parts: [{ text: '<system-note>\nBudget: 3.\n</system-note>' }] },
    ],
  });
});

test('tools are declared in the words of the other format', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } } };
  const declaration = { name: 'read', description: 'Reads.', parametersJsonSchema: schema };
  const text = (format: FormatName, tools: readonly JsonValue[], to: FormatName): JsonValue =>
    JSON.parse([...writeTranscript({ format, messages: [user('Hi.')], tools }, to)].join('')).tools;
  const chat = [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: schema } }];
  assert.deepEqual(text('openai-chat', chat, 'gemini'), [{ functionDeclarations: [declaration] }]);
  assert.deepEqual(
    text('gemini', [{ functionDeclarations: [declaration] }, { googleSearch: {} }], 'openai-chat'),
    chat,
  );
});
