/** What a summary says the user asked for, wants or said: somebody has to have said so, and not a tool. */
import type { Ref } from '../ref.ts';
import { actsNamed } from './action-words.ts';
import { isApproved } from './approvals.ts';
import { type ClaimLine, userHeader } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clausesOf } from './clause.ts';
import { type Check, type Context, nothing } from './context.ts';
import { isBorneOut, isForeign } from './foreign-requests.ts';
import { isGrounded } from './grounds.ts';
import { type Best, isSaidByUser, mostOf, requestChecking, stopWords, telling, type Weighed } from './request-words.ts';
import { type Attribution, type AttributionVerb, attributionIn } from './words/attributions.ts';
import { codeIn, masked, quotesIn } from './words/quotes.ts';
import { wordsOf } from './words-of.ts';

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

const further =
  /\b(?:and|but|then) (?:then |also |explicitly |later )*(?=(?:asked|requested|wanted|wants|told|instructed|demanded|ordered|approved|allowed|agreed|decided)\b)/gi;

/** What a sentence about the user goes on to say of him: `said "commit this" and asked to push it`. */
const alsoIn = (clause: string, { start, end }: Attribution): readonly Attribution[] =>
  [...masked(clause).matchAll(further)].flatMap(({ 0: found, index }) =>
    start === 0 && index > end ? (attributionIn(`The user ${clause.slice(index + found.length)}`) ?? []) : [],
  );

const asksToKnow = /^(?:to )?(?:know|wissen|erfahren|savoir|saber)(?!\p{L})|^知道|知りた|알고/iu;

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
  const verb = told === 'wants' && asksToKnow.test(rest) ? 'said' : told;
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
      isSaid ||= stopWords.has(word) || source.placesOf(word).length > 0;
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
