/**
 * A process that has nothing more to do while a provider is silent about a summary that was begun in the background.
 *
 *   node leaver.ts BASE_URL stop|middleware
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, type LanguageModel, type ModelMessage, wrapLanguageModel } from 'ai';
import {
  palimpsestMiddleware,
  stop,
  summarize,
  type WithPalimpsestOptions,
  withPalimpsest,
} from '../../../src/ai-sdk/index.ts';

const [, , baseURL = '', way] = process.argv;
const anthropic = createAnthropic({ baseURL, apiKey: 'none' });
const writer = summarize(anthropic('claude-haiku-4-5'));
let isAsked = false;
const options: WithPalimpsestOptions = {
  ...{ contextLength: 16_000, background: true },
  summarizer: {
    ...writer,
    write: (call) => {
      isAsked = true;
      return writer.write(call);
    },
  },
};

/** Talks until somebody writes a summary. */
async function talk(model: LanguageModel): Promise<void> {
  const messages: ModelMessage[] = [];
  while (!isAsked) {
    messages.push({ role: 'user', content: `Row ${messages.length}: ${'it holds some crates. '.repeat(60)}` });
    const { text } = await generateText({ model, messages, maxRetries: 0 });
    messages.push({ role: 'assistant', content: text });
  }
}

const inner = anthropic('claude-sonnet-4-5');
if (way === 'middleware') {
  await using middleware = palimpsestMiddleware(options);
  await talk(wrapLanguageModel({ model: inner, middleware }));
} else {
  const model = withPalimpsest(inner, options);
  await talk(model);
  await stop(model);
}
process.stdout.write('Stopped.');
