/** Whether a context is too big to be sent (invariant 5), and windows that turn out smaller than they were said to be. */
import type { LowerWindow } from '../provider/errors/recovery.ts';
import { note } from './call-hooks.ts';
import { useWindow } from './engine.ts';
import type { Basis, GuessedWindow, LiveConversation, Step } from './live.ts';
import type { ContextSize } from './request.ts';

/** What a context has, and what it may have. */
export interface Fill {
  readonly size: ContextSize;
  /** Tokens that a request may have. */
  readonly room: number;
}

/** What a request may have beside the output it reserves room for. */
export function roomOf({ basis: { contextLength }, runtime }: Step): number {
  return contextLength - Math.min(runtime.settings.reservedOutputTokens, Math.floor(contextLength / 2));
}

/**
 * True for what does not fit, as far as anybody knows. A provider that has just answered more than the window holds, whether
 * it counts in its own way or the window is larger than was said, has shown that the window is not the limit: what stands
 * behind such an answer is sent, and the provider says itself when it is too much. Else every request would be refused.
 */
export const overflows = (live: LiveConversation, { size, room }: Fill): boolean =>
  size.tokens > room && !isAnswered(live, { size, room });

/** True when a request was answered in this window that was larger than it, and no window's worth has come since. */
export function isAnswered({ state }: LiveConversation, { size, room }: Fill): boolean {
  const { report } = state;
  if (!report || size.from !== 'anchored' || report.promptTokens <= room || report.room > room) return false;
  return size.tokens - report.promptTokens <= room;
}

/** From now on the lower window holds: a stated one for every process, a guess until this one ends. */
export async function lowerWindow(step: Step, window: LowerWindow, refusedTokens: number): Promise<void> {
  const { basis, runtime } = step;
  const { contextLength: before, guess } = basis;
  const { tokens } = window;
  if (tokens >= before) return;
  if (window.source === 'stated') {
    await basis.windows.learn(runtime.settings.model, { ...window, current: before });
    basis.guess = undefined;
  } else {
    const least = Math.min(refusedTokens, guess?.refusedTokens ?? refusedTokens);
    basis.guess = { refusedTokens: least, before: guess?.before ?? before };
  }
  basis.contextLength = tokens;
  useWindow(step, tokens);
  // What a provider has named needs no words.
  if (window.source === 'stated') return;
  const message =
    `The provider refused about ${refusedTokens} tokens as too many, in a window of ${before}: ${tokens} are assumed until this process ends. ` +
    'If you know its window, set contextLength.';
  note(step, { type: 'window', level: 'warn', message });
}

/** A window that a provider names goes before what was guessed of it. */
export function forgetGuess(basis: Basis): void {
  if (basis.guess) basis.contextLength = basis.guess.before;
  basis.guess = undefined;
}

/** Clearly less than what was refused: it is smaller by more than what two counts of one text differ by. */
const clearlyLess = 0.95;

/** The most that a guessed window may turn out to take. */
export const mostUnder = ({ refusedTokens }: GuessedWindow): number => Math.floor(refusedTokens * clearlyLess);
