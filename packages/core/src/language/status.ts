/** What a line may say about how something stands, and the shape of the tables of words for it. */

/** Every status with the one that denies it. */
export const statusPairs = {
  passed: 'failed',
  fixed: 'unfixed',
  done: 'undone',
  deleted: 'kept',
  created: 'uncreated',
  changed: 'unchanged',
  committed: 'uncommitted',
  pushed: 'unpushed',
  merged: 'unmerged',
  released: 'unreleased',
  installed: 'uninstalled',
  running: 'stopped',
} as const;

export type PositiveStatus = keyof typeof statusPairs;

/** How something stands; `passed` and `done` also stand for success in general. */
export type Status = PositiveStatus | (typeof statusPairs)[PositiveStatus];

/** Words of a line that say how something stands. */
export interface StatusClaim {
  readonly status: Status;
  /** True for the first of a pair: passed, fixed, done, deleted … */
  readonly positive: boolean;
  /** The status words, with their negation. */
  readonly start: number;
  readonly end: number;
  /** Said by a negation (`not deleted`) and not by a word of its own (`kept`). */
  readonly negated: boolean;
  /** A wish, a plan, a condition, a guess or work under way: nothing that is claimed of the past. */
  readonly hedged: boolean;
  /** Said of how things stand now, and not of what once happened. */
  readonly current: boolean;
  /** What to put where for the line to say the opposite; absent where its wording does not allow that. */
  readonly turned?: Replacement;
}

/** `text` in place of what stands from `start` to `end`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

// The keys and values of the table are statuses, which Object.entries forgets.
const entries = Object.entries(statusPairs) as [PositiveStatus, Status][];

const opposites: ReadonlyMap<Status, Status> = new Map(
  entries.flatMap(([yes, no]): [Status, Status][] => [
    [yes, no],
    [no, yes],
  ]),
);

/** The status that denies this one. */
export const oppositeStatus = (status: Status): Status => opposites.get(status) ?? status;

/** True for the first of a pair. */
export const isPositive = (status: Status): boolean => Object.hasOwn(statusPairs, status);

/** One way to say a status. */
export interface StatusPhrase {
  /** With the flags `g` and `i`; no nested quantifiers. */
  readonly words: RegExp;
  readonly status: Status;
  /** Says the status by denying its opposite. */
  readonly negated?: boolean;
  readonly hedged?: boolean;
  readonly current?: boolean;
  /** The words that say the opposite, for the words that matched. */
  readonly turned?: (matched: string) => string | undefined;
}

/** What a language says its statuses with. */
export interface PhraseTable {
  /** The more telling first: what one has matched, no later one matches again. */
  readonly phrases: readonly StatusPhrase[];
  /** Words that make a wish, a plan or a condition of what follows in their clause. */
  readonly before: RegExp;
  /** The same right behind the status words. */
  readonly after: RegExp;
  /** Words for "now" anywhere in the clause. */
  readonly now: RegExp;
}

/** The same phrase for a list of verbs, one status at a time. */
export function forVerbs(
  verbs: Readonly<Partial<Record<Status, string>>>,
  phrases: (verb: string, status: Status, denied: Status) => readonly StatusPhrase[],
): readonly StatusPhrase[] {
  // The keys of the table are statuses, which Object.entries forgets.
  return (Object.entries(verbs) as [Status, string][]).flatMap(([status, verb]) =>
    phrases(`(?:${verb})`, status, oppositeStatus(status)),
  );
}
