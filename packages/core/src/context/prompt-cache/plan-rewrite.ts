/**
 * When a conversation is best compressed, by price. A compression costs once, because what it leaves is written to the
 * cache anew; not compressing costs in every request, because what could be gone is read again. Nobody knows how many
 * requests will come, so it is decided as one decides between renting and buying skis: what has been paid for carrying
 * the surplus is added up, and once it reaches the price of the compression, that is done. Without knowing the future,
 * no rule is better in the worst case (Karlin et al., "Competitive snoopy caching", 1988), and where every request adds
 * about as much, it is the best one (the economic order quantity). A cold cache has to be written anew anyway: then the
 * compression saves at once. And it is done out of what was spared alone: at no call was more paid than by compressing at the
 * latest point only, as far as what a compression leaves is known. All amounts are in tokens of fresh input.
 */

/** How long a provider keeps text, and what it takes for writing it. */
export interface CacheLife {
  /** Seconds without use after which text is gone. */
  readonly ttlSeconds: number;
  /** Price of a written token as a multiple of a fresh one, such as 1.25. */
  readonly writePrice: number;
}

/** What the decision is made by. */
export interface RewriteOptions {
  /** Price of a token that is read from the cache as a multiple of a fresh one, such as 0.1. */
  readonly readPrice: number;
  /** Lives that can be asked for, shortest first; most providers have one. */
  readonly lives: readonly CacheLife[];
  /** Prompt tokens from which on it is compressed in any case. */
  readonly latestTokens: number;
  /** What the first compression is expected to leave beside the fixed start, in tokens. */
  readonly expectedTokens: number;
  /**
   * What it is worth that content stays in the context: a compression has to save this much besides. More means fewer
   * compressions; the window is a good value, and 0 looks at the bill alone.
   */
  readonly lossTokens: number;
  /** What a model is paid for the summary, in tokens of fresh input. @default 0, the ledger writes alone */
  readonly summaryTokens?: number;
  /** Whether it is compressed by price only out of what was spared, so that no moment is dearer for it. @default true */
  readonly guarded?: boolean;
}

/** What is remembered between calls: plain data, for whoever stores it. */
export interface RewritePlan {
  /** Prompt tokens of the last call; 0 where nothing of the prompt can be in the cache. */
  readonly sentTokens: number;
  /** When it was sent, in seconds since 1970; null before the first call. */
  readonly sentAt: number | null;
  /** Paid since the last compression for carrying what it would have taken out. */
  readonly carried: number;
  /** Prompt tokens that the last compression left; null before the first. */
  readonly leftTokens: number | null;
  /** How many more it would have left with the tail that compressing at the latest point alone would have kept. */
  readonly usualExtraTokens: number;
  /** Which of the lives is asked for. */
  readonly life: number;
  /** What compressing at the latest point alone would have paid. */
  readonly usual: UsualCourse;
}

/** Where both courses begin. */
const newUsualCourse: UsualCourse = { sentTokens: 0, grownTokens: 0, countedTokens: 0, spared: 0 };

/** Where every conversation starts. */
export const newRewritePlan: RewritePlan = {
  sentTokens: 0,
  sentAt: null,
  carried: 0,
  leftTokens: null,
  usualExtraTokens: 0,
  life: 0,
  usual: newUsualCourse,
};

/** A request that is about to be sent. */
export interface PlannedRequest {
  readonly promptTokens: number;
  /** Of them those that no compression changes: tools and system prompt. */
  readonly fixedTokens: number;
  /** Seconds since 1970. */
  readonly seconds: number;
}

/** What a compression left of it. */
export interface CompressedRequest extends PlannedRequest {
  /** How many tokens more the configured tail would have left, as `CompressionResult` tells it. @default 0 */
  readonly usualExtraTokens?: number;
}

/**
 * `limit`: it is at the latest point. `price`: carrying on would be dearer. `reserve`: after one more request, what was
 * spared would not pay for it any more.
 */
export type RewriteDecision =
  | { readonly action: 'wait' }
  | { readonly action: 'compress'; readonly reason: 'limit' | 'price' | 'reserve' };

/** A compression that takes out a smaller share of the prompt is not worth its loss, whatever it saves. */
const leastShare = 0.25;

const wait: RewriteDecision = { action: 'wait' };

/** Whether to compress before this request. */
export function planRewrite(plan: RewritePlan, request: PlannedRequest, options: RewriteOptions): RewriteDecision {
  const { promptTokens, fixedTokens } = request;
  if (promptTokens >= options.latestTokens) return { action: 'compress', reason: 'limit' };
  const left = leftBy(plan, request, options);
  if (left >= promptTokens) return wait;
  const { readPrice, lossTokens, summaryTokens = 0, guarded = true } = options;
  const price = priceBy(plan, options);
  const warm = isCold(plan, request, options) ? 0 : Math.min(plan.sentTokens, promptTokens);
  const waiting = price(promptTokens, warm);
  const compressing = price(left, Math.min(warm, fixedTokens)) + summaryTokens;
  const usual = usualRequest(plan.usual, usualBasis(plan, request, options));
  const spared = plan.usual.spared + usual.price;
  const isWorthIt = promptTokens - left >= leastShare * promptTokens;
  const isDue = plan.carried >= compressing - waiting + lossTokens;
  if (isWorthIt && isDue && (spared >= compressing || !guarded)) return { action: 'compress', reason: 'price' };
  const later = price(left, fixedTokens) + summaryTokens - usual.tokens * readPrice;
  const isKept = !guarded || promptTokens <= usual.tokens || spared - waiting >= Math.max(0, later);
  return isKept ? wait : { action: 'compress', reason: 'reserve' };
}

/**
 * The plan once the conversation was compressed.
 * @param before the request as it was then
 * @param request what it is now: what the compression left
 */
export function planCompressed(plan: RewritePlan, before: PlannedRequest, request: CompressedRequest): RewritePlan {
  return {
    ...plan,
    usual: { ...counted(plan.usual, before.promptTokens), countedTokens: request.promptTokens },
    sentTokens: Math.min(plan.sentTokens, request.fixedTokens),
    carried: 0,
    leftTokens: request.promptTokens,
    usualExtraTokens: request.usualExtraTokens ?? 0,
  };
}

/**
 * The plan with this request sent. Call it before the request goes out: after a pause that a longer life would have
 * outlived, that life is asked for from this request on, because everything is written anew now.
 */
export function planSent(plan: RewritePlan, request: PlannedRequest, options: RewriteOptions): RewritePlan {
  const { promptTokens, seconds } = request;
  const cold = isCold(plan, request, options);
  const idle = plan.sentAt === null ? 0 : seconds - plan.sentAt;
  const longer = options.lives.findIndex(({ ttlSeconds }, at) => at > plan.life && idle <= ttlSeconds);
  const life = cold && plan.sentAt !== null && longer !== -1 ? longer : plan.life;
  const asked = { ...plan, life };
  const surplus = Math.max(0, promptTokens - leftBy(plan, request, options));
  const carried = plan.carried + surplus * (cold ? lifeOf(asked, options).writePrice : options.readPrice);
  const paid = priceBy(asked, options)(promptTokens, cold ? 0 : Math.min(plan.sentTokens, promptTokens));
  // A compression shows by its count beginning anew.
  const summary = plan.leftTokens === promptTokens && plan.carried === 0 ? (options.summaryTokens ?? 0) : 0;
  const usual = usualSent(plan.usual, usualBasis(asked, request, options), paid + summary);
  return { ...asked, sentTokens: promptTokens, sentAt: seconds, carried, usual };
}

/** The life that is asked for. */
export function lifeOf({ life }: RewritePlan, { lives }: RewriteOptions): CacheLife {
  return lives[life] ?? { ttlSeconds: 0, writePrice: 1 };
}

function isCold(plan: RewritePlan, { seconds }: PlannedRequest, options: RewriteOptions): boolean {
  return plan.sentAt === null || seconds - plan.sentAt > lifeOf(plan, options).ttlSeconds;
}

/** Prompt tokens after a compression: as many as the last one left. */
function leftBy(plan: RewritePlan, { promptTokens, fixedTokens }: PlannedRequest, options: RewriteOptions): number {
  return Math.min(promptTokens, plan.leftTokens ?? fixedTokens + options.expectedTokens);
}

function priceBy(plan: RewritePlan, options: RewriteOptions): PromptPrice {
  const { writePrice } = lifeOf(plan, options);
  return (tokens, read) => read * options.readPrice + (tokens - read) * writePrice;
}

function usualBasis(plan: RewritePlan, request: PlannedRequest, options: RewriteOptions): UsualBasis {
  const { latestTokens, expectedTokens, summaryTokens = 0 } = options;
  const leftTokens = (plan.leftTokens ?? request.fixedTokens + expectedTokens) + plan.usualExtraTokens;
  const isColdNow = isCold(plan, request, options);
  return { ...request, latestTokens, leftTokens, summaryTokens, isCold: isColdNow, price: priceBy(plan, options) };
}

// * The course that a conversation would have taken had it been compressed at the latest point alone, as far as it can be
// known from the one that it took: what it would send now, and how much less than that was paid so far. Whoever compresses
// earlier out of what was spared alone never pays more than that course, however the conversation goes on.

/** Plain data. All amounts are in tokens of fresh input. */
export interface UsualCourse {
  /** Prompt tokens that it would have sent last. */
  readonly sentTokens: number;
  /** What has come since, as far as it was counted, and the prompt tokens of ours at that count. */
  readonly grownTokens: number;
  readonly countedTokens: number;
  /** What was paid less than it so far; below 0, more. */
  readonly spared: number;
}

/** By what it is followed: a request of ours as it would be sent, and what is known of compressions and prices. */
export interface UsualBasis {
  readonly promptTokens: number;
  readonly fixedTokens: number;
  readonly latestTokens: number;
  /** What a compression leaves there. */
  readonly leftTokens: number;
  readonly summaryTokens: number;
  readonly isCold: boolean;
  readonly price: PromptPrice;
}

/** The price of a prompt of which so many tokens are read from the cache; the others are written to it. */
export type PromptPrice = (tokens: number, read: number) => number;

/** What it would send in place of a request, and at what price. */
export function usualRequest(
  course: UsualCourse,
  basis: UsualBasis,
): { readonly tokens: number; readonly price: number } {
  const { fixedTokens, latestTokens, leftTokens, summaryTokens, isCold, price } = basis;
  const { grownTokens } = counted(course, basis.promptTokens);
  const tokens = Math.max(0, course.sentTokens + grownTokens);
  const warm = isCold ? 0 : Math.min(course.sentTokens, tokens);
  if (tokens < latestTokens) return { tokens, price: price(tokens, warm) };
  const left = Math.min(tokens, leftTokens);
  return { tokens: left, price: price(left, Math.min(warm, fixedTokens)) + summaryTokens };
}

/** The course with what has come up to a request in it, before the request changes its size by a compression. */
export function counted(course: UsualCourse, promptTokens: number): UsualCourse {
  const grownTokens = course.grownTokens + promptTokens - course.countedTokens;
  return { ...course, grownTokens, countedTokens: promptTokens };
}

/** The course once a request was sent at this price. */
export function usualSent(course: UsualCourse, basis: UsualBasis, paid: number): UsualCourse {
  const { tokens, price } = usualRequest(course, basis);
  const spared = course.spared + price - paid;
  return { sentTokens: tokens, grownTokens: 0, countedTokens: basis.promptTokens, spared };
}
