/** What a summary costs: expected before it is written, and as reported afterwards. */
import { priceOf, type SummaryCallReport } from '@palimpsest/core';
import { estimatePrice, moneyLabel, type Price, promptTokensOf } from '@palimpsest/core/usage';

/** The price of one call: by what the provider reported, else by what we counted. */
export const callPrice = ({ model, usage, inputTokens, outputTokens }: SummaryCallReport): Price =>
  usage?.inputTokens === undefined || usage.outputTokens === undefined
    ? estimatePrice(model, { inputTokens, outputTokens })
    : priceOf(model, usage);

/** The price of several together: unknown as soon as that of one is. */
export function totalPrice(prices: readonly Price[]): Price {
  if (prices.some(({ status }) => status === 'unknown') || prices.length === 0) return { status: 'unknown' };
  const paid = prices.filter(({ status }) => status === 'estimated');
  if (paid.length === 0) return { status: 'included' };
  return { status: 'estimated', amount: paid.reduce((sum, { amount = 0 }) => sum + amount, 0) };
}

/** What of a summary was read and written, in tokens. */
export function tokensOf(calls: readonly SummaryCallReport[]): { readonly read: number; readonly written: number } {
  const read = calls.reduce(
    (sum, { usage, inputTokens }) => sum + ((usage && promptTokensOf(usage)) ?? inputTokens),
    0,
  );
  return { read, written: calls.reduce((sum, { outputTokens }) => sum + outputTokens, 0) };
}

/** A model's first call, as far as it tells of the whole work. */
export interface ExpectedWork {
  readonly model: string;
  /** Parts that are read one by one; 1 where everything fits one call. */
  readonly parts: number;
  /** Tokens that one part reads. */
  readonly inputTokens: number;
  /** Tokens that a summary may have. */
  readonly outputTokens: number;
}

/** What the whole work will cost: the parts, and one call that merges them. */
export function expectedPrice({ model, parts, inputTokens, outputTokens }: ExpectedWork): Price {
  const part = estimatePrice(model, { inputTokens, outputTokens });
  if (parts === 1) return part;
  const merge = estimatePrice(model, { inputTokens: parts * outputTokens, outputTokens });
  return totalPrice([...Array.from({ length: parts }, () => part), merge]);
}

/** A price in a sentence: `~$0.42`, `price unknown`, `no charge`. */
export function priceText(price: Price): string {
  if (price.status === 'unknown') return 'price unknown';
  return price.status === 'included' ? 'no charge' : moneyLabel(price);
}
