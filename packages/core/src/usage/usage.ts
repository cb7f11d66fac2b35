/** What a provider reported for one call, in one form for every provider. */

/** Tokens that the provider reported; a member it did not report is absent, which is not zero. */
export interface Usage {
  /** Without what came from the cache or went into it. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Part of `cacheWriteTokens`: what stays in the cache for an hour, and costs more to write. */
  readonly cacheWriteHourTokens?: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number;
}

/** All that the model read: input and both caches; undefined when the provider reported none of them. */
export function promptTokensOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number | undefined {
  if (inputTokens === undefined && cacheReadTokens === undefined && cacheWriteTokens === undefined) return undefined;
  return (inputTokens ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
}
