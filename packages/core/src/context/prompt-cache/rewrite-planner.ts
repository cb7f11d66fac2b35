/** The rule of `planRewrite` for a runtime that asks before every call, and keeps the plan with the conversation. */
import type { JsonValue } from '../../shared/json.ts';
import { count, group, nullable, numberFrom, problemLog } from '../../shared/options/schema.ts';
import { type CacheRules, cacheRulesFor } from '../../usage/cache-rules.ts';
import { ratesFor } from '../../usage/price.ts';
import type { CompressionConfig } from '../settings.ts';
import { budgetsFor, plannedTailShare } from '../threshold.ts';
import type { CacheTtl } from './breakpoints.ts';
import {
  type CacheLife,
  newRewritePlan,
  type PlannedRequest,
  planCompressed,
  planRewrite,
  planSent,
  type RewriteOptions,
  type RewritePlan,
  type UsualCourse,
} from './plan-rewrite.ts';

/** What a runtime tells of a conversation before a call. */
export interface RewriteMoment {
  /** How often the conversation was compressed. */
  readonly compressionCount: number;
  /** How many tokens more the last compression would have left with the configured tail. */
  readonly usualExtraTokens: number;
  /** Tokens of the whole request, and of them those that no compression changes. */
  readonly tokens: number;
  readonly fixedTokens: number;
  /** Where the engine compresses: the latest point. */
  readonly thresholdTokens: number;
  /** Since the last call was answered; undefined before the first one that is known of. */
  readonly sinceLastCallMs: number | undefined;
  /** What the engine would do: it is done where no prices are known. */
  readonly engine: 'compress' | 'wait';
  /** What the planner gave back the last time; null before the first. */
  readonly plan: JsonValue;
}

/** A decision, and what the planner wants to be told the next time. */
export interface PlannedDecision {
  readonly action: 'compress' | 'wait';
  /** Plain JSON, kept with the conversation. */
  readonly plan: JsonValue;
}

/** What is known of a conversation. */
interface Followed {
  readonly plan: RewritePlan;
  readonly compressionCount: number;
  /** The request before this one: whether it went out as it was shows only now. */
  readonly last: PlannedRequest;
}

/**
 * A planner for `createConversations`. It asks for the first of the lives only: a runtime does not change it. A plan that
 * cannot be read, because another version or another planner wrote it, counts as none.
 * @param options as `rewriteOptionsFor` gives them; undefined, where prices are not known, leaves it to the engine
 */
export function createRewritePlanner(
  options: RewriteOptions | undefined,
): (moment: RewriteMoment) => 'compress' | 'wait' | PlannedDecision {
  if (!options) return ({ engine }) => engine;
  return (moment) => {
    const { compressionCount, usualExtraTokens, thresholdTokens } = moment;
    const rules = { ...options, lives: options.lives.slice(0, 1), latestTokens: thresholdTokens };
    const known = followedIn(moment.plan);
    const last = requestOf(moment, known);
    const plan = planUpTo(known, last, { rules, compressionCount, usualExtraTokens });
    const { action } = planRewrite(plan, last, rules);
    return { action, plan: { plan: { ...plan, usual: { ...plan.usual } }, compressionCount, last: { ...last } } };
  };
}

const amount = numberFrom(0, Number.MAX_SAFE_INTEGER);

const followedField = group<Followed>({
  plan: group<RewritePlan>({
    sentTokens: amount,
    sentAt: nullable(amount),
    carried: amount,
    leftTokens: nullable(amount),
    usualExtraTokens: amount,
    life: count(0),
    usual: group<UsualCourse>({
      sentTokens: amount,
      grownTokens: numberFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      countedTokens: amount,
      spared: numberFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    }),
  }),
  compressionCount: count(0),
  last: group<PlannedRequest>({ promptTokens: amount, fixedTokens: amount, seconds: amount }),
});

function followedIn(plan: JsonValue): Followed | undefined {
  const log = problemLog('camelCase');
  const followed = followedField.parse(plan, log.place);
  return log.problems.length === 0 ? followed : undefined;
}

/** Time is counted from call to call, so that it is the time of the runtime. */
function requestOf(
  { tokens, fixedTokens, sinceLastCallMs }: RewriteMoment,
  known: Followed | undefined,
): PlannedRequest {
  const seconds = (known?.last.seconds ?? 0) + (sinceLastCallMs ?? 0) / 1_000;
  return { promptTokens: tokens, fixedTokens, seconds };
}

interface Since {
  readonly rules: RewriteOptions;
  readonly compressionCount: number;
  readonly usualExtraTokens: number;
}

/** The plan with the last request in it: sent as it was, or compressed, which shows by the count. */
function planUpTo(
  known: Followed | undefined,
  request: PlannedRequest,
  { rules, compressionCount, usualExtraTokens }: Since,
): RewritePlan {
  if (!known) return newRewritePlan;
  const { plan, last } = known;
  if (compressionCount === known.compressionCount) return planSent(plan, last, rules);
  // What it left is not told; the next request is a little more than that.
  const left = { ...last, promptTokens: Math.min(request.promptTokens, last.promptTokens), usualExtraTokens };
  return planSent(planCompressed(plan, last, left), left, rules);
}

// By what a rewrite is decided for one model: its prices, its cache, and the budgets of the configuration.

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
