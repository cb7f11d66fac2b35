/**
 * List prices in US dollars for a million tokens, standard tier, as the makers publish them. Each row names the page;
 * `read` is the month of the newest copy of it, or of the models.dev registry, that the numbers were checked against.
 * A retired model has its last price. A price that is introductory, or that two sources give differently, is left out:
 * then the price of a call is unknown. Ids are written as in `tokens/models.data.ts`, versions with dashes.
 */

/** Dollars for a million tokens; a kind of token that has no rate makes the price unknown once it is used. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  /** The shortest-lived write. */
  readonly cacheWrite?: number;
  /** A write that stays for an hour. */
  readonly cacheWriteHour?: number;
}

/** Rates for requests whose prompt has at most `upTo` tokens; absent: any length. */
export interface Tier extends Rates {
  readonly upTo?: number;
}

export interface PriceRow {
  readonly ids: readonly string[];
  /** Who sells it at this price, by provider name. */
  readonly makers: readonly string[];
  /** True for open weights, which every host sells at a price of its own. */
  readonly open?: true;
  /** Shortest first; a prompt longer than the last tier has no known price. */
  readonly tiers: readonly Tier[];
  readonly source: string;
  /** When the numbers were checked, year and month. */
  readonly read: string;
}

/** Sellers that pass on the maker's list price for models with closed weights. */
export const listPriceSellers: readonly string[] = [
  'openrouter',
  'gateway',
  'vercel',
  'azure',
  'bedrock',
  'amazon-bedrock',
  'vertex',
  'google-vertex',
];

/** Servers on your own machine. */
export const freeProviders: readonly string[] = ['ollama', 'lmstudio', 'vllm', 'llamacpp'];

type From = Pick<PriceRow, 'makers' | 'open' | 'source' | 'read'>;

const anthropic: From = {
  makers: ['anthropic'],
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  read: '2026-10',
};
const openai: From = {
  makers: ['openai'],
  source: 'https://developers.openai.com/api/docs/pricing',
  read: '2026-11',
};
const google: From = {
  makers: ['google', 'gemini'],
  source: 'https://ai.google.dev/gemini-api/docs/pricing',
  read: '2026-10',
};
/** Charged by the hour of the day; these are the peak rates, the others are half of them. */
const deepseek: From = {
  makers: ['deepseek'],
  open: true,
  source: 'https://api-docs.deepseek.com/quick_start/pricing',
  read: '2026-10',
};
const xai: From = { makers: ['xai'], source: 'https://docs.x.ai/developers/models', read: '2026-10' };
const mistral: From = {
  makers: ['mistral'],
  open: true,
  source: 'https://mistral.ai/pricing#api-pricing',
  read: '2026-08',
};

const row = (from: From, ids: string, ...tiers: readonly Tier[]): PriceRow => ({ ...from, ids: ids.split(' '), tiers });

/** Anthropic's usual ratios: a read is a tenth of the input, a five-minute write a quarter more, one for an hour twice it. */
const claude = (input: number, output: number): Tier => ({
  input,
  output,
  cacheRead: input / 10,
  cacheWrite: input * 1.25,
  cacheWriteHour: input * 2,
});

/** A tenth of the input for what comes from the cache: https://docs.mistral.ai/inference/conversations/advanced/prompt-caching */
const mistralTier = (input: number, output: number): Tier => ({ input, output, cacheRead: input / 10 });

/** Prompts of more tokens than this cost more at Google (and at Anthropic for Sonnet 4 and 4.5). */
const long = 200_000;
/** The same at OpenAI. */
const openaiLong = 272_000;
/** The same at xAI. */
const xaiLong = 128_000;

export const priceRows: readonly PriceRow[] = [
  row(anthropic, 'claude-fable-5-1 claude-mythos-5-1', { ...claude(10, 50), cacheRead: 0.25 }),
  row(anthropic, 'claude-fable-5 claude-mythos-5', claude(10, 50)),
  row(anthropic, 'claude-opus-5-5', { ...claude(4, 20), cacheRead: 0.2 }),
  row(anthropic, 'claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5', claude(5, 25)),
  row(anthropic, 'claude-opus-4-1 claude-opus-4-0 claude-opus-4 claude-4-opus claude-3-opus', claude(15, 75)),
  row(anthropic, 'claude-sonnet-5-5', { ...claude(2, 10), cacheRead: 0.1 }),
  row(anthropic, 'claude-sonnet-5', claude(2, 10)),
  row(anthropic, 'claude-sonnet-4-6 claude-3-7-sonnet claude-3-5-sonnet', claude(3, 15)),
  row(
    anthropic,
    'claude-sonnet-4-5 claude-sonnet-4-0 claude-sonnet-4 claude-4-sonnet',
    { ...claude(3, 15), upTo: long },
    claude(6, 22.5),
  ),
  row(anthropic, 'claude-haiku-5-5', { ...claude(0.1, 0.5), upTo: 100_000 }, claude(0.5, 2.5)),
  row(anthropic, 'claude-haiku-4-5', claude(1, 5)),
  row(anthropic, 'claude-3-5-haiku', claude(0.8, 4)),
  row(anthropic, 'claude-3-haiku', {
    input: 0.25,
    output: 1.25,
    cacheRead: 0.03,
    cacheWrite: 0.3,
    cacheWriteHour: 0.5,
  }),

  row(
    openai,
    'gpt-6-astra',
    { upTo: openaiLong, input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
    { input: 20, output: 75, cacheRead: 2, cacheWrite: 25 },
  ),
  row(openai, 'gpt-6-sol', { upTo: openaiLong, input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 }),
  row(openai, 'gpt-6-luna', { upTo: openaiLong, input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 }),
  row(
    openai,
    'gpt-5-6 gpt-5-6-sol',
    { upTo: openaiLong, input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
    { input: 4, output: 15, cacheRead: 0.4, cacheWrite: 5 },
  ),
  row(
    openai,
    'gpt-5-5',
    { upTo: openaiLong, input: 5, output: 30, cacheRead: 0.5 },
    { input: 10, output: 45, cacheRead: 1 },
  ),
  row(
    openai,
    'gpt-5-4',
    { upTo: openaiLong, input: 2.5, output: 15, cacheRead: 0.25 },
    { input: 5, output: 22.5, cacheRead: 0.5 },
  ),
  row(openai, 'gpt-5-4-mini', { input: 0.75, output: 4.5, cacheRead: 0.075 }),
  row(openai, 'gpt-5-4-nano', { input: 0.2, output: 1.25, cacheRead: 0.02 }),
  row(openai, 'gpt-5-3-codex gpt-5-2 gpt-5-2-codex gpt-5-2-chat', { input: 1.75, output: 14, cacheRead: 0.175 }),
  row(openai, 'gpt-5-1 gpt-5-1-chat gpt-5-1-codex gpt-5-1-codex-max', { input: 1.25, output: 10, cacheRead: 0.125 }),
  row(openai, 'gpt-5 gpt-5-chat gpt-5-codex', { input: 1.25, output: 10, cacheRead: 0.125 }),
  row(openai, 'gpt-5-mini gpt-5-1-codex-mini', { input: 0.25, output: 2, cacheRead: 0.025 }),
  row(openai, 'gpt-5-nano', { input: 0.05, output: 0.4, cacheRead: 0.005 }),
  row(openai, 'gpt-5-pro', { input: 15, output: 120 }),
  row(openai, 'gpt-4-1', { input: 2, output: 8, cacheRead: 0.5 }),
  row(openai, 'gpt-4-1-mini', { input: 0.4, output: 1.6, cacheRead: 0.1 }),
  row(openai, 'gpt-4-1-nano', { input: 0.1, output: 0.4, cacheRead: 0.025 }),
  row(openai, 'gpt-4o', { input: 2.5, output: 10, cacheRead: 1.25 }),
  row(openai, 'gpt-4o-2024-05-13', { input: 5, output: 15 }),
  row(openai, 'gpt-4o-mini', { input: 0.15, output: 0.6, cacheRead: 0.075 }),
  row(openai, 'o1', { input: 15, output: 60, cacheRead: 7.5 }),
  row(openai, 'o3', { input: 2, output: 8, cacheRead: 0.5 }),
  row(openai, 'o4-mini', { input: 1.1, output: 4.4, cacheRead: 0.275 }),
  row(openai, 'o3-mini o1-mini', { input: 1.1, output: 4.4, cacheRead: 0.55 }),
  row(openai, 'gpt-4-turbo', { input: 10, output: 30 }),
  row(openai, 'gpt-4', { input: 30, output: 60 }),
  row(openai, 'gpt-3-5-turbo', { input: 0.5, output: 1.5 }),

  row(
    google,
    'gemini-3-1-pro gemini-3-pro',
    { upTo: long, input: 2, output: 12, cacheRead: 0.2 },
    { input: 4, output: 18, cacheRead: 0.4 },
  ),
  row(google, 'gemini-3-5-flash', { input: 1.5, output: 9, cacheRead: 0.15 }),
  row(google, 'gemini-3-flash', { input: 0.5, output: 3, cacheRead: 0.05 }),
  row(google, 'gemini-3-1-flash-lite', { input: 0.25, output: 1.5, cacheRead: 0.025 }),
  row(
    google,
    'gemini-2-5-pro',
    { upTo: long, input: 1.25, output: 10, cacheRead: 0.125 },
    { input: 2.5, output: 15, cacheRead: 0.25 },
  ),
  row(google, 'gemini-2-5-flash', { input: 0.3, output: 2.5, cacheRead: 0.03 }),
  row(google, 'gemini-2-5-flash-lite', { input: 0.1, output: 0.4, cacheRead: 0.01 }),
  row(google, 'gemini-2-0-flash', { input: 0.1, output: 0.4, cacheRead: 0.025 }),
  row(google, 'gemini-2-0-flash-lite', { input: 0.075, output: 0.3 }),

  row(deepseek, 'deepseek-flash deepseek-v4-flash', { input: 0.3, output: 1.2, cacheRead: 0.006 }),
  row(deepseek, 'deepseek-v4-pro', { input: 1.32, output: 3.96, cacheRead: 0.044 }),

  row(xai, 'grok-4-20-0309-reasoning grok-4-20-0309-non-reasoning', {
    upTo: xaiLong,
    input: 2,
    output: 6,
    cacheRead: 0.2,
  }),
  row(xai, 'grok-4-1-fast-reasoning grok-4-1-fast-non-reasoning grok-4-1-fast', {
    upTo: xaiLong,
    input: 0.2,
    output: 0.5,
    cacheRead: 0.05,
  }),
  row(xai, 'grok-3', { input: 3, output: 15, cacheRead: 0.75 }),
  row(xai, 'grok-3-mini', { input: 0.3, output: 0.5, cacheRead: 0.075 }),

  row(mistral, 'mistral-large-3 mistral-large-2512', mistralTier(0.5, 1.5)),
  row(mistral, 'mistral-medium-3-5 mistral-medium-2604', mistralTier(1.5, 7.5)),
  row(mistral, 'codestral-2508', mistralTier(0.3, 0.9)),
  row(mistral, 'devstral-2512', mistralTier(0.4, 2)),
];
