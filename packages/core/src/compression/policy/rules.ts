/** The numbers of the policy applied to its state: what is tripped, what lasts how long. */
import type { CompressionConfig } from '../../context/settings.ts';
import type { BlockReason, FailureKind, Phase, PolicyState, Stretch } from './state.ts';

/** The part of the configuration that the policy reads. */
export type PolicyRules = Pick<CompressionConfig, 'enabled' | 'attempts' | 'policy'>;

/** What stops automatic passes now; undefined when nothing does. A provisional strike counts until it is cleared. */
export function tripped(state: PolicyState, { attempts, policy }: PolicyRules): BlockReason | undefined {
  const provisional = state.verdict?.saved === 'little' ? 1 : 0;
  if (state.strikes + provisional >= policy.strikes) return 'ineffective';
  // As many passes as a turn may have, each followed by a reading, and never below the threshold.
  if (state.stillOver >= attempts) return 'still_over';
  if (state.fallbacks >= policy.fallbacks) return 'fallback';
  return state.attempts >= attempts ? 'attempts' : undefined;
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
export function coolSeconds(kind: FailureKind, overloads: number, { policy }: PolicyRules): number {
  switch (kind) {
    case 'no_provider':
    case 'auth':
    case 'quota':
      return policy.noProviderSeconds;
    case 'timeout':
    case 'rate_limit':
    case 'server_error':
    case 'network':
      return policy.overloadSeconds[Math.min(overloads, policy.overloadSeconds.length) - 1] ?? policy.otherSeconds;
    case 'bad_output':
    case 'empty_output':
      return policy.badOutputSeconds;
    case 'nothing':
      return policy.nothingSeconds;
    case 'cancelled':
      return 0;
    case 'other':
      return policy.otherSeconds;
  }
}
