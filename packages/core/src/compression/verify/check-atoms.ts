/** Paths, identifiers, versions, numbers, ids and addresses of a line: do they stand in the conversation, and there? */

import { requestStopWords } from '../../language/languages.ts';
import { approximations, approximationsBehind, lineNumberSigns } from '../../language/negations.ts';
import { exitCodeNames } from '../../language/outcomes.ts';
import { turnLines } from '../ledger/outline.ts';
import type { Ref } from '../ref.ts';
import { type Atom, atomsIn, numberIn } from './atoms.ts';
import { type ClaimLine, isNames } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clauseOf } from './clause.ts';
import type { Check, Context } from './context.ts';
import { actionsNamed, actionsQuoted, actionsReferred } from './named-actions.ts';
import { type Near, substitutions } from './passages.ts';
import { distanceWithin, similarName } from './similar.ts';
import type { Source } from './source.ts';
import { otherFile } from './together.ts';
import { isReplacing } from './words/answers.ts';

/** What the check is tuned by; measured on the mutation corpus (`bench/verification.ts`). */
export const atomChecking = {
  /** Numbers up to this one are often counted by the writer: they are wrong only where a passage says another. */
  smallNumber: 20,
  /** A number is borne out where this share of the words around it stands beside it. */
  numberShare: 0.12,
  /** Words on each side of a number that say what it counts. */
  numberReach: 6,
  /** A passage with this share of the line's words says the same thing, so a difference is a contradiction. */
  sameShare: 0.7,
  /** Beside where the atom is really said, the line's words make up less than this part of what the same passage has. */
  clearlyLess: 0.6,
  /** A passage with this share is about the same thing: it may say what was meant. */
  relatedShare: 0.25,
  /** A result this many messages behind the request belongs to it. */
  soon: 8,
  /** Where it says little else. */
  briefResult: 80,
} as const;

/** Holds every atom of a line against the record. */
export const checkAtoms: Check = (line, context) => {
  const { atoms } = line;
  const claims = atoms.map(({ type }) => type);
  if (atoms.length === 0 || context.isVerbatim(line)) return { claims, wrong: [] };
  const counted = wrongCount(line, context);
  if (counted) return { claims, wrong: [counted] };
  const nearest = context.passages.nearest(line);
  const judged = atoms.map((atom) => judge(atom, { line, nearest, context }));
  return { claims, wrong: judged.filter((claim) => claim !== undefined) };
};

interface Case {
  readonly line: ClaimLine;
  readonly nearest: readonly Near[];
  readonly context: Context;
}

/** `m3-m77 changed ledger.ts`, with other files than the calls wrote. */
function wrongCount(line: ClaimLine, { facts }: Context): WrongClaim | undefined {
  const span = /^m(\d{1,6})-m(\d{1,6}) changed /.exec(line.content);
  if (!span) return undefined;
  const [first, last] = [Number(span[1]), Number(span[2])];
  const [counted] = turnLines(facts, (ref) => Number(ref.slice(1)) >= first && Number(ref.slice(1)) <= last);
  if (!counted) return undefined;
  const claim = { type: 'number', text: line.content, line: line.number, verdict: 'contradicted' } as const;
  const correction = counted.text.trim();
  return { ...claim, why: 'the calls of these messages are other ones', refs: [`m${first}`], correction };
}

function judge(atom: Atom, given: Case): WrongClaim | undefined {
  const { context, line } = given;
  const places = context.lookup.passagesOf(atom);
  if (isNames(line)) {
    const judged = judgeName(atom, given, places);
    if (judged !== 'unsaid') return judged;
  }
  const file = otherFile(atom, line, context);
  if (file) return file;
  const exit = otherExitCode(atom, given);
  if (exit) return exit;
  // A header of ours is about its own message.
  if (atom.type === 'number' && /^m\d{1,6}\s.*:$/.test(line.content) && !isInNamed(places, given)) {
    return isExitCode(atom, given) ? undefined : unsupported(atom, given);
  }
  return places.length === 0 ? judgeUnsaid(atom, given) : judgeSaid(atom, given, places);
}

/** A list of names is cut out of texts as the ledger reads them, at times in the middle of a word. */
function judgeName(atom: Atom, given: Case, places: readonly number[]): WrongClaim | undefined | 'unsaid' {
  const { index } = given.line;
  const { source } = given.context;
  const isThere = (found: readonly number[]): boolean =>
    index === undefined
      ? found.length > 0
      : found.some((at) => source.messageOf(at) >= index.first && source.messageOf(at) <= index.last);
  if (isThere(places)) return undefined;
  const cut = source.textSearch(atom.text);
  if (isThere(cut)) return undefined;
  if (places.length === 0 && cut.length === 0) return 'unsaid';
  // Of what the names of a row belong to, the call before it tells.
  if (index === undefined || atom.start < index.start) return undefined;
  return { ...unsupported(atom, given), why: `${nouns[atom.type]} ${atom.text} is said elsewhere, and not there` };
}

/** Nobody said the atom: what was meant, if anything. */
function judgeUnsaid(atom: Atom, given: Case): WrongClaim | undefined {
  const { context, line } = given;
  const exchanged = exchangedIn(atom, given, atomChecking.relatedShare);
  if (exchanged && isPlausible(atom, exchanged)) return contradicted(atom, given, exchanged);
  if (atom.type === 'number' && (isCounted(atom, line) || isExitCode(atom, given))) return undefined;
  if (atom.type === 'number') return unsupported(atom, given);
  const meant = similarName(atom, context.source.names);
  const at = meant === undefined ? undefined : context.source.textSearch(meant)[0];
  if (meant === undefined || at === undefined) return unsupported(atom, given);
  return contradicted(atom, given, { instead: meant, passage: at, coverage: 0 });
}

/** The atom is said somewhere: is it said of this? */
function judgeSaid(atom: Atom, given: Case, places: readonly number[]): WrongClaim | undefined {
  const { context, line } = given;
  const exchanged = atom.type === 'identifier' ? undefined : exchangedIn(atom, given, atomChecking.sameShare);
  if (exchanged && !places.includes(exchanged.passage) && !isReplaced(exchanged, places, context)) {
    const words = line.words.filter(({ start, end }) => end <= atom.start || start >= atom.end).map(({ word }) => word);
    const share = context.passages.support(places, words, 0);
    if (share < exchanged.coverage * atomChecking.clearlyLess) return contradicted(atom, given, exchanged);
  }
  if (isElsewhere(atom, given, places)) {
    return { ...unsupported(atom, given), why: `${nouns[atom.type]} ${atom.text} is said elsewhere, and not of this` };
  }
  return atom.type === 'number' ? unrelatedNumber(atom, given, places) : undefined;
}

/** A person put the atom in the place of what was said before. */
const isReplaced = ({ passage }: Exchanged, places: readonly number[], { source }: Context): boolean =>
  places.some((at) => at > passage && source.speakerOf(at) === 'person' && isReplacing(source.text(at)));

/** The line names one message, which bears out the other names of its clause and not this one. */
function isElsewhere(atom: Atom, { line: whole, context }: Case, places: readonly number[]): boolean {
  if (atom.type === 'number' || whole.isUnder || isNames(whole)) return false;
  const line = clauseOf(whole, atom);
  const named = [...new Set([...line.refs, ...(line.scope === undefined ? [] : [line.scope])])];
  const [at] = named;
  if (at === undefined || named.length > 1) return false;
  // A result belongs to its call, which may stand several messages before it.
  const called = actionsReferred(line, context.facts.actions).map(({ ref }) => Number(ref.slice(1)) - 1);
  const isThere = (found: readonly number[]): boolean =>
    found.some((place) => {
      const message = context.source.messageOf(place);
      return [at, ...called].some((near) => Math.abs(message - near - 1) <= 2);
    });
  if (isThere(places)) return false;
  const others = line.atoms.filter((other) => other !== atom && other.type !== 'number');
  return others.length > 0 && others.every((other) => isThere(context.lookup.passagesOf(other)));
}

/** A name is only taken for another one when they look alike; numbers, versions and ids need not. */
function isPlausible(atom: Atom, { instead, coverage }: Exchanged): boolean {
  if (atom.type !== 'identifier' && atom.type !== 'path' && atom.type !== 'url') return true;
  const most = Math.ceil(atom.text.length * 0.4);
  return coverage >= atomChecking.sameShare || distanceWithin(atom.text, instead, most) <= most;
}

interface Exchanged {
  readonly instead: string;
  readonly passage: number;
  /** Share of the line's words that the passage has. */
  readonly coverage: number;
}

/** What a passage that says the same thing has in place of the atom. */
function exchangedIn(atom: Atom, { line, nearest, context }: Case, least: number): Exchanged | undefined {
  for (const { passage, coverage } of nearest) {
    if (coverage < least) break;
    const found = substitutions(line, context.source.text(passage)).find(
      ({ word }) => word.start <= atom.start && word.end >= atom.end,
    );
    const instead = found && sameKind(atom, found.instead);
    if (instead !== undefined) return { instead, passage, coverage };
  }
  return undefined;
}

/** The atom of the same type in a text that is nothing else. */
function sameKind(atom: Atom, text: string): string | undefined {
  const found = atomsIn(text, atom.inCode);
  const one = found[0];
  if (found.length !== 1 || one?.type !== atom.type) return undefined;
  return one.text.toLowerCase() === atom.text.toLowerCase() ? undefined : one.text;
}

/** The number is said, but never beside what the line says of it. */
function unrelatedNumber(atom: Atom, given: Case, places: readonly number[]): WrongClaim | undefined {
  const { line, context } = given;
  if (isCounted(atom, line) || isApproximate(atom, line)) return undefined;
  if (isPosition(atom, line) || isExitCode(atom, given) || isInNamed(places, given)) return undefined;
  const words = wordsAround(atom, line);
  const total = words.reduce((sum, word) => sum + context.passages.weightOf(word), 0);
  if (total === 0 || context.passages.support(places, words) >= atomChecking.numberShare) return undefined;
  const all = line.words.filter(({ word }) => !/^\d+$/.test(word)).map(({ word }) => word);
  if (context.passages.support(places, all) >= atomChecking.numberShare) return undefined;
  return isFoundForAsk(places, words, context) ? undefined : unsupported(atom, given);
}

/** A call soon after a person asked about it brought the number back: a result seldom says what it is of. */
function isFoundForAsk(places: readonly number[], words: readonly string[], { source }: Context): boolean {
  const asks = new Set(
    words
      .flatMap((word) => source.passagesWith(word).filter((at) => source.speakerOf(at) === 'person'))
      .map(source.messageOf),
  );
  return places.some((place) => {
    if (source.speakerOf(place) !== 'result' || source.around(place, 2).length > atomChecking.briefResult) return false;
    const ask = askBefore(source.messageOf(place), source);
    return ask !== undefined && asks.has(ask);
  });
}

/** The person's message that a result answers. */
function askBefore(message: number, { persons }: Source): number | undefined {
  for (let at = message - 1; at >= message - atomChecking.soon; at--) if (persons.has(at)) return at;
  return undefined;
}

/** In a message that the line names, or in what came of a call that it names. */
function isInNamed(places: readonly number[], { line, context }: Case): boolean {
  const { actions } = context.facts;
  const called = [...actionsReferred(line, actions), ...actionsQuoted(line, actions)].map(
    ({ ref }) => Number(ref.slice(1)) - 1,
  );
  const named = [...called, ...line.refs, ...(line.scope === undefined ? [] : [line.scope])];
  return places.some((place) => {
    const message = context.source.messageOf(place);
    return named.some((at) => message >= at && message <= at + 2);
  });
}

/** The exit code of a call that the line is about. */
function isExitCode(atom: Atom, { line, context }: Case): boolean {
  if (!wordsAround(atom, line).includes('~exit')) return false;
  const { actions } = context.facts;
  return [...actionsReferred(line, actions), ...actionsQuoted(line, actions)].some(
    ({ exitCode }) => exitCode === Number(numberIn(atom)),
  );
}

/** The line is about calls whose exit codes are known, and it gives another one. */
function otherExitCode(atom: Atom, given: Case): WrongClaim | undefined {
  const { context } = given;
  const line = clauseOf(given.line, atom);
  if (atom.type !== 'number' || !exitCodeNames.test(line.content.slice(Math.max(0, atom.start - 16), atom.start)))
    return undefined;
  const codes = actionsNamed(line, context.facts.actions).filter(({ exitCode }) => exitCode !== undefined);
  const [first] = codes;
  if (!first || codes.some(({ exitCode }) => exitCode === Number(numberIn(atom)))) return undefined;
  const claim = {
    type: 'number',
    text: atom.text,
    line: line.number,
    verdict: 'contradicted',
    refs: [first.ref],
  } as const;
  const row = context.rows.step(first.ref);
  const why = `${first.ref} ended with exit code ${first.exitCode}`;
  return { ...claim, why, ...(row === undefined ? {} : { row }) };
}

/** A place in a file: where it is shown, nothing else need stand beside it. */
function isPosition({ start }: Atom, { content }: ClaimLine): boolean {
  return lineNumberSigns.test(content.slice(Math.max(0, start - 12), start));
}

function wordsAround(atom: Atom, { words }: ClaimLine): readonly string[] {
  const at = words.findIndex(({ start, end }) => start <= atom.start && end > atom.start);
  const reach = atomChecking.numberReach;
  return words
    .slice(Math.max(0, at - reach), at + reach + 1)
    .filter(({ start, end }) => end <= atom.start || start >= atom.end)
    .map(({ word }) => word)
    .filter((word) => !/^\d+$/.test(word) && !requestStopWords.has(word));
}

/** Small whole numbers, which a writer counts, and rounded ones. */
function isCounted(atom: Atom, line: ClaimLine): boolean {
  const value = Number(numberIn(atom));
  return (Number.isInteger(value) && value <= atomChecking.smallNumber) || isApproximate(atom, line);
}

function isApproximate({ start, end }: Atom, { content }: ClaimLine): boolean {
  return (
    approximations.test(content.slice(Math.max(0, start - 14), start)) || approximationsBehind.test(content.slice(end))
  );
}

function unsupported(atom: Atom, { line }: Case): WrongClaim {
  return {
    type: atom.type,
    text: atom.text,
    line: line.number,
    verdict: 'unsupported',
    why: `${nouns[atom.type]} ${atom.text} does not occur ${atom.type === 'number' ? 'there' : 'in the conversation'}`,
    refs: [],
  };
}

function contradicted(atom: Atom, { line, context }: Case, { instead, passage }: Exchanged): WrongClaim {
  const ref: Ref = context.source.refOf(passage);
  return {
    type: atom.type,
    text: atom.text,
    line: line.number,
    verdict: 'contradicted',
    why: `${ref} says ${instead}`,
    refs: [ref],
    correction: instead,
  };
}

const nouns: Readonly<Record<Atom['type'], string>> = {
  path: 'the path',
  identifier: 'the name',
  version: 'the version',
  number: 'the number',
  id: 'the id',
  url: 'the address',
};
