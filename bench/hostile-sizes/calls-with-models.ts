/** Calls that a model takes part in: one that says at once whatever the case wants. */

import {
  compress,
  createConversations,
  exactTokenizer,
  fromOpenAiChat,
  loadEncoding,
  type Summarizer,
  toOpenAiChat,
  writeTranscript,
} from '@palimpsest/core';
import { type AnyModel, prepareStep, summarize, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { sessionSearchTool } from '@palimpsest/core/search';
import { openStore } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { promptOf } from '../../packages/core/src/ai-sdk/prompt.ts';
import { inventedSession } from '../invented-session.ts';
import { type HostileCall, onMessages, onText } from './given.ts';

const says = (text: string, finish: 'stop' | 'length' = 'stop'): Summarizer => ({
  name: 'bench/model',
  contextLength: 1_000_000,
  write: async ({ onText: told }) => {
    told?.(text);
    return { text, finish };
  },
});

/** A language model of the AI SDK that answers with a text. */
function modelOf(text: string): AnyModel {
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 10, text: 10, reasoning: 0 },
  };
  const finishReason = { unified: 'stop', raw: 'stop' } as const;
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'model',
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: 'text', text }], finishReason, usage, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] });
          controller.enqueue({ type: 'text-start', id: '1' });
          for (let at = 0; at < text.length; at += 1_000)
            controller.enqueue({ type: 'text-delta', id: '1', delta: text.slice(at, at + 1_000) });
          controller.enqueue({ type: 'text-end', id: '1' });
          controller.enqueue({ type: 'finish', finishReason, usage });
          controller.close();
        },
      }),
    }),
  };
}

const call = { temperature: 0 } as const;

export const callsWithModels: readonly HostileCall[] = [
  ...(['stop', 'length'] as const).map((finish) =>
    onText(`compress: a reply that ends with ${finish}`, async (text) => {
      const tokenizer = exactTokenizer(await loadEncoding('o200k_base'));
      const messages = fromOpenAiChat(inventedSession(600, 7));
      await compress(messages, { tokenizer, contextLength: 64_000 });
      return () => compress(messages, { tokenizer, contextLength: 64_000, summarizer: says(text, finish) });
    }),
  ),
  onText('compress: a reply with the headings', async (text) => {
    const tokenizer = exactTokenizer(await loadEncoding('o200k_base'));
    const messages = fromOpenAiChat(inventedSession(600, 7));
    await compress(messages, { tokenizer, contextLength: 64_000 });
    const reply = `## Active Task\nGo on (m1).\n\n## Goal\nAn importer.\n\n## Completed Actions\n${text}`;
    return () => compress(messages, { tokenizer, contextLength: 64_000, summarizer: says(reply) });
  }),
  onText('summarize', (text) => {
    const summarizer = summarize(modelOf(text));
    return () => summarizer.write({ system: 'Summarise.', prompt: text });
  }),
  onMessages('createConversations.prepare', async (messages) => {
    const store = await openStore({ path: ':memory:' });
    const runtime = createConversations({ store, model: 'gpt-5.5', contextLength: 128_000 });
    await runtime.prepare({ messages: messages.slice(0, 2) });
    return () => runtime.prepare({ messages });
  }),
  onMessages('createConversations.settle', async (messages) => {
    const store = await openStore({ path: ':memory:' });
    const runtime = createConversations({ store, model: 'gpt-5.5', contextLength: 2_000_000 });
    const prepared = await runtime.prepare({ messages });
    const reply = {
      role: 'assistant',
      parts: messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'text')),
    };
    return () => runtime.settle(prepared, { type: 'answered', reply: reply as never });
  }),
  onText('createConversations: recalled text', async (text) => {
    const store = await openStore({ path: ':memory:' });
    const runtime = createConversations({ store, model: 'gpt-5.5', contextLength: 2_000_000 });
    const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }] as const;
    return () => runtime.prepare({ messages, recall: text, focusTopic: text });
  }),
  onText('createConversations: a failure', async (text) => {
    const store = await openStore({ path: ':memory:' });
    const runtime = createConversations({ store, model: 'gpt-5.5', contextLength: 2_000_000 });
    const prepared = await runtime.prepare({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go on.' }] }] });
    return () => runtime.settle(prepared, { type: 'failed', error: new Error(text) });
  }),
  onMessages('withPalimpsest: a prompt', async (messages) => {
    const model = withPalimpsest(modelOf('done') as never, { store: ':memory:', contextLength: 128_000 } as never);
    const prompt = promptOf(messages);
    return () =>
      (model as never as { doGenerate: (given: object) => Promise<unknown> }).doGenerate({ ...call, prompt });
  }),
  onText('withPalimpsest: an answer', async (text) => {
    const model = withPalimpsest(modelOf(text) as never, { store: ':memory:', contextLength: 128_000 } as never);
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }];
    return () =>
      (model as never as { doGenerate: (given: object) => Promise<unknown> }).doGenerate({ ...call, prompt });
  }),
  onMessages('prepareStep', async (messages) => {
    const step = prepareStep({ contextLength: 128_000 });
    const list = promptOf(messages.slice(1)) as never;
    const given = {
      messages: list,
      initialMessages: list,
      instructions: 'You are an agent.',
      model: modelOf(''),
      steps: [],
    };
    return () => step(given);
  }),
  onText('session_search: a summary by a model', async (text) => {
    const store = await openStore({ path: ':memory:' });
    const { id } = await store.sessions.create({ source: 'bench' });
    await store.messages.append(id, fromOpenAiChat(inventedSession(500, 7)));
    const tool = sessionSearchTool({ store, summarizer: says(text) });
    return () => tool.run({ query: 'importer' });
  }),
  ...(['anthropic', 'openai-responses', 'gemini'] as const).map((dialect) =>
    onMessages(`startFakeProvider: ${dialect}`, (messages) => {
      const own: object = JSON.parse([...writeTranscript({ format: dialect, messages }, dialect)].join(''));
      const model = dialect === 'gemini' ? {} : { model: 'bench', max_tokens: 100 };
      const body = JSON.stringify({ ...model, ...own });
      return async () => {
        await using fake = await startFakeProvider();
        return await answerTo(`${fake.baseUrl(dialect)}/${pathOf[dialect]}`, body);
      };
    }),
  ),
  onMessages('startFakeProvider', (messages) => async () => {
    await using fake = await startFakeProvider();
    const body = JSON.stringify({ model: 'gpt-5.5', messages: toOpenAiChat(messages) });
    return await answerTo(`${fake.baseUrl('openai-chat')}/chat/completions`, body);
  }),
  onText('startFakeProvider: a streamed reply', (text) => async () => {
    await using fake = await startFakeProvider({ script: { text } });
    const body = JSON.stringify({ model: 'gpt-5.5', stream: true, messages: [{ role: 'user', content: 'Go on.' }] });
    return await answerTo(`${fake.baseUrl('openai-chat')}/chat/completions`, body);
  }),
];

const pathOf = {
  anthropic: 'messages',
  'openai-responses': 'responses',
  gemini: 'models/gemini-3-pro:generateContent',
} as const;

/** A refusal would be measured as an answer. */
async function answerTo(url: string, body: string): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer bench',
    'x-api-key': 'bench',
    'anthropic-version': '2023-06-01',
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`the fake provider refused: ${text.slice(0, 200)}`);
  return text;
}
