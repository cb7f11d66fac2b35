/** What was tried in a turn to get an answer after all. Plain JSON; `recoveryFor` makes the next one. */
import type { ContextSize } from '../../compression/policy/state.ts';

/** How often each cure is tried before it is given up. */
export interface RecoveryLimits {
  /** Compressions of a turn; the same budget as the policy of automatic compression. @default 3 */
  readonly compressions: number;
  /** Waits for one answer. @default 3 */
  readonly waits: number;
  /** Times that the output is lowered for one answer. @default 3 */
  readonly lowerings: number;
  /** The longest wait in milliseconds: a provider that asks for more is not waited for. @default 120000 */
  readonly longestWaitMs: number;
  /** The pause before a retry with a compressed context, in milliseconds. @default 2000 */
  readonly pauseMs: number;
}

/** Three attempts a turn, as everywhere. */
export const defaultRecoveryLimits: RecoveryLimits = {
  compressions: 3,
  waits: 3,
  lowerings: 3,
  longestWaitMs: 120_000,
  pauseMs: 2_000,
};

/** Parts of messages that a retry can do without. */
export type StrippedParts = 'images' | 'reasoning';

/** What was tried so far. */
export interface RecoveryState {
  /** Compressions of this turn since the last reading below the threshold. */
  readonly compressions: number;
  /** The request that the last of them was made for. */
  readonly compressedAt: ContextSize | null;
  /** Waits for this answer. */
  readonly waits: number;
  /** Times that the output was lowered for this answer. */
  readonly lowerings: number;
  /** The `max_tokens` that this answer's retries must use. */
  readonly maxTokens: number | null;
  /** What the retries of this turn leave out. */
  readonly stripped: readonly StrippedParts[];
  /** Models that were left behind in this turn. */
  readonly leftBehind: number;
}

/** Where every turn starts. */
export const noRecovery: RecoveryState = {
  compressions: 0,
  compressedAt: null,
  waits: 0,
  lowerings: 0,
  maxTokens: null,
  stripped: [],
  leftBehind: 0,
};

/** What an answer told about the size of its prompt. */
export interface AnswerReading {
  /** As the provider reported it; 0 and `undefined` are no report. */
  readonly promptTokens?: number;
  readonly thresholdTokens: number;
}

/**
 * The state after an answer. What was lowered was lowered for that call only, and waiting starts afresh. Compressions are
 * only forgotten after a report below the threshold: an estimate, or no report, proves nothing.
 *
 * @example
 * import { afterAnswer, noRecovery } from '@palimpsest/core';
 * const state = afterAnswer(noRecovery, { promptTokens: 40_000, thresholdTokens: 100_000 });
 */
export function afterAnswer(state: RecoveryState, { promptTokens = 0, thresholdTokens }: AnswerReading): RecoveryState {
  const fits = promptTokens > 0 && promptTokens < thresholdTokens;
  return {
    ...state,
    ...(fits ? { compressions: 0, compressedAt: null } : {}),
    waits: 0,
    lowerings: 0,
    maxTokens: null,
  };
}
