/** How the provider of a model caches prompts, with what is assumed where it does not say. */
import { plainId } from '../tokens/models.ts';
import { type CacheRuleRow, cacheRuleRows } from './cache-rules.data.ts';
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

/** Sellers pass requests on; whose cache it is shows by the model. */
const makers = new Set(cacheRuleRows.flatMap(({ providers }) => providers));

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
