import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ModelMessage } from 'ai';
import type { JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { Part, ToolResultPart } from '../../../packages/core/src/transcript/message.ts';
import { fromAiSdk, toAiSdk } from '../../../packages/core/src/transcript/wire/ai-sdk/messages.ts';
import { withoutExtra } from '../../support/without-extra.ts';

const parts = (content: readonly unknown[], role = 'assistant'): JsonValue =>
  withoutExtra(fromAiSdk([{ role, content }]));

describe('parts', () => {
  const cases: readonly [string, JsonValue, Part][] = [
    ['text', { type: 'text', text: 'x', providerOptions: { a: { b: 1 } } }, { type: 'text', text: 'x' }],
    ['image', { type: 'image', image: 'https://a.b/c.png' }, { type: 'image', url: 'https://a.b/c.png' }],
    [
      'image data',
      { type: 'image', image: 'aGk=', mediaType: 'image/png' },
      { type: 'image', data: 'aGk=', mediaType: 'image/png' },
    ],
    [
      'image file',
      { type: 'file', mediaType: 'image', data: { type: 'data', data: 'aGk=' } },
      { type: 'image', data: 'aGk=', mediaType: 'image' },
    ],
    [
      'file',
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: { type: 'url', url: 'https://a.b/c' } },
      { type: 'file', url: 'https://a.b/c', mediaType: 'application/pdf', name: 'a.pdf' },
    ],
    [
      'file text',
      { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'x' } },
      { type: 'file', text: 'x', mediaType: 'text/plain' },
    ],
    [
      'file reference',
      { type: 'file', mediaType: 'audio', data: { type: 'reference', reference: { openai: 'f' } } },
      { type: 'file', fileId: 'f', mediaType: 'audio' },
    ],
    [
      'reasoning',
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
      { type: 'reasoning', text: 'hm', signature: 's' },
    ],
    [
      'tool call',
      { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: { n: 1 } },
      { type: 'toolCall', callId: 'a', name: 'f', input: '{"n":1}', inputType: 'json' },
    ],
    [
      'call of the provider',
      { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: 'x', providerExecuted: true },
      { type: 'toolCall', callId: 'a', name: 'f', input: '"x"', inputType: 'json', server: true },
    ],
    [
      'approval request',
      { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' },
      { type: 'other', value: { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' } },
    ],
  ];
  for (const [what, wire, part] of cases) {
    test(what, () => {
      assert.deepEqual(parts([wire]), [{ role: 'assistant', parts: [part] }]);
      assert.deepEqual(toAiSdk(fromAiSdk([{ role: 'assistant', content: [wire] }])), [
        { role: 'assistant', content: [wire] },
      ]);
    });
  }
});

describe('outputs of tools', () => {
  const cases: readonly [JsonValue, Pick<ToolResultPart, 'content' | 'isError'>][] = [
    [{ type: 'text', value: 'x' }, { content: [{ type: 'text', text: 'x' }] }],
    [{ type: 'json', value: { n: 1 } }, { content: [{ type: 'other', value: { n: 1 } }] }],
    [
      { type: 'error-text', value: 'x' },
      { content: [{ type: 'text', text: 'x' }], isError: true },
    ],
    [
      { type: 'error-json', value: [1] },
      { content: [{ type: 'other', value: [1] }], isError: true },
    ],
    [
      { type: 'execution-denied', reason: 'no' },
      { content: [{ type: 'text', text: 'no' }], isError: true },
    ],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'x' },
          { type: 'image-data', data: 'aa', mediaType: 'image/png' },
        ],
      },
      {
        content: [
          { type: 'text', text: 'x' },
          { type: 'image', data: 'aa', mediaType: 'image/png' },
        ],
      },
    ],
    [{ type: 'of-tomorrow', n: 1 }, { content: [{ type: 'other', value: { type: 'of-tomorrow', n: 1 } }] }],
  ];
  for (const [output, expected] of cases) {
    test(JSON.stringify(output).slice(0, 40), () => {
      const wire = { type: 'tool-result', toolCallId: 'a', toolName: 'f', output };
      assert.deepEqual(parts([wire], 'tool'), [
        { role: 'tool', parts: [{ type: 'toolResult', callId: 'a', name: 'f', ...expected }] },
      ]);
      assert.deepEqual(toAiSdk(fromAiSdk([{ role: 'tool', content: [wire] }])), [{ role: 'tool', content: [wire] }]);
    });
  }
});

test('messages in memory may hold bytes and addresses', () => {
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/png', data: new Uint8Array([104, 105]) },
        { type: 'image', image: new URL('https://a.b/c.png') },
        { type: 'text', text: 'x' },
      ],
    },
  ];
  assert.deepEqual(withoutExtra(fromAiSdk(messages)), [
    {
      role: 'user',
      parts: [
        { type: 'image', data: 'aGk=', mediaType: 'image/png' },
        { type: 'image', url: 'https://a.b/c.png' },
        { type: 'text', text: 'x' },
      ],
    },
  ]);
});

test('a result from elsewhere gets the name of its tool from the call', () => {
  const messages = toAiSdk(
    [
      { role: 'assistant', parts: [{ type: 'toolCall', callId: 'a', name: 'f', input: '{}', inputType: 'json' }] },
      {
        role: 'tool',
        parts: [{ type: 'toolResult', callId: 'a', content: [{ type: 'text', text: 'x' }], isError: true }],
      },
    ],
    'anthropic',
  );
  assert.deepEqual(messages[1], {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'error-text', value: 'x' } }],
  });
});
