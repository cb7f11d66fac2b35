/** Counts what would be asked, and asks nobody: for a dry run, and for an estimate before a run. */
import { estimateTextTokens } from '@palimpsest/core';
import { addTotals, costOf, type ModelTotals, noTotals, type Pricing } from './spending.ts';
import type { SummaryDesk } from './summary-desk.ts';
import { summaryPrompt } from './summary-prompt.ts';

/** A desk at which the ledger writes everything. Its totals are those of a model that answers at once, and as long as asked. */
export function countDesk(pricing: Pricing): SummaryDesk {
  let totals: ModelTotals = noTotals;
  const isPriced = costOf(pricing, { inputTokens: 1_000, outputTokens: 100 }) !== undefined;
  return {
    ask: async ({ text, targetTokens }) => {
      const { system, prompt } = summaryPrompt({ text, targetTokens });
      const inputTokens = estimateTextTokens(system) + estimateTextTokens(prompt);
      const costUsd = costOf(pricing, { inputTokens, outputTokens: targetTokens }) ?? 0;
      totals = addTotals(totals, { calls: 1, inputTokens, outputTokens: targetTokens, costUsd });
      return { type: 'unasked' };
    },
    stopped: new AbortController().signal,
    use: () => ({ model: pricing.model, ...totals, isPriced }),
    close: async () => undefined,
  };
}
