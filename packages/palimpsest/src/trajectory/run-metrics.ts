/** What stands in the files of metrics. */
import type { JsonObject } from '@palimpsest/core/settings';
import { type MetricsSum, sumJson } from '@palimpsest/core/trajectories';
import type { FileCounts } from './write/journal.ts';

/** When the work was done. */
export interface RunTimes {
  readonly startedAt: Date;
  readonly seconds: number;
}

/** Metrics with the names of other tools, and what was counted beside them. */
export function metricsOf(sum: MetricsSum, counts: FileCounts, { startedAt, seconds }: RunTimes): JsonObject {
  return {
    ...sumJson(sum, {
      start_time: startedAt.toISOString(),
      end_time: new Date(startedAt.getTime() + seconds * 1_000).toISOString(),
      duration_seconds: Number(seconds.toFixed(2)),
    }),
    records: { read: counts.read, written: counts.written, dropped: counts.dropped, broken: counts.broken },
  };
}
