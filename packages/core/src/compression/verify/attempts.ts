/** What was tried and never worked: a line that says it did is wrong, though it names no call. */

import { oppositeStatus, type Status, type StatusClaim } from '../../language/status.ts';
import type { Action } from '../ledger/facts.ts';
import type { Ref } from '../ref.ts';
import type { ClaimLine } from './claim-line.ts';
import type { Context } from './context.ts';
import { holdsName } from './lookup.ts';
import { isProven } from './named-actions.ts';
import { saysAll } from './words/negations.ts';
import { statusClaims } from './words/statuses.ts';

/** What the record says of a thing, and where. */
export interface Decided {
  readonly status: Status;
  readonly refs: readonly Ref[];
}

/** Calls that do what a status says of something. A merge that stops at a conflict is ended by other commands. */
const doing: Partial<Record<Status, RegExp>> = {
  committed: /\bcommit\b/i,
  pushed: /\bpush\b/i,
  released: /(?<![a-z])(?:publish|release|deploy)/i,
  installed: /(?<![a-z])install/i,
};

/** What is said to pass, by its word in every language, and the calls that show whether it does. */
const checking: ReadonlyMap<string, RegExp> = new Map([
  ['~test', /test|spec\b|jest|mocha|\btox\b/i],
  ['~build', /build|compile|\bmake\b|\btsc\b/i],
  ['lint', /lint|\bruff\b|clippy/i],
]);

const changingFiles: ReadonlySet<Action['type']> = new Set(['create', 'change', 'delete']);
const ofFiles: ReadonlySet<Status> = new Set(['created', 'changed', 'deleted']);

/** The opposite of a claim that something worked, where every call that tried it failed. */
export function byAttempts(claim: StatusClaim, line: ClaimLine, context: Context): Decided | undefined {
  if (!claim.positive) return undefined;
  const { facts, source } = context;
  const tried = facts.actions.filter(attemptsOf(claim, line));
  const last = tried.at(-1);
  if (!last || tried.some((call) => isProven(call, source) !== false)) return undefined;
  const since = Number(last.ref.slice(1)) - 1;
  const isToldLater = [...source.persons].some(
    ([message, text]) => message > since && statusClaims(text).some(({ status }) => status === claim.status),
  );
  return isToldLater ? undefined : { status: oppositeStatus(claim.status), refs: [last.ref] };
}

function attemptsOf(claim: StatusClaim, line: ClaimLine): (action: Action) => boolean {
  const words = new Set(line.words.map(({ word }) => word));
  const calls = claim.status === 'passed' && !isPart(line) ? callsChecking(words) : doing[claim.status];
  if (calls) return ({ type, tool, target }) => ofCommands.has(type) && calls.test(`${tool} ${lastOf(target)}`);
  if (!ofFiles.has(claim.status)) return () => false;
  return ({ type, target }) => changingFiles.has(type) && namesOf(target).some((name) => holdsName(line.content, name));
}

const ofCommands: ReadonlySet<Action['type']> = new Set(['run', 'other']);

/** Of commands in a row the last may have failed after the others worked. */
const lastOf = (target: string): string => target.split(/&&|\|\||;|\n/).at(-1) ?? target;

const callsChecking = (words: ReadonlySet<string>): RegExp | undefined =>
  [...checking].find(([word]) => words.has(word))?.[1];

/** Some of what was checked may pass where the whole does not. */
const isPart = ({ content, atoms }: ClaimLine): boolean =>
  atoms.some(({ type }) => type === 'number') && !saysAll(content);

/** The name of a file, with and without what tells its type. */
function namesOf(target: string): readonly string[] {
  const name = target.split(/[/\\]/).at(-1) ?? target;
  const stem = name.replace(/\.\w+$/, '');
  return stem.length > 3 ? [name, stem] : [name];
}
