/**
 * A process that has nothing more to do while a provider is silent about two summaries that were begun in the background: of a
 * model that is stopped, and of middleware that leaves its block.
 *
 *   node leaver.ts BASE_URL
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import {
  palimpsestMiddleware,
  stop,
  summarize,
  type WithPalimpsestOptions,
  withPalimpsest,
} from '@palimpsest/core/ai-sdk';
import { generateText, type LanguageModel, type ModelMessage, wrapLanguageModel } from 'ai';

const [, , baseURL = ''] = process.argv;
const anthropic = createAnthropic({ baseURL, apiKey: 'none' });
const inner = anthropic('claude-sonnet-4-5');
const options: WithPalimpsestOptions = {
  contextLength: 16_000,
  config: { summary: { background: true } },
  summarizer: summarize(anthropic('claude-haiku-4-5')),
};

/** Talks until the provider says that somebody has it write a summary of this conversation. */
async function talk(model: LanguageModel, name: string): Promise<void> {
  const messages: ModelMessage[] = [];
  for (let answer = ''; answer !== 'Enough.'; ) {
    messages.push({ role: 'user', content: `${name}, row ${messages.length}: ${'it holds some crates. '.repeat(90)}` });
    const { text } = await generateText({ model, messages, maxRetries: 0 });
    messages.push({ role: 'assistant', content: text });
    answer = text;
  }
}

async function stopped(): Promise<void> {
  const model = withPalimpsest(inner, options);
  await talk(model, 'North');
  await stop(model);
}

async function disposed(): Promise<void> {
  await using middleware = palimpsestMiddleware(options);
  await talk(wrapLanguageModel({ model: inner, middleware }), 'South');
}

await Promise.all([stopped(), disposed()]);
process.stdout.write('Stopped.');
