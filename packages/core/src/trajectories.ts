/** `@palimpsest/core/trajectories`: finished conversations as training data, fitted into a window. */

export {
  compressTrajectory,
  isProvablyUnder,
  type TrajectoryResult,
} from './trajectory/compress-trajectory.ts';
export type { CallLayout } from './trajectory/convert/write-sharegpt.ts';
export {
  type ConvertedTrajectory,
  type ConvertTrajectoryOptions,
  convertTrajectory,
  type ReasoningPlace,
  type TrajectoryLayout,
  type TrajectoryRecordOptions,
  trajectoryRecord,
} from './trajectory/convert.ts';
export type { Histogram, Octave } from './trajectory/histogram.ts';
export { octavesOf, percentileOf } from './trajectory/histogram.ts';
export type { TokenRange } from './trajectory/loss-mask.ts';
export {
  addMetrics,
  addSums,
  emptySum,
  type MetricsSum,
  metricsJson,
  sumJson,
  type TrajectoryMetrics,
  type TrajectoryRegion,
} from './trajectory/metrics.ts';
export {
  type TrajectoryMode,
  type TrajectoryOptions,
  type TrajectorySummarizer,
  type TrajectorySummaryRequest,
  trajectoryDefaults,
} from './trajectory/options.ts';
export type { TrajectoryProtection } from './trajectory/protect.ts';
export {
  addStats,
  type OverLimit,
  type SpeakerCounts,
  statsJson,
  sumStats,
  type ToolCount,
  type TrajectoryLineStats,
  type TrajectoryStats,
  type TrajectoryStatsOptions,
  tokensAfter,
  trajectoryStats,
} from './trajectory/stats.ts';
export { type TrajectoryFormat, trajectoryFormats } from './trajectory/turn.ts';
