/** Outcomes of several transcripts as one. */
import type { PolicyOutcome } from './outcome.ts';

/** What a policy made of several transcripts. */
export interface PolicyTotal extends Omit<PolicyOutcome, 'failedAt' | 'played' | 'steadyHitRate'> {
  /** Transcripts whose prompt did not fit the window; their figures end there. */
  readonly failed: number;
}

/** The sum of what one policy made of each transcript; at least one. */
export function totalOf(outcomes: readonly [PolicyOutcome, ...PolicyOutcome[]]): PolicyTotal {
  const { name, about } = outcomes[0];
  const sum = (of: (one: PolicyOutcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  const calls = sum((one) => one.calls);
  const tokens = {
    inputTokens: sum((one) => one.inputTokens),
    cacheReadTokens: sum((one) => one.cacheReadTokens),
    cacheWriteTokens: sum((one) => one.cacheWriteTokens),
  };
  const promptTokens = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;
  return {
    name,
    about,
    calls,
    ...tokens,
    failed: outcomes.filter(({ failedAt }) => failedAt !== undefined).length,
    dollars: sum((one) => one.dollars),
    promptDollars: sum((one) => one.promptDollars),
    summaryDollars: sum((one) => one.summaryDollars),
    outputTokens: sum((one) => one.outputTokens),
    hitRate: promptTokens === 0 ? 0 : tokens.cacheReadTokens / promptTokens,
    rewrites: sum((one) => one.rewrites),
    lossyEvents: sum((one) => one.lossyEvents),
    lostTokens: sum((one) => one.lostTokens),
    compressions: sum((one) => one.compressions),
    meanPromptTokens: calls === 0 ? 0 : Math.round(promptTokens / calls),
  };
}
