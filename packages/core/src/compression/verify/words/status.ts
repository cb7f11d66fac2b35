/** What a line may say about how something stands, and the shape of such a claim. */

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

export const isPositive = (status: Status): boolean => Object.hasOwn(statusPairs, status);
