/** What a summary says the user asked for, wants or said: somebody has to have said so, and not a tool. */
import type { Ref } from '../ref.ts';
import { type ClaimLine, userHeader } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { clausesOf } from './clause.ts';
import { type Check, type Context, nothing } from './context.ts';
import { isBorneOut, isForeign } from './foreign-requests.ts';
import { type Best, isSaidByUser, mostOf, requestChecking, stopWords, telling, type Weighed } from './request-words.ts';
import { type AttributionVerb, attributionIn } from './words/attributions.ts';
import { codeIn, quotesIn } from './words/quotes.ts';
import { wordsOf } from './words-of.ts';

/** Choices and consent are given in few words: what they are about is said by others. */
const brief: ReadonlySet<AttributionVerb> = new Set(['chose', 'approved', 'rejected', 'proposed', 'provided']);

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
    const found = judge({ ...said, clause, line }, context);
    if (found) wrong.push(found);
  }
  return { claims: Array.from({ length: claims }, () => 'request' as const), wrong };
};

interface Case {
  readonly verb: AttributionVerb;
  readonly rest: string;
  readonly clause: string;
  readonly line: ClaimLine;
}

function judge({ verb, rest, clause, line }: Case, context: Context): WrongClaim | undefined {
  if (namedByUser(rest, context)) return undefined;
  const words = telling(rest, context);
  if (isForeign(rest, context)) {
    return isBorneOut({ words, rest, isBrief: brief.has(verb) }, context) ? undefined : wrongRequest(line, clause);
  }
  if (words.length < requestChecking.leastWords) return undefined;
  const best = mostOf(words, context);
  const isNew = namesUnsaid(rest, context);
  if (!isNew && isSaidByUser(words, context)) return undefined;
  const isElses = !brief.has(verb) && best !== undefined && isSomebodyElses(best, context);
  if (!isNew && best && isRelated(best, words) && !isElses) return undefined;
  const said = best && best.share >= requestChecking.sameByTool ? context.source.refOf(best.passage) : undefined;
  return wrongRequest(line, clause, said);
}

/** One word alone is about nothing, be it ever so seldom. */
const isRelated = ({ share, count }: Best, words: readonly Weighed[]): boolean =>
  share >= requestChecking.related && (count > 1 || words.length < 3);

/** More words beside names of the user's are a request of their own. */
const mostBeside = 3;

/** The line names what the user named, or quotes the user, and says little besides: `The user asked about \`src/a.ts\``. */
function namedByUser(rest: string, context: Context): boolean {
  const quotes = quotesIn(rest);
  const spans = [...quotes, ...codeIn(rest)].filter(
    ({ start }, at) => at < quotes.length || !quotes.some((quote) => quote.start < start && start < quote.end),
  );
  // The user's very words, and what the writer makes of them.
  if (quotes.some(({ text }) => context.isUsers(text) && text.split(/\s+/).length >= 3)) return true;
  if (spans.length === 0 || !spans.every(({ text }) => context.isUsers(text))) return false;
  let beside = rest;
  for (const { start, end } of spans) beside = beside.slice(0, start) + ' '.repeat(end - start) + beside.slice(end);
  return telling(beside, context).length <= mostBeside;
}

/** A name that nobody ever said: nobody asked for anything with it. */
function namesUnsaid(rest: string, { source }: Context): boolean {
  for (const match of rest.matchAll(/(?<=[\p{L}\p{N},:;)"'`]\s)[`"']?(\p{Lu}[\p{L}\p{N}]{2,})/gu)) {
    const name = match[1] ?? '';
    let isSaid = false;
    wordsOf(name, (word) => {
      isSaid ||= stopWords.has(word) || source.passagesWith(word).length > 0;
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
