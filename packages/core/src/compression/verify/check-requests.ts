/** What a summary says the user asked for, wants or said: somebody has to have said so, and not a tool. */

import type { Attribution, AttributionVerb } from '../../language/attribution.ts';
import { requestStopWords } from '../../language/languages.ts';
import { furtherVerbs } from '../../language/negations.ts';
import { wishesToKnow } from '../../language/requests.ts';
import type { Ref } from '../ref.ts';
import { type ClaimLine, userHeader } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clausesOf } from './clause.ts';
import { actsNamed } from './concepts.ts';
import { type Check, type Context, nothing } from './context.ts';
import { sentencesIn } from './cut-quotes.ts';
import { type Exchange, exchangesIn, isRefusing } from './exchanges.ts';
import { isBorneOut, isForeign } from './foreign-requests.ts';
import { agrees, isGrounded } from './grounds.ts';
import {
  type Best,
  isSaidByUser,
  mostOf,
  particles,
  requestChecking,
  telling,
  tellingAll,
  type Weighed,
} from './request-words.ts';
import type { Source } from './source.ts';
import { isRefusal } from './words/answers.ts';
import { attributionIn } from './words/attributions.ts';
import { saysAll } from './words/negations.ts';
import { codeIn, masked, quotesIn } from './words/quotes.ts';
import { wordsOf } from './words-of.ts';

// Whether a person allowed what a line says was approved: by consent to what the agent asked, or in words of the
// person's own that are no question. What an agent, a tool or an earlier summary says of an approval is none.

/**
 * Least shares of what tells in the line: in what a person agreed to, and in a person's own words. `told`: in what a
 * person agreed to, of the words that anybody said, where these are so much of the line and stand in no exchange more: the
 * others are the writer's.
 */
const least = { agreed: 0.5, own: 0.6, told: 0.5, known: 0.1 } as const;

/** The newest exchange about it decides. Linear in the places of the words, and in what persons said of them. */
function isApproved(line: string, context: Context): boolean {
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

/** Choices and consent are given in few words: what they are about is said by others. */
const brief: ReadonlySet<AttributionVerb> = new Set(['chose', 'approved', 'rejected', 'proposed', 'provided']);

/** What the user merely says, sees or hands over binds nobody; the agent may tell it in words of its own. */
const remarks: ReadonlySet<AttributionVerb> = new Set(['said', 'provided']);

/** Holds every sentence that speaks of a request against what persons said. */
export const checkRequests: Check = (line, context) => {
  if (line.type === 'code' || line.type === 'heading') return nothing;
  // What stands behind `m12 user:` is held as a quotation.
  if (userHeader.test(line.content) || !attributionIn(line.content) || context.isVerbatim(line)) return nothing;
  const wrong: WrongClaim[] = [];
  let claims = 0;
  for (const [at, clause] of clausesOf(line.content).entries()) {
    const said = attributionIn(clause);
    if (!said || (at > 0 && said.start > 0 && /^(?:as|per)\b/i.test(clause) && said.rest.length < 12)) continue;
    claims++;
    const found = [said, ...alsoIn(clause, said)].map((one) => judge({ ...one, clause, line }, context)).find(Boolean);
    if (found) wrong.push(found);
  }
  return { claims: Array.from({ length: claims }, () => 'request' as const), wrong };
};

/** What a sentence about the user goes on to say of him: `said "commit this" and asked to push it`. */
const alsoIn = (clause: string, { start, end }: Attribution): readonly Attribution[] =>
  [...masked(clause).matchAll(furtherVerbs)].flatMap(({ 0: found, index }) =>
    start === 0 && index > end ? (attributionIn(`The user ${clause.slice(index + found.length)}`) ?? []) : [],
  );

interface Case {
  readonly verb: AttributionVerb;
  readonly negated: boolean;
  readonly rest: string;
  readonly clause: string;
  readonly line: ClaimLine;
}

function judge({ verb: told, negated, rest: whole, clause, line }: Case, context: Context): WrongClaim | undefined {
  const rest = withoutReply(whole);
  // Who wants to know something asks a question, which binds nobody either.
  const verb = told === 'wants' && wishesToKnow.test(rest) ? 'said' : told;
  const { acts, rest: objects } = remarks.has(verb) ? { acts: [], rest } : actsNamed(rest);
  const isApproval = verb === 'approved' && !negated;
  if (!isApproval && acts.length === 0 && namedByUser(rest, context)) return undefined;
  const words = telling(objects, context, remarks.has(verb));
  if (isForeign(rest, context, clause)) {
    const told = { words, rest, isBrief: brief.has(verb), acts };
    return isBorneOut(told, context) ? undefined : wrongRequest(line, clause);
  }
  // In German every noun has a capital.
  const isNew = !/(?<!\p{L})(?:(?:be)?nutzer|anwender)/iu.test(clause) && namesUnsaid(rest, context);
  if (isApproval) return !isNew && isApproved(rest, context) ? undefined : wrongRequest(line, clause);
  if (words.length < requestChecking.leastWords && acts.length === 0) return undefined;
  if (!isNew && isGrounded({ words, acts }, context)) return undefined;
  const best = mostOf(words, context);
  if (!remarks.has(verb)) return wrongRequest(line, clause, best && saidByOther(best, context));
  if (!isNew && isSaidByUser(words, context)) return undefined;
  const isElses = best !== undefined && isSomebodyElses(best, context);
  if (!isNew && best && isRelated(best, words) && !isElses) return undefined;
  return wrongRequest(line, clause, best && saidByOther(best, context));
}

/** `The user asked for a review - I looked at it`: the rest is what the agent did. */
const withoutReply = (rest: string): string => rest.split(/\s[-–—→]\s+(?=\p{Lu}|th(?:is|at) )/u)[0] ?? rest;

/** Who says just that, where it is not the user. */
function saidByOther({ passage, share }: Best, { source }: Context): Ref | undefined {
  const isUsers = ['person', 'host'].includes(source.speakerOf(passage));
  return share >= requestChecking.sameByTool && !isUsers ? source.refOf(passage) : undefined;
}

/** One word alone is about nothing, be it ever so seldom. */
const isRelated = ({ share, count }: Best, words: readonly Weighed[]): boolean =>
  share >= requestChecking.related && (count > 1 || words.length < 3);

/** More words beside names of the user's are a request of their own. */
const mostBeside = 3;

/** The line names what the user named, or quotes the user, and says little besides: `The user asked about \`src/a.ts\``. */
function namedByUser(rest: string, context: Context): boolean {
  const quotes = quotesIn(rest);
  const numbers = [...rest.matchAll(/#\d+/g)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
  const spans = [...quotes, ...codeIn(rest), ...numbers].filter(
    ({ start }, at) => at < quotes.length || !quotes.some((quote) => quote.start < start && start < quote.end),
  );
  if (context.isUsers(rest)) return true;
  // The user's very words, and what the writer makes of them.
  if (quotes.some(({ text }) => context.isUsers(text) && text.split(/\s+/).length >= 3)) return true;
  if (spans.length === 0 || !spans.every(({ text }) => isUsersName(text, context))) return false;
  let beside = rest;
  for (const { start, end } of spans) beside = beside.slice(0, start) + ' '.repeat(end - start) + beside.slice(end);
  return telling(beside, context).length <= mostBeside;
}

/** Said by the user as it stands, however short: `#37`, `--add`. */
function isUsersName(name: string, context: Context): boolean {
  if (context.isUsers(name)) return true;
  const { length } = name;
  const isPart = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
  return context.source.userTexts.some(({ text }) => {
    for (let at = text.indexOf(name); at >= 0 && length > 1; at = text.indexOf(name, at + length)) {
      if (!isPart(text[at - 1]) && !isPart(text[at + length])) return true;
    }
    return false;
  });
}

/** A name that nobody ever said: nobody asked for anything with it. */
function namesUnsaid(rest: string, { source }: Context): boolean {
  for (const match of rest.matchAll(/(?<=[\p{L}\p{N},:;)"'`]\s)[`"']?(\p{Lu}[\p{L}\p{N}]{2,})/gu)) {
    const name = match[1] ?? '';
    let isSaid = false;
    wordsOf(name, (word) => {
      isSaid ||= requestStopWords.has(word) || source.placesOf(word).length > 0;
    });
    if (!isSaid) return true;
  }
  return false;
}

/** A tool's or the agent's words, and not merely about the same. */
function isSomebodyElses({ passage, share }: Best, { source }: Context): boolean {
  const speaker = source.speakerOf(passage);
  if (speaker === 'agent') return share >= requestChecking.sameByAgent;
  return (speaker === 'call' || speaker === 'result') && share >= requestChecking.sameByTool;
}

function wrongRequest(line: ClaimLine, clause: string, said?: Ref): WrongClaim {
  const claim = { type: 'request', text: clause.trim().slice(0, 160), line: line.number } as const;
  if (!said) return { ...claim, verdict: 'unsupported', why: 'the user never asked for that', refs: [] };
  return { ...claim, verdict: 'contradicted', why: `not the user but ${said} says so`, refs: [said] };
}
