/** The status claims of an English line: which of its status words are said of something, and what denies them. */

import {
  adverbs,
  being,
  checkNouns,
  clauseSigns,
  currentWords,
  determiners,
  englishPhrases,
  prepositions,
  statusAdjectives,
  type VerbForm,
  verbForms,
  wellWorking,
} from '../../../language/english-statuses.ts';
import { isPositive, oppositeStatus, type Status, type StatusClaim } from '../../../language/status.ts';
import * as places from './english-places.ts';
import {
  type Chain,
  chainBefore,
  denyingSubject,
  isHedged,
  isNoun,
  isSign,
  type Token,
  tokensOf,
} from './english-sentence.ts';
import { matchesIn } from './matches.ts';

/** Claims of the Latin words of a masked line, in order. Linear in the length of the line. */
export function englishClaims(line: string): readonly StatusClaim[] {
  const tokens = tokensOf(line);
  const phrases = phraseClaims(line, tokens);
  const claims = [...phrases];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.type !== 'word' || phrases.some(({ start, end }) => token.start < end && start < token.end)) continue;
    const reading = readingAt(tokens, at);
    if (!reading) continue;
    claims.push(claimOf(line, tokens, reading));
    at = Math.max(at, reading.last);
  }
  return claims;
}

/** Turns of speech that say a status as a whole; none overlaps one before it in their list. */
function phraseClaims(line: string, tokens: readonly Token[]): readonly StatusClaim[] {
  const claims: StatusClaim[] = [];
  for (const { words, status, manner } of englishPhrases)
    for (const { 0: text, index: start } of matchesIn(line, words)) {
      const end = start + text.length;
      if (claims.some((other) => start < other.end && other.start < end)) continue;
      const at = tokens.findIndex((token) => token.end > start);
      const last = tokens.findLastIndex((token) => token.start < end);
      const chain = chainBefore(tokens, Math.max(0, at));
      const hedged = manner === 'open' || isHedged(tokens, Math.max(last, 0), { chain, past: true });
      claims.push({ status, positive: isPositive(status), start, end, hedged, current: manner === 'now' });
    }
  return claims;
}

/** A status word in its sentence. */
interface Reading {
  /** What the word says without its negation. */
  readonly status: Status;
  /** Index of the last word of the claim. */
  readonly last: number;
  readonly at: number;
  readonly chain: Chain;
  /** A past tense or a participle. */
  readonly past: boolean;
  /** Tells how something works, not what was done. */
  readonly isHabit?: boolean;
}

function readingAt(tokens: readonly Token[], at: number): Reading | undefined {
  const text = tokens[at]?.text ?? '';
  // `done()` is the name of a function, `passed=` and `failed/` parts of names.
  const next = tokens[at + 1];
  if (next !== undefined && next.start === tokens[at]?.end && /^[(=<>&\\/_]$/.test(next.text)) return undefined;
  const to = failedTo(tokens, at);
  if (to) return to;
  if (/^work(?:s|ing|ed)?$/.test(text)) return worksAt(tokens, at);
  if (text === 'running') return runsAt(tokens, at);
  const status = statusAdjectives.get(text);
  if (status && isPredicate(tokens, at)) return { status, at, last: at, chain: chainBefore(tokens, at), past: false };
  const found = verbForms.get(text);
  return found && verbAt(tokens, at, found);
}

/** `failed to delete` and `unable to delete` are one claim, and not that something was deleted. */
function failedTo(tokens: readonly Token[], at: number): Reading | undefined {
  const text = tokens[at]?.text ?? '';
  if (!/^(?:fail|fails|failed|failing|unable)$/.test(text) || tokens[at + 1]?.text !== 'to') return undefined;
  if (tokens[at + 2]?.type !== 'word') return undefined;
  const past = text === 'failed' || text === 'unable';
  return { status: 'failed', at, last: at + 2, chain: chainBefore(tokens, at), past };
}

function verbAt(tokens: readonly Token[], at: number, { verb, form }: VerbForm): Reading | undefined {
  const chain = chainBefore(tokens, at);
  const place = { verb, chain };
  // `run` is a participle as well.
  const isParticiple = form === 'past' || (verb.base === 'run' && chain.auxiliaries.some((word) => being.test(word)));
  if (!(isParticiple ? places.saysPast : saying[form])(tokens, at, place)) return undefined;
  const status = places.movesOnly(tokens, at, verb) ? 'changed' : verb.status;
  // `when it is done` tells of a state, `when it was done` of an act.
  const past =
    isParticiple && (verb.base !== 'do' || chain.auxiliaries.some((word) => /^(?:was|were|had|got)/.test(word)));
  const isHabit = isParticiple
    ? places.describes(tokens, at, chain)
    : form === 'third' && /^(?:fix|resolve)$/.test(verb.base) && /^(?:all|any)$/.test(tokens[at + 1]?.text ?? '');
  return { status, at, last: at, chain, past, isHabit };
}

const saying = {
  base: places.saysBase,
  third: places.saysThird,
  past: places.saysPast,
  ing: places.saysIng,
} as const;

function claimOf(line: string, tokens: readonly Token[], reading: Reading): StatusClaim {
  const { at, last, chain, past } = reading;
  const denying = chain.negation === undefined ? denyingSubject(tokens, chain.first) : undefined;
  const status = (chain.negation ?? denying) !== undefined ? oppositeStatus(reading.status) : reading.status;
  const still = tokens.slice(chain.first, at).find(({ text }) => text === 'still');
  const from = tokens[chain.negation ?? denying ?? at];
  const start = Math.min(from?.start ?? 0, still?.start ?? line.length, tokens[at]?.start ?? 0);
  const did = chain.auxiliaries.some((word) => word.startsWith('did'));
  const isNow =
    (!past && !did) ||
    chain.current ||
    chain.auxiliaries.some((word) => /^(?:is|are|remains?|stays?)$|'(?:re|s)$/.test(word));
  const hedged = isHedged(tokens, last, { chain, past }) || reading.isHabit === true;
  return {
    status,
    positive: isPositive(status),
    start,
    end: tokens[last]?.end ?? line.length,
    hedged,
    current: isNow || saysNow(tokens, at),
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

// States: `is green`, `works now`, `is running on port 3000`.

/** `is green`, `Status: complete`, `migration complete`; not `a complete list`. */
function isPredicate(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? '';
  const next = tokens[at + 1];
  if (next?.type === 'wide') return false;
  if (
    text.startsWith('un') &&
    /^(?:changes?|files?|work|edits|modifications|commits?|issues?|errors?)$/.test(next?.text ?? '')
  )
    return /^(?:has|have|had|are|were|is|with|still|leaves?|left|contains?)$/.test(tokens[at - 1]?.text ?? '');
  if (isNoun(next) || (text === 'broken' && /^(?:down|into|up|by|out)$/.test(next?.text ?? ''))) return false;
  let i = at - 1;
  while (
    !/^(?:all|both)$/.test(tokens[i]?.text ?? '') &&
    (adverbs.has(tokens[i]?.text ?? '') || /.ly$|^not$|n't$/.test(tokens[i]?.text ?? ''))
  )
    i--;
  const before = tokens[i];
  const linked =
    /^(?:is|are|was|were|be|been|remains?|stays?|isn't|aren't|wasn't|weren't|looks|went|all|both|everything|now)$|'(?:s|re)$/.test(
      before?.text ?? '',
    );
  const labelled = before !== undefined && /^[:：=|(—–→✅❌✓✔\]]$/.test(before.text) && isSign(next);
  const colour = /^(?:green|red|clean)$/.test(text);
  if (colour)
    return (
      (linked || labelled || isChecks(before)) &&
      ofChecks(tokens, i) &&
      (isSign(next) || /^(?:after|again|on|since|because|and|for|too|but)$/.test(next?.text ?? ''))
    );
  const after = isSign(next) || /^(?:and|but|on|in|with|after|at|because|since|as|for)$/.test(next?.text ?? '');
  return (linked || labelled) && after ? true : isSign(next) && i >= 0 && (isNoun(before) || before?.type === 'mark');
}

const isChecks = (token: Token | undefined): boolean => checkNouns.has(token?.text ?? '') || token?.type === 'mark';

/** True when a check is named, or stands for itself, among the few words before. */
function ofChecks(tokens: readonly Token[], from: number): boolean {
  for (let i = from; i >= Math.max(0, from - 5); i--) {
    const token = tokens[i];
    if (
      token === undefined ||
      /^(?:tree|directory|worktree|checkout|working|repo|code|button|text|line|light)$/.test(token.text)
    )
      return false;
    if (isChecks(token) || /^(?:all|everything)$/.test(token.text)) return true;
  }
  return false;
}

/** `works now`, `does not work`, `is working`; not `how it works` or `was working on`. */
function worksAt(tokens: readonly Token[], at: number): Reading | undefined {
  const text = tokens[at]?.text ?? '';
  const chain = chainBefore(tokens, at);
  const next = tokens[at + 1];
  if (!isSign(next) && !wellWorking.has(next?.text ?? '')) return undefined;
  const subject = tokens[chain.first - 1];
  if (subject === undefined || isSign(subject) || prepositions.has(subject.text)) return undefined;
  if (tokens.slice(Math.max(0, at - 8), at).some((token) => /^(?:how|why|way)$/.test(token.text))) return undefined;
  if (text === 'work' && (chain.negation === undefined || chain.auxiliary === undefined)) return undefined;
  if (text === 'working' && (chain.auxiliary === undefined || /^(?:i|we|he|she|who)$/.test(subject.text)))
    return undefined;
  if (text === 'worked' && chain.negation === undefined && !isSign(next) && next?.text === 'as') return undefined;
  if (determiners.has(subject.text) && !/^(?:this|that|which|each|every)$/.test(subject.text)) return undefined;
  return { status: 'passed', at, last: at, chain, past: text === 'worked' };
}

/** `the server is running on port 3000`; not `running the tests`. */
function runsAt(tokens: readonly Token[], at: number): Reading | undefined {
  const chain = chainBefore(tokens, at);
  const next = tokens[at + 1];
  const place = /^(?:on|in|at|as|under|with|again|and|locally|now|since|for)$/.test(next?.text ?? '');
  if (!isSign(next) && !place) return undefined;
  const before = tokens[chain.first - 1];
  if (/^(?:i|we|was|by|for|of|after|before|while|when)$/.test(before?.text ?? '')) return undefined;
  if (chain.auxiliary === undefined && !chain.current && chain.negation === undefined) {
    const labelled = isSign(before) && before !== undefined && isSign(next);
    if (!labelled && !(isNoun(before) || before?.type === 'mark')) return undefined;
    if (!labelled && !/^(?:on|at|in)$/.test(next?.text ?? '')) return undefined;
  }
  return { status: 'running', at, last: at, chain, past: false };
}
