/** By what a rewrite is decided for one model: its prices, its cache, and the budgets of the configuration. */
import type { CompressionConfig } from '../../config/compression.ts';
import { type CacheRules, cacheRulesFor } from '../../usage/cache-rules.ts';
import { ratesFor } from '../../usage/price.ts';
import { budgetsFor } from '../threshold.ts';
import type { CacheTtl } from './breakpoints.ts';
import type { CacheLife, RewriteOptions } from './plan-rewrite.ts';

/** A model and its window. */
export interface RewriteBasis {
  /** Its id, or `provider/id`. */
  readonly model: string;
  readonly contextLength: number;
  readonly config: CompressionConfig;
  /** How long Anthropic is asked to keep text. @default '5m' */
  readonly ttl?: CacheTtl;
  /** Output tokens that every request reserves inside the window. @default 0 */
  readonly reservedOutputTokens?: number;
}

/** What a planned compression keeps at the end, as a share of what is configured: what is left is carried for long. */
const tailShare = 0.5;

/** How far a planned compression goes: the configuration to compress with. */
export function plannedCompression(config: CompressionConfig): CompressionConfig {
  return { ...config, targetRatio: config.targetRatio * tailShare };
}

/**
 * The options of `planRewrite`, with the configured threshold as the latest point; undefined where the list price or
 * the cache of the model is not known. All lives are in it: leave out all but the first to stay with the one asked for.
 */
export function rewriteOptionsFor(basis: RewriteBasis): RewriteOptions | undefined {
  const { model, contextLength, config, ttl = '5m', reservedOutputTokens = 0 } = basis;
  const rules = cacheRulesFor(model, ttl);
  const rates = ratesFor(model, 1);
  if (!rules || !rates) return undefined;
  const { input, cacheRead = input } = rates;
  const longer = ttl === '5m' ? cacheRulesFor(model, '1h') : undefined;
  const left = budgetsFor(contextLength, plannedCompression(config), { reservedOutputTokens });
  return {
    readPrice: cacheRead / input,
    lives: [lifeBy(rules, model), ...(longer && longer.name !== rules.name ? [lifeBy(longer, model)] : [])],
    latestTokens: budgetsFor(contextLength, config, { model: { id: model }, reservedOutputTokens }).thresholdTokens,
    expectedTokens: (left.tailTokens + left.tailCeilingTokens) / 2 + left.summaryMaxTokens,
    lossTokens: contextLength,
  };
}

/** Where nothing is charged for writing, what is written is charged as input. */
function lifeBy({ ttlSeconds, writeRate }: CacheRules, model: string): CacheLife {
  const { input, [writeRate]: write = input } = ratesFor(model, 1) ?? { input: 1 };
  return { ttlSeconds, writePrice: write / input };
}
