/**
 * How providers keep the start of a prompt and what they take for it, as they publish it. `read` is the month of the
 * newest copy of the page that was looked at. What a provider does not publish is left out; `cache-rules.ts` says what is
 * assumed then. Prices are in `prices.data.ts`.
 */

/** One way in which one provider caches. */
export interface CacheRuleRow {
  /** For flags and tables, such as `anthropic-5m`. */
  readonly name: string;
  /** Who sells it, by provider name. */
  readonly providers: readonly string[];
  /** Starts of model ids, versions with dashes; absent: all models of the provider. */
  readonly models?: readonly string[];
  /**
   * What can be read again. `breakpoints`: prefixes that the request marks. `requests`: whole requests that were sent.
   * `any`: the start of any of them, up to the first difference.
   */
  readonly keeps: 'breakpoints' | 'requests' | 'any';
  /** Prefixes below so many tokens are not kept; the first start of the id that fits decides, `''` fits all. */
  readonly minimums: readonly (readonly [idStart: string, tokens: number])[];
  /** What is read is a multiple of so many tokens. */
  readonly stepTokens?: number;
  /** Seconds without use after which text is gone. */
  readonly ttlSeconds?: number;
  /** Reading keeps it for another such time. */
  readonly renewedByReading?: boolean;
  /** Most breakpoints in a request. */
  readonly maxBreakpoints?: number;
  /** Parts before a breakpoint in which an earlier prefix is looked for. */
  readonly lookbackParts?: number;
  /** Which rate of the price list a write is charged by. @default 'cacheWrite' */
  readonly writeRate?: 'cacheWriteHour';
  /** Set where a hit is not promised even for a prompt sent right after the same one. */
  readonly isBestEffort?: true;
  readonly source: string;
  readonly read: string;
}

type From = Pick<CacheRuleRow, 'providers' | 'source' | 'read'>;

const anthropic: From = {
  providers: ['anthropic'],
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  read: '2026-10',
};

/** The minimums of the newest models (5.1, 5.5) were on no page that was read: the largest one is taken for them. */
const claudeMinimums: CacheRuleRow['minimums'] = [
  ['claude-opus-5-5', 4_096],
  ['claude-sonnet-5-5', 4_096],
  ['claude-fable-5-1', 4_096],
  ['claude-mythos-5-1', 4_096],
  ['claude-opus-5', 512],
  ['claude-fable-5', 512],
  ['claude-mythos-5', 512],
  ['claude-sonnet-5', 1_024],
  ['claude-opus-4-8', 1_024],
  ['claude-opus-4-7', 2_048],
  ['claude-opus-4-6', 4_096],
  ['claude-opus-4-5', 4_096],
  ['claude-haiku-4-5', 4_096],
  ['claude-3-5-haiku', 2_048],
  ['claude-3-haiku', 2_048],
  ['claude-sonnet-4', 1_024],
  ['claude-opus-4', 1_024],
  ['claude-3', 1_024],
  ['', 4_096],
];

const claudeRules = {
  keeps: 'breakpoints',
  minimums: claudeMinimums,
  renewedByReading: true,
  maxBreakpoints: 4,
  lookbackParts: 20,
} as const;

const openai: From = {
  providers: ['openai'],
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  read: '2026-10',
};

export const cacheRuleRows: readonly CacheRuleRow[] = [
  { name: 'anthropic-5m', ...anthropic, ...claudeRules, ttlSeconds: 300 },
  { name: 'anthropic-1h', ...anthropic, ...claudeRules, ttlSeconds: 3_600, writeRate: 'cacheWriteHour' },
  {
    // Writes are charged since GPT-5.6; 30 minutes is the least that a write is kept, and every request writes its end.
    name: 'openai-30m',
    ...openai,
    models: ['gpt-5-6', 'gpt-6'],
    keeps: 'requests',
    minimums: [['', 1_024]],
    ttlSeconds: 1_800,
    renewedByReading: true,
    maxBreakpoints: 4,
  },
  {
    // "Typically cleared within 5 to 10 minutes of inactivity", and always within an hour.
    name: 'openai',
    ...openai,
    keeps: 'any',
    minimums: [['', 1_024]],
    stepTokens: 128,
    ttlSeconds: 300,
    renewedByReading: true,
    isBestEffort: true,
  },
  {
    // Units end where requests and answers end, and at intervals; unused ones go after "a few hours to a few days".
    name: 'deepseek',
    providers: ['deepseek'],
    keeps: 'any',
    minimums: [['', 64]],
    stepTokens: 64,
    ttlSeconds: 7_200,
    renewedByReading: true,
    isBestEffort: true,
    source: 'https://api-docs.deepseek.com/guides/kv_cache',
    read: '2026-10',
  },
  {
    name: 'gemini',
    providers: ['google', 'gemini'],
    keeps: 'any',
    minimums: [
      ['gemini-2-5', 2_048],
      ['', 4_096],
    ],
    isBestEffort: true,
    source: 'https://ai.google.dev/gemini-api/docs/caching',
    read: '2026-10',
  },
  {
    name: 'xai',
    providers: ['xai'],
    keeps: 'any',
    minimums: [['', 0]],
    isBestEffort: true,
    source: 'https://docs.x.ai/developers/advanced-api-usage/prompt-caching/best-practices',
    read: '2026-10',
  },
];
