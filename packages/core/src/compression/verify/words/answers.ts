/** How a person answers a question of the agent: yes, no, or neither. */

import {
  answerClauses,
  harmlessNo,
  narrowingWords,
  noWords,
  yesBehind,
  yesWords,
} from '../../../language/permissions.ts';
import { isDenied } from './negations.ts';

/** True for words that agree to what was asked, or choose. Linear. */
export const isConsent = (text: string): boolean =>
  !isRefusal(text) && text.split(answerClauses).some((clause) => yesWords.test(clause) || yesBehind.test(clause));

/** True for an answer that opens by denying, doubting or putting off what was asked. Linear. */
export function isRefusal(text: string): boolean {
  const [first = ''] = text.trim().split(answerClauses, 1);
  if (harmlessNo.test(first)) return false;
  return noWords.test(first) || (!yesWords.test(first) && isDenied(first));
}

/** True for an answer that takes a part of what was asked, and nothing else. Linear. */
export const isNarrowing = (text: string): boolean => narrowingWords.test(text.trim());
