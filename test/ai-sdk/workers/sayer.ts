/**
 * Another process that goes on with a conversation: it reads the list of its client, or what the store has of the session, says one
 * thing more in a window of its own, and prints the types of its notices.
 *
 *   node sayer.ts BASE_URL STORE CONTEXT_LENGTH WORDS (LIST | SESSION)
 */
import { readFileSync } from 'node:fs';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { stop, tools, transcriptOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { generateText, isStepCount, type ModelMessage } from 'ai';

const [, , baseURL = '', store = '', contextLength = '', words = '', from = ''] = process.argv;
const inner = createOpenAICompatible({ name: 'own', apiKey: 'none', includeUsage: true, baseURL });
const notices: string[] = [];
const model = withPalimpsest(inner.chatModel('some-model'), {
  store,
  contextLength: Number(contextLength),
  onNotice: ({ type }) => notices.push(type),
});
const messages = from.endsWith('.json')
  ? // The list is what a test has written.
    (JSON.parse(readFileSync(from, 'utf8')) as ModelMessage[])
  : await transcriptOf(model, from);
await generateText({
  model,
  messages: [...messages, { role: 'user', content: words }],
  tools: tools(model),
  stopWhen: isStepCount(5),
  maxRetries: 0,
});
await stop(model);
process.stdout.write(JSON.stringify(notices));
