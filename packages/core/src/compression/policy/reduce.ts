/**
 * The one place where the policy of automatic compression changes its mind. Pure: time is a field of the event.
 * Two ideas carry it: only the provider's count proves that a pass helped, and every way to stop has a way back.
 */
import {
  type BlockReason,
  type FailureKind,
  type FinishedEvent,
  initialPolicyState,
  type Phase,
  type PolicyEvent,
  type PolicyState,
  type Stretch,
} from './state.ts';

/** The state after an event. */
export function reduce(before: PolicyState, event: PolicyEvent): PolicyState {
  const state = { ...before, phase: rebased(before.phase, event.now) };
  switch (event.type) {
    case 'reading':
      return afterReading(state, event);
    case 'turn':
      return afterTurn(state, event.now);
    case 'started':
      return afterStart(state, event.now);
    case 'alive':
      return afterSign(state, event.now);
    case 'finished':
      return afterFinish(state, event);
    case 'failed':
      return afterFailure(state, event);
    case 'forced':
      return { ...state, request: state.request === 'person' ? 'person' : event.by };
    case 'tick':
      return state;
    case 'modelChanged':
      return afterModelChange(state, event.now);
    case 'reset':
      return initialPolicyState;
  }
}

type ReadingEvent = Extract<PolicyEvent, { type: 'reading' }>;

function afterReading(state: PolicyState, event: ReadingEvent): PolicyState {
  const { source, promptTokens, thresholdTokens, now } = event;
  if (!Number.isFinite(promptTokens) || promptTokens < 0) return state;
  const below = promptTokens < thresholdTokens;
  if (source === 'usage') {
    // A reported prompt is one that the provider accepted.
    const request = state.request === 'overflow' ? null : state.request;
    const known: PolicyState = { ...state, request, usageSeen: true, lastPromptTokens: promptTokens };
    const judged = below ? { ...known, ...cleared, attempts: 0 } : overAfterPass(known, promptTokens);
    return rephased(judged, now);
  }
  // Where usage is reported, an estimate proves nothing.
  if (state.usageSeen || !state.verdict) return state;
  return rephased(below ? { ...state, ...cleared } : overAfterPass(state, null), now);
}

const cleared = { strikes: 0, stillOver: 0, verdict: null } as const;

/** A pass is followed by a reading that is still over: a strike, unless the reading shows that it saved enough. */
function overAfterPass(state: PolicyState, promptTokens: number | null): PolicyState {
  if (!state.verdict) return state;
  const { before, saved } = state.verdict;
  const measured = before !== null && promptTokens !== null;
  const enough = measured
    ? savedAtLeast(before, promptTokens, policyRules.minSavedShare)
    : promptTokens === null && saved === 'enough';
  return { ...state, verdict: null, stillOver: state.stillOver + 1, strikes: enough ? 0 : state.strikes + 1 };
}

/** Compares tokens, not shares: 1 - 270/300 is a little less than 0.1. */
function savedAtLeast(before: number, after: number, share: number): boolean {
  return before - after >= before * share - 1e-6;
}

/** A turn brings new attempts, but not while nobody knows what the last pass was worth. */
function afterTurn(state: PolicyState, now: number): PolicyState {
  const request = state.request === 'overflow' ? null : state.request;
  return rephased({ ...state, request, attempts: state.verdict ? state.attempts : 0 }, now);
}

function afterStart(state: PolicyState, now: number): PolicyState {
  const settled: PolicyState = { ...withoutReading(state), request: null };
  const running = stretchOf(now, policyRules.runningSeconds);
  if (state.request === 'person') return { ...settled, phase: { type: 'running', cause: 'person', ...running } };
  const counted = { ...settled, attempts: Math.min(settled.attempts, policyRules.attempts - 1) + 1 };
  if (state.request === 'overflow') return { ...counted, phase: { type: 'running', cause: 'overflow', ...running } };
  if (!isProbe(state)) return { ...counted, phase: { type: 'running', cause: 'automatic', ...running } };
  // The probe gets one chance: whatever tripped is one short of tripping again.
  return {
    ...counted,
    strikes: Math.min(settled.strikes, policyRules.strikes - 1),
    stillOver: Math.min(settled.stillOver, policyRules.attempts - 1),
    fallbacks: Math.min(settled.fallbacks, policyRules.fallbacks - 1),
    phase: { type: 'probing', step: 'running', ...running },
  };
}

/** A sign of life renews the time that a running pass has; it says nothing to any other phase. */
function afterSign(state: PolicyState, now: number): PolicyState {
  const { phase } = state;
  const runs = phase.type === 'running' || (phase.type === 'probing' && phase.step === 'running');
  if (!runs) return state;
  return {
    ...state,
    phase: { ...phase, until: Math.max(phase.until, stretchOf(now, policyRules.runningSeconds).until) },
  };
}

/** True when a pass that starts now is a probe. */
export function isProbe(state: PolicyState): boolean {
  const { type } = state.phase;
  return type === 'blocked' || type === 'probing' || tripped(state) !== undefined;
}

/** Another pass starts before a reading came: the pass's own estimate has to do. */
function withoutReading(state: PolicyState): PolicyState {
  if (!state.verdict) return state;
  if (state.verdict.saved === 'little') return { ...state, verdict: null, strikes: state.strikes + 1 };
  // A good estimate takes back strikes only where there is nothing better than estimates.
  return { ...state, verdict: null, strikes: state.usageSeen ? state.strikes : 0 };
}

function afterFinish(before: PolicyState, event: FinishedEvent): PolicyState {
  const { now, savedShare, progress = true, confirmed = false, failure } = event;
  const cause = causeOf(before.phase);
  // Written so that a share that is not a number counts as little, and 1 - 900/1000 as 0.1.
  const saved = savedShare >= policyRules.minSavedShare - 1e-9 ? 'enough' : 'little';
  const state: PolicyState = {
    ...withFailure(withoutReading(before), failure),
    fallbacks: failure ? before.fallbacks + 1 : 0,
    attempts: progress || cause === 'person' ? before.attempts : policyRules.attempts,
    verdict: confirmed ? null : { saved, before: before.usageSeen ? before.lastPromptTokens : null },
  };
  const judged = confirmed ? { ...state, strikes: saved === 'little' ? state.strikes + 1 : 0 } : state;
  const helped = cause === 'person' && saved === 'enough';
  const next = helped ? { ...judged, strikes: 0, stillOver: 0, attempts: 0 } : judged;
  const wait = failure ? coolSeconds(failure, next.overloads) : 0;
  if (cause !== 'probe' || confirmed || stopsProbe(next)) return rested(next, { now, failure, wait });
  const waiting = stretchOf(now, Math.max(wait, policyRules.probeAfterSeconds));
  return { ...next, phase: { type: 'probing', step: 'waiting', ...waiting } };
}

/** A probe waits for its reading, whatever the turn's attempts, unless it is plain already that it did not help. */
function stopsProbe(state: PolicyState): boolean {
  const reason = tripped(state);
  return reason !== undefined && reason !== 'attempts';
}

function afterFailure(before: PolicyState, event: Extract<PolicyEvent, { type: 'failed' }>): PolicyState {
  const { now, kind } = event;
  const cause = causeOf(before.phase);
  const state = withFailure(before, kind);
  if (kind === 'cancelled') {
    const refunded = cause === 'person' ? state.attempts : Math.max(0, state.attempts - 1);
    return rested({ ...state, attempts: refunded }, { now, failure: undefined, wait: 0 });
  }
  // That a person found nothing to compress says nothing about what the next turns bring.
  const idle = kind === 'nothing' && cause === 'person';
  const seconds = idle ? 0 : coolSeconds(kind, state.overloads);
  const wait = cause === 'probe' ? Math.max(seconds, policyRules.probeAfterSeconds) : seconds;
  return rested(state, { now, failure: idle ? undefined : kind, wait });
}

/** Counts the rung of the ladder; a pass without a failure of the model takes it back. */
function withFailure(state: PolicyState, kind: FailureKind | undefined): PolicyState {
  if (kind === undefined) return { ...state, overloads: 0 };
  return isOverload(kind) ? { ...state, overloads: state.overloads + 1 } : state;
}

function causeOf(phase: Phase): 'automatic' | 'person' | 'overflow' | 'probe' {
  if (phase.type === 'probing') return 'probe';
  return phase.type === 'running' ? phase.cause : 'automatic';
}

/** The phase after a pass: blocked if something tripped, cooling if the model failed, else armed. */
function rested(
  state: PolicyState,
  { now, failure, wait }: { now: number; failure: FailureKind | undefined; wait: number },
): PolicyState {
  const reason = tripped(state);
  if (reason) {
    const seconds = Math.max(wait, policyRules.probeAfterSeconds);
    return { ...state, phase: { type: 'blocked', reason, ...stretchOf(now, seconds) } };
  }
  const cools = failure !== undefined && wait > 0;
  return { ...state, phase: cools ? { type: 'cooling', reason: failure, ...stretchOf(now, wait) } : { type: 'armed' } };
}

/** The phase after the evidence changed without a pass. A wait that goes on keeps its end. */
function rephased(state: PolicyState, now: number): PolicyState {
  const { phase } = state;
  const reason = tripped(state);
  const fresh = stretchOf(now, policyRules.probeAfterSeconds);
  switch (phase.type) {
    case 'running':
      return state;
    case 'armed':
      return reason ? { ...state, phase: { type: 'blocked', reason, ...fresh } } : state;
    case 'cooling': {
      if (!reason) return state;
      const until = Math.max(phase.until, fresh.until);
      return { ...state, phase: { type: 'blocked', reason, since: now, until } };
    }
    case 'blocked':
      return { ...state, phase: reason ? { ...phase, reason } : { type: 'armed' } };
    case 'probing':
      if (phase.step === 'running' || state.verdict) return state;
      return { ...state, phase: reason ? { type: 'blocked', reason, ...fresh } : { type: 'armed' } };
  }
}

/** A turn keeps its attempts, else two models that take turns in failing would compress for ever. */
function afterModelChange(state: PolicyState, now: number): PolicyState {
  const { phase, attempts, request } = state;
  const runs = phase.type === 'running' || (phase.type === 'probing' && phase.step === 'running');
  const kept: Phase = runs ? phase : { type: 'armed' };
  return rephased({ ...initialPolicyState, phase: kept, attempts, request }, now);
}

// The numbers of the policy applied to its state: what is tripped, what lasts how long.

/** When automatic compression holds back. */
export const policyRules = {
  /** Compressions tried in one turn. */
  attempts: 3,
  /** A pass that saved a smaller share of the tokens counts as a strike. */
  minSavedShare: 0.1,
  /** Strikes in a row that block automatic passes. */
  strikes: 2,
  /** Handoffs in a row written without a model, because it failed, that block automatic passes. */
  fallbacks: 2,
  /** Until a blocked session may try once. */
  probeAfterSeconds: 300,
  nothingSeconds: 300,
  /** None configured, key refused, quota spent. */
  noProviderSeconds: 600,
  /** After the first, second, … timeout, rate limit, server or network error in a row. */
  overloadSeconds: [60, 300, 900],
  badOutputSeconds: 30,
  otherSeconds: 60,
  /** A pass that neither finished nor failed within this time has died with its process. */
  runningSeconds: 600,
} as const;

/** What stops automatic passes now; undefined when nothing does. A provisional strike counts until it is cleared. */
function tripped(state: PolicyState): BlockReason | undefined {
  const provisional = state.verdict?.saved === 'little' ? 1 : 0;
  if (state.strikes + provisional >= policyRules.strikes) return 'ineffective';
  // As many passes as a turn may have, each followed by a reading, and never below the threshold.
  if (state.stillOver >= policyRules.attempts) return 'still_over';
  if (state.fallbacks >= policyRules.fallbacks) return 'fallback';
  return state.attempts >= policyRules.attempts ? 'attempts' : undefined;
}

/** True while a phase lasts. A clock that stands before the phase has jumped back: the phase lasts, see `remaining`. */
export const lasts = (stretch: Stretch, now: number): boolean => now < stretch.until;

/** Milliseconds until a phase is over: after a jump of the clock never more than the phase was made for. */
export function remaining({ since, until }: Stretch, now: number): number {
  return Math.max(0, Math.min(until - now, until - since));
}

/** The same phase after a look at the clock: one that began in the future begins now. */
function rebased(phase: Phase, now: number): Phase {
  if (phase.type === 'armed' || now >= phase.since) return phase;
  return { ...phase, since: now, until: now + phase.until - phase.since };
}

/** A stretch of so many seconds from now. */
const stretchOf = (now: number, seconds: number): Stretch => ({ since: now, until: now + seconds * 1000 });

/** Failures that pass by themselves, for which the wait grows. */
function isOverload(kind: FailureKind): boolean {
  return kind === 'timeout' || kind === 'rate_limit' || kind === 'server_error' || kind === 'network';
}

/** Seconds to wait after a failure; `overloads` counts this one in. */
function coolSeconds(kind: FailureKind, overloads: number): number {
  switch (kind) {
    case 'no_provider':
    case 'auth':
    case 'quota':
      return policyRules.noProviderSeconds;
    case 'timeout':
    case 'rate_limit':
    case 'server_error':
    case 'network':
      return (
        policyRules.overloadSeconds[Math.min(overloads, policyRules.overloadSeconds.length) - 1] ??
        policyRules.otherSeconds
      );
    case 'bad_output':
    case 'empty_output':
      return policyRules.badOutputSeconds;
    case 'nothing':
      return policyRules.nothingSeconds;
    case 'cancelled':
      return 0;
    case 'other':
      return policyRules.otherSeconds;
  }
}
