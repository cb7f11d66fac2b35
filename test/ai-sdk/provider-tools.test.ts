/** Tools that the provider runs, reasoning, images and structured output, over the real packages, in windows that are too small. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { storeOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type FakeRequest, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, jsonSchema, type ModelMessage, Output, type ToolSet } from 'ai';
import { anthropic, type Provider, providers, responses } from './providers.ts';

// The SDK warns where a model cannot be held to a form.
globalThis.AI_SDK_LOG_WARNINGS = false;

const page = { url: 'https://example.com', title: 'A page' };

/** A search that the provider made, as OpenAI and Anthropic answer with it. */
const bodies: Readonly<Record<string, (n: number, tokens: number) => object>> = {
  'openai-responses': (n, tokens) => ({
    id: `resp_${n}`,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'gpt-5',
    output: [
      {
        type: 'reasoning',
        id: `rs_${n}`,
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: `e${n}`,
      },
      {
        type: 'web_search_call',
        id: `ws_${n}`,
        status: 'completed',
        action: { type: 'search', query: 'x', sources: [{ type: 'url', url: page.url }] },
      },
      {
        type: 'message',
        id: `msg_${n}`,
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: `Found ${n}.`, annotations: [] }],
      },
    ],
    usage: { input_tokens: tokens, output_tokens: 20, total_tokens: tokens + 20 },
  }),
  anthropic: (n, tokens) => ({
    id: `msg_${n}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    stop_reason: 'end_turn',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: `sig${n}` },
      { type: 'server_tool_use', id: `srvtoolu_${n}`, name: 'web_search', input: { query: 'x' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: `srvtoolu_${n}`,
        content: [{ ...page, type: 'web_search_result', encrypted_content: 'c', page_age: null }],
      },
      {
        type: 'text',
        text: `Found ${n}.`,
        citations: [{ ...page, type: 'web_search_result_location', cited_text: 'x', encrypted_index: 'i' }],
      },
    ],
    usage: { input_tokens: tokens, output_tokens: 20 },
  }),
};

const searches: Readonly<Record<string, ToolSet>> = {
  'openai-responses': { web_search: createOpenAI({ apiKey: 'none' }).tools.webSearch() },
  anthropic: { web_search: createAnthropic({ apiKey: 'none' }).tools.webSearch_20250305() },
};

interface Talked {
  readonly requests: readonly FakeRequest[];
  readonly messages: number;
  readonly sessions: number;
}

async function talk({ dialect, model: open }: Provider, contextLength: number | undefined): Promise<Talked> {
  const script = ({ number, body }: FakeRequest) => {
    const answer = bodies[dialect]?.(number, Math.ceil(JSON.stringify(body).length / 4));
    return { raw: { contentType: 'application/json', body: JSON.stringify(answer) } };
  };
  await using fake = await startFakeProvider({ script });
  const plain = open(fake);
  const wrapped = withPalimpsest(plain, { cache: 'off', ...(contextLength ? { contextLength } : {}) });
  const messages: ModelMessage[] = [];
  for (let at = 0; at < 20; at++) {
    messages.push({ role: 'user', content: `Question ${at}? ${'Look closely. '.repeat(60)}` });
    const { responseMessages } = await generateText({
      model: contextLength === undefined ? plain : wrapped,
      messages,
      maxRetries: 0,
      tools: searches[dialect] ?? {},
      providerOptions: { openai: { store: false } },
    });
    messages.push(...responseMessages);
  }
  const [row] = await (await storeOf(wrapped)).sessions.list();
  return { requests: fake.requests, messages: row?.tip.messages ?? 0, sessions: row?.sessions ?? 0 };
}

for (const provider of [responses, anthropic]) {
  test(`A3 searches that a provider makes go back to it as they came over ${provider.name}, also behind a handoff`, async () => {
    const plain = await talk(provider, undefined);
    const whole = await talk(provider, 200_000);
    const small = await talk(provider, 5_000);
    assert.deepEqual(
      whole.requests.map(({ body }) => body),
      plain.requests.map(({ body }) => body),
    );
    assert.equal(whole.messages, 40);
    assert.ok(small.sessions > 1);
    const listIn = ({ requests }: Talked): readonly unknown[] => {
      const { input, messages } = requests.at(-1)?.body ?? {};
      const list = input ?? messages;
      return Array.isArray(list) ? list : [];
    };
    // Behind the handoff every item is one of those that would have been sent without it.
    const sent = listIn(small);
    const handoff = sent.findLastIndex((item) => JSON.stringify(item).includes('<handoff'));
    assert.ok(handoff >= 0);
    const tail = sent.slice(handoff + 1);
    assert.deepEqual(tail, listIn(whole).slice(-tail.length));
    assert.match(JSON.stringify(tail), provider === anthropic ? /web_search_tool_result/ : /web_search_call/);
    assert.match(JSON.stringify(tail), provider === anthropic ? /"signature":"sig\d+"/ : /"encrypted_content":"e\d+"/);
  });
}

const numbered = jsonSchema<{ readonly number: number }>({
  type: 'object',
  properties: { number: { type: 'integer' } },
  required: ['number'],
  additionalProperties: false,
});

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

for (const provider of providers) {
  test(`K2 pictures and answers of a given form stay inside a small window over ${provider.name}`, async () => {
    const script = ({ number, body }: FakeRequest) => {
      // Anthropic's own package asks for the form by a tool where a model does not know it otherwise.
      const isCall = Array.isArray(body.tools) && body.tools.length > 0;
      return isCall ? { toolCalls: [{ name: 'json', input: { number } }] } : { text: JSON.stringify({ number }) };
    };
    await using fake = await startFakeProvider({ contextLength: 12_000, script });
    await using model = withPalimpsest(provider.model(fake), { contextLength: 12_000 });
    const messages: ModelMessage[] = [];
    const output = Output.object({ schema: numbered });
    for (let at = 1; at <= 20; at++) {
      // As text and as bytes.
      const data = at % 2 === 0 ? dot : Buffer.from(dot, 'base64');
      const text = `Picture ${at}. ${'What is in it? '.repeat(60)}`;
      messages.push({
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'file', mediaType: 'image/png', data },
        ],
      });
      const answer = await generateText({ model, messages, maxRetries: 0, output });
      assert.deepEqual(answer.output, { number: at });
      messages.push(...answer.responseMessages);
    }
    assert.ok(fake.requests.every(({ status }) => status === 200));
    const [row, ...others] = await (await storeOf(model)).sessions.list();
    assert.deepEqual(others, []);
    assert.ok((row?.sessions ?? 0) > 1);
    assert.match(JSON.stringify(fake.requests.at(-1)?.body), new RegExp(`Picture 20\\.[^]*${dot.slice(0, 20)}`));
  });
}
