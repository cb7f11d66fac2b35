/** Where each provider puts the numbers of its usage object, and how the objects are told apart. */

/**
 * Whose words a usage object is written in. `completions` is OpenAI's Chat Completions and all that follow it, `ours` the
 * form of this library; the last two are what logs of tools hold.
 */
export const usageShapes = [
  'anthropic',
  'responses',
  'completions',
  'gemini',
  'bedrock',
  'ai-sdk',
  'ai-sdk-flat',
  'ollama',
  'llamacpp',
  'ours',
  'codex',
  'pi',
] as const;

/** One of them. */
export type UsageShape = (typeof usageShapes)[number];

/** Dotted paths in a usage object; the first one with a number above zero wins. */
export type Chain = readonly string[];

export interface ShapeRules {
  readonly input: Chain;
  /** Read by the model beside the input, and counted into it by us. */
  readonly besideInput?: Chain;
  readonly output: Chain;
  readonly cacheRead: Chain;
  readonly cacheWrite: Chain;
  /** The part of the writes that stays for an hour. */
  readonly cacheWriteHour?: Chain;
  readonly reasoning: Chain;
  /** True where the provider counts the cached tokens into the input. */
  readonly inputHoldsCache: boolean;
  /** True where the output comes without the reasoning; `total`: where the reported total says so. */
  readonly reasoningIsBeside?: true | 'total';
  readonly total?: Chain;
}

const reasoning: Chain = [
  'output_tokens_details.reasoning_tokens',
  'completion_tokens_details.reasoning_tokens',
  'output_tokens_details.thinking_tokens',
  'reasoning_tokens',
];

/**
 * Sources: the API references of Anthropic (Messages), OpenAI (Responses, Chat Completions), Google (usageMetadata),
 * Amazon (Converse), Ollama (/api/chat) and llama.cpp's server; the flat and nested extras of `completions` are those of
 * DeepSeek, Moonshot, DashScope, Mistral, vLLM and the routers. xAI counts reasoning beside the completion, and into the
 * total (docs.x.ai, consumption and rate limits).
 */
export const shapeRules: Readonly<Record<UsageShape, ShapeRules>> = {
  anthropic: {
    input: ['input_tokens'],
    output: ['output_tokens'],
    cacheRead: ['cache_read_input_tokens'],
    cacheWrite: ['cache_creation_input_tokens'],
    cacheWriteHour: ['cache_creation.ephemeral_1h_input_tokens'],
    reasoning,
    inputHoldsCache: false,
  },
  responses: {
    input: ['input_tokens'],
    output: ['output_tokens'],
    cacheRead: ['input_tokens_details.cached_tokens'],
    cacheWrite: ['input_tokens_details.cache_write_tokens', 'input_tokens_details.cache_creation_tokens'],
    reasoning,
    inputHoldsCache: true,
    reasoningIsBeside: 'total',
    total: ['total_tokens'],
  },
  completions: {
    input: ['prompt_tokens', 'input_tokens'],
    output: ['completion_tokens', 'output_tokens'],
    cacheRead: [
      'prompt_tokens_details.cached_tokens',
      'cache_read_input_tokens',
      'prompt_cache_hit_tokens',
      'cached_tokens',
      'num_cached_tokens',
    ],
    cacheWrite: [
      'prompt_tokens_details.cache_write_tokens',
      'prompt_tokens_details.cache_creation_input_tokens',
      'cache_creation_input_tokens',
      'cache_write_tokens',
    ],
    reasoning,
    inputHoldsCache: true,
    reasoningIsBeside: 'total',
    total: ['total_tokens'],
  },
  gemini: {
    input: ['promptTokenCount'],
    besideInput: ['toolUsePromptTokenCount'],
    output: ['candidatesTokenCount', 'responseTokenCount'],
    cacheRead: ['cachedContentTokenCount'],
    cacheWrite: [],
    reasoning: ['thoughtsTokenCount'],
    inputHoldsCache: true,
    reasoningIsBeside: true,
  },
  bedrock: {
    input: ['inputTokens'],
    output: ['outputTokens'],
    cacheRead: ['cacheReadInputTokens', 'cacheReadInputTokenCount'],
    cacheWrite: ['cacheWriteInputTokens', 'cacheWriteInputTokenCount'],
    reasoning: [],
    inputHoldsCache: false,
  },
  'ai-sdk': {
    input: ['inputTokens.total', 'inputTokens.noCache'],
    output: ['outputTokens.total', 'outputTokens.text'],
    cacheRead: ['inputTokens.cacheRead'],
    cacheWrite: ['inputTokens.cacheWrite'],
    reasoning: ['outputTokens.reasoning'],
    inputHoldsCache: true,
  },
  'ai-sdk-flat': {
    input: ['inputTokens'],
    output: ['outputTokens'],
    cacheRead: ['inputTokenDetails.cacheReadTokens', 'cachedInputTokens'],
    cacheWrite: ['inputTokenDetails.cacheWriteTokens'],
    reasoning: ['outputTokenDetails.reasoningTokens', 'reasoningTokens'],
    inputHoldsCache: true,
  },
  ollama: {
    input: ['prompt_eval_count'],
    output: ['eval_count'],
    cacheRead: [],
    cacheWrite: [],
    reasoning: [],
    inputHoldsCache: true,
  },
  // `timings`: the prompt tokens that were worked on, and beside them those that the slot still held.
  llamacpp: {
    input: ['prompt_n'],
    output: ['predicted_n'],
    cacheRead: ['cache_n'],
    cacheWrite: [],
    reasoning: [],
    inputHoldsCache: false,
  },
  ours: {
    input: ['inputTokens'],
    output: ['outputTokens'],
    cacheRead: ['cacheReadTokens'],
    cacheWrite: ['cacheWriteTokens'],
    cacheWriteHour: ['cacheWriteHourTokens'],
    reasoning: ['reasoningTokens'],
    inputHoldsCache: false,
  },
  codex: {
    input: ['input_tokens'],
    output: ['output_tokens'],
    cacheRead: ['cached_input_tokens'],
    cacheWrite: [],
    reasoning: ['reasoning_output_tokens'],
    inputHoldsCache: true,
  },
  pi: {
    input: ['input'],
    output: ['output'],
    cacheRead: ['cacheRead'],
    cacheWrite: ['cacheWrite'],
    reasoning: ['reasoning'],
    inputHoldsCache: false,
  },
};

/**
 * The members that tell a shape, in the order in which they are looked for. An object that could be several things is
 * read as `completions`, whose chains take all of them.
 */
export const shapeSigns: readonly (readonly [shape: UsageShape, anyOf: readonly string[]])[] = [
  ['completions', ['prompt_tokens']],
  ['responses', ['input_tokens_details']],
  ['anthropic', ['cache_read_input_tokens', 'cache_creation_input_tokens']],
  ['codex', ['cached_input_tokens', 'reasoning_output_tokens']],
  ['gemini', ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount']],
  ['ollama', ['prompt_eval_count', 'eval_count']],
  ['llamacpp', ['prompt_n', 'predicted_n']],
  ['ai-sdk-flat', ['cachedInputTokens', 'inputTokenDetails', 'outputTokenDetails']],
  ['bedrock', ['cacheReadInputTokens', 'cacheWriteInputTokens', 'cacheReadInputTokenCount']],
  ['ours', ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens']],
  ['pi', ['cacheRead', 'cacheWrite']],
];
