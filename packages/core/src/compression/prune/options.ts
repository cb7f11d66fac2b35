/** What pruning may do, and what it reports. */
import type { Message } from '../../transcript/message.ts';

export interface PruneOptions {
  /** The id under which a message can be expanded, such as `m42`. */
  readonly refOf: (message: Message) => string;
  readonly tokensOf: (message: Message) => number;
  /**
   * Tokens at the end that are protected.
   * @default 20_000
   */
  readonly tailTokens?: number;
  /**
   * Messages at the end that are protected in any case.
   * @default 8
   */
  readonly minMessages?: number;
  /**
   * What an old result becomes: `stub` a line with its outcome, `placeholder` a fixed line, `head_tail` its first and
   * last 800 characters when it has over 2,000.
   * @default 'stub'
   */
  readonly mode?: PruneMode;
  /**
   * Characters that `head_tail` keeps at the start and the end of a result of more than `minChars`.
   * @default { headChars: 800, tailChars: 800, minChars: 2_000 }
   */
  readonly headTail?: HeadTail;
  /**
   * The newest messages with images that keep them.
   * @default 3
   */
  readonly keepImages?: number;
  /**
   * Results of at least this length are compared with each other.
   * @default 200
   */
  readonly minDuplicateChars?: number;
  /**
   * Results over this length become stubs.
   * @default 200
   */
  readonly maxResultChars?: number;
  /**
   * Arguments over this length are shortened.
   * @default 500
   */
  readonly maxArgumentChars?: number;
  /**
   * Strings in such arguments are cut to this length.
   * @default 200
   */
  readonly maxLeafChars?: number;
}

export interface HeadTail {
  readonly headChars: number;
  readonly tailChars: number;
  readonly minChars: number;
}

export type PruneMode = 'stub' | 'placeholder' | 'head_tail';

export const pruneDefaults: Required<Omit<PruneOptions, 'refOf' | 'tokensOf'>> = {
  tailTokens: 20_000,
  minMessages: 8,
  mode: 'stub',
  headTail: { headChars: 800, tailChars: 800, minChars: 2_000 },
  keepImages: 3,
  minDuplicateChars: 200,
  maxResultChars: 200,
  maxArgumentChars: 500,
  maxLeafChars: 200,
};

/** One part that was replaced. */
export interface PruneChange {
  /** Index of the message. */
  readonly at: number;
  readonly kind: 'duplicate' | 'result' | 'arguments' | 'image' | 'base64' | 'truncated';
  /** Characters of the part before and after. */
  readonly before: number;
  readonly after: number;
}

/** Options with every default filled in. */
export type PruneSettings = Required<PruneOptions>;
