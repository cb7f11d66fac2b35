/** Windows that turn out smaller than they were said to be: remembered where a provider named them, else tried. */
import type { LowerWindow } from '../../provider/errors/recovery.ts';
import { useWindow } from '../engine-session.ts';
import type { LiveConversation } from '../live/live.ts';
import { note } from '../notices.ts';
import type { Asked, Basis, GuessedWindow, Runtime } from '../runtime.ts';

/** A refusal that says something of the window. */
export interface Refusal {
  readonly asked: Asked;
  /** Of the request that was refused. */
  readonly refusedTokens: number;
  readonly window: LowerWindow;
}

/** From now on the lower window holds: a stated one for every process, a guess until this one ends. */
export async function lowerWindow(runtime: Runtime, live: LiveConversation, refusal: Refusal): Promise<void> {
  const { asked, refusedTokens, window } = refusal;
  const basis = await runtime.basis();
  const { contextLength: before, guess } = basis;
  if (window.tokens >= before) return;
  if (window.source === 'stated') {
    await basis.windows.learn(runtime.settings.model, { ...window, current: before });
    basis.guess = undefined;
  } else {
    const least = Math.min(refusedTokens, guess?.refusedTokens ?? refusedTokens);
    basis.guess = { refusedTokens: least, before: guess?.before ?? before };
  }
  basis.contextLength = window.tokens;
  useWindow(runtime, live, window.tokens);
  if (window.source === 'guessed')
    note(runtime, asked, { type: 'window', level: 'warn', message: wordsFor(refusal, before) });
}

/** What a provider has named needs no words; a guess does. */
const wordsFor = ({ refusedTokens, window: { tokens } }: Refusal, before: number): string =>
  `The provider refused about ${refusedTokens} tokens as too many, in a window of ${before}: ${tokens} are assumed until this process ends. ` +
  'If you know its window, set contextLength.';

/** A window that a provider names goes before what was guessed of it. */
export function forgetGuess(basis: Basis): void {
  if (basis.guess) basis.contextLength = basis.guess.before;
  basis.guess = undefined;
}

/** Clearly less than what was refused: it is smaller by more than what two counts of one text differ by. */
const clearlyLess = 0.95;

/** The most that a guessed window may turn out to take. */
export const mostUnder = ({ refusedTokens }: GuessedWindow): number => Math.floor(refusedTokens * clearlyLess);
