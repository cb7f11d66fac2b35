/** Which words of a summary's line say how something stands: that tests passed, that a bug is fixed, a file deleted. */

import { han, hangul, kana } from '../../../language/languages.ts';
import { unturnableLeads } from '../../../language/outcomes.ts';
import { isPositive, type PhraseTable, type StatusClaim } from '../../../language/status.ts';
import { chineseStatuses } from '../../../language/statuses-chinese.ts';
import { europeanSigns, europeanStatuses, exitCodeWords } from '../../../language/statuses-european.ts';
import { japaneseStatuses } from '../../../language/statuses-japanese.ts';
import { koreanStatuses } from '../../../language/statuses-korean.ts';
import { englishClaims } from './english-statuses.ts';
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
  if (hangul.test(text)) take(phraseClaims(text, koreanStatuses));
  const isHan = han.test(text);
  if (kana.test(text)) take(phraseClaims(text, japaneseStatuses));
  else if (isHan) take(phraseClaims(text, chineseStatuses));
  // `未完了` and its like are Japanese without a kana.
  if (isHan && !kana.test(text)) take(phraseClaims(text, japaneseStatuses));
  if (europeanSigns.test(text)) take(phraseClaims(text, europeanStatuses));
  take(englishClaims(text));
  if (claims.length === 0) take(marks(text));
  // The code that a command ended with would contradict the turned words.
  const told = exitCodeWords.test(text);
  return claims.sort((a, b) => a.start - b.start).map((claim) => (told && claim.turned ? unturned(claim) : claim));
}

function unturned({ turned, ...claim }: StatusClaim): StatusClaim {
  return turned && (claim.status === 'passed' || claim.status === 'failed')
    ? claim
    : { ...claim, ...(turned ? { turned } : {}) };
}

/** A tick at either end of a line that says nothing else. */
function marks(text: string): readonly StatusClaim[] {
  const found = /^[\s*|-]*([✅☑✔✓❌✗✘])|([✅☑✔✓❌✗✘])\ufe0f?[\s*|]*$/u.exec(text);
  const mark = found?.[1] ?? found?.[2];
  if (!found || mark === undefined) return [];
  const start = found.index + found[0].indexOf(mark);
  const done = /[✅☑✔✓]/u.test(mark);
  return [
    {
      status: done ? 'done' : 'failed',
      positive: done,
      start,
      end: start + mark.length,
      negated: false,
      hedged: false,
      current: false,
    },
  ];
}

/**
 * The line with the claim turned round, in the same language and with as small a change as that takes; undefined where
 * the wording does not allow it: counts, absences (`no errors`), plans.
 * @param claim one of `statusClaims(line)`
 */
export function withOppositeStatus(line: string, { turned }: StatusClaim): string | undefined {
  return turned && line.slice(0, turned.start) + turned.text + line.slice(turned.end);
}

/** Claims of a masked line by a table, in order. Linear in the length of the line. */
export function phraseClaims(line: string, { phrases, before, after, now }: PhraseTable): readonly StatusClaim[] {
  const claims: StatusClaim[] = [];
  for (const { words, status, negated = false, turned, ...phrase } of phrases)
    for (const { 0: text, index: start } of line.matchAll(words)) {
      const end = start + text.length;
      if (text === '' || claims.some((other) => start < other.end && other.start < end)) continue;
      const lead = clauseBefore(line, start);
      const rest = line.slice(end, end + 24);
      const hedged =
        phrase.hedged === true || before.test(lead) || after.test(rest) || /^[^。.!！;；,，]{0,12}[?？]/.test(rest);
      const other = hedged || unturnableLeads.test(lead) ? undefined : turned?.(text);
      const current = phrase.current === true || now.test(lead + text);
      const turn = other === undefined ? {} : { turned: { start, end, text: other } };
      claims.push({ status, positive: isPositive(status), start, end, negated, hedged, current, ...turn });
    }
  return claims.sort((a, b) => a.start - b.start);
}

/** No clause needs more to tell a plan from a report. */
const clauseChars = 80;

function clauseBefore(line: string, at: number): string {
  const lead = line.slice(Math.max(0, at - clauseChars), at);
  const sign = Math.max(...[...'。！？；，、.!?;,:：|—→（('].map((char) => lead.lastIndexOf(char)));
  return lead.slice(sign + 1);
}
