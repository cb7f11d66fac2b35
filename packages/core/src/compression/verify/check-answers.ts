/**
 * Questions told with their answers, `which port? → 9000`: where the agent asked, the person's reply has to say so, or to
 * agree to what the question says; where the person asked, what the agent says of it may not deny it.
 */

import { listingWords } from '../../language/negations.ts';
import { answerClauses } from '../../language/requests.ts';
import { type ClaimLine, lineClaim } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { type Exchange, exchangesIn } from './exchanges.ts';
import { isForeign } from './foreign-requests.ts';
import { agrees } from './grounds.ts';
import { contentWords } from './request-words.ts';
import type { Source } from './source.ts';
import { isConsent, isNarrowing, isPostponing, isRefusal } from './words/answers.ts';
import { isDenied, isNegated } from './words/negations.ts';

const form = /^(?<question>[^→⇒]*[?？])\s*(?:→|⇒|=>|->)\s*(?<answer>[^→⇒]+)$/u;

/** Holds the answer to a question of the agent against what the person replied. */
export const checkAnswers: Check = (line, context) => {
  const { question = '', answer = '' } = (line.type === 'text' ? form.exec(line.content)?.groups : undefined) ?? {};
  if (question === '' || line.scope !== undefined || isForeign(line.content, context)) return nothing;
  if (context.isVerbatim(line)) return nothing;
  const { exchange, own } = askedIn(question, context);
  const wrong: WrongClaim[] = [];
  if (exchange && !isAnswered(exchange, answer, context.source)) wrong.push(wrongAnswer(line, exchange.first, context));
  if (!exchange && own !== undefined) {
    const denying = deniedAt(own, answer, context.source);
    if (denying !== undefined) wrong.push(wrongAnswer(line, denying, context));
  }
  return { claims: ['request'], wrong };
};

/** Half of what tells in the question has to stand in what the agent asked. */
const leastShare = 0.5;

interface Asked {
  /** The newest one before which the agent asked that. */
  readonly exchange: Exchange | undefined;
  /** The newest one in which the person did. */
  readonly own: number | undefined;
}

function askedIn(question: string, { source }: Context): Asked {
  const words = contentWords(question.replace(/^[^:：?？]{1,24}[:：]\s*/u, ''));
  const { list, asked, own } = exchangesIn(source);
  const newest = newestWith(words, source, (place) => asked.get(place));
  if (newest >= 0) return { exchange: list[newest], own: undefined };
  const at = newestWith(words, source, (place) => own[place]);
  return { exchange: undefined, own: at < 0 ? undefined : at };
}

/** The newest exchange whose questions have enough of the words; -1 where none has. */
function newestWith(
  words: readonly string[],
  source: Source,
  exchangeOf: (place: number) => number | undefined,
): number {
  const counts = new Map<number, number>();
  for (const word of words) {
    const found = new Set<number>();
    for (const place of source.placesOf(word)) {
      const at = exchangeOf(place);
      if (at !== undefined && !found.has(at) && /[?？]/.test(source.text(place))) found.add(at);
    }
    for (const at of found) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const least = words.length * leastShare;
  return counts.entries().reduce((newest, [at, count]) => (count >= least && at > newest ? at : newest), -1);
}

/** So many exchanges after a question it is answered, or put off. */
const replies = 3;

/** The passage that denies the answer to a person's question, or leaves the question open; the newest that tells counts. */
function deniedAt(at: number, answer: string, source: Source): number | undefined {
  const { list } = exchangesIn(source);
  const words = contentWords(answer);
  let denied: number | undefined;
  for (const [count, exchange] of list.slice(at, at + replies + 1).entries()) {
    if (count > 0 && isPostponing(source.text(exchange.first))) denied = exchange.first;
    const end = Math.min(list[at + count + 1]?.first ?? source.passages, exchange.last + reach);
    for (let place = exchange.last + 1; place < end; place++) {
      if (source.speakerOf(place) !== 'agent') continue;
      const told = (count === 0 ? agreesWith : mentions)(source.text(place), answer, words);
      if (told !== undefined) denied = told ? undefined : place;
    }
  }
  return denied;
}

/** So many passages behind a person's words belong to the reply. */
const reach = 40;
/** Whether a reply to the question says what the answer does; undefined where it says nothing of it. */
function agreesWith(text: string, answer: string, words: readonly string[]): boolean | undefined {
  const [yes, no] = [isConsent(answer), isRefusal(answer)];
  const isTold = yes !== no && isRefusal(text) !== isConsent(text) && !/[?？]\s*$/.test(text);
  return isTold ? isConsent(text) === yes : mentions(text, answer, words);
}

/** Whether what a text says in the words of the answer affirms it; undefined where it has none of them. */
function mentions(text: string, answer: string, words: readonly string[]): boolean | undefined {
  if (/[?？]\s*$/.test(text)) return undefined;
  const about = text.split(answerClauses).filter((clause) => contentWords(clause).some((word) => words.includes(word)));
  if (about.length === 0) return undefined;
  const figures = figuresIn(answer);
  const isOther = (clause: string): boolean => {
    const said = figuresIn(clause);
    return said.length > 0 && figures.length > 0 && !said.some((figure) => figures.includes(figure));
  };
  return isNegated(answer) || about.some((clause) => !isDenied(clause) && !isOther(clause));
}

const figuresIn = (text: string): readonly string[] => text.match(/\d+(?:[.,]\d+)*/g) ?? [];

function isAnswered(exchange: Exchange, answer: string, source: Source): boolean {
  const reply = textOf(exchange, source);
  // Yes told as no, and no as yes.
  if (isConsent(answer) !== isConsent(reply) && isRefusal(answer) !== isRefusal(reply)) return false;
  const words = contentWords(answer);
  if (words.length === 0) return true;
  if (isAside(reply, words) || isNarrowed(answer, reply)) return false;
  const asked = contentWords(exchange.before.map(source.text).join('\n'));
  const own = contentWords(reply);
  // Who names one of the things that were asked about agrees to that one.
  const isWhole = agrees(exchange, source) && !own.some((word) => asked.includes(word));
  const known = new Set([...own, ...(isWhole ? asked : [])]);
  if (words.some((word) => known.has(word))) return true;
  // `Europe/Berlin` of `Berlin`.
  if (own.some((word) => word.length > 3 && answer.toLowerCase().includes(word))) return true;
  // The agent may have settled it later, or the person elsewhere.
  return words.some((word) => source.passagesWith(word).some((at) => at > exchange.last && isSaying(at, source)));
}

const shortChars = 24;

/** The reply names one thing at once, and the answer's only in what it says further on: `Priya, Sam is away`. */
function isAside(reply: string, words: readonly string[]): boolean {
  const [first = '', ...rest] = reply.split(answerClauses);
  if (first.length > shortChars || isConsent(first) || isRefusal(first) || isDenied(first)) return false;
  const named = contentWords(first);
  const has = (clause: string): boolean => contentWords(clause).some((word) => words.includes(word));
  return named.length > 0 && named.length <= 2 && !has(first) && rest.some(has);
}

/** The answer says `only` of one of several that the reply names. */
const isNarrowed = (answer: string, reply: string): boolean =>
  isNarrowing(answer) && !isNarrowing(reply) && reply.length <= shortChars && listingWords.test(reply);

const isSaying = (at: number, source: Source): boolean => ['agent', 'person'].includes(source.speakerOf(at));

const textOf = ({ first, last }: Exchange, source: Source): string =>
  Array.from({ length: last - first + 1 }, (_, at) => source.text(first + at)).join('\n');

function wrongAnswer(line: ClaimLine, place: number, { source }: Context): WrongClaim {
  const ref = source.refOf(place);
  return {
    ...lineClaim('request', line, ref),
    why: `the reply in ${ref} says something else`,
  };
}
