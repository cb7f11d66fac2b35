/** What a summary says passed, failed, was fixed, done or deleted: the record must not say the opposite. */
import { type ClaimLine, refsIn } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { decide } from './outcomes.ts';
import { isPlan } from './words/plans.ts';
import { oppositeStatus, type StatusClaim } from './words/status.ts';
import { statusClaims } from './words/statuses.ts';

/** Holds what a line says of outcomes against the outcomes. */
export const checkStatuses: Check = (line, context) => {
  if (line.type === 'code' || context.isVerbatim(line) || isPlan(line.content, line.heading)) return nothing;
  const from = headerStatusFrom(line);
  const claims = statusClaims(line.content).filter(({ hedged, start }) => !hedged && start >= from);
  if (claims.length === 0) return nothing;
  const wrong = claims.flatMap((claim) => judge(claim, { line, claims, context }) ?? []);
  return { claims: claims.map(() => 'status' as const), wrong };
};

/** A header of ours names a call by its words, and says what became of it at its end. */
function headerStatusFrom({ content }: ClaimLine): number {
  if (!/^m\d{1,6}\s.*:$/.test(content)) return 0;
  return /\sfailed(?: \(exit \d+\))?:$/.exec(content)?.index ?? content.length;
}

interface Case {
  readonly line: ClaimLine;
  readonly claims: readonly StatusClaim[];
  readonly context: Context;
}

function judge(claim: StatusClaim, { line, claims, context }: Case): WrongClaim | undefined {
  const opposite = oppositeStatus(claim.status);
  const clause = clauseOf(line, claim);
  // "Failed at first and passed later" tells a story, in which both may be true.
  if (claims.some(({ status, start }) => status === opposite && clause.content.slice(start).trim() !== '')) {
    const other = claims.find(({ status }) => status === opposite);
    if (other && isWithin(other, clause)) return undefined;
  }
  const decided = decide(claim, clause, context);
  if (decided?.status !== opposite) return undefined;
  const said = line.content.slice(claim.start, claim.end);
  const { turned } = claim;
  const correction = turned
    ? line.content.slice(claim.start, turned.start) + turned.text + line.content.slice(turned.end, claim.end)
    : undefined;
  return {
    ...{ type: 'status', text: said, line: line.number, verdict: 'contradicted', refs: decided.refs },
    why: `${decided.refs[0] ?? 'the record'} says: ${decided.status}`,
    ...(correction === undefined ? {} : { correction }),
  };
}

const isWithin = ({ start }: StatusClaim, { content }: ClaimLine): boolean => (content[start] ?? ' ') !== ' ';

const clauseEnd = /[;；。]|[.!?](?=\s+[\p{Lu}\p{Lo}`"*])/gu;

/** The line with only the clause that a claim stands in: what other clauses name is not what it is about. */
function clauseOf(line: ClaimLine, { start, end }: StatusClaim): ClaimLine {
  let from = 0;
  let to = line.content.length;
  for (const { index } of line.content.matchAll(clauseEnd)) {
    if (index < start) from = index + 1;
    else if (index >= end) {
      to = index;
      break;
    }
  }
  if (from === 0 && to === line.content.length) return line;
  const inside = (one: { readonly start: number; readonly end: number }): boolean => one.start >= from && one.end <= to;
  return {
    ...line,
    content: ' '.repeat(from) + line.content.slice(from, to),
    atoms: line.atoms.filter(inside),
    words: line.words.filter(inside),
    refs: refsIn(line.content.slice(from, to), line.messages),
  };
}
