/** What the policy of automatic compression is told. */
import type { FailureKind } from './state.ts';

/** Something that happened, with its time in milliseconds since 1970. */
export type PolicyEvent =
  /** The size of the prompt was reported, or estimated before a call. */
  | { type: 'reading'; now: number; source: 'usage' | 'estimate'; promptTokens: number; thresholdTokens: number }
  /** A user message opened a turn. */
  | { type: 'turn'; now: number }
  /** A pass begins, because `decide` said so. */
  | { type: 'started'; now: number }
  /** The pass that runs goes on: a model answers call by call, which may take longer than a pass is given. */
  | { type: 'alive'; now: number }
  | FinishedEvent
  /** A pass changed nothing, for this reason. */
  | { type: 'failed'; now: number; kind: FailureKind }
  /** A person asked for a pass, or the provider refused the prompt as too long. */
  | { type: 'forced'; now: number; by: 'person' | 'overflow' }
  | { type: 'tick'; now: number }
  /** The session goes on with another model: what was learnt about the old one is void. */
  | { type: 'modelChanged'; now: number }
  /** A new session. */
  | { type: 'reset'; now: number };

/** A pass made a new context. */
export interface FinishedEvent {
  readonly type: 'finished';
  readonly now: number;
  /** Share of the tokens that it saved, by the pass's own estimate; negative when the context grew. */
  readonly savedShare: number;
  /** Whether there are fewer messages or clearly fewer tokens (`madeProgress`). @default true */
  readonly progress?: boolean;
  /** Set when `savedShare` comes from exact counts, so that no reading need confirm it. @default false */
  readonly confirmed?: boolean;
  /** Why the handoff had to be written without a model, if it had to. */
  readonly failure?: FailureKind;
}
