/** What the record says became of the thing that a line speaks of: from calls, files, side effects, the plan, or words. */
import type { Ref } from '../result.ts';
import type { ClaimLine } from './claim-line.ts';
import type { Context } from './context.ts';
import { bare } from './lookup.ts';
import { actionsNamed, actionsQuoted } from './named-actions.ts';
import { lettersOf } from './user-words.ts';
import { oppositeStatus, type Status, type StatusClaim } from './words/status.ts';
import { statusClaims } from './words/statuses.ts';
import { wordsOf } from './words-of.ts';

/** What the record says, and where. */
export interface Decided {
  readonly status: Status;
  readonly refs: readonly Ref[];
}

/** The answer of the first source that has one; undefined when the record does not tell. */
export function decide(claim: StatusClaim, line: ClaimLine, context: Context): Decided | undefined {
  return (
    byActions(claim, line, context) ??
    byRuns(claim, line, context) ??
    byErrors(claim, line, context) ??
    byFiles(claim, line, context) ??
    byEffects(claim, line, context) ??
    byPlan(claim, line, context) ??
    byPassages(claim, line, context)
  );
}

/** Results of the calls that the line names. One outcome of the claimed kind is enough: it may tell of an earlier run. */
function byActions(claim: StatusClaim, line: ClaimLine, { facts }: Context): Decided | undefined {
  if (claim.status !== 'passed' && claim.status !== 'failed') return undefined;
  const named = actionsNamed(line, facts.actions);
  // The ledger's own header says "failed" of a call that did, and of no other.
  const isHeader = /^m\d{1,6}\s.*:$/.test(line.content);
  const told = isHeader ? named : named.filter(({ ok }) => ok !== undefined);
  if (told.length === 0) return undefined;
  const wanted = claim.status === 'passed';
  const relevant = claim.current ? told.slice(-1) : told;
  if (relevant.some(({ ok }) => ok === wanted)) return { status: claim.status, refs: [] };
  const fixed = facts.errors.some(
    ({ ref, fixed: by }) => by !== undefined && told.some((action) => action.ref === ref),
  );
  if (wanted && fixed) return { status: claim.status, refs: [] };
  return { status: oppositeStatus(claim.status), refs: relevant.slice(-3).map(({ ref }) => ref) };
}

/** A command that the line names and says was never run. */
function byRuns(claim: StatusClaim, line: ClaimLine, { facts }: Context): Decided | undefined {
  if (claim.status !== 'undone') return undefined;
  const run = actionsQuoted(line, facts.actions);
  // One that failed may well be called not done.
  const worked = run.filter(({ ok }) => ok !== false);
  return worked.length === 0 ? undefined : { status: 'done', refs: worked.slice(-2).map(({ ref }) => ref) };
}

/** Enough of a failure's first line to know it by. */
const errorChars = 24;

/** A failure that the line names by its words, and that went away later. */
function byErrors(claim: StatusClaim, line: ClaimLine, { facts }: Context): Decided | undefined {
  if (claim.status !== 'unfixed') return undefined;
  const letters = lettersOf(line.content);
  const called = new Set(actionsQuoted(line, facts.actions).map(({ ref }) => ref));
  const named = facts.errors.filter(({ ref, line: said }) => {
    const opening = lettersOf(said).slice(0, errorChars);
    return called.has(ref) || (opening.length >= 12 && letters.includes(opening));
  });
  if (named.length === 0 || named.some(({ fixed }) => fixed === undefined)) return undefined;
  return { status: 'fixed', refs: named.slice(-2).map(({ ref, fixed }) => fixed?.ref ?? ref) };
}

const ofFiles: ReadonlySet<Status> = new Set(['deleted', 'kept', 'unchanged', 'uncreated']);

/** The one file that the line names. */
function byFiles(claim: StatusClaim, line: ClaimLine, { facts }: Context): Decided | undefined {
  if (!ofFiles.has(claim.status)) return undefined;
  const paths = line.atoms.filter(({ type }) => type === 'path').map(({ text }) => bare(text));
  if (paths.length !== 1) return undefined;
  const file = facts.files.find(({ path }) => bare(path) === paths[0] || path.endsWith(`/${paths[0]}`));
  if (!file) return undefined;
  const refs = [file.ref];
  switch (claim.status) {
    case 'deleted':
    case 'kept':
      return { status: file.state === 'deleted' ? 'deleted' : 'kept', refs };
    case 'unchanged':
      return file.state === 'read' ? undefined : { status: 'changed', refs };
    default:
      return file.state === 'created' || file.state === 'changed' ? { status: 'created', refs } : undefined;
  }
}

const effects: Partial<Record<Status, RegExp>> = {
  pushed: /\bpush\b/i,
  unpushed: /\bpush\b/i,
  merged: /\bmerge\b/i,
  unmerged: /\bmerge\b/i,
  released: /\b(?:publish|release|deploy)\b/i,
  unreleased: /\b(?:publish|release|deploy)\b/i,
};

/** Pushes, merges and releases: said to be open although the last one worked, or done although none did. */
function byEffects(claim: StatusClaim, _line: ClaimLine, { facts }: Context): Decided | undefined {
  const kind = effects[claim.status];
  if (!kind) return undefined;
  const tried = facts.sideEffects.filter(({ target, tool, ok }) => ok !== undefined && kind.test(`${tool} ${target}`));
  if (tried.length === 0) return undefined;
  const worked = tried.filter(({ ok }) => ok === true);
  const refs = tried.slice(-2).map(({ ref }) => ref);
  if (claim.positive) return worked.length === 0 ? { status: oppositeStatus(claim.status), refs } : undefined;
  return worked.length === tried.length ? { status: oppositeStatus(claim.status), refs } : undefined;
}

/** An entry of the agent's plan counts as named when the line has this share of its words. */
const entryShare = 0.75;

function byPlan(claim: StatusClaim, line: ClaimLine, { facts, passages }: Context): Decided | undefined {
  if ((claim.status !== 'done' && claim.status !== 'undone') || !facts.plan) return undefined;
  const said = new Set(line.words.map(({ word }) => word));
  const named = facts.plan.entries.filter(({ text }) => {
    let [all, found] = [0, 0];
    wordsOf(text, (word, _start, _end, isPiece) => {
      if (isPiece) return;
      const weight = passages.weightOf(word);
      all += weight;
      if (said.has(word)) found += weight;
    });
    return all > 0 && found >= all * entryShare;
  });
  const [entry] = named;
  if (!entry || named.some(({ state }) => state !== entry.state)) return undefined;
  return { status: entry.state === 'done' ? 'done' : 'undone', refs: [facts.plan.ref] };
}

/** Passages with this share of the line's words talk of the same thing. */
const sameShare = 0.7;
/** And those within this distance of the best of them decide together. */
const closeShare = 0.1;

/** What passages about the same thing say, when they agree. */
function byPassages(claim: StatusClaim, line: ClaimLine, { passages, source }: Context): Decided | undefined {
  // "Ran" and "did not run" are said of everything at some time.
  if (claim.status === 'done' || claim.status === 'undone') return undefined;
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
