/** Whether what a person is said to ask for, or to allow, stands in one exchange with that person. */

import type { Act } from '../../language/concepts.ts';
import { userOrQuote } from '../../language/languages.ts';
import { actsNamed } from './concepts.ts';
import { actsAt, type Exchange, type ExchangeShare, exchangesWith } from './exchanges.ts';
import type { Weighed } from './request-words.ts';
import type { Source } from './source.ts';
import { isConsent, isRefusal } from './words/answers.ts';
import { mayAllow } from './words/instructions.ts';

/** What a line says was asked for. */
export interface Asked {
  /** What it is about, without the words of the acts. */
  readonly words: readonly Weighed[];
  readonly acts: readonly Act[];
}

interface Said {
  readonly source: Source;
}

/** Least shares, measured on requests that real summaries tell of and on invented ones; `own`: what the person's own words count. */
const grounds = { words: 0.5, acts: 0.65, own: 0.3 } as const;

/** One exchange has most of the words, and the acts in what the person said or agreed to. */
export function isGrounded({ words, acts }: Asked, { source }: Said): boolean {
  const least = acts.length > 0 ? grounds.acts : grounds.words;
  return exchangesWith(words, source).some(
    (one) => one.whole * (1 - grounds.own) + one.own * grounds.own >= least && hasActs(one, acts, source),
  );
}

/** The same where only names and the words of every language can be compared. */
export function isActGrounded({ words, acts }: Asked, { source }: Said): boolean {
  return exchangesWith(words, source).some((one) => one.whole >= grounds.words && hasActs(one, acts, source));
}

/** A person said or agreed to it in words by which somebody may allow something. */
export function isAllowed({ words, acts }: Asked, { source }: Said): boolean {
  return exchangesWith(words, source).some((one) => {
    const share = consents(one.exchange, source) ? one.whole : one.own;
    return share >= grounds.acts && hasActs(one, acts, source) && allows(one.exchange, acts, source);
  });
}

/** Of a text so short every word is about the same thing. */
const shortChars = 400;

function hasActs({ exchange, places }: ExchangeShare, acts: readonly Act[], source: Source): boolean {
  if (acts.length === 0) return true;
  const isNear = (at: number): boolean => exchange.chars <= shortChars || places === undefined || places.has(at);
  const own = passagesOf(exchange).filter((at) => isNear(at) && speaksForUser(at, exchange, source));
  const passages = consents(exchange, source) ? [...own, ...exchange.before] : own;
  return acts.every((act) => passages.some((at) => actsAt(at, source).has(act)));
}

const passagesOf = ({ first, last }: Exchange): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** A program in the user's place asks for nothing, but an earlier summary tells of the user. */
const speaksForUser = (at: number, { isAnswer }: Exchange, source: Source): boolean =>
  isAnswer || source.speakerOf(at) !== 'host' || source.persons.size === 0 || userOrQuote.test(source.text(at));

const consentChars = 80;
const briefChars = 24;

/** The person says yes to what stands before, or chooses. */
function consents({ first, last, chars, isAnswer }: Exchange, source: Source): boolean {
  const text = source.text(first);
  if (isRefusal(text)) return false;
  if (isAnswer || (chars <= briefChars && first === last && !isQuestion(text))) return true;
  return agrees({ first, chars, isAnswer }, source);
}

/** The person says yes in so many words, or answers what a tool asked. */
export function agrees(
  { first, chars, isAnswer }: Pick<Exchange, 'first' | 'chars' | 'isAnswer'>,
  source: Source,
): boolean {
  const text = source.text(first);
  return isAnswer ? !isRefusal(text) : chars <= consentChars && isConsent(text);
}

const isQuestion = (text: string): boolean => /[?？]\s*$/.test(text);

/** The person, or what the person agrees to, names the acts: who only hints at them allows nothing. */
function allows(exchange: Exchange, acts: readonly Act[], source: Source): boolean {
  const own = passagesOf(exchange);
  const passages = consents(exchange, source) ? [...own, ...exchange.before] : own;
  const named = new Set(passages.flatMap((at) => actsNamed(source.text(at)).acts));
  return own.some((at) => mayAllow(source.text(at))) && acts.every((act) => named.has(act));
}
