/** What the record says became of the thing that a line speaks of: from calls, files, side effects, the plan, or words. */

import { neverWords } from '../../language/negations.ts';
import { inFileWords, laterWords, successWords } from '../../language/outcomes.ts';
import { oppositeStatus, type Status, type StatusClaim } from '../../language/status.ts';
import type { Action, LedgerFacts } from '../ledger/facts.ts';
import type { Ref } from '../ref.ts';
import { byAttempts, type Decided } from './attempts.ts';
import type { ClaimLine } from './claim-line.ts';
import type { Context } from './context.ts';
import { bare } from './lookup.ts';
import { actionsNamed, actionsQuoted, actionsReferred, isProven } from './named-actions.ts';
import { lettersOf } from './user-words.ts';
import { masked } from './words/quotes.ts';
import { statusClaims } from './words/statuses.ts';
import { wordsOf } from './words-of.ts';

/** The answer of the first source that has one; undefined when the record does not tell. */
export function decide(claim: StatusClaim, line: ClaimLine, context: Context): Decided | undefined {
  return (
    byRuns(claim, line, context) ??
    byActions(claim, line, context) ??
    byErrors(claim, line, context) ??
    byFiles(claim, line, context) ??
    byEffects(claim, line, context) ??
    byPlan(claim, line, context) ??
    byAttempts(claim, line, context) ??
    byPerson(claim, line, context)
  );
}

/** Results of the calls that the line names. One outcome of the claimed kind is enough: it may tell of an earlier run. */
function byActions(claim: StatusClaim, line: ClaimLine, { facts, source }: Context): Decided | undefined {
  const worked = claim.status === 'done' && successWords.test(masked(line.content));
  if (claim.status !== 'passed' && claim.status !== 'failed' && !worked) return undefined;
  const named = actionsNamed(line, facts.actions).map((action) => ({ ...action, ok: isProven(action, source) }));
  // The ledger's own header says "failed" of a call that did, and of no other.
  const isHeader = /^m\d{1,6}\s.*:$/.test(line.content);
  const told = isHeader ? named : named.filter(({ ok }) => ok !== undefined);
  if (told.length === 0) return undefined;
  const wanted = claim.status !== 'failed';
  const relevant = claim.current ? told.slice(-1) : told;
  if (relevant.some(({ ok }) => ok === wanted)) return { status: claim.status, refs: [] };
  const fixed = facts.errors.some(
    ({ ref, fixed: by }) => by !== undefined && told.some((action) => action.ref === ref),
  );
  // What failed in m12 and passed later did not pass in m12.
  const isThere = told.some(({ ref }) => line.refs.includes(indexOf(ref))) && !laterWords.test(masked(line.content));
  if (wanted && fixed && !isThere) return { status: claim.status, refs: [] };
  return { status: oppositeStatus(claim.status), refs: relevant.slice(-3).map(({ ref }) => ref) };
}

const indexOf = (ref: Ref): number => Number(ref.slice(1)) - 1;

/** A command that the line names and says was never run, or never with success. */
function byRuns(claim: StatusClaim, line: ClaimLine, { facts }: Context): Decided | undefined {
  const from = Math.max(0, claim.start - 12);
  const isNever = claim.status === 'failed' && neverWords.test(line.content.slice(from, claim.end));
  if (claim.status !== 'undone' && !isNever) return undefined;
  const quoted = actionsQuoted(line, facts.actions);
  const there = isNever ? [] : actionsReferred(line, quoted);
  const run = there.length > 0 ? there : quoted;
  if (isNever) {
    const good = run.filter(({ ok }) => ok === true).map(({ ref }) => ref);
    const later = facts.errors.flatMap(({ ref, fixed }) =>
      fixed && run.some((one) => one.ref === ref) ? fixed.ref : [],
    );
    const refs = [...good, ...later];
    return refs.length === 0 ? undefined : { status: 'passed', refs: refs.slice(-2) };
  }
  // One that failed may well be called not done.
  if (run.some(({ ok }) => ok === false)) return undefined;
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
  const there = facts.errors.filter(({ ref }) => line.refs.includes(indexOf(ref)));
  const named = (there.length > 0 ? there : facts.errors).filter(({ ref, line: said }) => {
    const opening = lettersOf(said).slice(0, errorChars);
    return called.has(ref) || (opening.length >= 12 && letters.includes(opening));
  });
  if (named.length === 0 || named.some(({ fixed }) => fixed === undefined)) return undefined;
  return { status: 'fixed', refs: named.slice(-2).map(({ ref, fixed }) => fixed?.ref ?? ref) };
}

const ofFiles: ReadonlySet<Status> = new Set(['deleted', 'kept', 'created', 'uncreated', 'changed', 'unchanged']);

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
      // `src/a.ts`: removed `parseAll`.
      if (line.atoms.length > 1 || isInFile(line)) return undefined;
      return { status: file.state === 'deleted' ? 'deleted' : 'kept', refs };
    case 'created':
    case 'changed':
      return file.state === 'read' && !isWritten(file.path, facts)
        ? { status: oppositeStatus(claim.status), refs }
        : undefined;
    case 'unchanged':
      return file.state === 'read' ? undefined : { status: 'changed', refs };
    default:
      return file.state === 'created' || file.state === 'changed' ? { status: 'created', refs } : undefined;
  }
}

/** What was deleted stood in the file: ``removed the dead code in `a.ts` ``. */
const isInFile = ({ content, atoms }: ClaimLine): boolean => inFileWords.test(content.slice(0, atoms[0]?.start ?? 0));

/** A call that may have written the file: any command can, and some tools say little of what they do. */
function isWritten(path: string, { actions }: LedgerFacts): boolean {
  const name = path.split('/').at(-1) ?? path;
  return actions.some(({ type, target }) => type !== 'read' && type !== 'search' && target.includes(name));
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
  if (tried.length === 0 || (claim.status === 'merged' && mergesHere(facts))) return undefined;
  const worked = tried.filter(({ ok }) => ok === true);
  const refs = tried.slice(-2).map(({ ref }) => ref);
  if (claim.positive) return worked.length === 0 ? { status: oppositeStatus(claim.status), refs } : undefined;
  return worked.length === tried.length ? { status: oppositeStatus(claim.status), refs } : undefined;
}

/** A merge into the working copy is no effect outside. */
const mergesHere = ({ actions }: LedgerFacts): boolean =>
  actions.some(
    ({ type, ok, target }) => type === 'run' && ok !== false && /\bgit (?:-\S+ \S+ )*(?:merge|pull)\b/.test(target),
  );

/** An entry of the agent's plan counts as named when the line has this share of its words. */
const entryShare = 0.75;

function byPlan(claim: StatusClaim, line: ClaimLine, { facts, passages }: Context): Decided | undefined {
  if ((claim.status !== 'done' && claim.status !== 'undone') || !facts.plan) return undefined;
  // A command is no entry of a plan, though it may share its words.
  if (actionsQuoted(line, facts.actions).length > 0) return undefined;
  const said = new Set(line.words.map(({ word }) => word));
  const named = facts.plan.entries.filter(({ text }) => {
    let [all, found] = [0, 0];
    wordsOf(text, (word, { isPiece }) => {
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

/**
 * What a person said of the same thing last, when nothing was run or changed since: what files, pages, programs and
 * earlier summaries say of it is no outcome of anything here.
 */
function byPerson(claim: StatusClaim, line: ClaimLine, { passages, source, facts }: Context): Decided | undefined {
  // "Ran" and "did not run" are said of everything at some time.
  if (claim.status === 'done' || claim.status === 'undone') return undefined;
  const newest = facts.actions.findLast(({ type, ok }) => changing.has(type) && ok !== false);
  const since = newest === undefined ? -1 : indexOf(newest.ref);
  const said = passages
    .nearest(line, (passage) => source.messageOf(passage) > since && source.speakerOf(passage) === 'person')
    .filter(({ coverage }) => coverage >= sameShare)
    .sort((a, b) => b.passage - a.passage)
    .map(({ passage }) => ({ statuses: statusesIn(source.text(passage)), ref: source.refOf(passage) }))
    .find(({ statuses }) => statuses.has(claim.status) || statuses.has(oppositeStatus(claim.status)));
  if (!said || said.statuses.has(claim.status)) return undefined;
  return { status: oppositeStatus(claim.status), refs: [said.ref] };
}

/** What may have changed how something stands. */
const changing: ReadonlySet<Action['type']> = new Set(['create', 'change', 'delete', 'run', 'delegate', 'other']);

/** Without what is wished, planned or asked. */
const statusesIn = (text: string): ReadonlySet<Status> =>
  new Set(statusClaims(text).flatMap(({ status, hedged }) => (hedged ? [] : [status])));
