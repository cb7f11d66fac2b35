/** The providers of the SDK that the tests run against, each over real HTTP. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import type { DialectName, FakeProvider } from '@palimpsest/core/testing';
import type { ModelV4 } from './recorder.ts';

/** A way to a model. */
export interface Provider {
  readonly name: string;
  readonly dialect: DialectName;
  model(fake: FakeProvider): ModelV4;
}

const apiKey = 'key-of-a-test';

export const anthropic: Provider = {
  name: '@ai-sdk/anthropic',
  dialect: 'anthropic',
  model: (fake) => createAnthropic({ apiKey, baseURL: fake.baseUrl('anthropic') })('claude-sonnet-4-5'),
};

export const responses: Provider = {
  name: '@ai-sdk/openai',
  dialect: 'openai-responses',
  model: (fake) => createOpenAI({ apiKey, baseURL: fake.baseUrl('openai-responses') }).responses('gpt-5'),
};

export const chat: Provider = {
  name: '@ai-sdk/openai over Chat Completions',
  dialect: 'openai-chat',
  model: (fake) => createOpenAI({ apiKey, baseURL: fake.baseUrl('openai-chat') }).chat('gpt-5'),
};

export const compatible: Provider = {
  name: '@ai-sdk/openai-compatible',
  dialect: 'openai-chat',
  model: (fake) =>
    createOpenAICompatible({
      name: 'own',
      apiKey,
      includeUsage: true,
      baseURL: fake.baseUrl('openai-chat'),
    }).chatModel('some-model'),
};

export const openRouter: Provider = {
  name: '@openrouter/ai-sdk-provider',
  dialect: 'openai-chat',
  model: (fake) =>
    createOpenRouter({ apiKey, baseURL: fake.baseUrl('openai-chat') }).chat('anthropic/claude-sonnet-4.5'),
};

export const providers: readonly Provider[] = [anthropic, responses, chat, compatible, openRouter];
