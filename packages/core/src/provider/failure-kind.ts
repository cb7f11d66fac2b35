/** Says what a failed call of a model means for a summary and its policy: the reason, in the policy's words. */
import type { FailureKind } from '../compression/policy/state.ts';
import { diagnose } from './errors/classify.ts';
import { type FailureFacts, factsOf } from './errors/facts.ts';
import { isOverflow, reasonRows } from './errors/reasons.data.ts';

/** `request`: no part of the answer has come yet. */
export type CallPhase = 'request' | 'stream';

/** What a failed call of a model means. */
export interface Failure extends FailureFacts {
  readonly kind: FailureKind;
  /** The prompt is longer than the model's window: less of it helps, waiting does not. */
  readonly overflow: boolean;
  /** The connection broke after the answer had begun. */
  readonly brokeOff: boolean;
  /** The window in tokens, where the provider's message names it. */
  readonly contextLength?: number;
}

/**
 * Classifies anything that a call of a model threw or sent as an error part. The same error means a different thing
 * once the answer has begun: a connection that breaks then has left half an answer.
 */
export function failureOf(thrown: unknown, phase: CallPhase): Failure {
  const facts = factsOf(thrown);
  const { reason, rule, limits } = diagnose(facts, { answering: phase === 'stream' });
  // A summary asks for no output of a certain size: where prompt and output together do not fit, less of the prompt helps.
  const overflow = isOverflow(reason) || (reason === 'output_limit' && limits.contextLength !== undefined);
  const named = overflow && reason !== 'long_context_tier' ? limits.contextLength : undefined;
  return {
    ...facts,
    kind: rule?.kind ?? reasonRows[reason].kind,
    overflow,
    brokeOff: rule?.phase === 'stream',
    ...(named === undefined ? {} : { contextLength: named }),
  };
}
