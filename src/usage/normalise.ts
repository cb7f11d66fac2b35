/** Brings the usage objects of all providers into one form: a table of where each of them puts its numbers. */
import { isJsonObject } from '../shared/json.ts';
import type { Usage } from './usage.ts';

/** Whose words a usage object is written in; `completions` is OpenAI's Chat Completions and all that follow it. */
export const usageShapes = ['anthropic', 'responses', 'completions', 'gemini', 'bedrock'] as const;

export type UsageShape = (typeof usageShapes)[number];

/** Dotted paths in a usage object; the first one with a number above zero wins. */
type Chain = readonly string[];

interface ShapeRules {
  readonly input: Chain;
  readonly output: Chain;
  readonly cacheRead: Chain;
  readonly cacheWrite: Chain;
  /** True where the provider counts the cached tokens into the input. */
  readonly inputHoldsCache: boolean;
}

/**
 * Sources: the API references of Anthropic (Messages), OpenAI (Responses, Chat Completions), Google (usageMetadata) and
 * Amazon (Converse); the flat and nested extras of `completions` are those of DeepSeek, Moonshot, DashScope and the routers.
 */
const shapeRules: Readonly<Record<UsageShape, ShapeRules>> = {
  anthropic: {
    input: ['input_tokens'],
    output: ['output_tokens'],
    cacheRead: ['cache_read_input_tokens'],
    cacheWrite: ['cache_creation_input_tokens'],
    inputHoldsCache: false,
  },
  responses: {
    input: ['input_tokens'],
    output: ['output_tokens'],
    cacheRead: ['input_tokens_details.cached_tokens'],
    cacheWrite: ['input_tokens_details.cache_write_tokens', 'input_tokens_details.cache_creation_tokens'],
    inputHoldsCache: true,
  },
  completions: {
    input: ['prompt_tokens', 'input_tokens'],
    output: ['completion_tokens', 'output_tokens'],
    cacheRead: [
      'prompt_tokens_details.cached_tokens',
      'cache_read_input_tokens',
      'prompt_cache_hit_tokens',
      'cached_tokens',
    ],
    cacheWrite: [
      'prompt_tokens_details.cache_write_tokens',
      'prompt_tokens_details.cache_creation_input_tokens',
      'cache_creation_input_tokens',
      'cache_write_tokens',
    ],
    inputHoldsCache: true,
  },
  gemini: {
    input: ['promptTokenCount'],
    output: ['candidatesTokenCount'],
    cacheRead: ['cachedContentTokenCount'],
    cacheWrite: [],
    inputHoldsCache: true,
  },
  bedrock: {
    input: ['inputTokens'],
    output: ['outputTokens'],
    cacheRead: ['cacheReadInputTokens'],
    cacheWrite: ['cacheWriteInputTokens'],
    inputHoldsCache: false,
  },
};

const reasoningChain: Chain = [
  'output_tokens_details.reasoning_tokens',
  'completion_tokens_details.reasoning_tokens',
  'output_tokens_details.thinking_tokens',
  'thoughtsTokenCount',
];

/**
 * The usage in a provider's own usage object, or undefined when it holds no number that we know. In every chain the
 * first number above zero wins; a zero is a zero only where nothing else was reported, negative numbers and what is no
 * number count as zero, null as not reported. Input is never negative, even when the totals contradict each other.
 * @param shape how to read it; by default it shows by the members
 */
export function normaliseUsage(raw: unknown, shape: UsageShape = shapeOf(raw)): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const rules = shapeRules[shape];
  const cacheRead = first(raw, rules.cacheRead);
  const cacheWrite = first(raw, rules.cacheWrite);
  const prompt = first(raw, rules.input);
  const cached = rules.inputHoldsCache ? (cacheRead ?? 0) + (cacheWrite ?? 0) : 0;
  const reasoning = first(raw, reasoningChain);
  const output = first(raw, rules.output);
  const usage: Usage = {
    ...(prompt === undefined ? {} : { inputTokens: Math.max(0, prompt - cached) }),
    ...outputOf(output, { shape, reasoning }),
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** Google counts thoughts beside the candidates; everybody else counts them in. */
function outputOf(
  output: number | undefined,
  { shape, reasoning }: { shape: UsageShape; reasoning: number | undefined },
): Usage {
  const beside = shape === 'gemini' ? reasoning : undefined;
  if (output === undefined && beside === undefined) return {};
  return { outputTokens: (output ?? 0) + (beside ?? 0) };
}

/** Whose words these are. An object that could be several things is read as `completions`, whose chains take all of them. */
function shapeOf(raw: unknown): UsageShape {
  if (!isJsonObject(raw)) return 'completions';
  if ('prompt_tokens' in raw) return 'completions';
  if ('input_tokens_details' in raw) return 'responses';
  if ('cache_read_input_tokens' in raw || 'cache_creation_input_tokens' in raw) return 'anthropic';
  if ('promptTokenCount' in raw || 'candidatesTokenCount' in raw) return 'gemini';
  if ('inputTokens' in raw && 'outputTokens' in raw) return 'bedrock';
  return 'completions';
}

function first(raw: unknown, chain: Chain): number | undefined {
  let found: number | undefined;
  for (const path of chain) {
    const value = valueAt(raw, path);
    if (value === undefined || value === null) continue;
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
    found = 0;
  }
  return found;
}

function valueAt(raw: unknown, path: string): unknown {
  let value = raw;
  for (const key of path.split('.')) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}
