/** What an attribution to the user is, and the shape of the words that make one. */

/** What the user is said to have done. */
export type AttributionVerb =
  | 'asked'
  | 'wants'
  | 'said'
  | 'prefers'
  | 'approved'
  | 'rejected'
  | 'chose'
  | 'proposed'
  | 'provided';

export interface Attribution {
  readonly by: 'user';
  readonly verb: AttributionVerb;
  /**
   * The words that attribute: `The user asked`, `as requested by the user`. Where a language puts the claimed content
   * between subject and verb, from the one to the other.
   */
  readonly start: number;
  readonly end: number;
  /** `The user never approved the plan`: what is attributed is denied. */
  readonly negated: boolean;
  /** What the user is said to have asked, wanted or said; empty where the line does not say it. */
  readonly rest: string;
}

/** Words that attribute. */
export interface AttributionPattern {
  /** With the flags `g`, `i` and `d`; where content stands between, in a group of that name. */
  readonly words: RegExp;
  readonly verb: AttributionVerb;
  /** Where what is attributed stands, seen from the words. */
  readonly content: 'after' | 'before' | 'between';
  readonly negated?: boolean;
}

/** These words attribute; the content stands behind them unless told otherwise. */
export const attributes = (
  verb: AttributionVerb,
  source: string,
  content: AttributionPattern['content'] = 'after',
): AttributionPattern => ({ verb, words: new RegExp(source, 'gdiu'), content });
