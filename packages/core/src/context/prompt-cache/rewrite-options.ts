/** By what a rewrite is decided for one model: its prices, its cache, and the budgets of the configuration. */

import { type CacheRules, cacheRulesFor } from '../../usage/cache-rules.ts';
import { ratesFor } from '../../usage/price.ts';
import type { CompressionConfig } from '../settings.ts';
import { budgetsFor, plannedTailShare } from '../threshold.ts';
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

/** How far a planned compression goes: the configuration to compress with. The smaller of both tails is kept. */
export function plannedCompression(config: CompressionConfig): CompressionConfig {
  return { ...config, planned: true };
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
  const { tailTokens, tailCeilingTokens, summaryMaxTokens } = budgetsFor(contextLength, config, {
    reservedOutputTokens,
  });
  return {
    readPrice: cacheRead / input,
    lives: [lifeBy(rules, model), ...(longer && longer.name !== rules.name ? [lifeBy(longer, model)] : [])],
    latestTokens: budgetsFor(contextLength, config, { model: { id: model }, reservedOutputTokens }).thresholdTokens,
    expectedTokens: plannedTailShare * ((tailTokens + tailCeilingTokens) / 2) + summaryMaxTokens,
    lossTokens: contextLength,
  };
}

/** Where nothing is charged for writing, what is written is charged as input. */
function lifeBy({ ttlSeconds, writeRate }: CacheRules, model: string): CacheLife {
  const { input, [writeRate]: write = input } = ratesFor(model, 1) ?? { input: 1 };
  return { ttlSeconds, writePrice: write / input };
}
