/** What is written down for one call of a model: its tokens, its price, and whether the report was whole. */
import { mostTokens, type UsageEntry } from '../store/usage-store.ts';
import { plainId } from '../tokens/models.ts';
import { normaliseUsage } from './normalise.ts';
import { type Price, priceOf } from './price.ts';
import { isListPriced, reportedPrice } from './reported-price.ts';
import type { Usage } from './usage.ts';

/** A usage entry but for the session, the task and the time of the call. */
export type CountedCall = Pick<
  UsageEntry,
  | 'model'
  | 'inputTokens'
  | 'outputTokens'
  | 'cacheReadTokens'
  | 'cacheWriteTokens'
  | 'reasoningTokens'
  | 'costUsd'
  | 'savedUsd'
  | 'isPartial'
>;

/**
 * Counts a call. Tokens that were not reported are not guessed: the call counts as partial, and has no price. An amount
 * that the provider says it charged comes before list prices.
 * @param model `provider/model`, or the model's id
 * @param report the provider's usage object, or usage in our form; undefined where none came
 * @param isPartial true for a report that was written before the call had ended
 */
export function countedCall(model: string, report: unknown, isPartial = false): CountedCall {
  const usage = reliable(model, normaliseUsage(report) ?? {});
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const price = priceFor(model, { report, usage });
  const { status, amount = status === 'included' ? 0 : undefined, uncached } = price;
  return {
    ...{ model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens },
    ...(amount === undefined ? {} : { costUsd: amount }),
    ...(amount === undefined || uncached === undefined ? {} : { savedUsd: uncached - amount }),
    ...(isPartial || usage.inputTokens === undefined || usage.outputTokens === undefined ? { isPartial: true } : {}),
  };
}

/** Models whose reports add a floor of 128 to what came from a cache, whether anything did or not. */
const unreliableCaches: readonly string[] = ['minimax-m3'];

/** Where the count of a cache tells nothing, what was read counts as read anew. */
function reliable(model: string, usage: Usage): Usage {
  const { cacheReadTokens, ...rest } = usage;
  if (cacheReadTokens === undefined || !unreliableCaches.includes(plainId(model))) return usage;
  return { ...rest, inputTokens: Math.min(mostTokens, (usage.inputTokens ?? 0) + cacheReadTokens) };
}

function priceFor(model: string, { report, usage }: { readonly report: unknown; readonly usage: Usage }): Price {
  return reportedPrice(report) ?? (isListPriced(report) ? priceOf(model, usage) : { status: 'unknown' });
}
