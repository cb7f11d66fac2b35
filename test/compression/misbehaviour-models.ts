/** Summarisers over the real packages of the AI SDK, at a fake provider. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { DialectName, FakeProvider } from '@palimpsest/core/testing';
import type { Summarizer } from '../../packages/core/src/compression/summarize/summarizer.ts';
import { type AiSdkSummarizerOptions, summarizerOn } from '../../packages/core/src/provider/ai-sdk-summarizer.ts';
import { platformTimers, type Timers } from '../../packages/core/src/shared/timers.ts';

/** Those whose packages are installed. */
type Spoken = Exclude<DialectName, 'gemini'>;

export const dialects: readonly Spoken[] = ['openai-chat', 'openai-responses', 'anthropic'];

interface Called extends AiSdkSummarizerOptions {
  readonly timers?: Timers;
}

/** The model of a dialect, as a session would call it. */
export function summarizerAt(
  fake: FakeProvider,
  dialect: Spoken,
  { timers = platformTimers, ...options }: Called = {},
): Summarizer {
  const settings = { baseURL: fake.baseUrl(dialect), apiKey: 'key-of-the-test' };
  switch (dialect) {
    case 'openai-chat':
      return summarizerOn(
        timers,
        createOpenAICompatible({ ...settings, name: 'mill', includeUsage: true }).chatModel('mill-1'),
        options,
      );
    case 'openai-responses':
      return summarizerOn(timers, createOpenAI(settings).responses('gpt-5'), options);
    case 'anthropic':
      return summarizerOn(timers, createAnthropic(settings).languageModel('claude-opus-4-5'), options);
  }
}
