/** What the jobs of a run are told of its settings. */
import { snakeCase } from '@palimpsest/core/settings';
import { trajectoryDefaults } from '@palimpsest/core/trajectories';
import type { SplitLimits } from '../read/splits.ts';
import type { JobSpec } from '../work/job.ts';
import type { OutputSection, TrajectoryConfig } from './config.ts';

/** The spec of every job of a run. */
export function jobSpecOf({
  tokenizer,
  compression,
  protectedTurns,
  output,
  processing,
  metrics,
}: TrajectoryConfig): JobSpec {
  const { firstSystem, firstHuman, firstGpt, firstTool, lastNTurns } = protectedTurns;
  const { samplePercent, seed } = processing;
  return {
    tokenizer: tokenizer.name,
    options: {
      mode: compression.mode,
      ...(compression.format && { format: compression.format }),
      targetTokens: compression.targetMaxTokens,
      ...(compression.summaryTargetTokens !== null && { summaryTokens: compression.summaryTargetTokens }),
      protect: { firstSystem, firstHuman, firstGpt, firstTool, lastTurns: lastNTurns },
      ...noticeOf(output),
      skipUnderTarget: processing.skipUnderTarget,
      lossMask: output.lossMask,
      provenance: output.provenance,
    },
    saveOverLimit: processing.saveOverLimit,
    recordMetrics: metrics.perTrajectory,
    timeoutMs: processing.perTrajectoryTimeout * 1_000,
    sample: samplePercent < 100 ? { share: samplePercent / 100, seed } : undefined,
  };
}

/** Nothing leaves it to the mode. */
function noticeOf({ addSummaryNotice, summaryNoticeText }: OutputSection): { readonly notice?: string | false } {
  if (addSummaryNotice === false) return { notice: false };
  if (summaryNoticeText !== null) return { notice: summaryNoticeText };
  return addSummaryNotice ? { notice: trajectoryDefaults.notice } : {};
}

/** How the files of a run are cut. */
export const splitLimitsOf = ({ processing }: TrajectoryConfig): SplitLimits => ({
  batchBytes: processing.batchKilobytes * 1_024,
  maxRecordBytes: processing.maxRecordMegabytes * 1_048_576,
});

/** Settings that change nothing in what is written. */
const idle: ReadonlySet<string> = new Set([
  'tokenizer.trust_remote_code',
  'summarization.base_url',
  'summarization.api_key_env',
  'summarization.max_retries',
  'summarization.retry_delay',
  'summarization.max_cost',
  'summarization.on_cap',
  'summarization.input_price',
  'summarization.output_price',
  'processing.num_workers',
  'processing.max_concurrent_requests',
  'processing.per_trajectory_timeout',
  'processing.checkpoint_seconds',
  'metrics.enabled',
  'metrics.output_file',
]);

/** The settings that decide what is written, each as a text: two runs with the same ones write the same. */
export function decidingSettings(config: TrajectoryConfig): Readonly<Record<string, string>> {
  const entries = Object.entries(config).flatMap(([section, values]) =>
    Object.entries(values).map(([key, value]): readonly [string, string] => [
      `${snakeCase(section)}.${snakeCase(key)}`,
      JSON.stringify(value),
    ]),
  );
  return Object.fromEntries(entries.filter(([key]) => !idle.has(key)));
}
