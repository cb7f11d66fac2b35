/** `@palimpsest/core/trajectories`: finished conversations as training data, fitted into a window. */

export {
  compressTrajectory,
  isProvablyUnder,
  type TrajectoryResult,
} from './trajectory/compress-trajectory.ts';
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
export { type TrajectoryLineStats, trajectoryStats } from './trajectory/stats.ts';
export { type TrajectoryFormat, trajectoryFormats } from './trajectory/turn.ts';
