/**
 * Whether a person allowed what a line says was approved: by consent to what the agent asked, or in words of the
 * person's own that are no question. What an agent, a tool or an earlier summary says of an approval is none.
 */

import { actsNamed } from './action-words.ts';
import type { Context } from './context.ts';
import { sentencesIn } from './cut-quotes.ts';
import { type Exchange, exchangesIn, isRefusing } from './exchanges.ts';
import { agrees } from './grounds.ts';
import { particles, tellingAll, type Weighed } from './request-words.ts';
import type { Source } from './source.ts';
import { isRefusal } from './words/answers.ts';
import { saysAll } from './words/scopes.ts';
import { wordsOf } from './words-of.ts';

/**
 * Least shares of what tells in the line: in what a person agreed to, and in a person's own words. `told`: in what a
 * person agreed to, of the words that anybody said, where these are so much of the line and stand in no exchange more: the
 * others are the writer's.
 */
const least = { agreed: 0.5, own: 0.6, told: 0.5, known: 0.1 } as const;

/** The newest exchange about it decides. Linear in the places of the words, and in what persons said of them. */
export function isApproved(line: string, context: Context): boolean {
  const { source } = context;
  const { acts, rest } = actsNamed(line);
  const words = tellingAll(rest, context).filter(
    ({ word }) => !particles.test(word) || source.passagesWith(word).length > 0,
  );
  if (words.length === 0 && acts.length === 0) return true;
  const { list } = exchangesIn(source);
  const { shares, near, known } = sharesOf(words, source);
  const related = words.length === 0 ? list.map((_, at) => at) : [...shares.keys()].sort((a, b) => a - b);
  const most = shares.values().reduce((a, b) => Math.max(a, b), 0);
  for (const at of related.reverse()) {
    const exchange = list[at];
    const share = words.length === 0 ? 1 : (shares.get(at) ?? 0);
    const isTold = known >= least.known && share >= Math.max(most, known * least.told);
    if (!exchange || !(share >= least.agreed || isTold)) continue;
    const earlier = list[at - 1];
    const isAgreed = agrees(exchange, source) || (isBriefReply(exchange, source) && near.has(at));
    if (isAgreed) {
      const passages = [...exchange.before, ...said(exchange), ...(earlier ? said(earlier) : [])];
      if (covers(passages, line, source)) return !isTakenBack(list[at + 1], source);
    } else if (isRefusing(exchange, source)) return false;
    else if (statedShare(exchange, words, source) >= least.own && covers(said(exchange), line, source)) return true;
  }
  return false;
}

interface Shares {
  /** By exchange, of the words' weight. */
  readonly shares: ReadonlyMap<number, number>;
  /** Exchanges in which a person says one of the words. */
  readonly near: ReadonlySet<number>;
  /** How much of the weight anybody says. */
  readonly known: number;
}

function sharesOf(words: readonly Weighed[], source: Source): Shares {
  const { own, asked } = exchangesIn(source);
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const shares = new Map<number, number>();
  const near = new Set<number>();
  let known = 0;
  for (const { word, weight } of words) {
    const about = new Set<number>();
    const places = source.placesOf(word);
    if (places.length > 0) known += weight / total;
    for (const place of places) {
      const said = own[place];
      if (said !== undefined) near.add(said);
      // What is asked next often only points at what was said before it.
      for (const at of said === undefined ? [asked.get(place)] : [said, said + 1]) if (at !== undefined) about.add(at);
    }
    for (const at of about) shares.set(at, (shares.get(at) ?? 0) + weight / total);
  }
  return { shares, near, known };
}

/** What the person says next, asked nothing in between, opens by taking it back: `wait, no`. */
const isTakenBack = (next: Exchange | undefined, source: Source): boolean =>
  next !== undefined && isRefusing(next, source) && !next.before.some((at) => /[?？]/.test(source.text(at)));

const said = ({ first, last }: Exchange): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** The passages name every act of the line; and where the line speaks of all, so do they. */
function covers(passages: readonly number[], line: string, source: Source): boolean {
  const texts = passages.map(source.text);
  const named = new Set(texts.flatMap((text) => actsNamed(text).acts));
  return actsNamed(line).acts.every((act) => named.has(act)) && (!saysAll(line) || texts.some(saysAll));
}

const briefChars = 24;

/** A word or two of what the agent asked about: `for the cart only`. */
const isBriefReply = ({ first, last, chars, before }: Exchange, source: Source): boolean =>
  first === last &&
  chars <= briefChars &&
  before.some((at) => /[?？]/.test(source.text(at))) &&
  !/[?？]/.test(source.text(first)) &&
  !isRefusal(source.text(first));

/** How much of the words' weight stands in what the person says there without asking. */
function statedShare({ first, last }: Exchange, words: readonly Weighed[], source: Source): number {
  if (words.length === 0) return 0;
  const stated = new Set<string>();
  for (let at = first; at <= last; at++) {
    for (const sentence of sentencesIn(source.text(at)).filter((one) => !/[?？]$/.test(one))) {
      wordsOf(sentence, (word) => stated.add(word));
    }
  }
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  return words.reduce((sum, { word, weight }) => sum + (stated.has(word) ? weight : 0), 0) / all;
}
