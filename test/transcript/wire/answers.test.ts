/** Answers of the fake provider in all four dialects: cut anywhere, whole, and as the clients of the providers put them together. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { type DialectName, type FakeProvider, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import OpenAI from 'openai';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import { type Message, messageHash } from '../../../packages/core/src/transcript/message.ts';
import { createAnswerReader } from '../../../packages/core/src/transcript/wire/answer-reader.ts';
import { fromAnthropic } from '../../../packages/core/src/transcript/wire/anthropic/messages.ts';
import { fromOpenAiChat } from '../../../packages/core/src/transcript/wire/chat/messages.ts';
import { dialectNamed } from '../../../packages/core/src/transcript/wire/dialects.ts';
import { fromOpenAiResponses } from '../../../packages/core/src/transcript/wire/responses/messages.ts';
import { full, text } from '../../testing/replies.ts';
import { bytesOf, only, readBytes, readPieces } from './answer-bytes.ts';

const bodies: Readonly<Record<DialectName, JsonObject>> = {
  'openai-chat': {
    model: 'm',
    messages: [{ role: 'user', content: 'Go' }],
    stream_options: { include_usage: true },
  },
  'openai-responses': { model: 'm', input: 'Go', include: ['reasoning.encrypted_content'] },
  anthropic: { model: 'm', max_tokens: 1_000, messages: [{ role: 'user', content: 'Go' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Go' }] }] },
};
const names: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

const pathOf = (dialect: DialectName, stream: boolean): string => {
  if (dialect !== 'gemini') return dialectNamed(dialect).path;
  return `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
};

async function answerOf(dialect: DialectName, reply: Reply, stream: boolean): Promise<Uint8Array> {
  await using fake = await startFakeProvider();
  fake.reply(reply);
  const response = await fetch(fake.url + pathOf(dialect, stream), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(dialect === 'gemini' ? bodies.gemini : { ...bodies[dialect], stream }),
  });
  return new Uint8Array(await response.arrayBuffer());
}

const replies: Readonly<Record<string, Reply>> = {
  'a full answer': { ...full, pieceChars: 16 },
  'a refusal': { text: 'I cannot help with that.', finish: 'refusal', pieceChars: 9 },
  'a text cut by its limit': { text, finish: 'length', pieceChars: 32 },
};

const reportOf: Readonly<Record<DialectName, JsonObject>> = {
  'openai-chat': { prompt_tokens: 150, completion_tokens: 30 },
  'openai-responses': { input_tokens: 150, output_tokens: 30 },
  anthropic: { input_tokens: 100, cache_read_input_tokens: 40, output_tokens: 30, service_tier: 'standard' },
  gemini: { promptTokenCount: 150, thoughtsTokenCount: 12 },
};

for (const dialect of names) {
  describe(`answers of ${dialect}`, () => {
    for (const [what, reply] of Object.entries(replies)) {
      test(`K2: ${what} in a stream reads the same wherever it is cut`, async () => {
        const bytes = await answerOf(dialect, reply, true);
        const whole = readBytes(dialect, bytes);
        assert.equal(whole.isWhole, true);
        for (let at = 0; at <= bytes.length; at++) {
          const cut = readPieces(dialect, [bytes.subarray(0, at), bytes.subarray(at)]);
          // Compared by the hash at every byte, which is cheaper than field by field.
          assert.ok(cut.isWhole && cut.reply && whole.reply, `cut at ${at}`);
          assert.equal(messageHash(cut.reply), messageHash(whole.reply), `cut at ${at}`);
        }
        const single = readPieces(
          dialect,
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        );
        assert.deepEqual(single, whole);
      });

      test(`K2: ${what} reads alike as a stream and as a body`, async () => {
        const streamed = readBytes(dialect, await answerOf(dialect, reply, true));
        const whole = readBytes(dialect, await answerOf(dialect, reply, false));
        assert.equal(whole.isWhole, true);
        assert.ok(whole.reply && streamed.reply);
        assert.deepEqual(partsOf(streamed.reply), partsOf(whole.reply));
        assert.equal(streamed.finish, whole.finish);
        assert.equal(streamed.model, 'm');
        assert.equal(whole.model, 'm');
      });
    }

    test('K2: the usage of an answer is what the provider reported', async () => {
      for (const stream of [true, false]) {
        const { usage } = readBytes(dialect, await answerOf(dialect, full, stream));
        assert.deepEqual({ ...usage, ...reportOf[dialect] }, usage);
      }
    });

    test('K2: an answer that breaks off says what had come, and is not whole', async () => {
      const bytes = await answerOf(dialect, { text, pieceChars: 3 }, true);
      const cut = readBytes(dialect, bytes.subarray(0, Math.floor(bytes.length * 0.4)));
      assert.equal(cut.isWhole, false);
      assert.ok(text.startsWith(JSON.stringify(cut.reply?.parts[0]).match(/"text":"([^"]*)"/)?.[1] ?? '?'));
    });

    test('K2: an error in a stream is what the provider wrote, and the answer is not whole', async () => {
      const reply: Reply = { text, error: { status: 529, message: 'Too busy', inStream: true } };
      const { error, isWhole } = readBytes(dialect, await answerOf(dialect, reply, true));
      assert.equal(error?.message, 'Too busy');
      assert.equal(isWhole, false);
    });
  });
}

/** A stream of Gemini has the signature of a text in a part of its own. */
function partsOf({ parts }: Message): JsonValue {
  const { text: signed, proofs } = { text: [] as JsonValue[], proofs: [] as JsonValue[] };
  for (const part of parts) {
    if (part.type === 'other') proofs.push((part.value as JsonObject).thoughtSignature ?? null);
    else if (part.type === 'text' && part.extra?.format === 'gemini') {
      proofs.push(part.extra.fields.thoughtSignature ?? null);
      signed.push({ type: 'text', text: part.text });
    } else signed.push(JSON.parse(JSON.stringify(part)));
  }
  return [...signed, ...proofs];
}

const keyed = { apiKey: 'key', maxRetries: 0 };

/** What a client put together, and what our reader made of the very same bytes. */
async function both<T>(
  dialect: DialectName,
  reply: Reply,
  ask: (fake: FakeProvider) => Promise<T>,
): Promise<{ readonly sdk: T; readonly message: Message }> {
  await using fake = await startFakeProvider();
  fake.reply(reply);
  const sdk = await ask(fake);
  const { reply: message } = readBytes(dialect, await answerOf(dialect, reply, true));
  assert.ok(message);
  return { sdk, message };
}

/** What a client sends as JSON. */
const sent = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));

describe('clients of the providers', () => {
  for (const [what, reply] of Object.entries(replies)) {
    test(`K2: ${what} is the message that the SDK of OpenAI sends back over Chat Completions`, async () => {
      const { sdk, message } = await both('openai-chat', reply, async (fake) => {
        const client = new OpenAI({ ...keyed, baseURL: fake.baseUrl('openai-chat') });
        const stream = client.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'Go' }] });
        return (await stream.finalChatCompletion()).choices[0]?.message;
      });
      // Of reasoning, which is not OpenAI's, the SDK keeps the last piece alone.
      const { reasoning_content: _, parsed: __, ...known } = sent(sdk) as { [name: string]: JsonValue };
      const read = only(fromOpenAiChat([known]));
      const visible = message.parts.filter(({ type }) => type !== 'reasoning');
      assert.deepEqual(withoutParsed(read.parts), visible);
    });

    test(`K2: ${what} is the message that the SDK of OpenAI sends back over Responses`, async () => {
      const { sdk, message } = await both('openai-responses', reply, async (fake) => {
        const client = new OpenAI({ ...keyed, baseURL: fake.baseUrl('openai-responses') });
        const include = ['reasoning.encrypted_content' as const];
        const response = await client.responses.create({ model: 'm', input: 'Go', include });
        return response.output;
      });
      const items = sent(sdk) as readonly JsonValue[];
      assert.equal(messageHash(message), messageHash(only(fromOpenAiResponses(items))));
    });

    test(`K2: ${what} is the message that the SDK of Anthropic sends back`, async () => {
      const { sdk, message } = await both('anthropic', reply, async (fake) => {
        const client = new Anthropic({ ...keyed, baseURL: fake.url });
        const ask = { model: 'm', max_tokens: 1_000, messages: [{ role: 'user' as const, content: 'Go' }] };
        return (await client.messages.stream(ask).finalMessage()).content;
      });
      const back = only(fromAnthropic([{ role: 'assistant', content: sent(sdk) }]));
      assert.equal(messageHash(message), messageHash(back));
    });
  }
});

/** The SDK adds `parsed_arguments` to the calls that it gives its caller, and takes it away from what it sends. */
const withoutParsed = (parts: Message['parts']): Message['parts'] =>
  parts.map((part) => {
    if (part.type !== 'toolCall' || !part.extra) return part;
    const { extra: _, ...plain } = part;
    return plain;
  });

test('K2: bytes that follow the end of reading change nothing', () => {
  const stream = bytesOf('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n');
  const reader = createAnswerReader('openai-chat');
  reader.read(stream);
  const answer = reader.end();
  reader.read(stream);
  assert.equal(reader.end(), answer);
  assert.deepEqual(answer.reply?.parts, [{ type: 'text', text: 'Hi' }]);
});
