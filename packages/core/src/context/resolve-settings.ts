/** The range of every member of the compression configuration, and the check at the door. */
import { PalimpsestError } from '../shared/errors.ts';
import type { Field, Problem } from '../shared/options/schema.ts';
import {
  clamped,
  count,
  field,
  flag,
  group,
  listOf,
  mapOf,
  nullable,
  numberFrom,
  oneOf,
  problemLog,
  rising,
  text,
  textOrObject,
} from '../shared/options/schema.ts';
import type { CompressionConfig, CompressionOptions, OwnTemplate } from './settings.ts';
import { compressionDefaults } from './settings.ts';

/** A share of the window that leaves room on both sides: 0 would compress always, 1 never. */
const windowShare = numberFrom(0.05, 0.95);

/** Up to 1 is a share; a whole number from 1,000 is tokens; between them stands a percentage typed by mistake. */
const shareOrTokens: Field<number> = field(
  'a share of the window from 0.05 to 0.95, or at least 1000 tokens',
  (value): value is number =>
    typeof value === 'number' && ((value >= 0.05 && value <= 0.95) || (Number.isInteger(value) && value >= 1_000)),
);

const ownTemplate: Field<OwnTemplate> = group<OwnTemplate>({
  sections: listOf(group({ heading: text, instruction: text }), 1),
});

/** The field of the whole section. */
export const compressionField: Field<CompressionConfig> = group<CompressionConfig>(
  {
    enabled: flag,
    threshold: windowShare,
    thresholdTokens: nullable(count(1_000)),
    modelThresholds: mapOf(shareOrTokens),
    targetRatio: clamped(0.1, 0.8),
    protectLastN: count(0),
    protectFirstN: count(0),
    tailPreset: oneOf(['budget', 'reserved', 'lean']),
    summary: rising(
      group(
        {
          template: textOrObject(oneOf(['handoff', 'progress', 'brief']), ownTemplate),
          preset: oneOf(['fixed', 'sliding']),
          ratio: numberFrom(0, 1),
          minTokens: count(1),
          maxTokens: count(1),
          background: flag,
        },
        compressionDefaults.summary,
      ),
      ['minTokens', 'maxTokens'],
    ),
    prune: group(
      {
        mode: oneOf(['stub', 'placeholder', 'head_tail']),
        resultChars: count(0),
        argumentChars: count(0),
        keepImages: count(0),
        orphanCalls: oneOf(['remove', 'stub']),
      },
      compressionDefaults.prune,
    ),
    planned: flag,
    pressure: oneOf(['threshold', 'tiers', 'both', 'off']),
  },
  compressionDefaults,
);

/**
 * The whole configuration from a part of it. Throws `BAD_CONFIG` that lists every unknown key, with the nearest known
 * one, and every wrong value. `targetRatio` is moved into its range.
 */
export function resolveCompressionConfig(options: CompressionOptions = {}): CompressionConfig {
  const log = problemLog('camelCase');
  const config = compressionField.parse(options, log.place);
  if (config && log.problems.length === 0) return config;
  throw badConfig(log.problems, 'compression configuration');
}

/** The error that lists what is wrong with a configuration. */
export function badConfig(problems: readonly Problem[], what: string): PalimpsestError {
  const lines = problems.map((problem) => `  ${problem.at} ${problem.message}`);
  return new PalimpsestError('BAD_CONFIG', `The ${what} is wrong:\n${lines.join('\n')}`, {
    evidence: { key: problems[0]?.at, problems: problems.length },
  });
}
