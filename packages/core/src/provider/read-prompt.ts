/** Whether a model read all of a prompt: some local servers cut what does not fit and answer as if nothing were missing. */
import type { SummaryCall } from '../compression/summarize/summarizer.ts';
import { estimateTextTokens } from '../tokens/estimate.ts';
import { promptTokensOf, type Usage } from '../usage/usage.ts';

export type PromptReading =
  | { readonly type: 'whole' }
  /** Tokens as the provider reported them, and our estimate of what was sent. */
  | { readonly type: 'cut'; readonly readTokens: number; readonly sentTokens: number };

/**
 * Tokenizers differ by less than this factor from our estimate; the smallest window that a server cuts to is larger
 * than this number, below which reports are those of routers that count only what is new.
 */
const rules = { leastShare: 0.4, leastTokens: 1_000 };

/** Compares what the provider says it read with what was sent. No report is no reason to doubt. */
export function promptWasRead({ system, prompt }: SummaryCall, usage: Usage | undefined): PromptReading {
  const readTokens = usage && promptTokensOf(usage);
  if (readTokens === undefined || readTokens < rules.leastTokens) return { type: 'whole' };
  const sentTokens = estimateTextTokens(system) + estimateTextTokens(prompt);
  return readTokens < sentTokens * rules.leastShare ? { type: 'cut', readTokens, sentTokens } : { type: 'whole' };
}
