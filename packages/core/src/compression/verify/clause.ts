/** Clauses: a line may say several things, and what one of them names says nothing of the others. */

import { abbreviations } from '../../language/negations.ts';
import type { Span } from './atoms.ts';
import { type ClaimLine, refsIn } from './claim-line.ts';
import { masked } from './words/quotes.ts';

const clauseEnd = /[;；。]|[.!?](?=\s+(?:[\p{Lu}\p{Lo}`"*\ufffb\ufffc]|m\d))/gu;

/** The clauses of a text, in order, each as it stands; abbreviations and marks within quotations and code end none. */
export function clausesOf(content: string): readonly string[] {
  const clauses: string[] = [];
  let from = 0;
  for (const { index } of masked(content).matchAll(clauseEnd)) {
    if (abbreviations.test(content.slice(Math.max(0, index - 5), index))) continue;
    clauses.push(content.slice(from, index + 1));
    from = index + 1;
  }
  return [...clauses, content.slice(from)].filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

/** Where the clause around a stretch of a text begins and ends. */
export function clauseEnds(content: string, { start, end }: Span): readonly [number, number] {
  let [from, to] = [0, content.length];
  for (const { index } of content.matchAll(clauseEnd)) {
    if (index < start) from = index + 1;
    else if (index >= end) {
      to = index;
      break;
    }
  }
  return [from, to];
}

/** The line with only the clause that something stands in: what other clauses name is not what it is about. */
export function clauseOf(line: ClaimLine, stretch: Span): ClaimLine {
  const [from, to] = clauseEnds(line.content, stretch);
  if (from === 0 && to === line.content.length) return line;
  const inside = (one: Span): boolean => one.start >= from && one.end <= to;
  return {
    ...line,
    content: ' '.repeat(from) + line.content.slice(from, to),
    atoms: line.atoms.filter(inside),
    words: line.words.filter(inside),
    // The ref that opens a line is about its first clause.
    scope: line.isUnder || from === 0 ? line.scope : undefined,
    refs: refsIn(line.content.slice(from, to), line.messages),
  };
}
