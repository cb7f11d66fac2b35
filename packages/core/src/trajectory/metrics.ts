/** What became of a trajectory in figures, and of many in sum, under the names of the tool that training sets were made with. */
import type { JsonObject } from '../shared/json.ts';

/** A stretch of turns that a summary stands for, by index in the record. */
export interface TrajectoryRegion {
  readonly startIdx: number;
  /** The index after the last one. */
  readonly endIdx: number;
  readonly turnsCount: number;
}

/** What became of one trajectory. Tokens are those of the chosen tokenizer. */
export interface TrajectoryMetrics {
  readonly originalTokens: number;
  readonly compressedTokens: number;
  readonly tokensSaved: number;
  /** `compressedTokens / originalTokens`, to four places; 1 for a record without tokens. */
  readonly compressionRatio: number;
  readonly originalTurns: number;
  readonly compressedTurns: number;
  readonly turnsRemoved: number;
  readonly regions: readonly TrajectoryRegion[];
  readonly wasCompressed: boolean;
  readonly stillOverLimit: boolean;
  readonly skippedUnderTarget: boolean;
  readonly summarizationApiCalls: number;
  readonly summarizationErrors: number;
  /** Tokens of the result that are turns of the original, word for word. */
  readonly originalTurnTokens: number;
  /** Turns that stay with a part cut out. */
  readonly clippedTurns: number;
  /** Set where nothing was counted: the bytes of the record prove that it is under the target. All tokens are 0 then. */
  readonly isProvablyUnder?: true;
}

/** Figures of many trajectories. Everything in it adds up, in any order. */
export interface MetricsSum {
  readonly trajectories: number;
  readonly compressed: number;
  readonly skippedUnderTarget: number;
  readonly provablyUnder: number;
  readonly stillOverLimit: number;
  readonly originalTokens: number;
  readonly compressedTokens: number;
  readonly originalTurnTokens: number;
  readonly originalTurns: number;
  readonly compressedTurns: number;
  readonly regions: number;
  readonly clippedTurns: number;
  /** Of the trajectories that were compressed alone: the sum of their ratios, and of their tokens. */
  readonly ratios: number;
  readonly compressedFrom: number;
  readonly compressedTo: number;
  readonly turnsRemoved: number;
  readonly summarizationApiCalls: number;
  readonly summarizationErrors: number;
}

/** The sum of nothing. */
export const emptySum: MetricsSum = {
  trajectories: 0,
  compressed: 0,
  skippedUnderTarget: 0,
  provablyUnder: 0,
  stillOverLimit: 0,
  originalTokens: 0,
  compressedTokens: 0,
  originalTurnTokens: 0,
  originalTurns: 0,
  compressedTurns: 0,
  regions: 0,
  clippedTurns: 0,
  ratios: 0,
  compressedFrom: 0,
  compressedTo: 0,
  turnsRemoved: 0,
  summarizationApiCalls: 0,
  summarizationErrors: 0,
};

/** The sum with one trajectory more. */
export function addMetrics(sum: MetricsSum, one: TrajectoryMetrics): MetricsSum {
  const compressed = one.wasCompressed ? 1 : 0;
  return addSums(sum, {
    trajectories: 1,
    compressed,
    skippedUnderTarget: one.skippedUnderTarget ? 1 : 0,
    provablyUnder: one.isProvablyUnder ? 1 : 0,
    stillOverLimit: one.stillOverLimit ? 1 : 0,
    originalTokens: one.originalTokens,
    compressedTokens: one.compressedTokens,
    originalTurnTokens: one.originalTurnTokens,
    originalTurns: one.originalTurns,
    compressedTurns: one.compressedTurns,
    regions: one.regions.length,
    clippedTurns: one.clippedTurns,
    ratios: compressed * one.compressionRatio,
    compressedFrom: compressed * one.originalTokens,
    compressedTo: compressed * one.compressedTokens,
    turnsRemoved: one.turnsRemoved,
    summarizationApiCalls: one.summarizationApiCalls,
    summarizationErrors: one.summarizationErrors,
  });
}

/** Two sums as one. */
export function addSums(a: MetricsSum, b: MetricsSum): MetricsSum {
  const sum: { -readonly [name in keyof MetricsSum]: number } = { ...a };
  for (const name of sumNames) sum[name] += b[name];
  return sum;
}

// Every member of a sum is a number, and all sums have the same.
const sumNames = Object.keys(emptySum) as readonly (keyof MetricsSum)[];

const places = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The share of a whole to four places, 1 of nothing. */
export const ratioOf = (part: number, whole: number): number => (whole === 0 ? 1 : places(part / whole, 4));

/** The metrics of one trajectory as JSON. */
export function metricsJson(one: TrajectoryMetrics): JsonObject {
  const regions = one.regions.map(regionJson);
  const [first] = regions;
  return {
    original_tokens: one.originalTokens,
    compressed_tokens: one.compressedTokens,
    tokens_saved: one.tokensSaved,
    compression_ratio: one.compressionRatio,
    original_turns: one.originalTurns,
    compressed_turns: one.compressedTurns,
    turns_removed: one.turnsRemoved,
    compression_region: first ?? { start_idx: -1, end_idx: -1, turns_count: 0 },
    compression_regions: regions,
    was_compressed: one.wasCompressed,
    still_over_limit: one.stillOverLimit,
    skipped_under_target: one.skippedUnderTarget,
    summarization_api_calls: one.summarizationApiCalls,
    summarization_errors: one.summarizationErrors,
    original_turn_tokens: one.originalTurnTokens,
    clipped_turns: one.clippedTurns,
    ...(one.isProvablyUnder ? { provably_under: true } : {}),
  };
}

const regionJson = ({ startIdx, endIdx, turnsCount }: TrajectoryRegion): JsonObject => ({
  start_idx: startIdx,
  end_idx: endIdx,
  turns_count: turnsCount,
});

/** The sum as JSON, in its six parts. `processing` says how the run went; its members are the caller's. */
export function sumJson(sum: MetricsSum, processing: JsonObject = {}): JsonObject {
  const { trajectories, compressed } = sum;
  return {
    summary: {
      total_trajectories: trajectories,
      trajectories_compressed: compressed,
      trajectories_skipped_under_target: sum.skippedUnderTarget,
      trajectories_provably_under: sum.provablyUnder,
      trajectories_still_over_limit: sum.stillOverLimit,
      compression_rate: trajectories === 0 ? 0 : ratioOf(compressed, trajectories),
    },
    tokens: {
      total_before: sum.originalTokens,
      total_after: sum.compressedTokens,
      total_saved: sum.originalTokens - sum.compressedTokens,
      overall_compression_ratio: ratioOf(sum.compressedTokens, sum.originalTokens),
      original_turn_tokens: sum.originalTurnTokens,
    },
    turns: {
      total_before: sum.originalTurns,
      total_after: sum.compressedTurns,
      total_removed: sum.turnsRemoved,
      total_regions: sum.regions,
      total_clipped: sum.clippedTurns,
    },
    averages: {
      avg_compression_ratio: compressed === 0 ? 1 : places(sum.ratios / compressed, 4),
      avg_tokens_saved_per_compressed: average(sum.compressedFrom - sum.compressedTo, compressed),
      avg_turns_removed_per_compressed: average(sum.turnsRemoved, compressed),
    },
    summarization: {
      total_api_calls: sum.summarizationApiCalls,
      total_errors: sum.summarizationErrors,
      success_rate: rateOf(sum),
    },
    processing,
  };
}

const average = (total: number, count: number): number => (count === 0 ? 0 : places(total / count, 1));

const rateOf = ({ summarizationApiCalls: calls, summarizationErrors: errors }: MetricsSum): number =>
  calls === 0 ? 1 : ratioOf(Math.max(0, calls - errors), calls);
