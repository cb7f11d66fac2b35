/** The numbers of the policy applied to its state: what is tripped, what lasts how long. */
import type { BlockReason, FailureKind, Phase, PolicyState, Stretch } from './state.ts';

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
export function tripped(state: PolicyState): BlockReason | undefined {
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
export function rebased(phase: Phase, now: number): Phase {
  if (phase.type === 'armed' || now >= phase.since) return phase;
  return { ...phase, since: now, until: now + phase.until - phase.since };
}

/** A stretch of so many seconds from now. */
export const stretchOf = (now: number, seconds: number): Stretch => ({ since: now, until: now + seconds * 1000 });

/** Failures that pass by themselves, for which the wait grows. */
export function isOverload(kind: FailureKind): boolean {
  return kind === 'timeout' || kind === 'rate_limit' || kind === 'server_error' || kind === 'network';
}

/** Seconds to wait after a failure; `overloads` counts this one in. */
export function coolSeconds(kind: FailureKind, overloads: number): number {
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
