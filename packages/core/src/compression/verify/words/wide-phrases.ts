/** How the tables of the languages without English grammar are read: phrases in order, with what makes them a plan. */
import { isPositive, type PhraseTable, type StatusClaim } from '../../../language/status.ts';

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
      const other = hedged || unturnable(lead) ? undefined : turned?.(text);
      const current = phrase.current === true || now.test(lead + text);
      const turn = other === undefined ? {} : { turned: { start, end, text: other } };
      claims.push({ status, positive: isPositive(status), start, end, negated, hedged, current, ...turn });
    }
  return claims.sort((a, b) => a.start - b.start);
}

/** `Not yet` before would stay behind, and the opposite of `all passed` or `3 passed` is not that all or 3 failed. */
const unturnable = (lead: string): boolean =>
  /まだ|いまだ|아직|여전히|所有|全部|全都|すべて|全て|全テスト|모든|모두|전부|\balle\b|\d\s?[个項项条件건개つ]?\s?$/i.test(
    lead,
  );

/** No clause needs more to tell a plan from a report. */
const clauseChars = 80;

function clauseBefore(line: string, at: number): string {
  const lead = line.slice(Math.max(0, at - clauseChars), at);
  const sign = Math.max(...[...'。！？；，、.!?;,:：|—→（('].map((char) => lead.lastIndexOf(char)));
  return lead.slice(sign + 1);
}
