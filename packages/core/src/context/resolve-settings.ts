/** The range of every member of the compression configuration, and the check at the door. */
import { PalimpsestError } from '../shared/errors.ts';
import type { Field, Fields, Problem } from '../shared/options/schema.ts';
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
const share = numberFrom(0, 1);

/** Up to 1 is a share; a whole number from 1,000 is tokens; between them stands a percentage typed by mistake. */
const shareOrTokens: Field<number> = field(
  'a share of the window from 0.05 to 0.95, or at least 1000 tokens',
  (value): value is number =>
    typeof value === 'number' && ((value >= 0.05 && value <= 0.95) || (Number.isInteger(value) && value >= 1_000)),
);

const ownTemplate: Field<OwnTemplate> = group<OwnTemplate>({
  sections: listOf(group({ heading: text, instruction: text }), 1),
});

const fields: Fields<CompressionConfig> = {
  enabled: flag,
  threshold: windowShare,
  thresholdTokens: nullable(count(1_000)),
  thresholdFloorTokens: count(0),
  thresholdFloorShare: windowShare,
  smallWindowThreshold: nullable(windowShare),
  modelThresholds: mapOf(shareOrTokens),
  targetRatio: clamped(0.1, 0.8),
  protectLastN: count(0),
  protectFirstN: count(0),
  minTailMessages: count(1),
  tailCeilingRatio: numberFrom(1, 10),
  tailPreset: oneOf(['budget', 'reserved', 'lean']),
  reserved: group(
    { headTokens: count(0), tailTokens: count(1), summaryTokens: count(1) },
    compressionDefaults.reserved,
  ),
  lean: rising(group({ windowShare: share, minTokens: count(1), maxTokens: count(1) }, compressionDefaults.lean), [
    'minTokens',
    'maxTokens',
  ]),
  summary: rising(
    group(
      {
        preset: oneOf(['fixed', 'sliding']),
        ratio: share,
        minTokens: count(1),
        maxTokens: count(1),
        windowShare: share,
        focusShare: share,
        focusMessages: count(0),
        modelShare: numberFrom(0.1, 1),
      },
      compressionDefaults.summary,
    ),
    ['minTokens', 'maxTokens'],
  ),
  template: textOrObject(oneOf(['handoff', 'progress', 'brief']), ownTemplate),
  orphanCalls: oneOf(['remove', 'stub']),
  resultMode: oneOf(['stub', 'placeholder', 'head_tail']),
  pruneResultChars: count(0),
  headTail: group({ headChars: count(0), tailChars: count(0), minChars: count(0) }, compressionDefaults.headTail),
  dedupeChars: count(0),
  argumentChars: count(0),
  argumentLeafChars: count(0),
  keepImages: count(0),
  attempts: numberFrom(1, 10, 'whole'),
  background: nullable(flag),
  backgroundAt: numberFrom(0.5, 1),
  planned: flag,
  pressure: group(
    {
      preset: oneOf(['threshold', 'tiers', 'both', 'off']),
      thresholdShare: share,
      tiers: rising(
        group({ log: share, warn: share, compress: share, emergency: share }, compressionDefaults.pressure.tiers),
        ['log', 'warn', 'compress', 'emergency'],
      ),
      repeatFrom: nullable(count(1)),
    },
    compressionDefaults.pressure,
  ),
  policy: group(
    {
      minSavedShare: share,
      strikes: count(1),
      fallbacks: count(1),
      probeAfterSeconds: count(1),
      nothingSeconds: count(0),
      noProviderSeconds: count(0),
      overloadSeconds: listOf(count(0), 1),
      badOutputSeconds: count(0),
      otherSeconds: count(0),
      runningSeconds: count(1),
    },
    compressionDefaults.policy,
  ),
};

/** The field of the whole section. */
export const compressionField: Field<CompressionConfig> = rising(group(fields, compressionDefaults), [
  'argumentLeafChars',
  'argumentChars',
]);

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
