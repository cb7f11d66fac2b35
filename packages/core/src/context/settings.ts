/** The settings of compression: their defaults, the range of each, and the check at the door. */
import { PalimpsestError } from '../shared/errors.ts';
import {
  clamped,
  count,
  type Field,
  field,
  flag,
  group,
  listOf,
  mapOf,
  nullable,
  numberFrom,
  oneOf,
  type Problem,
  problemLog,
  rising,
  text,
  textOrObject,
} from '../shared/options/schema.ts';

/** How compression is configured: what a person may change, with its default. In files under `compression`, in snake_case. */
export interface CompressionConfig {
  /** Whether anything is compressed without being asked. @default true */
  readonly enabled: boolean;
  /** Share of the window at which compression starts, 0.05–0.95. @default 0.5 */
  readonly threshold: number;
  /** Never start later than at this many prompt tokens; null for no such cap. @default null */
  readonly thresholdTokens: number | null;
  /**
   * Thresholds by model: a part of the model's id, or `provider:part`, to a share (up to 1) or a number of tokens
   * (1,000 and more). The longest match wins, `provider:part` on equal length. @default {}
   */
  readonly modelThresholds: Readonly<Record<string, number>>;
  /** Tail budget as a share of the threshold, moved into 0.10–0.80. @default 0.2 */
  readonly targetRatio: number;
  /** Newest messages kept where the tail budget protects fewer. @default 20 */
  readonly protectLastN: number;
  /** Messages after the system prompt kept at the start; none of them once the session was compressed. @default 3 */
  readonly protectFirstN: number;
  /**
   * How the tail budget is found: `budget` is `targetRatio` of the threshold, `reserved` 16,000 tokens beside 4,000 for the
   * start and 4,000 for the summary, `lean` 2.5 % of the window between 10,000 and 25,000 tokens. @default 'budget'
   */
  readonly tailPreset: 'budget' | 'reserved' | 'lean';
  /** Share of the threshold that messages which a person has pinned may have together; 0 for no pins. @default 0.1 */
  readonly pinRatio: number;
  /** The summary: its headings and its length. */
  readonly summary: SummaryConfig;
  /** What becomes of old tool calls and results. */
  readonly prune: PruneConfig;
  /**
   * Whether conversations are compressed when carrying on has cost more than a compression would, by the list prices and the
   * prompt cache of the model: never later than at the threshold, and further down. @default false
   */
  readonly planned: boolean;
  /**
   * Notices for people, which never reach the model: one at 85 % of the threshold, one at each tier of the window (65, 75, 85
   * and 95 %), both, or none. @default 'threshold'
   */
  readonly pressure: 'threshold' | 'tiers' | 'both' | 'off';
}

export interface SummaryConfig {
  /** The headings of the summary: a preset, or your own sections. @default 'handoff' */
  readonly template: TemplateName | OwnTemplate;
  /** `fixed` uses `ratio`; `sliding` 20, 15, 10, 5 % below 10K, 30K, 100K compressed tokens and above. @default 'fixed' */
  readonly preset: 'fixed' | 'sliding';
  /** Summary tokens as a share of the compressed tokens. @default 0.2 */
  readonly ratio: number;
  /** At least this many tokens, where the window has room. @default 2000 */
  readonly minTokens: number;
  /** At most this many tokens, and 5 % of the window. @default 12000 */
  readonly maxTokens: number;
  /**
   * Whether a model's summary is prepared while a conversation goes on, from 80 % of the threshold on, and taken with the next
   * request; for the built-in engine in a program. @default false
   */
  readonly background: boolean;
}

/** The summary templates that ship. */
export type TemplateName = (typeof templateNames)[number];

/** Their names. */
export const templateNames = ['handoff', 'progress', 'brief'] as const;

/** A summary template of your own: sections in the order in which they are written. */
export interface OwnTemplate {
  readonly sections: readonly {
    /** The heading, as it appears in the summary. */
    readonly heading: string;
    /** What belongs under it, told to whoever writes the summary. */
    readonly instruction: string;
  }[];
}

export interface PruneConfig {
  /**
   * What replaces an old tool result: one line with its outcome, a fixed text, or its first and last 800 characters where it
   * has over 2,000. @default 'stub'
   */
  readonly mode: 'stub' | 'placeholder' | 'head_tail';
  /** Old tool results over this many characters are replaced; identical ones from here on refer to the newest. @default 200 */
  readonly resultChars: number;
  /** Old tool-call arguments over this many characters are shortened. @default 500 */
  readonly argumentChars: number;
  /** Newest images kept as images. @default 3 */
  readonly keepImages: number;
  /** A call whose result is gone is removed, or gets a stub as result. @default 'remove' */
  readonly orphanCalls: 'remove' | 'stub';
}

/** What a caller may give: any part of the configuration. */
export type CompressionOptions = Partial<Omit<CompressionConfig, 'summary' | 'prune'>> & {
  readonly summary?: Partial<SummaryConfig>;
  readonly prune?: Partial<PruneConfig>;
};

/** Every default of compression. */
export const compressionDefaults: CompressionConfig = {
  enabled: true,
  threshold: 0.5,
  thresholdTokens: null,
  modelThresholds: {},
  targetRatio: 0.2,
  protectLastN: 20,
  protectFirstN: 3,
  tailPreset: 'budget',
  pinRatio: 0.1,
  summary: { template: 'handoff', preset: 'fixed', ratio: 0.2, minTokens: 2_000, maxTokens: 12_000, background: false },
  prune: { mode: 'stub', resultChars: 200, argumentChars: 500, keepImages: 3, orphanCalls: 'remove' },
  planned: false,
  pressure: 'threshold',
};

// The range of every member of the compression configuration, and the check at the door.

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
    pinRatio: numberFrom(0, 0.5),
    summary: rising(
      group(
        {
          template: textOrObject(oneOf(templateNames), ownTemplate),
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
 * one, and every wrong value. `targetRatio` is moved into its range. What it gives back is frozen, and is taken as it is when it
 * comes again.
 */
export function resolveCompressionConfig(options: CompressionOptions = {}): CompressionConfig {
  if (isResolved(options)) return options;
  const log = problemLog('camelCase');
  const parsed = compressionField.parse(options, log.place);
  if (parsed && log.problems.length === 0) {
    const config = frozenCopy(parsed);
    resolved.add(config);
    return config;
  }
  throw badConfig(log.problems, 'compression configuration');
}

/** Those that are whole already: each conversation of a runtime is handed the same one. */
const resolved = new WeakSet<object>();

/** A copy: groups may be those of the defaults, or of the caller. */
function frozenCopy(config: CompressionConfig): CompressionConfig {
  const copy = structuredClone(config);
  freezeWhole(copy);
  return copy;
}

function freezeWhole(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) freezeWhole(inner);
  Object.freeze(value);
}

const isResolved = (options: CompressionOptions): options is CompressionConfig =>
  typeof options === 'object' && options !== null && resolved.has(options);

/** The error that lists what is wrong with a configuration. */
export function badConfig(problems: readonly Problem[], what: string): PalimpsestError {
  const lines = problems.map((problem) => `  ${problem.at} ${problem.message}`);
  return new PalimpsestError('BAD_CONFIG', `The ${what} is wrong:\n${lines.join('\n')}`, {
    evidence: { key: problems[0]?.at, problems: problems.length },
  });
}
