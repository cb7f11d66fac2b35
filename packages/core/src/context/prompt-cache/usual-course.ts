/**
 * The course that a conversation would have taken had it been compressed at the latest point alone, as far as it can be
 * known from the one that it took: what it would send now, and how much less than that was paid so far. Whoever compresses
 * earlier out of what was spared alone never pays more than that course, however the conversation goes on.
 */

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

/** Where both courses begin. */
export const newUsualCourse: UsualCourse = { sentTokens: 0, grownTokens: 0, countedTokens: 0, spared: 0 };

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
