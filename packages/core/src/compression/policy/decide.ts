/** What to do about a prompt of this size now. Pure; changes nothing. */
import { isProbe, lasts, policyRules, remaining } from './reduce.ts';
import type { BlockReason, FailureKind, Phase, PolicyState } from './state.ts';

export interface PolicyReading {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Reported, else estimated. */
  readonly promptTokens: number;
  readonly thresholdTokens: number;
}

export type Decision =
  | { readonly action: 'compress'; readonly reason: 'threshold' | 'requested' | 'overflow' }
  /** The one pass that a blocked session may try. */
  | { readonly action: 'probe'; readonly reason: 'wait_over' }
  /** Not now. `advice` is set when the prompt is over the threshold and a person should know why nothing happens. */
  | {
      readonly action: 'wait';
      readonly reason: 'below_threshold' | 'disabled' | 'running' | 'cooling' | 'awaiting_reading';
      readonly retryAfterMs?: number;
      readonly advice?: string;
    }
  /** Automatic passes have stopped; a person has to do something, or wait for the probe. */
  | {
      readonly action: 'block';
      readonly reason: BlockReason | 'disabled';
      readonly advice: string;
      readonly retryAfterMs?: number;
    };

/**
 * The decision for a reading. Send the state every event first, a `tick` if there is none: `reduce` is what repairs
 * waits after the clock jumped back.
 */
export function decide(state: PolicyState, reading: PolicyReading, config: { readonly enabled: boolean }): Decision {
  const { phase, request } = state;
  const { now, promptTokens, thresholdTokens } = reading;
  if (isRunning(phase) && lasts(phase, now)) {
    return { action: 'wait', reason: 'running', retryAfterMs: remaining(phase, now) };
  }
  if (request === 'person') return { action: 'compress', reason: 'requested' };
  if (request === 'overflow') return decideOverflow(state, config);
  // Written so that a reading that is not a number never compresses.
  if (!(thresholdTokens > 0 && promptTokens >= thresholdTokens)) return { action: 'wait', reason: 'below_threshold' };
  if (!config.enabled) return { action: 'wait', reason: 'disabled', advice: advice.disabled };
  if (phase.type !== 'armed' && lasts(phase, now)) return held(phase, now);
  return isProbe(state) ? { action: 'probe', reason: 'wait_over' } : { action: 'compress', reason: 'threshold' };
}

/** The provider refused the prompt: waits do not count, the attempts of the turn do. */
function decideOverflow(state: PolicyState, config: { readonly enabled: boolean }): Decision {
  if (!config.enabled) return { action: 'block', reason: 'disabled', advice: advice.disabled };
  if (state.attempts < policyRules.attempts) return { action: 'compress', reason: 'overflow' };
  return { action: 'block', reason: 'attempts', advice: advice.attempts };
}

type Timed = Exclude<Phase, { type: 'armed' }>;

const isRunning = (phase: Phase): phase is Timed =>
  phase.type === 'running' || (phase.type === 'probing' && phase.step === 'running');

function held(phase: Timed, now: number): Decision {
  const retryAfterMs = remaining(phase, now);
  switch (phase.type) {
    case 'running':
      return { action: 'wait', reason: 'running', retryAfterMs };
    case 'probing':
      return { action: 'wait', reason: 'awaiting_reading', retryAfterMs };
    case 'cooling':
      return { action: 'wait', reason: 'cooling', retryAfterMs, advice: coolAdvice(phase.reason, retryAfterMs) };
    case 'blocked':
      return { action: 'block', reason: phase.reason, retryAfterMs, advice: advice[phase.reason] };
  }
}

const advice = {
  disabled:
    'Automatic compression is turned off (compression.enabled). Use /compress or start a new conversation with /new.',
  ineffective:
    'The last compressions saved too little, so automatic compression pauses. Start a new conversation with /new, or keep one topic with /compress <topic>.',
  still_over:
    'The context is over its threshold even after compression: the system prompt, the tools or the newest messages are too large. Start a new conversation with /new, or keep one topic with /compress <topic>.',
  fallback:
    'The summary model failed several times in a row, so automatic compression pauses. Check auxiliary.compression, retry with /compress <topic>, or start a new conversation with /new.',
  attempts:
    'This turn has used up its compressions. Start a new conversation with /new, or keep one topic with /compress <topic>.',
} as const satisfies Readonly<Record<BlockReason | 'disabled', string>>;

const failureTexts: Readonly<Record<FailureKind, string>> = {
  no_provider: 'no model is available for the summary',
  auth: 'the provider refused the key for the summary',
  quota: 'the quota for the summary model is used up',
  timeout: 'the summary model took too long',
  rate_limit: 'the summary model is rate-limited',
  server_error: 'the provider of the summary model failed',
  network: 'the summary model cannot be reached',
  bad_output: 'the summary was not usable',
  empty_output: 'the summary was empty',
  nothing: 'there was nothing to compress',
  cancelled: 'the compression was stopped',
  other: 'the compression failed',
};

function coolAdvice(kind: FailureKind, retryAfterMs: number): string {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return `Automatic compression waits ${seconds} s because ${failureTexts[kind]}. /compress tries immediately.`;
}
