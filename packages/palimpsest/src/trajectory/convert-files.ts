/** Writes files of trajectories in another format: in order, on all cores, and so that a run that was stopped can go on. */
import { checkKnownOptions, isObject, type KnownOptions } from '@palimpsest/core/settings';
import type { TrajectoryLayout } from '@palimpsest/core/trajectories';
import {
  type CompressTrajectoryFilesOptions,
  knownOptions,
  runTrajectoryFiles,
  type TrajectoryReport,
} from './compress-files.ts';
import { trajectoryConfigDefaults } from './settings/config.ts';
import { leftOutPrefix } from './work/task.ts';

/** What is converted, where to, and how. */
export interface ConvertTrajectoryFilesOptions extends CompressTrajectoryFilesOptions {
  readonly layout: TrajectoryLayout;
}

/** What became of a conversion. */
export interface ConversionReport extends Omit<TrajectoryReport, 'metrics' | 'tally' | 'files'> {
  readonly files: readonly Omit<TrajectoryReport['files'][number], 'metrics'>[];
  /** Records that were of another format, and written anew. */
  readonly converted: number;
  /** Those in which something had to be changed to be valid, such as a call without a result. */
  readonly repaired: number;
  /** How many records lost a field that the format has no place for, by its name; `turn.NAME` is one of turns. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/**
 * Converts trajectories in files. Settings are those of a compression; of those, `compression.format`, `output.output_suffix` and
 * `processing` are used. Throws as `compressTrajectoryFiles` does.
 *
 * @example
 * import { convertTrajectoryFiles } from 'palimpsest';
 * const { leftOut } = await convertTrajectoryFiles({ inputs: ['runs'], output: 'chat', layout: { to: 'openai-chat' } });
 */
export async function convertTrajectoryFiles(options: ConvertTrajectoryFilesOptions): Promise<ConversionReport> {
  checkKnownOptions<ConvertTrajectoryFilesOptions>('convertTrajectoryFiles', options, known);
  const { layout, config = {}, ...run } = options;
  const { outputSuffix: suffix = usualSuffix } = config.output ?? {};
  const settings = {
    ...config,
    output: { ...config.output, outputSuffix: suffix === usualSuffix ? `_${layout.to}` : suffix },
    metrics: { ...config.metrics, enabled: false },
  };
  const {
    metrics: _,
    tally = {},
    files,
    ...report
  } = await runTrajectoryFiles({ ...run, config: settings }, { type: 'convert', options: layout });
  const { converted = 0, repaired = 0 } = tally;
  const leftOut = Object.entries(tally).flatMap(([name, count]) =>
    name.startsWith(leftOutPrefix) ? [[name.slice(leftOutPrefix.length), count] as const] : [],
  );
  return {
    ...report,
    files: files.map(({ metrics: _metrics, ...file }) => file),
    converted,
    repaired,
    leftOut: Object.fromEntries(leftOut.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

const isLayout = (value: unknown): boolean => isObject(value) && typeof value.to === 'string';

/** It says what was not done. */
const usualSuffix = trajectoryConfigDefaults.output.outputSuffix;

const known: KnownOptions<ConvertTrajectoryFilesOptions> = {
  ...knownOptions,
  layout: { expected: 'an object with to', holds: isLayout, isNeeded: true },
};
