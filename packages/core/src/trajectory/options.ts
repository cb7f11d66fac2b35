/** How a trajectory is fitted: the options of the library, their defaults, and the check of both. */
import {
  aNumber,
  anEnum,
  checkKnownOptions,
  checkMembers,
  type KnownOptions,
} from '../shared/options/known-options.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { protectionDefaults, type TrajectoryProtection } from './protect.ts';
import { type TrajectoryFormat, trajectoryFormats } from './turn.ts';

/** What a model is given to write a summary turn. */
export interface TrajectorySummaryRequest {
  /** The turns of the region, numbered, with who speaks; long ones are cut in the middle. */
  readonly text: string;
  /** Tokens that the summary should have. */
  readonly targetTokens: number;
  readonly signal?: AbortSignal;
}

/**
 * Writes the text of a summary turn with a model. Where it throws, the ledger writes it, and the metrics count an error; where it
 * gives nothing back, because nobody is to be asked, the ledger writes it too.
 */
export type TrajectorySummarizer = (
  request: TrajectorySummaryRequest,
) => Promise<{ readonly text: string; readonly calls: number } | undefined>;

/** How a trajectory is fitted into a target. */
export interface TrajectoryOptions {
  /** Counts the tokens that the target means. */
  readonly tokenizer: Tokenizer;
  /** @default found out by the record */
  readonly format?: TrajectoryFormat;
  /**
   * `value` keeps the turns that are worth most for their tokens, in several regions; `greedy` summarises one region from the
   * front, as long as it must be.
   * @default 'value'
   */
  readonly mode?: TrajectoryMode;
  /** @default 15250 */
  readonly targetTokens?: number;
  /** Tokens of the summaries. @default 750 in greedy mode, in value mode 23 % of the target */
  readonly summaryTokens?: number;
  /** What stays in any case. @default the first turn of each speaker, and the last four */
  readonly protect?: TrajectoryProtection;
  /** A sentence behind the system prompt of what was compressed; false for none. @default one in greedy mode, none in value mode */
  readonly notice?: string | false;
  /** Leaves what is under the target as it is, to the byte. @default true */
  readonly skipUnderTarget?: boolean;
  /** Writes `loss_mask` into each record: the ranges of tokens that a loss is computed for. @default false */
  readonly lossMask?: boolean;
  /** Writes `provenance` into records that changed: which turns each summary stands for. @default true */
  readonly provenance?: boolean;
  /** @default the ledger, without a model */
  readonly summarizer?: TrajectorySummarizer;
  readonly signal?: AbortSignal;
}

/** How the turns that go are chosen. */
export type TrajectoryMode = 'value' | 'greedy';

/** What is taken where an option is left out. */
export interface TrajectoryDefaults {
  readonly mode: TrajectoryMode;
  readonly targetTokens: number;
  /** Of a summary in greedy mode. */
  readonly greedySummaryTokens: number;
  /** Of the target, for all summaries in value mode. */
  readonly summaryShare: number;
  /** In greedy mode. */
  readonly notice: string;
  readonly protect: Required<TrajectoryProtection>;
}

/** The defaults. */
export const trajectoryDefaults: TrajectoryDefaults = {
  mode: 'value',
  targetTokens: 15_250,
  greedySummaryTokens: 750,
  /** Of the target, in value mode. */
  summaryShare: 0.23,
  notice:
    'Part of this conversation was replaced by a summary to fit the context window. The summary is marked as such.',
  protect: protectionDefaults,
};

/** Options with nothing left open. */
export interface ResolvedOptions extends Omit<TrajectoryOptions, 'protect' | 'notice'> {
  readonly mode: TrajectoryMode;
  readonly targetTokens: number;
  readonly summaryTokens: number;
  readonly protect: Required<TrajectoryProtection>;
  readonly notice: string | undefined;
  readonly skipUnderTarget: boolean;
  readonly lossMask: boolean;
  readonly provenance: boolean;
}

const aFlag = { expected: 'true or false', holds: (value: unknown) => typeof value === 'boolean' };

const known: KnownOptions<TrajectoryOptions> = {
  tokenizer: { expected: 'a tokenizer', holds: (value) => typeof value === 'object' && value !== null, isNeeded: true },
  format: anEnum(trajectoryFormats),
  mode: anEnum(['value', 'greedy']),
  targetTokens: aNumber(1),
  summaryTokens: aNumber(0),
  protect: true,
  notice: { expected: 'a text or false', holds: (value) => typeof value === 'string' || value === false },
  skipUnderTarget: aFlag,
  lossMask: aFlag,
  provenance: aFlag,
  summarizer: { expected: 'a function', holds: (value) => typeof value === 'function' },
  signal: true,
};

const knownProtection: KnownOptions<TrajectoryProtection> = {
  firstSystem: aFlag,
  firstHuman: aFlag,
  firstGpt: aFlag,
  firstTool: aFlag,
  lastTurns: aNumber(0),
};

/** What was made of options that cannot change: they are looked at once, however many records they are for. */
const resolved = new WeakMap<TrajectoryOptions, ResolvedOptions>();

/** The options with their defaults. @throws BAD_OPTION */
export function resolveOptions(owner: string, options: TrajectoryOptions): ResolvedOptions {
  const made = resolved.get(options);
  if (made) return made;
  const fresh = withDefaults(owner, options);
  if (Object.isFrozen(options) && Object.isFrozen(options.protect)) resolved.set(options, fresh);
  return fresh;
}

function withDefaults(owner: string, options: TrajectoryOptions): ResolvedOptions {
  checkKnownOptions(owner, options, known);
  const {
    protect = {},
    mode = trajectoryDefaults.mode,
    targetTokens = trajectoryDefaults.targetTokens,
    notice,
  } = options;
  checkMembers<TrajectoryProtection>('protect', protect, knownProtection);
  const usual = mode === 'greedy' ? trajectoryDefaults.notice : undefined;
  const share = Math.floor(targetTokens * trajectoryDefaults.summaryShare);
  return {
    ...options,
    mode,
    targetTokens,
    summaryTokens: options.summaryTokens ?? (mode === 'greedy' ? trajectoryDefaults.greedySummaryTokens : share),
    protect: { ...protectionDefaults, ...protect },
    notice: notice === undefined ? usual : notice || undefined,
    skipUnderTarget: options.skipUnderTarget ?? true,
    lossMask: options.lossMask ?? false,
    provenance: options.provenance ?? true,
  };
}
