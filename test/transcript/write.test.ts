/** Writing in another format than was read: what a strict provider takes, and nothing of the other format. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../packages/core/src/shared/json.ts';
import { toShareGpt } from '../../packages/core/src/transcript/logs/sharegpt.ts';
import type { FormatName, Message, Part, Transcript } from '../../packages/core/src/transcript/message.ts';
import { isFromPerson } from '../../packages/core/src/transcript/origin.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { writeTranscript } from '../../packages/core/src/transcript/registry.ts';
import { validate } from '../../packages/core/src/transcript/validate.ts';
import { toAiSdk } from '../../packages/core/src/transcript/wire/ai-sdk/messages.ts';
import { toAnthropic } from '../../packages/core/src/transcript/wire/anthropic/messages.ts';
import { toOpenAiChat } from '../../packages/core/src/transcript/wire/chat/messages.ts';
import { toGemini } from '../../packages/core/src/transcript/wire/gemini/messages.ts';
import { toOpenAiResponses } from '../../packages/core/src/transcript/wire/responses/messages.ts';
import { assistant, call, conversations, message, result, resultPart, user } from '../support/conversations.ts';

const targets = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk', 'sharegpt'] as const;

async function rewritten(messages: readonly Message[], from: FormatName, to: FormatName): Promise<Transcript> {
  const text = [...writeTranscript({ format: from, messages }, to)].join('');
  const { transcripts } = await readTranscripts(text, { format: to });
  assert.ok(transcripts[0]);
  return transcripts[0];
}

/** Conversations that say something, as another format would bring them. */
const whole = conversations({ maxSteps: 12 }).filter((messages) => messages.some(({ role }) => role === 'user'));

describe('a whole conversation stays valid', () => {
  for (const to of targets) {
    test(to, async () => {
      await fc.assert(
        fc.asyncProperty(whole, async (messages) => {
          const { messages: back } = await rewritten(messages, 'copilot-cli', to);
          // Without ids, ShareGPT cannot say which of several open calls an observation answers.
          const ignored = new Set(to === 'sharegpt' ? ['empty-result', 'unanswered-call'] : []);
          assert.deepEqual(
            validate(back).filter(({ rule }) => !ignored.has(rule)),
            [],
          );
        }),
        { numRuns: 60 },
      );
    });
  }
});

const longTexts = (messages: readonly Message[]): readonly string[] =>
  messages
    .filter(isFromPerson)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));

test('no word of a person is lost between formats', async () => {
  await fc.assert(
    fc.asyncProperty(whole, fc.constantFrom(...targets), async (messages, to) => {
      const { messages: back } = await rewritten(messages, 'pi', to);
      const text = longTexts(back).join('\n');
      for (const piece of longTexts(messages)) assert.ok(text.includes(piece));
    }),
    { numRuns: 100 },
  );
});

/** Every key in a value, at any depth. */
function keysIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

test('fields of another format never reach the wire', () => {
  const extra = (format: FormatName): { extra: Message['extra'] & object } => ({
    extra: { format, fields: { secret_field: 1, '#': { type: 'secret_type', role: 'secret_role' } } },
  });
  const strange = extra('pi');
  const messages: readonly Message[] = [
    { role: 'system', parts: [{ type: 'text', text: 's', ...strange }], ...strange },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'u', ...strange },
        { type: 'image', mediaType: 'image/png', data: 'aGk=', ...strange },
        { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf', ...strange },
      ],
      ...strange,
    },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'r', signature: 'x', ...strange },
        { ...call('a', 'read'), ...strange },
      ],
      ...strange,
    },
    { role: 'tool', parts: [{ ...resultPart('a', 'done'), ...strange }], ...strange },
  ];
  const wires: readonly JsonValue[] = [
    [...toOpenAiChat(messages)],
    { ...toAnthropic(messages) },
    { ...toOpenAiResponses(messages) },
    { ...toGemini(messages) },
    [...toAiSdk(messages)],
    [...toShareGpt(messages)],
  ] as readonly JsonValue[]; // Interfaces without an index signature; what they hold is JSON.
  for (const wire of wires) {
    assert.ok(!keysIn(wire).includes('secret_field'));
    assert.ok(!keysIn(wire).includes('#'));
    const text = JSON.stringify(wire);
    assert.ok(!text.includes('secret_'), text);
    assert.ok(!text.includes('"x"'), 'the signature of another provider');
  }
});

describe('what one format keeps together, another keeps apart', () => {
  const mixed: Message = {
    role: 'user',
    parts: [resultPart('a', 'one'), resultPart('b', 'two', true), { type: 'text', text: 'now stop' }],
  };
  const calls: Message = { role: 'assistant', parts: [call('a', 'read'), call('b', 'write')] };

  test('results beside a text become OpenAI messages before it', () => {
    assert.deepEqual(toOpenAiChat([user('go'), calls, mixed], 'anthropic').slice(2), [
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      { role: 'user', content: 'now stop' },
    ]);
  });
  test('results of a step become one Anthropic message, and what the user says after is another', () => {
    const { messages } = toAnthropic(
      [user('go'), calls, result('a', 'one'), result('b', 'two', true), user('stop')],
      'openai-chat',
    );
    assert.deepEqual(messages.slice(2), [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'one' },
          { type: 'tool_result', tool_use_id: 'b', content: 'two', is_error: true },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'stop' }] },
    ]);
  });
  test('an image in a result follows all results of its step', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'aGk=' };
    const shot: Message = { role: 'tool', parts: [{ type: 'toolResult', callId: 'a', content: [image] }] };
    const written = toOpenAiChat([calls, shot, result('b', 'two'), assistant('done')], 'anthropic');
    assert.deepEqual(
      written.map(({ role }) => role),
      ['assistant', 'tool', 'tool', 'user', 'assistant'],
    );
    assert.match(JSON.stringify(written[3]), /data:image\/png;base64,aGk=/);
  });
  test('a system message in the middle becomes a note that nobody takes for a person', async () => {
    for (const to of ['openai-chat', 'anthropic', 'ai-sdk'] as const) {
      const { messages } = await rewritten(
        [message('system', 's'), user('u'), message('system', 'mind the gap')],
        'pi',
        to,
      );
      const note = messages.find(({ parts }) => JSON.stringify(parts).includes('mind the gap'));
      assert.equal(note?.role, 'user');
      assert.equal(note && isFromPerson(note), false);
    }
  });
  test('free-form input becomes an object where only objects are taken', () => {
    const patch: Part = { ...call('a', 'apply_patch'), input: '*** Begin', inputType: 'text' };
    const messages: readonly Message[] = [{ role: 'assistant', parts: [patch] }];
    const [chat] = toOpenAiChat(messages, 'codex');
    assert.match(JSON.stringify(chat), /"arguments":"{\\"input\\":\\"\*\*\* Begin\\"}"/);
    assert.deepEqual(toAnthropic(messages, 'codex').messages[0]?.content, [
      { type: 'tool_use', id: 'a', name: 'apply_patch', input: { input: '*** Begin' } },
    ]);
    assert.deepEqual(toOpenAiResponses(messages, 'codex').items, [
      { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** Begin' },
    ]);
  });
  test('missing results stay missing', () => {
    const written = toOpenAiChat([calls, result('a', 'one'), user('stop')], 'anthropic');
    assert.equal(written.length, 3);
  });
  test('an empty result is said to be empty', () => {
    const [, empty] = toOpenAiChat([calls, result('a', '')], 'anthropic');
    assert.equal(empty?.content, '(no output)');
  });
  test('ids become what Anthropic allows, on both sides', () => {
    const odd: Message = { role: 'assistant', parts: [call('call|a.1', 'read')] };
    const text = JSON.stringify(toAnthropic([odd, result('call|a.1', 'x')], 'codex'));
    assert.equal(text.match(/call_a_1/g)?.length, 2);
  });
});

test('tools are defined in the words of the target', () => {
  const schema: JsonObject = { type: 'object', properties: { path: { type: 'string' } } };
  const transcript: Transcript = {
    format: 'anthropic',
    messages: [user('x')],
    tools: [
      { name: 'read', description: 'Reads.', input_schema: schema },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
  };
  const body = (to: FormatName): JsonObject => JSON.parse([...writeTranscript(transcript, to)].join(''));
  assert.deepEqual(body('openai-chat').tools, [
    { type: 'function', function: { name: 'read', description: 'Reads.', parameters: schema } },
  ]);
  assert.deepEqual(body('openai-responses').tools, [
    { type: 'function', name: 'read', description: 'Reads.', parameters: schema },
  ]);
  assert.deepEqual(body('anthropic').tools, transcript.tools);
});

test('a format without a writer is refused with the names of those that have one', () => {
  assert.throws(
    () => writeTranscript({ format: 'openai-chat', messages: [] }, 'swe-agent'),
    (error) =>
      PalimpsestError.isInstance(error) &&
      error.code === 'FORMAT_UNSUPPORTED' &&
      /openai-chat, .*sharegpt/.test(error.message),
  );
});
