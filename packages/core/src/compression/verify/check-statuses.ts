/** What a summary says passed, failed, was fixed, done or deleted: the record must not say the opposite. */

import type { Ref } from '../ref.ts';
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clauseOf } from './clause.ts';
import { type Check, type Context, nothing } from './context.ts';
import { decide } from './outcomes.ts';
import { isPlan } from './words/plans.ts';
import { oppositeStatus, type StatusClaim } from './words/status.ts';
import { statusClaims } from './words/statuses.ts';

/** Holds what a line says of outcomes against the outcomes. */
export const checkStatuses: Check = (line, context) => {
  if (line.type === 'code' || context.isVerbatim(line) || isFuture(line)) return nothing;
  const from = headerStatusFrom(line);
  const claims = statusClaims(line.content).filter(({ hedged, start }) => !hedged && start >= from);
  if (claims.length === 0) return nothing;
  const wrong = claims.flatMap((claim) => judge(claim, { line, context }) ?? []);
  return { claims: claims.map(() => 'status' as const), wrong };
};

/** Headers of ours tell what was done, under any heading. */
const isFuture = ({ content, heading }: ClaimLine): boolean => !header.test(content) && isPlan(content, heading);

const header = /^m\d{1,6}\s.*:$/;

/** A header of ours names a call by its words, and says what became of it at its end. */
function headerStatusFrom({ content }: ClaimLine): number {
  if (!header.test(content)) return 0;
  return /\sfailed(?: \(exit \d+\))?:$/.exec(content)?.index ?? content.length;
}

interface Case {
  readonly line: ClaimLine;
  readonly context: Context;
}

function judge(claim: StatusClaim, { line, context }: Case): WrongClaim | undefined {
  const opposite = oppositeStatus(claim.status);
  const clause = clauseOf(line, claim);
  const decided = decide(claim, clause, context);
  if (decided?.status !== opposite) return undefined;
  const said = line.content.slice(claim.start, claim.end);
  return {
    ...{ type: 'status', text: said, line: line.number, verdict: 'contradicted', refs: decided.refs },
    why: `${decided.refs[0] ?? 'the record'} says: ${decided.status}`,
    ...failedRow(decided.refs, context),
  };
}

/** The row of the newest call that failed: the line of the record that says so. */
function failedRow(refs: readonly Ref[], { facts, rows }: Context): { readonly row?: string } {
  const failed = refs.findLast((ref) => facts.actions.some((action) => action.ref === ref && action.ok === false));
  const row = failed && rows.step(failed);
  return row === undefined ? {} : { row };
}
