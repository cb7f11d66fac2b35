/** The status claims of an English line: which of its status words are said of something, and what denies them. */

import { being, clauseSigns, currentWords } from '../../../language/english.ts';
import { isPositive, oppositeStatus, type Status, type StatusClaim } from '../../../language/status.ts';
import { statusAdjectives, statusPhrases, type VerbForm, verbForms } from '../../../language/statuses-english.ts';
import { type Chain, chainBefore, denyingSubject, isHedged } from './english-context.ts';
import * as places from './english-places.ts';
import * as states from './english-states.ts';
import { type Token, tokensOf } from './english-tokens.ts';
import { type Reading, turnedEnglish } from './english-turned.ts';

/** Claims of the Latin words of a masked line, in order. Linear in the length of the line. */
export function englishClaims(line: string): readonly StatusClaim[] {
  const tokens = tokensOf(line);
  const claims: StatusClaim[] = [];
  const taken = [...englishPhrases(line)].sort((a, b) => a.start - b.start);
  for (const { turned, ...phrase } of taken) {
    const at = tokens.findIndex(({ end }) => end > phrase.start);
    const chain = chainBefore(tokens, Math.max(0, at));
    const last = tokens.findLastIndex(({ start }) => start < phrase.end);
    const hedged = phrase.hedged || isHedged(tokens, Math.max(last, 0), { chain, past: true });
    const turn =
      turned === undefined || hedged ? {} : { turned: { start: phrase.start, end: phrase.end, text: turned } };
    claims.push({ ...phrase, positive: isPositive(phrase.status), hedged, ...turn });
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type !== 'word' || taken.some(({ start, end }) => token.start < end && start < token.end)) continue;
    const reading = readingAt(tokens, at);
    if (!reading) continue;
    claims.push(claimOf(line, tokens, reading));
    at = Math.max(at, reading.last);
  }
  return claims.sort((a, b) => a.start - b.start);
}

function readingAt(tokens: readonly Token[], at: number): Reading | undefined {
  const text = tokens[at]?.text ?? '';
  // `done()` is the name of a function, `passed=` and `failed/` parts of names.
  const next = tokens[at + 1];
  if (next !== undefined && next.start === tokens[at]?.end && /^[(=<>&\\/_]$/.test(next.text)) return undefined;
  const to = failedTo(tokens, at);
  if (to) return to;
  if (/^work(?:s|ing|ed)?$/.test(text)) return states.worksAt(tokens, at);
  if (text === 'running') return states.runsAt(tokens, at);
  const adjective = statusAdjectives.get(text);
  if (adjective && states.isPredicate(tokens, at)) return reading(tokens, at, { ...adjective, kind: 'adjective' });
  const found = verbForms.get(text);
  return found && verbAt(tokens, at, found);
}

/** `failed to delete` and `unable to delete` are one claim, and not that something was deleted. */
function failedTo(tokens: readonly Token[], at: number): Reading | undefined {
  const text = tokens[at]?.text ?? '';
  if (!/^(?:fail|fails|failed|failing|unable)$/.test(text) || tokens[at + 1]?.text !== 'to') return undefined;
  if (tokens[at + 2]?.type !== 'word') return undefined;
  const found = reading(tokens, at, { status: 'failed', kind: 'failedTo' });
  return { ...found, last: at + 2, past: text === 'failed' || text === 'unable' };
}

function verbAt(tokens: readonly Token[], at: number, { verb, form }: VerbForm): Reading | undefined {
  const chain = chainBefore(tokens, at);
  const status = places.movesOnly(tokens, at, verb) ? 'changed' : verb.status;
  const base = { status, verb, chain };
  const participle =
    form === 'past' || (verb.participle === verb.base && chain.auxiliaries.some((word) => being.test(word)));
  if (participle && places.saysPast(tokens, at, { verb, chain })) return reading(tokens, at, { ...base, kind: 'past' });
  if (participle) return undefined;
  if (form === 'third' && places.saysThird(tokens, at, { verb, chain }))
    return reading(tokens, at, { ...base, kind: 'third' });
  if (form === 'ing' && places.saysIng(tokens, at, { verb, chain }))
    return reading(tokens, at, { ...base, kind: 'ing' });
  if (form === 'base' && places.saysBase(tokens, at, { verb, chain }))
    return reading(tokens, at, { ...base, kind: 'base' });
  return undefined;
}

interface Found {
  readonly status: Status;
  readonly kind: Reading['kind'];
  readonly opposite?: string;
  readonly verb?: Reading['verb'];
  readonly chain?: Chain;
}

function reading(tokens: readonly Token[], at: number, found: Found): Reading {
  const chain = found.chain ?? chainBefore(tokens, at);
  // `when it is done` tells of a state, `when it was done` of an act.
  const past =
    found.kind === 'past' &&
    (found.verb?.base !== 'do' || chain.auxiliaries.some((word) => /^(?:was|were|had|got)/.test(word)));
  return { ...found, at, last: at, chain, past, verb: found.verb };
}

function claimOf(line: string, tokens: readonly Token[], reading: Reading): StatusClaim {
  const { at, last, chain, past } = reading;
  const denying = chain.negation === undefined ? denyingSubject(tokens, chain.first) : undefined;
  const negated = (chain.negation ?? denying) !== undefined;
  const status = negated ? oppositeStatus(reading.status) : reading.status;
  const still = tokens.slice(chain.first, at).find(({ text }) => text === 'still');
  const from = tokens[chain.negation ?? denying ?? at];
  const start = Math.min(from?.start ?? 0, still?.start ?? line.length, tokens[at]?.start ?? 0);
  const did = chain.auxiliaries.some((word) => word.startsWith('did'));
  const isNow =
    (!past && !did) ||
    chain.current ||
    chain.auxiliaries.some((word) => /^(?:is|are|remains?|stays?)$|'(?:re|s)$/.test(word));
  const hedged = isHedged(tokens, last, { chain, past }) || places.describes(tokens, reading);
  const turned = hedged ? undefined : turnedEnglish(line, tokens, { ...reading, denying });
  return {
    status,
    positive: isPositive(status),
    start,
    end: tokens[last]?.end ?? line.length,
    negated,
    hedged,
    current: isNow || saysNow(tokens, at),
    ...(turned ? { turned } : {}),
  };
}

function saysNow(tokens: readonly Token[], at: number): boolean {
  const stops = (text: string): boolean => clauseSigns.has(text) && text !== ',';
  for (let i = at; i < tokens.length && !stops(tokens[i]?.text ?? ''); i++)
    if (currentWords.has(tokens[i]?.text ?? '')) return true;
  for (let i = at; i >= 0 && !stops(tokens[i]?.text ?? ''); i--)
    if (currentWords.has(tokens[i]?.text ?? '')) return true;
  return false;
}

// English turns of speech that say a status as a whole, such as counts of failures and the absence of errors.

interface PhraseMatch {
  readonly status: Status;
  readonly start: number;
  readonly end: number;
  readonly negated: boolean;
  readonly hedged: boolean;
  readonly current: boolean;
  /** The words that say the opposite. */
  readonly turned?: string;
}

/** Every phrase of the line, in the order of the list; none overlaps one before it. Linear. */
function englishPhrases(line: string): readonly PhraseMatch[] {
  const found: PhraseMatch[] = [];
  for (const { words, status, negated = false, hedged = false, current = false, turned } of statusPhrases)
    for (const { 0: text, index: start } of line.matchAll(words)) {
      const end = start + text.length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      found.push({ status, start, end, negated, hedged, current, ...(turned === undefined ? {} : { turned }) });
    }
  return found;
}
