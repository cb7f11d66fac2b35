/** The SDKs that agents are built on, in front of the gateway as in front of their provider. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { type FakeProvider, misbehaving, type Script, startFakeProvider } from '@palimpsest/core/testing';
import OpenAI from 'openai';
import { gatewayBefore } from './support/gateway.ts';

type Say = (baseUrl: string, stream: boolean) => Promise<string>;

const messages = [{ role: 'user' as const, content: 'Hello?' }];

const sayers: Readonly<Record<string, Say>> = {
  'the OpenAI SDK by Chat Completions': async (url, stream) => {
    const client = new OpenAI({ apiKey: 'right', baseURL: `${url}/v1`, maxRetries: 0 });
    if (!stream) {
      const answer = await client.chat.completions.create({ model: 'm', messages });
      return answer.choices[0]?.message.content ?? '';
    }
    let text = '';
    for await (const { choices } of await client.chat.completions.create({ model: 'm', messages, stream }))
      text += choices[0]?.delta.content ?? '';
    return text;
  },
  'the OpenAI SDK by Responses': async (url, stream) => {
    const client = new OpenAI({ apiKey: 'right', baseURL: `${url}/v1`, maxRetries: 0 });
    if (!stream) return (await client.responses.create({ model: 'm', input: 'Hello?' })).output_text;
    let text = '';
    for await (const event of await client.responses.create({ model: 'm', input: 'Hello?', stream }))
      if (event.type === 'response.output_text.delta') text += event.delta;
    return text;
  },
  'the Anthropic SDK': async (url, stream) => {
    const client = new Anthropic({ apiKey: 'right', baseURL: url, maxRetries: 0 });
    const asked = { model: 'm', max_tokens: 500, messages };
    if (stream) return client.messages.stream(asked).finalText();
    const { content } = await client.messages.create(asked);
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  },
  'fetch, as Gemini CLI does': async (url, stream) => {
    const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }] });
    const headers = { 'x-goog-api-key': 'right' };
    const answer = await fetch(`${url}/v1beta/models/m:${verb}`, { method: 'POST', headers, body });
    return [...(await answer.text()).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join('');
  },
};

const through = async (reply: Script, use: (url: string, fake: FakeProvider) => Promise<void>): Promise<void> => {
  await using fake = await startFakeProvider({ apiKey: 'right' });
  await using gateway = await gatewayBefore(fake.url);
  fake.reply(reply);
  await use(gateway.url, fake);
};

for (const [name, say] of Object.entries(sayers)) {
  describe(name, () => {
    for (const stream of [false, true]) {
      test(`K2 gets its answer through the gateway, ${stream ? 'as a stream' : 'whole'}, with its own key`, () =>
        through({ text: 'Hello, 世界.' }, async (url, fake) => {
          assert.equal(await say(url, stream), 'Hello, 世界.');
          assert.equal(fake.requests.length, 1);
        }));
    }
  });
}

describe('errors of a provider', () => {
  const errors = [
    [429, { 'retry-after': '3' }],
    [529, {}],
    [500, {}],
    [401, {}],
  ] as const;
  for (const [status, headers] of errors) {
    test(`K2 ${status} is the same error for the Anthropic SDK with and without the gateway`, async () => {
      const seen: unknown[] = [];
      await using fake = await startFakeProvider({ apiKey: 'right' });
      await using gateway = await gatewayBefore(fake.url);
      for (const url of [fake.url, gateway.url]) {
        fake.reply({ error: { status, headers } });
        const client = new Anthropic({ apiKey: 'right', baseURL: url, maxRetries: 0 });
        await client.messages.create({ model: 'm', max_tokens: 5, messages }).catch((error: unknown) => {
          assert.ok(error instanceof Anthropic.APIError);
          seen.push([
            error.status,
            error.type,
            error.headers?.get('retry-after'),
            error.message.replace(/req_\d+/, ''),
          ]);
        });
      }
      assert.deepEqual(seen[1], seen[0]);
      assert.equal(seen.length, 2);
    });
  }

  test('K2 "prompt is too long" keeps both of its numbers, which clients read', async () => {
    await using fake = await startFakeProvider({ contextLength: 50 });
    await using gateway = await gatewayBefore(fake.url);
    const client = new Anthropic({ apiKey: 'any', baseURL: gateway.url, maxRetries: 0 });
    const long = [{ role: 'user' as const, content: 'word '.repeat(500) }];
    await assert.rejects(client.messages.create({ model: 'm', max_tokens: 5, messages: long }), {
      status: 400,
      message: /prompt is too long: \d+ tokens > 50 maximum/,
    });
  });

  test('K2 a stream that a provider breaks off is an error for the client, never half an answer', () =>
    through(misbehaving('closesStream', { from: { text: 'This sentence is never finished.' } }), async (url) => {
      const client = new OpenAI({ apiKey: 'right', baseURL: `${url}/v1`, maxRetries: 0 });
      const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
      await assert.rejects(Array.fromAsync(stream));
    }));
});
