/** What a verification says about a summary: every claim that does not hold, what is missing, and what was changed. */
import type { Ref } from '../ref.ts';

/** What a claim is about. */
export const claimTypes = [
  /** Words put into the user's mouth between quotation marks. */
  'quote',
  /** That the user asked for, wants or said something. */
  'request',
  'path',
  'identifier',
  'version',
  'number',
  /** A commit, a checksum, a UUID, an issue or another id. */
  'id',
  'url',
  /** That something passed, failed, was fixed, done, deleted, pushed. */
  'status',
  /** Words that tell the next assistant what to do, which only the user may. */
  'instruction',
  /** A credential. */
  'secret',
] as const;

/** What a claim of a summary is about. */
export type ClaimType = (typeof claimTypes)[number];

/** A claim of the summary that the conversation does not bear out. */
export interface WrongClaim {
  readonly type: ClaimType;
  /** The words of the summary that claim it; never a secret. */
  readonly text: string;
  /** Line of the summary, from 1. */
  readonly line: number;
  /** Nothing in the conversation says so, or something says the opposite. */
  readonly verdict: 'unsupported' | 'contradicted';
  /** One clause for a person: what the record says instead. */
  readonly why: string;
  /** The messages that decide it; empty where the point is that there is none. */
  readonly refs: readonly Ref[];
  /** What the record has in place of `text`; put there only where the sentence then is the record's, word for word. */
  readonly correction?: string;
  /** The record's own line on it, with its ref: it takes the place of the sentence that is wrong. */
  readonly row?: string;
}

/** Something important that the summary leaves out. */
export interface MissingFact {
  readonly type: 'task' | 'constraint' | 'request' | 'failure' | 'side effect';
  /** The line that says it, as a ledger's handoff would. */
  readonly text: string;
  readonly ref: Ref;
}

/** What was done to one line of the summary, or what was added. */
export interface SummaryChange {
  readonly action: 'removed' | 'corrected' | 'masked' | 'added';
  /** Line of the summary as it came, from 1; 0 for what was added. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly why: string;
  readonly refs: readonly Ref[];
}

/** The outcome of holding a summary against a conversation. */
export interface Verification {
  /** True when no claim is wrong and no rule or open request of the user is missing. */
  readonly holds: boolean;
  /** How many claims were looked at, by type; only types that occurred. */
  readonly checked: Readonly<Partial<Record<ClaimType, number>>>;
  readonly wrong: readonly WrongClaim[];
  readonly missing: readonly MissingFact[];
  /** The summary after all changes; the same text when there were none. */
  readonly text: string;
  readonly changes: readonly SummaryChange[];
}
