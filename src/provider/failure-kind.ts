/** Says what a failed call of a model means for the policy, by the table in `failure-rules.data.ts`. */
import type { FailureKind } from '../compression/policy/state.ts';
import { type FailureFacts, factsOf } from './failure-facts.ts';
import { type FailureRule, failureRules } from './failure-rules.data.ts';

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
  const text = facts.messages.join('\n');
  const rule = failureRules.find((candidate) => fits(candidate, { facts, text, phase }));
  const contextLength = rule?.overflow ? windowIn(text) : undefined;
  return {
    ...facts,
    kind: rule?.kind ?? 'other',
    overflow: rule?.overflow === true,
    brokeOff: rule?.phase === 'stream',
    ...(contextLength === undefined ? {} : { contextLength }),
  };
}

function fits(
  rule: FailureRule,
  { facts, text, phase }: { facts: FailureFacts; text: string; phase: CallPhase },
): boolean {
  if (rule.phase !== undefined && rule.phase !== phase) return false;
  if (rule.status && !rule.status.includes(facts.status ?? 0)) return false;
  if (rule.codes && !rule.codes.some((code) => facts.codes.includes(code))) return false;
  if (rule.names && !rule.names.some((name) => facts.names.includes(name))) return false;
  return rule.text === undefined || rule.text.test(text);
}

/** How the providers name their window; the first number is it. */
const windowPatterns: readonly RegExp[] = [
  /max(?:imum)? (?:context|prompt|model) length (?:is|of) (?:only )?(\d[\d,]*)/i,
  /context (?:length|size|window) (?:is|of) (?:only )?(\d[\d,]*)/i,
  /> (\d[\d,]*) maximum/i,
  /maximum number of (?:input )?tokens allowed \((\d[\d,]*)\)/i,
  /with (\d[\d,]*) maximum context length/i,
  /model token limit: (\d[\d,]*)/i,
  /input length should be \[1, (\d[\d,]*)\]/i,
];

/** No window is smaller or larger; what is, is another number. */
const windowRange = { from: 1_024, to: 10_000_000 };

function windowIn(text: string): number | undefined {
  for (const pattern of windowPatterns) {
    const tokens = Number(pattern.exec(text)?.[1]?.replaceAll(',', ''));
    if (tokens >= windowRange.from && tokens <= windowRange.to) return tokens;
  }
  return undefined;
}
