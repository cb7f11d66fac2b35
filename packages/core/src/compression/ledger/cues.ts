/**
 * Signs by which a line shows what it is for: that something failed, that something was decided. Each is a short list
 * of common words in several languages; they only raise or lower a line's chance, so a word too many or too few does
 * no harm.
 */

import { choiceWords, reasonWords } from '../../language/decisions.ts';
import { errorOpenings, errorWords, wideErrorWords } from '../../language/failures.ts';

/** Kana, Han or Hangul: most lines have none, and need no look at the words of those languages. */
const wide = /[\u3040-\ud7af]/;

/** True when the line talks about a failure. Linear. */
export const looksLikeError = (text: string): boolean =>
  errorWords.test(text) || (wide.test(text) && wideErrorWords.test(text));

/** How much a line says of a failure: 0 nothing, 1 it talks of one, 2 it is the message of one. Linear. */
export const errorStrength = (text: string): number => (!looksLikeError(text) ? 0 : errorOpenings.test(text) ? 2 : 1);

/** How much a line says of a decision: 0 nothing, 1 a reason, 2 a choice, 3 a choice with its reason. */
export const decisionStrength = (text: string): number =>
  (choiceWords.test(text) ? 2 : 0) + (reasonWords.test(text) ? 1 : 0);
