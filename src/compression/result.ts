/** What a compression tells its caller: the new list, what became of every message, and why. */
import type { Message } from '../transcript/message.ts';

/**
 * A message's number in its conversation as people and models see it: `m` and its position from 1, such as `m42`.
 * It is what a stub or a summary line names, and what `expand` takes.
 */
export type Ref = `m${number}`;

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
  /** Who wrote it; a model can from the next release on. */
  readonly writtenBy: 'ledger';
  readonly template: string;
  /** One entry a line of the body that stems from a message, for explanations. */
  readonly lines: readonly HandoffLine[];
}

/** A line of a handoff that stems from a message. */
export interface HandoffLine {
  readonly section: string;
  readonly text: string;
  readonly ref: Ref;
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
  /** One entry per input message, in order. */
  readonly fates: readonly MessageFate[];
  readonly before: ContextShares;
  readonly after: ContextShares;
  /** What the new list was fitted to, in tokens. */
  readonly targetTokens: number;
  /** Name of the tokenizer and whether its figures are counts or estimates. */
  readonly tokenizer: { readonly name: string; readonly exact: boolean };
}
