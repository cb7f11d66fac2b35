/**
 * Work told as done that the record does not bear out: every call that a request led to failed, the person called it off
 * before there was a call, or who did it said at the end that it is not so.
 */

import { admissionClauses } from '../../language/negations.ts';
import { clearingWords } from '../../language/requests.ts';
import type { Action, LedgerFacts } from '../ledger/facts.ts';
import type { Ref } from '../ref.ts';
import { type ClaimLine, lineClaim } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { sentencesIn } from './cut-quotes.ts';
import { type Exchange, exchangesIn, isRefusing } from './exchanges.ts';
import { isForeign } from './foreign-requests.ts';
import { agrees } from './grounds.ts';
import { holdsName } from './lookup.ts';
import { isProven } from './named-actions.ts';
import { contentWords } from './request-words.ts';
import type { Source, Speaker } from './source.ts';
import { attributionIn } from './words/attributions.ts';
import { isNegated } from './words/negations.ts';
import { isAdmission, isDoneHeading, isPlan, isTrying } from './words/plans.ts';
import { codeIn } from './words/quotes.ts';
import { statusClaims } from './words/statuses.ts';
import { kinOf } from './words-of.ts';

/** Holds a line that says that work was done against the calls of the request that it answers. */
export const checkUndone: Check = (line, context) => {
  const { content, type, scope } = line;
  if (type !== 'text' || scope !== undefined || line.refs.length > 0 || !claimsDone(line)) return nothing;
  if (attributionIn(content) || isForeign(content, context) || context.isVerbatim(line)) return nothing;
  // What nobody says tells nothing of which request the line is about.
  const words = contentWords(content).filter((word) => context.source.placesOf(word).length > 0);
  const turn = turnOf(words, context);
  const wrong =
    failedNamed(line, context) ??
    deniedLast(words, line, context) ??
    (turn &&
      (failedTurn(turn, line, context) ??
        refusedTurn(turn, line, context) ??
        admittedIn(turn, words, { line, context })));
  return wrong ? { claims: ['status'], wrong: [wrong] } : nothing;
};

/** It says that something is done, by its words or by its heading, and nothing of failing, denying or trying. */
function claimsDone({ content, heading }: ClaimLine): boolean {
  if (isPlan(content, heading)) return false;
  const claims = statusClaims(content).filter(({ hedged }) => !hedged);
  if (claims.some(({ positive }) => !positive)) return false;
  // `without errors` denies nothing.
  const rest = claims.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    content,
  );
  if (isNegated(rest)) return false;
  return claims.length > 0 || (isDoneHeading(heading) && !isTrying(content));
}

/** What a person said, and what was done about it up to what the person said next. */
interface Turn {
  readonly exchange: Exchange;
  /** Messages behind the first and before the second. */
  readonly from: number;
  readonly to: number;
  readonly next: Exchange | undefined;
}

/** So many of the words, and this share of them, stand in what the person said. */
const about = { words: 1, share: 0.3 } as const;

/** The newest turn that the line is about; none where several are alike. */
function turnOf(words: readonly string[], { source }: Context): Turn | undefined {
  const { list, own } = exchangesIn(source);
  const counts = new Map<number, number>();
  for (const word of words) {
    const found = new Set(source.placesOf(word).flatMap((place) => own[place] ?? []));
    for (const at of found) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const least = Math.max(about.words, words.length * about.share);
  const at = counts.entries().reduce((newest, [one, count]) => (count >= least && one > newest ? one : newest), -1);
  const [exchange, next] = [list[at], list[at + 1]];
  if (!exchange) return undefined;
  const to = next === undefined ? source.messages : source.messageOf(next.first);
  return { exchange, from: source.messageOf(exchange.last), to, next };
}

const effective: ReadonlySet<Action['type']> = new Set(['run', 'other', 'create', 'change', 'delete', 'delegate']);
const indexOf = ({ ref }: Action): number => Number(ref.slice(1)) - 1;

/** The message of the newest call that may have done something; -1 where there is none. */
function newestIn({ actions }: LedgerFacts): number {
  const newest = actions.findLast(({ type }) => effective.has(type));
  return newest === undefined ? -1 : indexOf(newest);
}

/** The newest call of each kind in the turn failed, and none later did anything. */
function failedTurn({ from }: Turn, line: ClaimLine, { facts, source, rows }: Context): WrongClaim | undefined {
  const isOfFiles = statusClaims(line.content).some(({ status }) => ofFiles.has(status));
  const targets = new Set<string>();
  let last: Action | undefined;
  // From the newest back: mostly it worked, and nothing else need be looked at.
  for (let at = facts.actions.length - 1; at >= 0; at--) {
    const action = facts.actions[at];
    if (!action || indexOf(action) <= from) break;
    if (!effective.has(action.type)) continue;
    if (!commands.has(action.type)) {
      if (isOfFiles) return undefined;
      continue;
    }
    if (!targets.has(action.target) && isProven(action, source) !== false) return undefined;
    targets.add(action.target);
    last ??= action;
  }
  if (!last) return undefined;
  const row = rows.step(last.ref);
  return {
    ...lineClaim('status', line, last.ref),
    why: `every call for it failed, the last in ${last.ref}`,
    ...(row === undefined ? {} : { row }),
  };
}

const commands: ReadonlySet<Action['type']> = new Set(['run', 'other']);
const ofFiles: ReadonlySet<string> = new Set(['created', 'changed', 'deleted']);

/** The person called it off, and nothing was done from the request on. */
function refusedTurn({ from, next }: Turn, line: ClaimLine, { facts, source }: Context): WrongClaim | undefined {
  if (!next || !isRefusing(next, source)) return undefined;
  if (newestIn(facts) > from) return undefined;
  const ref = source.refOf(next.first);
  return {
    ...lineClaim('status', line, ref),
    why: `the user called it off in ${ref}, and nothing was done`,
  };
}

/** The newest command that a number or a name of the line stands in failed. */
function failedNamed(line: ClaimLine, { facts, source, rows }: Context): WrongClaim | undefined {
  if (!statusClaims(line.content).some(({ status, hedged }) => !hedged && ofRuns.has(status))) return undefined;
  const names = line.atoms.filter(({ text }) => text.length > 2).map(({ text }) => text);
  // A command that is written out is held against its own calls.
  if (names.length === 0 || codeIn(line.content).some(({ text }) => /\s/.test(text))) return undefined;
  const last = facts.actions.findLast(
    ({ type, target }) => commands.has(type) && names.some((name) => holdsName(target, name)),
  );
  if (!last || isProven(last, source) !== false) return undefined;
  const row = rows.step(last.ref);
  return {
    ...lineClaim('status', line, last.ref),
    why: `${last.ref} failed, and nothing was run on it since`,
    ...(row === undefined ? {} : { row }),
  };
}

const ofRuns: ReadonlySet<string> = new Set(['passed', 'running', 'installed', 'released', 'pushed', 'committed']);

interface Place {
  readonly line: ClaimLine;
  readonly context: Context;
}

/** A longer reply tells of more than the line does. */
const closingChars = 200;

/** The agent's last words of the turn, where these are few, deny what they say in words of the line, or open by denying. */
function admittedIn(turn: Turn, words: readonly string[], { line, context }: Place): WrongClaim | undefined {
  const { facts, source } = context;
  if (newestIn(facts) >= turn.to) return undefined;
  const last = closingOf(turn, source);
  const text = last.map(source.text).join('\n');
  const [first] = last;
  if (first === undefined || text.length > closingChars || /[?？]\s*$/.test(text)) return undefined;
  if (clearingWords.test(line.content) || statusClaims(line.content).some(({ status }) => cleared.has(status)))
    return undefined;
  const parts = text.split(admissionClauses).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const isAbout = (part: string): boolean => contentWords(part).some((word) => words.some((one) => isAkin(one, word)));
  const shared = parts.filter(isAbout);
  if (!(shared.length > 0 ? shared.every(isAdmission) : isAdmission(parts[0] ?? ''))) return undefined;
  return otherwise(line, source.refOf(first));
}

const isAkin = (one: string, other: string): boolean =>
  one === other || (kinOf(one) !== undefined && kinOf(one) === kinOf(other));

/** So many passages at the end of a turn may be the agent's last words. */
const reach = 40;

/** Passages of the agent's last message in a turn. */
function closingOf({ exchange, next }: Turn, source: Source): readonly number[] {
  const end = next?.first ?? source.passages;
  const found: number[] = [];
  for (let at = end - 1; at > exchange.last && at >= end - reach; at--) {
    if (source.speakerOf(at) !== 'agent') continue;
    if (found[0] !== undefined && source.messageOf(found[0]) !== source.messageOf(at)) break;
    found.unshift(at);
  }
  return found;
}

/** What is said more often is about more than one thing. */
const mostPlaces = 6;

/**
 * A word of the line that no call and no result has, and that the agent, when everything was done, denies or only offers
 * to go on with.
 */
function deniedLast(words: readonly string[], line: ClaimLine, { source, facts }: Context): WrongClaim | undefined {
  if (isOfClearing(line)) return undefined;
  const since = newestIn(facts);
  for (const word of words) {
    const places = source.passagesWith(word);
    const last = places.findLast((at) => source.speakerOf(at) === 'agent');
    if (last === undefined || places.length > mostPlaces || source.messageOf(last) <= since) continue;
    if (!places.every((at) => talking.has(source.speakerOf(at))) || !isLeftUndone(last, word, source)) continue;
    if (isAskedFor(places, source) && affirmsAny(last, words, source)) continue;
    return otherwise(line, source.refOf(last));
  }
  return undefined;
}

const isAskedFor = (places: readonly number[], source: Source): boolean =>
  places.some((at) => source.speakerOf(at) === 'person');

/** A clause beside it says something else of the line without denying it. */
const affirmsAny = (at: number, words: readonly string[], source: Source): boolean =>
  source
    .text(at)
    .split(admissionClauses)
    .some((part) => !isAdmission(part) && contentWords(part).some((word) => words.includes(word)));

const talking: ReadonlySet<Speaker> = new Set(['person', 'host', 'agent']);

/** Every sentence with the word denies it, or offers it and the person does not agree. */
function isLeftUndone(at: number, word: string, source: Source): boolean {
  const { list, asked } = exchangesIn(source);
  const reply = list[asked.get(at) ?? -1];
  const isAgreed = reply !== undefined && agrees(reply, source);
  return sentencesIn(source.text(at))
    .filter((sentence) => contentWords(sentence).includes(word))
    .every((sentence) => {
      if (/[?？]$/.test(sentence)) return reply !== undefined && !isAgreed;
      const parts = sentence.split(admissionClauses).filter((part) => contentWords(part).includes(word));
      return parts.length > 0 && parts.every(isAdmission);
    });
}

const otherwise = (line: ClaimLine, ref: Ref): WrongClaim => ({
  ...lineClaim('status', line, ref),
  why: `the agent's last words on it, in ${ref}, say otherwise`,
});

const isOfClearing = ({ content }: ClaimLine): boolean =>
  clearingWords.test(content) || statusClaims(content).some(({ status }) => cleared.has(status));

/** What is gone is told by denying it. */
const cleared: ReadonlySet<string> = new Set(['fixed', 'deleted', 'stopped', 'kept']);
