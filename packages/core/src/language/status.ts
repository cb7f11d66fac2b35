/** What a line may say about how something stands, and the shape of the tables of words for it. */
import { lazily } from '../shared/lazily.ts';

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
  /** A wish, a plan, a condition, a guess or work under way: nothing that is claimed of the past. */
  readonly hedged: boolean;
  /** Said of how things stand now, and not of what once happened. */
  readonly current: boolean;
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

/** One way to say a status; `open` of what is wished, planned or under way, `now` of how things stand. */
export type StatusPhrase = readonly [status: Status, words: string | RegExp, manner?: 'open' | 'now'];

/** A phrase that is looked for in lines. */
export interface StatusPattern {
  readonly status: Status;
  readonly words: RegExp;
  readonly manner: StatusPhrase[2];
}

/** The patterns of phrases, the more telling first: what one has matched, no later one matches again. */
export const statusPatterns = (
  phrases: readonly StatusPhrase[],
  around: (words: string) => RegExp = (words) => new RegExp(words, 'gi'),
): readonly StatusPattern[] =>
  phrases.map(([status, words, manner]) => {
    const pattern = lazily(() => (typeof words === 'string' ? around(words) : words));
    return {
      status,
      get words() {
        return pattern();
      },
      manner,
    };
  });

/** What a language says its statuses with. */
export interface StatusWords {
  readonly patterns: readonly StatusPattern[];
  /** Words that make a wish, a plan or a condition of what follows in their clause. */
  readonly before: RegExp;
  /** The same right behind the status words. */
  readonly after: RegExp;
  /** Words for "now" anywhere in the clause. */
  readonly now: RegExp;
}

/** The verbs of a language by the status that they tell. */
export type StatusVerbs = Readonly<Partial<Record<Status, string>>>;

/** The same phrases for every status that a language has verbs for. */
export const forVerbs = (
  verbs: StatusVerbs,
  phrases: (verb: string, status: Status, denied: Status) => readonly StatusPhrase[],
): readonly StatusPhrase[] =>
  // The keys of the table are statuses, which Object.entries forgets.
  (Object.entries(verbs) as [Status, string][]).flatMap(([status, verb]) =>
    phrases(`(?:${verb})`, status, oppositeStatus(status)),
  );
