/** Lines that speak of work to come, of work that is done, and of attempts: a plan claims nothing about the past. */

import { doneHeadings, finishedHeadings, planHeadings } from '../../../language/headings.ts';
import { planOpenings, planOrders, planWishes, stuckWords, tryingWords } from '../../../language/outcomes.ts';
import { isNegated } from './negations.ts';
import { masked } from './quotes.ts';
import { statusClaims } from './statuses.ts';

/**
 * True when the line is part of a plan: by its heading (`Next Steps`, 待办), by its opening (`Next:`, `[ ]`, an order) or
 * by its words (`needs to`, 需要, 必要がある), as long as it claims nothing of the past besides. A line that is ticked
 * off is no plan. Linear.
 * @param heading the heading that the line stands under
 */
export function isPlan(line: string, heading = ''): boolean {
  const text = masked(line).replace(/^[\s>]*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?/, '');
  if (/^(?:\[[xX✓✔]\]|[✅☑✔✓]|~~)/u.test(text)) return false;
  if (planHeading(heading)) return true;
  if (planOpenings.test(text) || planOrders.test(text)) return true;
  return planWishes.test(text) && !statusClaims(line).some(({ hedged }) => !hedged);
}

/** True for headings such as `Next Steps`, `Remaining Work`, 下一步, 次のステップ, 남은 작업. */
export const planHeading = (heading: string): boolean => planHeadings.test(heading) && !finishedHeadings.test(heading);

/** True for a heading such as `Completed Actions`. */
export const isDoneHeading = (heading: string): boolean => doneHeadings.test(heading);

/** True for a line that tells of looking, trying or failing rather than of work that is done. Linear. */
export const isTrying = (line: string): boolean => tryingWords.test(line);

/** True for a clause that says that something is not so, failed, or is as it was. Linear. */
export function isAdmission(clause: string): boolean {
  const claims = statusClaims(clause).filter(({ hedged }) => !hedged);
  // `No errors` denies and admits nothing.
  if (claims.length > 0) return claims.some(({ positive }) => !positive);
  return isNegated(clause) || stuckWords.test(clause);
}
