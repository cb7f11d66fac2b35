/** What a summary says the user asked for, wants or said: somebody has to have said so, and not a tool. */
import { type ClaimLine, userHeader } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { isBorneOut, isForeign } from './foreign-requests.ts';
import { type Best, mostOf, requestChecking, stopWords, telling, type Weighed } from './request-words.ts';
import { type AttributionVerb, attributionIn } from './words/attributions.ts';
import { codeIn, quotesIn } from './words/quotes.ts';
import { wordsOf } from './words-of.ts';

/** Choices and consent are given in few words: what they are about is said by others. */
const brief: ReadonlySet<AttributionVerb> = new Set(['chose', 'approved', 'rejected', 'proposed', 'provided']);

/** Holds a line that speaks of a request against what persons said. */
export const checkRequests: Check = (line, context) => {
  if (line.type === 'code' || line.type === 'heading') return nothing;
  // What stands behind `m12 user:` is held as a quotation.
  const said = userHeader.test(line.content) ? undefined : attributionIn(line.content);
  if (!said || context.isVerbatim(line)) return nothing;
  const claims = ['request'] as const;
  if (namedByUser(said.rest, context)) return { claims, wrong: [] };
  const words = telling(said.rest, context);
  if (isForeign(said.rest, context)) {
    const isFine = isBorneOut({ words, rest: said.rest, isBrief: brief.has(said.verb) }, context);
    return { claims, wrong: isFine ? [] : [wrongRequest(line, undefined, context)] };
  }
  if (words.length < requestChecking.leastWords) return { claims, wrong: [] };
  const best = mostOf(words, context);
  const isNew = namesUnsaid(said.rest, context);
  if (!isNew && isSaidByUser(words, context)) return { claims, wrong: [] };
  const isElses = !brief.has(said.verb) && best !== undefined && isSomebodyElses(best, context);
  if (!isNew && best && best.share >= requestChecking.related && !isElses) return { claims, wrong: [] };
  return { claims, wrong: [wrongRequest(line, best, context)] };
};

/** More words beside names of the user's are a request of their own. */
const mostBeside = 3;

/** The line names what the user named, or quotes the user, and says little besides: `The user asked about \`src/a.ts\``. */
function namedByUser(rest: string, context: Context): boolean {
  const quotes = quotesIn(rest);
  const spans = [...quotes, ...codeIn(rest)].filter(
    ({ start }, at) => at < quotes.length || !quotes.some((quote) => quote.start < start && start < quote.end),
  );
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

function isSaidByUser(words: readonly Weighed[], { source }: Context): boolean {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  const byMessage = new Map<number, number>();
  let together = 0;
  for (const { word, weight } of words) {
    const messages = new Set<number>();
    for (const at of source.passagesWith(word)) {
      const speaker = source.speakerOf(at);
      if (speaker === 'person' || speaker === 'host' || speaker === 'system') messages.add(source.messageOf(at));
    }
    if (messages.size > 0) together += weight;
    for (const message of messages) byMessage.set(message, (byMessage.get(message) ?? 0) + weight);
  }
  const alone = Math.max(0, ...byMessage.values());
  return together >= all * requestChecking.together && alone >= all * requestChecking.alone;
}

/** A tool's or the agent's words, and not merely about the same. */
function isSomebodyElses({ passage, share }: Best, { source }: Context): boolean {
  const speaker = source.speakerOf(passage);
  if (speaker === 'agent') return share >= requestChecking.sameByAgent;
  return (speaker === 'call' || speaker === 'result') && share >= requestChecking.sameByTool;
}

function wrongRequest(line: ClaimLine, best: Best | undefined, { source }: Context): WrongClaim {
  const claim = { type: 'request', text: line.content.slice(0, 160), line: line.number } as const;
  if (!best || best.share < requestChecking.sameByTool) {
    return { ...claim, verdict: 'unsupported', why: 'the user never asked for that', refs: [] };
  }
  const said = source.refOf(best.passage);
  return { ...claim, verdict: 'contradicted', why: `not the user but ${said} says so`, refs: [said] };
}
