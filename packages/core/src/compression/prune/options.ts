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
   * The newest messages with images that keep them.
   * @default 3
   */
  readonly keepImages?: number;
  /**
   * Results over this length become stubs; from this length on they are compared with each other.
   * @default 200
   */
  readonly resultChars?: number;
  /**
   * Arguments over this length are shortened, and strings in them that are longer than 200 characters or that.
   * @default 500
   */
  readonly argumentChars?: number;
}

export type PruneMode = 'stub' | 'placeholder' | 'head_tail';

export const pruneDefaults: Required<Omit<PruneOptions, 'refOf' | 'tokensOf'>> = {
  tailTokens: 20_000,
  minMessages: 8,
  mode: 'stub',
  keepImages: 3,
  resultChars: 200,
  argumentChars: 500,
};

/** Strings in arguments that are shortened are cut to this length. */
export const leafChars = 200;

/** What `head_tail` keeps of a result of more than `minChars`. */
export const headTail = { headChars: 800, tailChars: 800, minChars: 2_000 } as const;

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
