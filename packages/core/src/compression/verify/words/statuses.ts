/** Which words of a summary's line say how something stands: that tests passed, that a bug is fixed, a file deleted. */

import { chinese } from '../../../language/chinese.ts';
import { europeanSigns, europeanStatuses } from '../../../language/european.ts';
import { japanese } from '../../../language/japanese.ts';
import { isPositive, type StatusClaim, type StatusWords } from '../../../language/status.ts';
import { englishClaims } from './english-statuses.ts';
import { languagesIn } from './language.ts';
import { matchesIn } from './matches.ts';
import { masked } from './quotes.ts';

/**
 * The claims of one line about how something stands, in order and without overlap. Words in backticks and in quotation
 * marks claim nothing, nor do status words that only belong to a name (`error handling`, `a failed test`). Reads
 * English, Chinese, Japanese and Korean, and the commonest German, French and Spanish. Linear.
 */
export function statusClaims(line: string): readonly StatusClaim[] {
  const text = masked(line);
  const claims: StatusClaim[] = [];
  const take = (found: readonly StatusClaim[]): void => {
    for (const claim of found)
      if (!claims.some((other) => claim.start < other.end && other.start < claim.end)) claims.push(claim);
  };
  const spoken = languagesIn(text);
  for (const { statuses } of spoken) take(claimsBy(statuses, text));
  // `未完了` and its like are Japanese without a kana.
  if (spoken.includes(chinese)) take(claimsBy(japanese.statuses, text));
  if (europeanSigns.test(text)) take(claimsBy(europeanStatuses, text));
  take(englishClaims(text));
  if (claims.length === 0) take(marks(text));
  return claims.sort((a, b) => a.start - b.start);
}

/** A tick at either end of a line that says nothing else. */
function marks(text: string): readonly StatusClaim[] {
  const found = /^[\s*|-]*([✅☑✔✓❌✗✘])|([✅☑✔✓❌✗✘])\ufe0f?[\s*|]*$/u.exec(text);
  const mark = found?.[1] ?? found?.[2];
  if (!found || mark === undefined) return [];
  const start = found.index + found[0].indexOf(mark);
  const positive = /[✅☑✔✓]/u.test(mark);
  const status = positive ? 'done' : 'failed';
  return [{ status, positive, start, end: start + mark.length, hedged: false, current: false }];
}

/** Claims of a masked line by the words of a language, in order. Linear in the length of the line. */
function claimsBy({ patterns, before, after, now }: StatusWords, line: string): readonly StatusClaim[] {
  const claims: StatusClaim[] = [];
  for (const { words, status, manner } of patterns)
    for (const { 0: text, index: start } of matchesIn(line, words)) {
      const end = start + text.length;
      if (text === '' || claims.some((other) => start < other.end && other.start < end)) continue;
      const lead = clauseBefore(line, start);
      const rest = line.slice(end, end + 24);
      const hedged =
        manner === 'open' || before.test(lead) || after.test(rest) || /^[^。.!！;；,，]{0,12}[?？]/.test(rest);
      const current = manner === 'now' || now.test(lead + text);
      claims.push({ status, positive: isPositive(status), start, end, hedged, current });
    }
  return claims;
}

/** No clause needs more to tell a plan from a report. */
const clauseChars = 80;

function clauseBefore(line: string, at: number): string {
  const lead = line.slice(Math.max(0, at - clauseChars), at);
  const sign = Math.max(...[...'。！？；，、.!?;,:：|—→（('].map((char) => lead.lastIndexOf(char)));
  return lead.slice(sign + 1);
}
