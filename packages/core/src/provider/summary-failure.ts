/** Puts a failed call into words: who failed, how, and what to do about it. */

import type { FailureKind } from '../compression/policy/state.ts';
import { SummarizerError } from '../compression/summarize/summarizer.ts';
import { defined } from '../shared/defined.ts';
import { diagnose, saidLine } from './errors/classify.ts';
import { type FailureFacts, factsOf } from './errors/facts.ts';
import { isOverflow, reasonRows } from './errors/reasons.data.ts';

/** What is known of the model beside its failure. */
export interface CalledModel {
  /** `provider/model`. */
  readonly name: string;
  /** The environment variable that its key came from. */
  readonly keyVariable?: string;
}

/** The error for a failed call. What a provider wrote is quoted in part; what was sent to it never is. */
export function summaryFailure(
  thrown: unknown,
  { model, phase }: { model: CalledModel; phase: CallPhase },
): SummarizerError {
  const failure = failureOf(thrown, phase);
  const { status, overflow, contextLength, retryAfterSeconds, codes } = failure;
  const code = codes[0];
  return new SummarizerError(failure.kind, messageOf(failure, model), {
    model: model.name,
    // The errors of the SDK carry the whole request, which a log would print with the cause.
    evidence: defined({ status, code, overflow: overflow || undefined, contextLength, retryAfterSeconds }),
  });
}

function messageOf(failure: Failure, model: CalledModel): string {
  const [what, advice] = wordsFor(failure, model);
  const said = saidLine(failure.messages);
  const marks = [failure.status, failure.status === undefined ? failure.codes[0] : undefined];
  const mark = marks.find((known) => known !== undefined);
  return `${model.name} ${what}${mark === undefined ? '' : ` (${mark})`}${said === '' ? '' : `: "${said}"`}. ${advice}`;
}

type Words = readonly [what: string, advice: string];

/** Where to wait is said by the provider, if anybody. */
const words: Readonly<Record<FailureKind, Words | readonly [what: string]>> = {
  no_provider: ['does not exist', 'Check the name of the model and the base URL, which often ends in /v1.'],
  auth: ['refused the key'],
  quota: ['has no credit left', 'Add credit with the provider, or choose another model.'],
  rate_limit: ['accepts no more requests for now'],
  timeout: ['did not answer in time'],
  server_error: ['failed on the server side'],
  network: ['cannot be reached', 'Check the base URL and the connection.'],
  bad_output: ['sent no usable answer', 'Try again, or choose another model.'],
  empty_output: ['sent an empty answer', 'Try again, or choose another model.'],
  nothing: ['refused the request', 'Its message shows whether another model or setting helps.'],
  cancelled: ['refused the request', 'Its message shows whether another model or setting helps.'],
  other: ['refused the request', 'Its message shows whether another model or setting helps.'],
};

function wordsFor(failure: Failure, { keyVariable = 'the key' }: CalledModel): Words {
  const { kind, overflow, contextLength } = failure;
  if (overflow) {
    const window = contextLength === undefined ? '' : ` of ${contextLength} tokens`;
    const advice = 'Choose a model with a larger window, or set context_length so that the text is split.';
    return [`cannot read a prompt that long: it does not fit its window${window}`, advice];
  }
  if (kind === 'bad_output' && failure.brokeOff) return ['stopped before its answer was complete', 'Try again.'];
  const [what, advice = waitFor(failure)] = words[kind];
  return [what, kind === 'auth' ? `Check ${keyVariable} and its permissions.` : advice];
}

const waitFor = ({ retryAfterSeconds }: Failure): string =>
  retryAfterSeconds === undefined ? 'Try again later.' : `It asks to wait ${retryAfterSeconds} s.`;

// Says what a failed call of a model means for a summary and its policy: the reason, in the policy's words.

/** `request`: no part of the answer has come yet. */
export type CallPhase = 'request' | 'stream';

/** What a failed call of a model means. */
interface Failure extends FailureFacts {
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
