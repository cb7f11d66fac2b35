/**
 * Whether a summary costs less as the continuation of a request that its provider has in its cache, or as a request of its own.
 * The continuation reads the whole conversation at the price of what is cached; a request of its own reads less, at the full price.
 */
import { type CacheRules, cacheRulesFor } from '../../usage/cache-rules.ts';
import { ratesFor } from '../../usage/price.ts';
import type { Rates } from '../../usage/prices.data.ts';
import type { CacheTtl } from './breakpoints.ts';

/** The request that could be continued. */
export interface CachedRequest {
  /** Its prompt as its provider reported it. */
  readonly tokens: number;
  /** What of it the provider reported as read from the cache or written to it; null where it reported nothing of the kind. */
  readonly cachedTokens: number | null;
  /** Since it was answered. */
  readonly idleMs: number;
}

/** A summary, in both ways. */
export interface SummaryWays {
  /** Its id, or `provider/id`. */
  readonly model: string;
  /** How long Anthropic was asked to keep text. @default '5m' */
  readonly ttl?: CacheTtl;
  readonly request: CachedRequest;
  /** Tokens of the instructions behind the cached request. */
  readonly askedTokens: number;
  /** Tokens that all calls of the other way would read. */
  readonly plainTokens: number;
  /** Tokens of the summary. */
  readonly outputTokens: number;
}

/** What each way costs by list prices, in US dollars. */
export interface SummaryCosts {
  readonly continued: number;
  readonly plain: number;
  /** Tokens of the request that are expected to come from the cache. */
  readonly cachedTokens: number;
}

/** The costs of both ways; undefined where prices, or the cache of the provider, are not known. */
export function summaryCosts(ways: SummaryWays): SummaryCosts | undefined {
  const { model, ttl = '5m', request, askedTokens, plainTokens, outputTokens } = ways;
  const rules = cacheRulesFor(model, ttl);
  const whole = ratesFor(model, request.tokens + askedTokens);
  const less = ratesFor(model, plainTokens);
  if (!rules || !whole || !less || whole.cacheRead === undefined) return undefined;
  const cachedTokens = stillCached(request, rules);
  const fresh = request.tokens - cachedTokens;
  const prompt =
    cachedTokens * whole.cacheRead + fresh * writeRate(whole, rules) + askedTokens * inputRate(whole, rules);
  const dollars = (tokens: number): number => tokens / 1_000_000;
  return {
    continued: dollars(prompt + outputTokens * whole.output),
    plain: dollars(plainTokens * inputRate(less, rules) + outputTokens * less.output),
    cachedTokens,
  };
}

/** What was not used for almost as long as text is kept may be gone when the request arrives. */
const ttlMargin = 0.9;

/** What of the request its provider still has, as far as it has shown that it keeps anything at all. */
function stillCached({ tokens, cachedTokens, idleMs }: CachedRequest, rules: CacheRules): number {
  if (cachedTokens === null || cachedTokens === 0 || idleMs > rules.ttlSeconds * 1_000 * ttlMargin) return 0;
  // Of marked prefixes what was read and written is there; others keep all of what was sent.
  const kept = rules.keeps === 'breakpoints' ? Math.min(cachedTokens, tokens) : tokens;
  const stepped = kept - (kept % rules.stepTokens);
  return stepped < rules.minimumTokens ? 0 : stepped;
}

/** Of what is read anew: some charge every request for what it leaves in the cache. */
const inputRate = ({ input, cacheWrite = input }: Rates, { keeps }: CacheRules): number =>
  keeps === 'requests' ? cacheWrite : input;

/** Of what of the request is gone: its marks write it again. */
const writeRate = ({ input, ...rates }: Rates, { writeRate: name }: CacheRules): number => rates[name] ?? input;
