/** How a person answers a question of the agent, and how a line says that something was settled. */

import { decisionHeadings } from '../../../language/headings.ts';
import {
  answerClauses,
  becauseWords,
  choosingWords,
  droppedBefore,
  droppedBehind,
  droppedOpening,
  harmlessNo,
  narrowingWords,
  noWords,
  postponingWords,
  proposalWords,
  replacingWords,
  weighingWords,
  yesBehind,
  yesWords,
} from '../../../language/requests.ts';
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

const answered = /[?？]\s*(?:→|⇒|=>|->)/u;

/** True for a question that is told with its answer. Linear. */
export const isAnswered = (line: string): boolean => answered.test(line);

/** True for a line that tells what was decided, by its words or by its heading. Linear. */
export const isDecided = (line: string, heading: string): boolean =>
  decisionHeadings.test(heading) || answered.test(line) || choosingWords.test(line);

/** True for a line that only tells what was looked at. Linear. */
export const isWeighed = (line: string): boolean => weighingWords.test(line.replace(/^[^→⇒]*(?:→|⇒|=>|->)/u, ''));

/** The line without what it says was not taken: `A over B`, `statt B wird A`, `BではなくA`. Linear. */
export function withoutDropped(line: string): string {
  const text = line.replace(droppedOpening, '').replace(droppedBefore, '');
  const at = droppedBehind.exec(text)?.index ?? -1;
  return at > 0 ? text.slice(0, at) : text;
}

/** The line without `Decision:` and its kin. */
export const withoutLabel = (line: string): string => line.replace(/^[^:：]{1,24}[:：]\s*/u, '');

/** True for what an agent offers. */
export const proposes = (text: string): boolean => proposalWords.test(text);

/** True for a reply that leaves a question open. Linear. */
export const isPostponing = (text: string): boolean => postponingWords.test(text);

/** The reason that a text gives, for languages that put it behind the word for it; empty where it gives none. Linear. */
export function reasonIn(text: string): string {
  const found = becauseWords.exec(text);
  return found ? text.slice(found.index + found[0].length) : '';
}

/** True for words that put one value in the place of another. Linear. */
export const isReplacing = (text: string): boolean => replacingWords.test(text);
