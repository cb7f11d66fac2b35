/** The rule of `planRewrite` for a runtime that asks before every call: remembers a plan for each conversation. */
import {
  newRewritePlan,
  type PlannedRequest,
  planCompressed,
  planRewrite,
  planSent,
  type RewriteOptions,
  type RewritePlan,
} from './plan-rewrite.ts';

/** What a runtime tells of a conversation before a call. */
export interface RewriteMoment {
  /** The same before and after compressions. */
  readonly rootId: string;
  /** How often the conversation was compressed. */
  readonly compressionCount: number;
  /** Tokens of the whole request, and of them those that no compression changes. */
  readonly tokens: number;
  readonly fixedTokens: number;
  /** Where the engine compresses: the latest point. */
  readonly thresholdTokens: number;
  /** Since the last call was answered; undefined before the first one that is known of. */
  readonly sinceLastCallMs: number | undefined;
  /** What the engine would do: it is done where no prices are known. */
  readonly engine: 'compress' | 'wait';
}

/** What is known of a conversation. */
interface Followed {
  readonly plan: RewritePlan;
  readonly compressionCount: number;
  /** The request before this one: whether it went out as it was shows only now. */
  readonly last: PlannedRequest | undefined;
}

/** Conversations that are remembered; of the one that was asked about longest ago, the count starts anew. */
const maxFollowed = 1_000;

/**
 * A planner for `createConversations`. It asks for the first of the lives only: a runtime does not change it.
 * @param options as `rewriteOptionsFor` gives them; undefined, where prices are not known, leaves it to the engine
 */
export function createRewritePlanner(
  options: RewriteOptions | undefined,
): (moment: RewriteMoment) => 'compress' | 'wait' {
  if (!options) return ({ engine }) => engine;
  const followed = new Map<string, Followed>();
  return (moment) => {
    const { rootId, compressionCount, thresholdTokens } = moment;
    const rules = { ...options, lives: options.lives.slice(0, 1), latestTokens: thresholdTokens };
    const known = followed.get(rootId);
    const request = requestOf(moment, known);
    const plan = planUpTo(known, request, { rules, compressionCount });
    followed.delete(rootId);
    followed.set(rootId, { plan, compressionCount, last: request });
    const [oldest] = followed.keys();
    if (followed.size > maxFollowed && oldest !== undefined) followed.delete(oldest);
    return planRewrite(plan, request, rules).action;
  };
}

/** Time is counted from call to call, so that it is the time of the runtime. */
function requestOf(
  { tokens, fixedTokens, sinceLastCallMs }: RewriteMoment,
  known: Followed | undefined,
): PlannedRequest {
  const seconds = (known?.last?.seconds ?? 0) + (sinceLastCallMs ?? 0) / 1_000;
  return { promptTokens: tokens, fixedTokens, seconds };
}

interface Since {
  readonly rules: RewriteOptions;
  readonly compressionCount: number;
}

/** The plan with the last request in it: sent as it was, or compressed, which shows by the count. */
function planUpTo(
  known: Followed | undefined,
  request: PlannedRequest,
  { rules, compressionCount }: Since,
): RewritePlan {
  if (!known?.last) return newRewritePlan;
  const { plan, last } = known;
  if (compressionCount === known.compressionCount) return planSent(plan, last, rules);
  // What it left is not told; the next request is a little more than that.
  const left = { ...last, promptTokens: Math.min(request.promptTokens, last.promptTokens) };
  return planSent(planCompressed(plan, left), left, rules);
}
