/**
 * The three numbers of tokens, which are never mixed: what a tokenizer counted, what was guessed, and what the provider
 * reported. Each is a number; none is assignable to another.
 */

declare const kind: unique symbol;

/** Counted by the model's own tokenizer. */
export type TokenCount = number & { readonly [kind]: 'count' };

/** Guessed from the text. */
export type TokenEstimate = number & { readonly [kind]: 'estimate' };

/** Reported by the provider for a request that was made. */
export type TokenUsage = number & { readonly [kind]: 'usage' };

/** Only a tokenizer's code says that a number is a count. */
export function asCount(tokens: number): TokenCount {
  return tokens as TokenCount; // the brand exists for the compiler only
}

/** Only an estimator says that a number is an estimate. */
export function asEstimate(tokens: number): TokenEstimate {
  return tokens as TokenEstimate; // as above
}

/** Only what reads a provider's answer says that a number is its usage. */
export function asUsage(tokens: number): TokenUsage {
  return tokens as TokenUsage; // as above
}
