/**
 * Names of the semantic conventions for generative AI (open-telemetry/semantic-conventions-genai 0.1.0, all of them in development), and
 * ours beside them, which begin with `palimpsest.`. None of them carries what was said.
 */
import { defined } from '../shared/defined.ts';
import type { SpanAttributes } from './tracer.ts';

/** Names of attributes of the conventions. */
export const genAi = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  conversation: 'gen_ai.conversation.id',
  /** Set to true or not at all. */
  compacted: 'gen_ai.conversation.compacted',
  topK: 'gen_ai.retrieval.top_k',
  recordCount: 'gen_ai.memory.record.count',
} as const;

/** Values of `gen_ai.provider.name` by the names that providers have here and in the AI SDK; any other stands for itself. */
const providers: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  moonshotai: 'moonshot_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
};

/** A model as the conventions name it. */
export interface NamedModel {
  readonly provider: string;
  readonly model: string;
}

/** A model by its name, such as `anthropic/claude-sonnet-4-5`. `vendor` is for a name that has none. */
export function namedModel(name: string, vendor = 'unknown'): NamedModel {
  const at = name.indexOf('/');
  const [own, model] = at > 0 ? [name.slice(0, at), name.slice(at + 1)] : [vendor, name];
  return { provider: providers[own] ?? own, model };
}

/** Tokens of a call as providers report them here: `inputTokens` without what a cache had a part in. */
export interface CallTokens {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** The attributes of a usage; what was not reported is left out. */
export function usageAttributes(usage: CallTokens | undefined): SpanAttributes {
  if (usage === undefined) return {};
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  const read = [inputTokens, cacheReadTokens, cacheWriteTokens].filter((tokens) => tokens !== undefined);
  return defined({
    'gen_ai.usage.input_tokens': read.length === 0 ? undefined : read.reduce((sum, tokens) => sum + tokens, 0),
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
    'gen_ai.usage.cache_write.input_tokens': cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': reasoningTokens,
  });
}
