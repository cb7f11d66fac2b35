/** The example of the guide: it runs here, and the page shows what stands between the two lines. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { readTranscripts } from '@palimpsest/core';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText } from 'ai';
import { messageText } from '../../../packages/core/src/transcript/text.ts';

// --- the page begins

import {
  classifyFailure,
  compress,
  conversationTokens,
  type Message,
  noRecovery,
  recoveryFor,
  tokenizerFor,
} from '@palimpsest/core';

interface Call {
  readonly messages: readonly Message[];
  readonly contextLength: number;
  readonly maxTokens: number;
  readonly send: (messages: readonly Message[], maxTokens: number) => Promise<string>;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** Sends, and recovers from failures, until there is an answer or nothing is left to try. */
async function answer({ send, pause, ...call }: Call): Promise<string> {
  const tokenizer = await tokenizerFor('gpt-5');
  let { messages, contextLength } = call;
  let state = noRecovery;
  for (;;) {
    const tokens = conversationTokens(messages, tokenizer);
    const maxTokens = state.maxTokens ?? call.maxTokens;
    try {
      return await send(messages, maxTokens);
    } catch (thrown) {
      const sizes = { contextLength, messages: messages.length, maxTokens };
      const failure = classifyFailure(thrown, { ...sizes, promptTokens: tokens });
      const { recovery, state: next } = recoveryFor(failure, state, { ...sizes, tokens });
      state = next;
      if (recovery.type === 'compress') {
        contextLength = recovery.window?.tokens ?? contextLength;
        messages = (await compress(messages, { tokenizer, contextLength })).messages;
        await pause(recovery.pauseMs);
      } else if (recovery.type === 'wait') {
        await pause(recovery.ms);
      } else if (recovery.type !== 'lower_output') {
        throw new Error(`${failure.advice} The provider said: ${failure.said}`, { cause: thrown });
      }
    }
  }
}
// --- the page ends

test('the guide shows the code that runs here', () => {
  const lines = readFileSync(import.meta.filename, 'utf8');
  const [, code = ''] = /^\/\/ --- the page begins\n\n(.*?)^\/\/ --- the page ends$/ms.exec(lines) ?? [];
  const page = readFileSync('docs/guide/errors-of-providers.md', 'utf8');
  assert.ok(page.includes(`\`\`\`ts\n${code}\`\`\``), `expected in the guide:\n${code}`);
});

test('O2 the example of the guide gets its answer through a window, a wait and a limit of output', async () => {
  await using fake = await startFakeProvider();
  const body = { error: { message: 'Range of input length should be [1, 30720]', code: 'InvalidParameter' } };
  fake.reply(
    { raw: { status: 400, contentType: 'application/json', body: JSON.stringify(body) } },
    { error: { status: 429, headers: { 'retry-after': '7' } } },
    { error: { status: 400, message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]' } },
    { text: 'Here it is.' },
  );
  const model = createOpenAICompatible({ name: 'mill', baseURL: fake.baseUrl('openai-chat') }).chatModel('mill-1');
  const { transcripts } = await readTranscripts(await readFile('examples/recorded/link-checker.openai-chat.json'));
  const pauses: number[] = [];
  const lengths: number[] = [];
  const text = await answer({
    messages: transcripts[0]?.messages ?? [],
    contextLength: 128_000,
    maxTokens: 32_000,
    send: async (messages, maxOutputTokens) => {
      lengths.push(messages.length);
      const prompt = messages.map(messageText).join('\n\n');
      return (await generateText({ model, prompt, maxOutputTokens, maxRetries: 0 })).text;
    },
    pause: async (ms) => pauses.push(ms),
  });
  assert.equal(text, 'Here it is.');
  assert.deepEqual(pauses, [2_000, 7_000]);
  assert.deepEqual(
    fake.requests.map(({ body: sent }) => Object(sent).max_tokens),
    [32_000, 32_000, 32_000, 8_192],
  );
  assert.ok(lengths[1] !== undefined && lengths[0] !== undefined && lengths[1] < lengths[0]);
  assert.deepEqual(lengths.slice(1), [lengths[1], lengths[1], lengths[1]]);
});
