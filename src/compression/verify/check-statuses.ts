/** What a summary says passed, failed, was fixed, done or deleted: the record must not say the opposite. */
import type { Action } from '../ledger/facts.ts';
import { codeSpans } from './atoms.ts';
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
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
  const wrong = claims.flatMap((claim) => judge(claim, line, context) ?? []);
  return { claims: claims.map(() => 'status' as const), wrong };
};

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

/** The actions that a line is about: those of the messages it names, else those whose command stands in it as code. */
function actionsNamed(line: ClaimLine, actions: readonly Action[]): readonly Action[] {
  const named = new Set(line.scope === undefined ? line.refs : [line.scope, ...line.refs]);
  if (named.size > 0) return actions.filter(({ ref }) => named.has(Number(ref.slice(1)) - 1));
  const commands = codeSpans(line.content)
    .map(({ start, end }) => squeezed(line.content.slice(start, end)))
    .filter((code) => code.length >= 4 && /[a-z] /i.test(code));
  if (commands.length !== 1) return [];
  return actions.filter(({ target, type }) => {
    const run = squeezed(target);
    return type === 'run' && commands.some((code) => run.includes(code) || (run.length >= 6 && code.includes(run)));
  });
}

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

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
