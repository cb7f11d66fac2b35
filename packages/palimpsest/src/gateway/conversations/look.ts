/** What is done with an answer, by its head alone. Both sides of the worker ask this, so that no answer waits to be looked at. */
import type { Outcome } from '../middle.ts';

/** `watch`: it is read while it passes. `judge`: it is held back, and read whole. `tell`: that it came is enough. */
export type Look = 'watch' | 'judge' | 'tell';

/** Statuses with which providers say that a request is too long, or wrong. Everything else is between the client and its provider. */
const refusing: ReadonlySet<number> = new Set([400, 413, 422]);
/** Bytes of a refusal that are held back: an error has a few hundred; some send the request back. */
export const mostHeld: number = 64 * 1_024;

export function lookAt(outcome: Outcome): Look {
  if (outcome.type === 'failure') return 'tell';
  if (outcome.status < 300) return 'watch';
  return refusing.has(outcome.status) && outcome.triesLeft > 0 ? 'judge' : 'tell';
}
