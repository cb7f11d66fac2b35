/** The rule of `planRewrite` for a runtime that asks before every call, and keeps the plan with the conversation. */

import type { JsonValue } from '../../shared/json.ts';
import { count, nullable, numberFrom } from '../../shared/options/fields.ts';
import { group, problemLog } from '../../shared/options/schema.ts';
import {
  newRewritePlan,
  type PlannedRequest,
  planCompressed,
  planRewrite,
  planSent,
  type RewriteOptions,
  type RewritePlan,
} from './plan-rewrite.ts';
import type { UsualCourse } from './usual-course.ts';

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
