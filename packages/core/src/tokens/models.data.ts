/**
 * Models by the start of their id, as of November 2026. Sizes are in tokens. Versions are written with dashes: an id is
 * brought into this form before the look-up, in which the longest match wins.
 *
 * Sources: platform.claude.com (models overview, model pages, token counting), developers.openai.com/api/docs/models,
 * docs.cloud.google.com and ai.google.dev, api-docs.deepseek.com, the model pages of vercel.com/ai-gateway and the
 * models.dev registry for what providers do not state in one place. Sizes of open models are those of the makers' own
 * service, and other hosts may offer less. From GPT-4o on OpenAI's encoding is o200k_base, which GPT-5 and GPT-6 kept.
 */
import type { EncodingName } from './encoding.ts';
import type { Family } from './families.ts';
import type { ImageRuleName } from './image-tokens.ts';

/** What the models of a row have in common. */
export interface ModelRow {
  readonly ids: readonly string[];
  readonly family: Family;
  /** Input and output together; absent in a row that names a family only. */
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  /** The public encoding, where the models have one. */
  readonly encoding?: EncodingName;
  /** How an image is charged, where it differs from the rest of the family. */
  readonly images?: ImageRuleName;
}

const k = 1024;
const m = 1024 * 1024;
const o200k = 'o200k_base';
const cl100k = 'cl100k_base';

export const modelRows: readonly ModelRow[] = [
  {
    ids: [
      'claude-fable-5',
      'claude-fable-5-1',
      'claude-fable-5-2',
      'claude-mythos-5',
      'claude-mythos-5-1',
      'claude-opus-5-5',
      'claude-opus-5',
      'claude-opus-4-8',
      'claude-opus-4-7',
      'claude-sonnet-5-5',
      'claude-sonnet-5',
      'claude-haiku-5-5',
    ],
    family: 'claude-4.7',
    contextWindow: 1_000_000,
    maxOutput: 128_000,
  },
  { ids: ['claude-opus-4-6', 'claude-sonnet-4-6'], family: 'claude', contextWindow: 1_000_000, maxOutput: 128_000 },
  {
    ids: [
      'claude-opus-4-5',
      'claude-sonnet-4-5',
      'claude-haiku-4-5',
      'claude-sonnet-4',
      'claude-sonnet-4-0',
      'claude-4-sonnet',
      'claude-3-7-sonnet',
    ],
    family: 'claude',
    contextWindow: 200_000,
    maxOutput: 64_000,
  },
  {
    ids: ['claude-opus-4-1', 'claude-opus-4-0', 'claude-opus-4', 'claude-4-opus'],
    family: 'claude',
    contextWindow: 200_000,
    maxOutput: 32_000,
  },
  { ids: ['claude-3-5-sonnet', 'claude-3-5-haiku'], family: 'claude', contextWindow: 200_000, maxOutput: 8_192 },
  {
    ids: ['claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku'],
    family: 'claude',
    contextWindow: 200_000,
    maxOutput: 4_096,
  },
  {
    ids: [
      'gpt-6-astra',
      'gpt-6-sol',
      'gpt-6-luna',
      'gpt-6-1-sol',
      'gpt-6-1-terra',
      'gpt-6-2-astra',
      'gpt-5-6',
      'gpt-5-5',
      'gpt-5-4',
    ],
    family: 'openai',
    contextWindow: 1_050_000,
    maxOutput: 128_000,
    encoding: o200k,
    images: 'openai-patches',
  },
  {
    ids: ['gpt-5-4-mini', 'gpt-5-4-nano', 'gpt-5-mini', 'gpt-5-nano'],
    family: 'openai',
    contextWindow: 400_000,
    maxOutput: 128_000,
    encoding: o200k,
    images: 'openai-patches-mini',
  },
  {
    ids: ['gpt-5', 'gpt-5-1', 'gpt-5-2', 'gpt-5-3-codex'],
    family: 'openai',
    contextWindow: 400_000,
    maxOutput: 128_000,
    encoding: o200k,
    images: 'openai-tiles-5',
  },
  {
    ids: ['gpt-5-pro'],
    family: 'openai',
    contextWindow: 400_000,
    maxOutput: 272_000,
    encoding: o200k,
    images: 'openai-tiles-5',
  },
  {
    ids: ['gpt-5-chat', 'gpt-5-1-chat', 'gpt-5-2-chat'],
    family: 'openai',
    contextWindow: 128_000,
    maxOutput: 16_384,
    encoding: o200k,
    images: 'openai-tiles-5',
  },
  {
    ids: ['gpt-5-3-codex-spark'],
    family: 'openai',
    contextWindow: 128_000,
    maxOutput: 32_000,
    encoding: o200k,
    images: 'openai-tiles-5',
  },
  {
    ids: ['gpt-4-1'],
    family: 'openai',
    contextWindow: 1_047_576,
    maxOutput: 32_768,
    encoding: o200k,
    images: 'openai-tiles',
  },
  {
    ids: ['gpt-4-1-mini', 'gpt-4-1-nano'],
    family: 'openai',
    contextWindow: 1_047_576,
    maxOutput: 32_768,
    encoding: o200k,
    images: 'openai-patches-mini',
  },
  {
    ids: ['gpt-4o', 'chatgpt-4o', 'gpt-4-5'],
    family: 'openai',
    contextWindow: 128_000,
    maxOutput: 16_384,
    encoding: o200k,
    images: 'openai-tiles',
  },
  {
    ids: ['gpt-4o-mini'],
    family: 'openai',
    contextWindow: 128_000,
    maxOutput: 16_384,
    encoding: o200k,
    images: 'openai-tiles-4o-mini',
  },
  {
    ids: ['o1', 'o3', 'o3-mini'],
    family: 'openai',
    contextWindow: 200_000,
    maxOutput: 100_000,
    encoding: o200k,
    images: 'openai-tiles-o',
  },
  {
    ids: ['o4-mini', 'codex-mini'],
    family: 'openai',
    contextWindow: 200_000,
    maxOutput: 100_000,
    encoding: o200k,
    images: 'openai-patches-mini',
  },
  {
    ids: ['o1-mini'],
    family: 'openai',
    contextWindow: 128_000,
    maxOutput: 65_536,
    encoding: o200k,
    images: 'openai-tiles-o',
  },
  {
    ids: ['o1-preview'],
    family: 'openai',
    contextWindow: 128_000,
    maxOutput: 32_768,
    encoding: o200k,
    images: 'openai-tiles-o',
  },
  { ids: ['gpt-oss'], family: 'openai', contextWindow: 128 * k, maxOutput: 128 * k, encoding: o200k, images: 'flat' },
  {
    ids: ['gpt-4-turbo', 'gpt-4-1106', 'gpt-4-0125', 'gpt-4-vision'],
    family: 'openai',
    contextWindow: 128_000,
    maxOutput: 4_096,
    encoding: cl100k,
    images: 'openai-tiles',
  },
  { ids: ['gpt-4'], family: 'openai', contextWindow: 8_192, maxOutput: 8_192, encoding: cl100k, images: 'flat' },
  { ids: ['gpt-4-32k'], family: 'openai', contextWindow: 32_768, maxOutput: 32_768, encoding: cl100k, images: 'flat' },
  {
    ids: ['gpt-3-5-turbo', 'gpt-35-turbo'],
    family: 'openai',
    contextWindow: 16_385,
    maxOutput: 4_096,
    encoding: cl100k,
    images: 'flat',
  },
  {
    ids: [
      'gemini-4-argon',
      'gemini-4-carbon',
      'gemini-4-hydrogen',
      'gemini-3',
      'gemini-3-1',
      'gemini-3-5',
      'gemini-3-6',
      'gemini-3-7',
      'gemini-3-8',
      'gemini-flash-latest',
      'gemini-pro-latest',
    ],
    family: 'gemini',
    contextWindow: m,
    maxOutput: 64 * k,
    images: 'gemini-3',
  },
  { ids: ['gemini-2-5'], family: 'gemini', contextWindow: m, maxOutput: 64 * k },
  { ids: ['gemini-2-0', 'gemini-1-5-flash'], family: 'gemini', contextWindow: m, maxOutput: 8 * k },
  { ids: ['gemini-1-5-pro'], family: 'gemini', contextWindow: 2 * m, maxOutput: 8 * k },
  { ids: ['gemma-4'], family: 'gemini', contextWindow: 256 * k },
  { ids: ['gemma-3'], family: 'gemini', contextWindow: 128 * k, maxOutput: 8 * k },
  { ids: ['deepseek-v4', 'deepseek-v4-1'], family: 'deepseek', contextWindow: m, maxOutput: 384 * k },
  {
    ids: ['deepseek-v3', 'deepseek-v3-1', 'deepseek-v3-2', 'deepseek-r1', 'deepseek-reasoner'],
    family: 'deepseek',
    contextWindow: 128 * k,
    maxOutput: 64 * k,
  },
  { ids: ['deepseek-chat'], family: 'deepseek', contextWindow: 128 * k, maxOutput: 8 * k },
  { ids: ['qwen3-8-max'], family: 'qwen', contextWindow: 991_000, maxOutput: 128_000 },
  {
    ids: [
      'qwen3-7-max',
      'qwen3-7-plus',
      'qwen3-7-flash',
      'qwen3-6-plus',
      'qwen3-5-plus',
      'qwen3-5-flash',
      'qwen3-coder-plus',
    ],
    family: 'qwen',
    contextWindow: 1_000_000,
    maxOutput: 64 * k,
  },
  {
    ids: ['qwen3-coder', 'qwen3-next', 'qwen3-max', 'qwen3-vl', 'qwen3-6', 'qwen3-8'],
    family: 'qwen',
    contextWindow: 256 * k,
    maxOutput: 64 * k,
  },
  { ids: ['qwen3', 'qwen-3', 'qwq'], family: 'qwen', contextWindow: 128 * k },
  { ids: ['qwen2-5', 'qwen-2-5'], family: 'qwen', contextWindow: 128 * k, maxOutput: 8 * k },
  { ids: ['llama-4', 'llama-4-maverick', 'llama-4-scout'], family: 'llama', contextWindow: m },
  {
    ids: ['llama-3-1', 'llama-3-2', 'llama-3-3'],
    family: 'llama',
    contextWindow: 128 * k,
  },
  { ids: ['llama-3'], family: 'llama', contextWindow: 8 * k },
  {
    ids: ['mistral-large-3', 'mistral-large-2512', 'codestral', 'devstral', 'ministral'],
    family: 'mistral',
    contextWindow: 256 * k,
  },
  {
    ids: [
      'mistral-large-2411',
      'mistral-medium',
      'mistral-medium-3',
      'mistral-small',
      'mistral-nemo',
      'magistral',
      'pixtral',
    ],
    family: 'mistral',
    contextWindow: 128 * k,
  },
  { ids: ['kimi-k3', 'kimi-k3-1'], family: 'unknown', contextWindow: m, maxOutput: m },
  {
    ids: ['kimi-k2-5', 'kimi-k2-6', 'kimi-k2-7', 'kimi-k2-0905', 'kimi-k2-thinking'],
    family: 'unknown',
    contextWindow: 256 * k,
  },
  { ids: ['kimi-k2'], family: 'unknown', contextWindow: 128 * k },
  { ids: ['glm-5-2', 'glm-5-3'], family: 'unknown', contextWindow: 1_000_000, maxOutput: 128 * k },
  { ids: ['glm-4-6', 'glm-4-7', 'glm-5', 'glm-5-1'], family: 'unknown', contextWindow: 200 * k, maxOutput: 128 * k },
  { ids: ['glm-4-5'], family: 'unknown', contextWindow: 128 * k, maxOutput: 96 * k },
  { ids: ['minimax-m3'], family: 'unknown', contextWindow: 512_000, maxOutput: 128 * k },
  {
    ids: ['minimax-m2', 'minimax-m2-1', 'minimax-m2-5', 'minimax-m2-7'],
    family: 'unknown',
    contextWindow: 200 * k,
    maxOutput: 128 * k,
  },
  { ids: ['grok-4', 'grok-code-fast'], family: 'unknown', contextWindow: 256_000 },
  { ids: ['grok-4-fast', 'grok-4-1-fast'], family: 'unknown', contextWindow: 2_000_000 },
  { ids: ['grok-3'], family: 'unknown', contextWindow: 128 * k },
  { ids: ['nova-pro', 'nova-lite'], family: 'unknown', contextWindow: 300_000 },
  { ids: ['nova-2-lite', 'nova-premier'], family: 'unknown', contextWindow: 1_000_000 },
  { ids: ['command-a'], family: 'unknown', contextWindow: 256_000 },
  { ids: ['claude'], family: 'claude-4.7' },
  { ids: ['gpt', 'chatgpt'], family: 'openai', encoding: o200k, images: 'openai-patches' },
  { ids: ['gemini'], family: 'gemini', images: 'gemini-3' },
  { ids: ['gemma'], family: 'gemini' },
  { ids: ['deepseek'], family: 'deepseek' },
  { ids: ['qwen'], family: 'qwen' },
  { ids: ['llama'], family: 'llama' },
  { ids: ['mistral'], family: 'mistral' },
];
