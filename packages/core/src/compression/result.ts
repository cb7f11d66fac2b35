/** What a compression tells its caller: the new list, what became of every message, and why. */
import type { Message } from '../transcript/message.ts';
import type { FailureKind } from './policy/state.ts';
import type { Ref } from './ref.ts';
import type { SummaryCoverage } from './summarize/coverage.ts';
import type { SummaryCallReport } from './summarize/run-plan.ts';
import type { Verification } from './verify/claims.ts';

export type { Ref } from './ref.ts';

/** What a compression did with one message of its input. */
export type Fate =
  /** In the new list, unchanged. */
  | 'kept'
  /** In the new list with results, arguments or images replaced by short stubs. */
  | 'stubbed'
  /** Covered by the handoff. */
  | 'summarised'
  /** Covered by the handoff, and its text repeated after it word for word (the newest request of a long turn). */
  | 'restated'
  /** A broken remnant that no provider accepts, such as a result whose call is gone. */
  | 'removed';

/** What became of one message of the input, in tokens and words. */
export interface MessageFate {
  readonly ref: Ref;
  /** Index in the input list. */
  readonly at: number;
  readonly fate: Fate;
  readonly tokensBefore: number;
  /** Tokens of what is left of it outside the handoff; 0 when it was summarised. */
  readonly tokensAfter: number;
  /** One clause for a person: why this fate. */
  readonly why: string;
  /** Lines of the handoff that come from this message. */
  readonly handoffLines: number;
}

/** The block that stands for the middle. */
export interface Handoff {
  /** The whole block as the model sees it, opening and end marker included. */
  readonly text: string;
  readonly tokens: number;
  /** Every message it stands for, oldest first; each of them comes back through `expand`. */
  readonly covers: readonly Ref[];
  /** Those of them that a person has pinned: they stand in it word for word. Absent for none. */
  readonly pinned?: readonly Ref[];
  /** Who wrote it: the ledger alone, or a model whose summary was verified and completed by the ledger. */
  readonly writtenBy: 'ledger' | 'model';
  readonly template: string;
  /** One entry a line of the body that stems from a message, for explanations. */
  readonly lines: readonly HandoffLine[];
  /** Lines of a model's summary that hold and are not in it, in order; absent where no model wrote. */
  readonly leftOut?: readonly LeftOutLine[];
}

/** A line of a handoff that stems from a message. */
export interface HandoffLine {
  readonly section: string;
  readonly text: string;
  readonly ref: Ref;
  readonly why: LineReason;
}

/**
 * Why a line stands in a handoff: it tells a `fact` (a request, an error, a file); it is the `outcome` of a request; it was
 * `chosen` among all lines by what it is worth for its tokens; it is a `name` of the index; a model's `summary` says it.
 */
export type LineReason = 'fact' | 'outcome' | 'chosen' | 'name' | 'summary';

/** A line of a model's summary, or a sentence of a long one, that held and is not in the handoff. */
export interface LeftOutLine {
  /** Line of the summary as it was verified, from 1. */
  readonly line: number;
  readonly text: string;
  /** There was no room for it, or another line of the handoff tells the same. */
  readonly why: 'no room' | 'told otherwise';
}

/** How the summary of a model came about, and what was put right in it. */
export interface SummaryReport {
  /** `provider/model` that wrote it. */
  readonly model: string;
  /** What it was shown: nothing is left out silently. */
  readonly coverage: SummaryCoverage;
  /** Every answered call, also those of a model that failed in the end. */
  readonly calls: readonly SummaryCallReport[];
  /** What went wrong before it succeeded. */
  readonly failures: readonly SummaryAttempt[];
  /** Its claims held against the record; what did not hold is not in the handoff. */
  readonly verification: Verification;
}

/** A model that could not write a summary. */
export interface SummaryAttempt {
  readonly kind: FailureKind;
  /** `provider/model`. */
  readonly model: string;
  /** What happened and what to do, for a person. */
  readonly message: string;
  /** Attempts of other models before this one. */
  readonly before?: readonly SummaryAttempt[];
  /** Calls that were answered and have to be paid. */
  readonly calls?: readonly SummaryCallReport[];
}

/** Tokens of the stretches of a context. */
export interface ContextShares {
  readonly system: number;
  readonly head: number;
  readonly summary: number;
  readonly tail: number;
  /** Tokens of the list. */
  readonly total: number;
}

/** A target that does not hold. */
export interface OverTarget {
  /** Tokens of the list above it. */
  readonly tokens: number;
  /** One sentence for a person, with both numbers: what is not shortened, whatever the target is. It ends the `reason` too. */
  readonly why: string;
}

/**
 * The outcome of a compression. `unchanged` (nothing to do) and `refused` (the result would not be smaller) are
 * expected outcomes, not errors: `messages` is then the very list that came in.
 */
export interface CompressionResult {
  readonly status: 'compressed' | 'unchanged' | 'refused';
  /** One sentence for a person: what happened or why nothing did. */
  readonly reason: string;
  readonly messages: readonly Message[];
  readonly handoff?: Handoff;
  /** Set when a model wrote the summary in the handoff. */
  readonly summary?: SummaryReport;
  /**
   * Set when a model was asked and could not: the ledger then wrote the handoff alone, or the conversation was left as
   * it is (key refused, quota spent, no connection, and the window holds it).
   */
  readonly failure?: SummaryAttempt;
  /** One entry per input message, in order. */
  readonly fates: readonly MessageFate[];
  readonly before: ContextShares;
  readonly after: ContextShares;
  /**
   * Tokens more that the list would have with the configured tail; set where `planned` had a shorter one tried, 0 where
   * that left no less.
   */
  readonly usualExtraTokens?: number;
  /** What the new list was fitted to, in tokens. */
  readonly targetTokens: number;
  /** Set where the list is larger than that all the same. */
  readonly overTarget?: OverTarget;
  /** Name of the tokenizer and whether its figures are counts or estimates. */
  readonly tokenizer: { readonly name: string; readonly exact: boolean };
}
