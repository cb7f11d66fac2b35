/** What a summary says passed, failed, was fixed, done or deleted: the record must not say the opposite. */
import { type ClaimLine, refsIn } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { actionsNamed } from './named-actions.ts';
import { isPlan } from './words/plans.ts';
import type { Status, StatusClaim } from './words/status.ts';
import { oppositeStatus } from './words/status.ts';
import { statusClaims } from './words/statuses.ts';

/** Passages with this share of the line's words talk of the same thing. */
const sameShare = 0.6;
/** And those within this distance of the best of them decide together. */
const closeShare = 0.1;

/** Holds what a line says of outcomes against the outcomes. */
export const checkStatuses: Check = (line, context) => {
  if (line.type === 'code' || context.isVerbatim(line) || isPlan(line.content, line.heading)) return nothing;
  const claims = statusClaims(line.content).filter(({ hedged }) => !hedged);
  if (claims.length === 0) return nothing;
  const wrong = claims.flatMap((claim) => judge(claim, clauseOf(line, claim), context) ?? []);
  return { claims: claims.map(() => 'status' as const), wrong };
};

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
  const content = line.content.slice(0, to).padEnd(line.content.length);
  return {
    ...line,
    content: ' '.repeat(from) + content.slice(from),
    atoms: line.atoms.filter(inside),
    words: line.words.filter(inside),
    refs: refsIn(line.content.slice(from, to), line.messages),
  };
}

/** What the record says of the same thing, and where. */
interface Decided {
  readonly status: Status;
  readonly refs: readonly `m${number}`[];
}

function judge(claim: StatusClaim, line: ClaimLine, context: Context): WrongClaim | undefined {
  const decided = byActions(claim, line, context) ?? byFiles(claim, line, context) ?? byPassages(claim, line, context);
  if (!decided || decided.status !== oppositeStatus(claim.status)) return undefined;
  const { turned } = claim;
  const said = line.content.slice(claim.start, claim.end);
  return {
    ...{ type: 'status', text: said, line: line.number, verdict: 'contradicted', refs: decided.refs },
    why: `${decided.refs[0] ?? 'the record'} says: ${decided.status}`,
    ...(turned
      ? {
          correction:
            line.content.slice(claim.start, turned.start) + turned.text + line.content.slice(turned.end, claim.end),
        }
      : {}),
  };
}

/** Results of the calls that the line names. One outcome of the claimed kind is enough: it may tell of an earlier run. */
function byActions(claim: StatusClaim, line: ClaimLine, { facts }: Context): Decided | undefined {
  if (claim.status !== 'passed' && claim.status !== 'failed') return undefined;
  const told = actionsNamed(line, facts.actions).filter(({ ok }) => ok !== undefined);
  if (told.length === 0) return undefined;
  const wanted = claim.status === 'passed';
  const relevant = claim.current ? told.slice(-1) : told;
  if (relevant.some(({ ok }) => ok === wanted)) return { status: claim.status, refs: [] };
  return { status: oppositeStatus(claim.status), refs: relevant.slice(-3).map(({ ref }) => ref) };
}

/** Files that the line names as made, changed or removed. */
function byFiles(claim: StatusClaim, line: ClaimLine, { facts }: Context): Decided | undefined {
  if (claim.status !== 'deleted' && claim.status !== 'kept') return undefined;
  const paths = line.atoms.filter(({ type }) => type === 'path').map(({ text }) => text);
  if (paths.length !== 1) return undefined;
  const path = paths[0] ?? '';
  const file = facts.files.find(
    (known) => known.path === path || known.path.endsWith(`/${path.replace(/^[./~]+/, '')}`),
  );
  if (!file) return undefined;
  return { status: file.state === 'deleted' ? 'deleted' : 'kept', refs: [file.ref] };
}

/** What passages about the same thing say, when they agree. */
function byPassages(claim: StatusClaim, line: ClaimLine, { passages, source }: Context): Decided | undefined {
  const near = passages.nearest(line).filter(({ coverage }) => coverage >= sameShare);
  const best = near[0]?.coverage ?? 0;
  const said = near
    .filter(({ coverage }) => coverage >= best - closeShare)
    .flatMap(({ passage }) =>
      statusClaims(source.text(passage))
        .filter(({ status, hedged }) => !hedged && (status === claim.status || status === oppositeStatus(claim.status)))
        .map(({ status }) => ({ status, ref: source.refOf(passage) })),
    );
  if (said.length === 0 || said.some(({ status }) => status === claim.status)) return undefined;
  return { status: oppositeStatus(claim.status), refs: [...new Set(said.map(({ ref }) => ref))] };
}
