/** Adds up usage of several groups of calls. */
import type { UsageTotals } from './usage-store.ts';

/** The sum over groups that share no call; nothing for none. Money that is known of no call stays unknown. */
export function sumUsage(all: readonly UsageTotals[]): UsageTotals {
  const sum = (of: (usage: UsageTotals) => number): number => all.reduce((total, usage) => total + of(usage), 0);
  const known = (of: (usage: UsageTotals) => number | undefined): number | undefined => {
    const amounts = all.flatMap((usage) => of(usage) ?? []);
    return amounts.length === 0 ? undefined : amounts.reduce((total, amount) => total + amount, 0);
  };
  const costUsd = known((usage) => usage.costUsd);
  const savedUsd = known((usage) => usage.savedUsd);
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    cacheReadTokens: sum((usage) => usage.cacheReadTokens),
    cacheWriteTokens: sum((usage) => usage.cacheWriteTokens),
    reasoningTokens: sum((usage) => usage.reasoningTokens),
    calls: sum((usage) => usage.calls),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(savedUsd === undefined ? {} : { savedUsd }),
    unpriced: sum((usage) => usage.unpriced),
    partial: sum((usage) => usage.partial),
  };
}
