/**
 * The model that a conversation gets where only a key is there: one for work with tools, neither the dearest nor the smallest of
 * its provider, as of November 2026. Ids are written as providers write them; all are in the model table.
 *
 * GitHub and Hugging Face are left out: their tokens are set on many machines for other reasons, and nobody who has one for their
 * repositories has asked for conversations to be sent there. Like providers without a usual model they are used where they are named.
 */

/** `provider/model`, in the order in which keys are looked for: makers before those who pass their models on. */
export const usualModels: readonly string[] = [
  'anthropic/claude-sonnet-5-5',
  'openai/gpt-5.6',
  'google/gemini-3.5-flash',
  'openrouter/anthropic/claude-sonnet-5.5',
  'gateway/anthropic/claude-sonnet-5.5',
  'deepseek/deepseek-v4-pro',
  'mistral/devstral-2512',
  'xai/grok-4-1-fast-reasoning',
  'moonshot/kimi-k3',
  'zai/glm-5.3',
  'dashscope/qwen3-coder-plus',
  'minimax/MiniMax-M3',
  'groq/openai/gpt-oss-120b',
  'cerebras/gpt-oss-120b',
  'together/openai/gpt-oss-120b',
  'fireworks/accounts/fireworks/models/gpt-oss-120b',
  'deepinfra/openai/gpt-oss-120b',
  'nvidia/openai/gpt-oss-120b',
];
