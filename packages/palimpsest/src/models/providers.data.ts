/**
 * Providers by name, as of November 2026: where they are and which environment variables hold their keys. Sources: their
 * own API references and quick starts. Most of them speak OpenAI's Chat Completions.
 */

export interface ProviderRow {
  readonly name: string;
  /** Other names that people use. */
  readonly aliases?: readonly string[];
  /** Where it is; absent where every user has an address of their own. */
  readonly baseUrl?: string;
  /** Environment variables, first one wins; none for servers that want no key. */
  readonly keys: readonly string[];
  /** A server on your own machine: it wants no key, and its window is whatever it was started with. */
  readonly local?: true;
  /** True where asking for the usage of a stream is refused; it comes unasked. */
  readonly usageUnasked?: true;
}

/** The two that have a package of their own. */
export const openaiRow: ProviderRow = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  keys: ['OPENAI_API_KEY'],
};

export const anthropicRow: ProviderRow = {
  name: 'anthropic',
  aliases: ['claude'],
  baseUrl: 'https://api.anthropic.com/v1',
  keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
};

/** Any other address that speaks Chat Completions. */
export const compatibleRow: ProviderRow = { name: 'openai-compatible', aliases: ['custom'], keys: [] };

/** The key for an address that belongs to no provider of the table. */
export const ownKeyVariable = 'PALIMPSEST_API_KEY';

/** `names` and `keys` are separated by spaces; the first of each goes before the others. */
function row(names: string, baseUrl: string, keys: string): ProviderRow {
  const [name = '', ...aliases] = names.split(' ');
  return { name, aliases, baseUrl, keys: keys.split(' ') };
}

const local = (name: string, baseUrl?: string): ProviderRow => ({
  name,
  ...(baseUrl === undefined ? {} : { baseUrl }),
  keys: [],
  local: true,
});

export const providerRows: readonly ProviderRow[] = [
  openaiRow,
  anthropicRow,
  compatibleRow,
  row('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  row(
    'google gemini',
    'https://generativelanguage.googleapis.com/v1beta/openai',
    'GEMINI_API_KEY GOOGLE_GENERATIVE_AI_API_KEY GOOGLE_API_KEY',
  ),
  row('deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  { ...row('mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'), usageUnasked: true },
  row('xai grok', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  row('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  row('cerebras', 'https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  row('together togetherai', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY TOGETHER_AI_API_KEY'),
  row('fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  row('deepinfra', 'https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  row('perplexity', 'https://api.perplexity.ai', 'PERPLEXITY_API_KEY'),
  row('cohere', 'https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY CO_API_KEY'),
  row('nvidia', 'https://integrate.api.nvidia.com/v1', 'NVIDIA_API_KEY'),
  row('huggingface', 'https://router.huggingface.co/v1', 'HF_TOKEN HUGGINGFACE_API_KEY'),
  row('github', 'https://models.github.ai/inference', 'GITHUB_TOKEN'),
  row('gateway vercel', 'https://ai-gateway.vercel.sh/v1', 'AI_GATEWAY_API_KEY'),
  row('dashscope qwen alibaba', 'https://dashscope.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  row('dashscope-intl', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  row('moonshot moonshotai kimi', 'https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY KIMI_API_KEY'),
  row('moonshot-cn', 'https://api.moonshot.cn/v1', 'MOONSHOT_API_KEY KIMI_API_KEY'),
  row('zai', 'https://api.z.ai/api/paas/v4', 'ZAI_API_KEY Z_AI_API_KEY'),
  row('zhipu bigmodel', 'https://open.bigmodel.cn/api/paas/v4', 'ZHIPU_API_KEY ZHIPUAI_API_KEY'),
  row('minimax', 'https://api.minimax.io/v1', 'MINIMAX_API_KEY'),
  row('siliconflow', 'https://api.siliconflow.cn/v1', 'SILICONFLOW_API_KEY'),
  row('volcengine ark', 'https://ark.cn-beijing.volces.com/api/v3', 'ARK_API_KEY'),
  local('ollama', 'http://localhost:11434/v1'),
  local('lmstudio', 'http://localhost:1234/v1'),
  local('vllm'),
  local('llamacpp'),
];

/** Names of packages of the AI SDK that differ from what people call the provider. */
export const packageNames: Readonly<Record<string, string>> = {
  bedrock: 'amazon-bedrock',
  vertex: 'google-vertex',
};

/** Who serves a model that was named without its provider, by the family of the id. */
export const familyProviders: Readonly<Record<string, string>> = {
  openai: 'openai',
  claude: 'anthropic',
  'claude-4.7': 'anthropic',
  gemini: 'google',
  deepseek: 'deepseek',
  mistral: 'mistral',
};
