/** P3 where arguments are not to be touched: nobody could parse them, or a provider signed them in a turn that is open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prune } from '../../../packages/core/src/compression/prune/prune.ts';
import { shrinkTail } from '../../../packages/core/src/compression/prune/shrink-tail.ts';
import { repair } from '../../../packages/core/src/compression/repair.ts';
import type { FormatName, Message } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { writeTranscript } from '../../../packages/core/src/transcript/registry.ts';
import { toolCalls } from '../../../packages/core/src/transcript/text.ts';

/** An open turn of every form in which providers sign what a model called: 0 asks, 1 calls, 2 is the result. */
const signedForms: Readonly<Record<string, (args: string) => unknown>> = {
  'ai-sdk, on the call': (args) => [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'write',
          input: JSON.parse(args),
          providerOptions: { google: { thoughtSignature: 'c2ln' } },
        },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'write', output: { type: 'text', value: 'ok' } }],
    },
  ],
  'ai-sdk, on a thought before it': (args) => [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'c2ln' } } },
        { type: 'tool-call', toolCallId: 'a', toolName: 'write', input: JSON.parse(args) },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'write', output: { type: 'text', value: 'ok' } }],
    },
  ],
  'openai-chat, as Gemini answers there': (args) => [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'write', arguments: args },
          extra_content: { google: { thought_signature: 'c2ln' } },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'ok' },
  ],
  anthropic: (args) => ({
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'tool_use', id: 'a', name: 'write', input: JSON.parse(args) },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
    ],
  }),
  'openai-responses': (args) => [
    { type: 'message', role: 'user', content: 'go' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2ln' },
    { type: 'function_call', call_id: 'a', name: 'write', arguments: args },
    { type: 'function_call_output', call_id: 'a', output: 'ok' },
  ],
};

const long = 'some words of a file '.repeat(200);
const args = JSON.stringify({ path: 'a.ts', content: long });

async function messagesOf(value: unknown): Promise<readonly Message[]> {
  const { transcripts } = await readTranscripts(new TextEncoder().encode(JSON.stringify(value)));
  return transcripts[0]?.messages ?? assert.fail('no messages');
}

const tokensOf = (message: Message): number => Math.ceil(JSON.stringify(message.parts).length / 4);
const pruned = (messages: readonly Message[]): readonly Message[] =>
  prune(messages, { tokensOf, refOf: (one) => `m${messages.indexOf(one)}`, tailTokens: 1, minMessages: 0 }).messages;
const says = (role: 'user' | 'assistant', text: string): Message => ({ role, parts: [{ type: 'text', text }] });
const inputsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(toolCalls).map(({ input }) => input);
/** A step after the call, so that its results are not those that the model waits for. */
const later: readonly Message[] = [
  { role: 'assistant', parts: [{ type: 'toolCall', callId: 'z', name: 'ls', input: '{}', inputType: 'json' }] },
  { role: 'tool', parts: [{ type: 'toolResult', callId: 'z', content: [{ type: 'text', text: 'x' }] }] },
];

for (const [name, form] of Object.entries(signedForms)) {
  test(`P3: what a provider signed stays while its turn is open, and is shortened afterwards: ${name}`, async () => {
    const [ask, ...group] = await messagesOf(form(args));
    assert.ok(ask);
    const open = [ask, ...group, ...later];
    assert.equal(pruned(open), open, 'nothing was shortened');
    const closed = pruned([ask, ...group, ...later, says('assistant', 'done'), says('user', 'now this')]);
    assert.match(inputsOf(closed)[0] ?? '', /chars cut \| expand m1/);
    const [unsigned] = inputsOf(pruned([ask, ...group.map(withoutProof), ...later]));
    assert.match(unsigned ?? '', /chars cut \| expand m1/, 'no signature, no reason');
  });
}

/** The same message as no provider signed it. */
function withoutProof(message: Message): Message {
  const parts = message.parts.filter((part) => part.type !== 'reasoning').map(({ extra: _, ...part }) => part);
  // Taking a member away leaves every part what it is, which the spread of a union forgets.
  return { role: message.role, parts: parts as Message['parts'] };
}

test('P3: a signed call is the last to be cut where the window leaves no other way', async () => {
  const form = signedForms.anthropic ?? assert.fail();
  const messages = [...(await messagesOf(form(args))), says('assistant', long)];
  const options = { tokensOf, refOf: () => 'm1' };
  const gentle = shrinkTail(messages, 1_700, options);
  assert.ok(gentle.fits);
  assert.equal(gentle.messages[1], messages[1], 'the text gave way first');
  const tight = shrinkTail(messages, 600, options);
  assert.ok(tight.fits);
  assert.notEqual(tight.messages[1], messages[1]);
});

const broken = `{"path": "a.ts", "content": "${long}`;

/** A call whose arguments nobody could parse, in the formats that can carry one. */
const brokenForms: readonly (readonly [FormatName, unknown])[] = [
  [
    'openai-chat',
    [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'write', arguments: broken } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Invalid JSON' },
    ],
  ],
  [
    'openai-responses',
    [
      { type: 'message', role: 'user', content: 'go' },
      { type: 'function_call', call_id: 'a', name: 'write', arguments: broken },
      { type: 'function_call_output', call_id: 'a', output: 'Invalid JSON' },
    ],
  ],
  [
    'ai-sdk',
    [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'write', input: broken, invalid: true }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'write',
            output: { type: 'error-text', value: 'Invalid JSON' },
          },
        ],
      },
    ],
  ],
];

for (const [format, value] of brokenForms) {
  test(`P3: arguments that nobody could parse stay byte for byte: ${format}`, async () => {
    const messages = [...(await messagesOf(value)), ...later, says('assistant', 'done'), says('user', 'next')];
    const after = pruned(messages);
    assert.equal(after[1], messages[1]);
    const text = [...writeTranscript({ format, messages: after }, format)].join('');
    assert.ok(text.includes(JSON.stringify(broken)), 'as the format writes it');
  });

  test(`P3: a repair wraps them, and no pruning cuts what it wrapped: ${format}`, async () => {
    const messages = [...(await messagesOf(value)), ...later, says('assistant', 'done'), says('user', 'next')];
    const sound = repair(messages).messages;
    const [input] = inputsOf(pruned(sound));
    const { broken_arguments: kept } = JSON.parse(input ?? '');
    assert.equal(kept, broken);
  });
}
