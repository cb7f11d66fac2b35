/** How the provider of a model caches prompts, with what is assumed where it does not say. */
import { plainId } from '../tokens/models.ts';
import { makersOf } from './price.ts';

/** How prompts are cached: every number that a simulation needs. */
export interface CacheRules extends Pick<CacheRuleRow, 'name' | 'keeps' | 'source' | 'read'> {
  /** Prefixes below so many tokens are not kept. */
  readonly minimumTokens: number;
  /** What is read is a multiple of so many tokens. */
  readonly stepTokens: number;
  /** Seconds without use after which text is gone. */
  readonly ttlSeconds: number;
  readonly renewedByReading: boolean;
  readonly maxBreakpoints: number;
  /** Parts before a breakpoint in which an earlier prefix is looked for. */
  readonly lookbackParts: number;
  /** Which rate of the price list a write is charged by; where it has none, a write costs what input does. */
  readonly writeRate: 'cacheWrite' | 'cacheWriteHour';
  /** For a person: what is assumed or not promised. */
  readonly remarks: readonly string[];
}

/** Seconds that are assumed where a provider names none. */
const assumedTtlSeconds = 300;

/**
 * The rules for a model (`id` or `provider/id`), undefined for one whose provider is not known.
 * @param ttl how long Anthropic is asked to keep text; nobody else asks
 *
 * @example
 * import { cacheRulesFor } from '@palimpsest/core';
 * cacheRulesFor('anthropic/claude-sonnet-4-5', '1h');
 */
export function cacheRulesFor(model: string, ttl: '5m' | '1h' = '5m'): CacheRules | undefined {
  const id = plainId(model);
  const slash = model.indexOf('/');
  const named = slash > 0 ? model.slice(0, slash).toLowerCase() : undefined;
  const providers = named !== undefined && makers.has(named) ? [named] : makersOf(plainId(model));
  const fits = (row: CacheRuleRow): boolean =>
    row.providers.some((provider) => providers.includes(provider)) &&
    (row.models?.some((start) => id.startsWith(start)) ?? true);
  const rows = cacheRuleRows.filter(fits);
  const row = rows.find(({ name }) => name.endsWith(ttl)) ?? rows[0];
  return row && rulesOf(row, id);
}

function rulesOf(row: CacheRuleRow, id: string): CacheRules {
  const { name, keeps, source, read, minimums, ttlSeconds, isBestEffort } = row;
  const [, minimumTokens = 0] = minimums.find(([start]) => id.startsWith(start)) ?? [];
  return {
    name,
    keeps,
    source,
    read,
    minimumTokens,
    stepTokens: row.stepTokens ?? 1,
    ttlSeconds: ttlSeconds ?? assumedTtlSeconds,
    renewedByReading: row.renewedByReading ?? true,
    maxBreakpoints: row.maxBreakpoints ?? 0,
    lookbackParts: row.lookbackParts ?? Number.POSITIVE_INFINITY,
    writeRate: row.writeRate ?? 'cacheWrite',
    remarks: [
      ...(ttlSeconds === undefined
        ? [`${name} documents no lifetime of its cache: ${assumedTtlSeconds / 60} minutes without use are assumed`]
        : []),
      ...(isBestEffort ? [`${name} does not guarantee cache hits: the figures are a best case`] : []),
    ],
  };
}

// * How providers keep the start of a prompt and what they take for it, as they publish it. `read` is the month of the
// newest copy of the page that was looked at. What a provider does not publish is left out; `cache-rules.ts` says what is
// assumed then. Prices are in `prices.data.ts`.

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

/** Sellers pass requests on; whose cache it is shows by the model. */
const makers = new Set(cacheRuleRows.flatMap(({ providers }) => providers));
