/** What a summary says the user asked for, wants or said: somebody has to have said so, and not a tool. */
import { type ClaimLine, userHeader } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { type AttributionVerb, attributionIn } from './words/attributions.ts';
import { languageOf } from './words/language.ts';
import { wordsOf } from './words-of.ts';

/** Measured on the mutation corpus (`bench/verification.ts`). */
export const requestChecking = {
  /** Share of the words' weight that the user's messages together must have, or one of them alone. */
  together: 0.6,
  alone: 0.4,
  /** A passage of anybody with this share is about the same: the user may have asked in other words. */
  related: 0.4,
  /** Somebody else's passage with this share says just that: the words are his. */
  sameByTool: 0.75,
  sameByAgent: 0.85,
  /** Fewer words that tell something cannot be judged. */
  leastWords: 2,
  /** Weight of a word that nobody said. */
  unsaid: 6,
} as const;

/** Choices and consent are given in few words: what they are about is said by others. */
const brief: ReadonlySet<AttributionVerb> = new Set(['chose', 'approved', 'rejected', 'proposed', 'provided']);

/** Holds a line that speaks of a request against what persons said. */
export const checkRequests: Check = (line, context) => {
  if (line.type === 'code' || line.type === 'heading') return nothing;
  // What stands behind `m12 user:` is held as a quotation.
  const said = userHeader.test(line.content) ? undefined : attributionIn(line.content);
  if (!said || context.isVerbatim(line)) return nothing;
  const words = telling(said.rest, context);
  const claims = ['request'] as const;
  if (isForeign(said.rest, context)) {
    return { claims, wrong: isBorneOut(words, context) ? [] : [wrongRequest(line, undefined, context)] };
  }
  if (words.length < requestChecking.leastWords) return { claims, wrong: [] };
  const best = mostOf(words, context);
  const isNew = namesUnsaid(said.rest, context);
  if (!isNew && isSaidByUser(words, context)) return { claims, wrong: [] };
  const isElses = !brief.has(said.verb) && best !== undefined && isSomebodyElses(best, context);
  if (!isNew && best && best.share >= requestChecking.related && !isElses) return { claims, wrong: [] };
  return { claims, wrong: [wrongRequest(line, best, context)] };
};

/** A ref of ours. */
const ref = /^m\d{1,6}$/;

interface Weighed {
  readonly word: string;
  readonly weight: number;
}

/** The words that tell what was asked for, with how much each tells. */
function telling(text: string, { passages, source }: Context): readonly Weighed[] {
  const weights = new Map<string, number>();
  wordsOf(text, (word, _start, _end, isPiece) => {
    if (isPiece || word.length < 2 || ref.test(word)) return;
    const isSaid = source.passagesWith(word).length > 0;
    if (stopWords.has(word)) return;
    const weight = isSaid ? passages.weightOf(word) : requestChecking.unsaid;
    if (weight > 0.5) weights.set(word, weight);
  });
  return [...weights].map(([word, weight]) => ({ word, weight }));
}

/** Words that any request may have, in their stems. */
const stopWords: ReadonlySet<string> = new Set(
  `~user ~request a an the and or but not no if as at by for from in into of on onto off out over to up with without about
  before after between under again then than that this these those there here it its he she they we you me my our your
  their his her him us them i is are was were be been being am do doe did done have ha had having will would shall should
  can could may might must need want wish lik pleas also too so very just only even still yet now later soon next first
  last new old mor most les least much many som any all each every both other another such same own be becom get got let
  mak giv tak put set go com keep us see look find tell ask say said mean try start stop help work thing way lot bit sur
  how what when where which who whom why whether instead because since while until ever never alway often once twic
  actual real simpl well good bett right wrong possibl able allow ensur both per via etc`.split(/\s+/),
);

/** What the user said in another language than the summary's cannot be told by its words. */
function isForeign(rest: string, { source }: Context): boolean {
  const language = languageOf(rest);
  const spoken = new Set([...source.persons.values()].map((text) => languageOf(text.slice(0, 2_000))));
  return spoken.size > 0 && !spoken.has(language) && !(language === 'other' && spoken.has('en'));
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

/** In another language than the user's, this share of the words' weight has to occur in some way. */
const foreignShare = 0.6;

/**
 * A request told in another language than the user's: what of it can be compared has to occur. Latin words and names
 * are compared as they are, of Han, kana and hangul only the words that mean the same in every language.
 */
function isBorneOut(words: readonly Weighed[], { source }: Context): boolean {
  const names = words.filter(({ word }) => /^[a-z0-9][\w./:@-]*$/.test(word));
  const concepts = words.filter(({ word }) => word.startsWith('~'));
  const all = names.reduce((sum, { weight }) => sum + weight, 0);
  const said = names.filter(({ word }) => source.passagesWith(word).length > 0);
  if (names.length > 0 && said.reduce((sum, { weight }) => sum + weight, 0) < all * foreignShare) return false;
  if (said.length > 0) return true;
  const wide = words.length - names.length - concepts.length;
  const byMessage = new Map<number, number>();
  for (const { word } of concepts) {
    const messages = source.passagesWith(word).map((at) => source.messageOf(at));
    for (const message of new Set(messages)) byMessage.set(message, (byMessage.get(message) ?? 0) + 1);
  }
  const together = Math.max(0, ...byMessage.values());
  return together >= Math.min(concepts.length, 2) && concepts.length > 0 && (together > 1 || wide <= 8);
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

interface Best {
  readonly passage: number;
  readonly share: number;
}

/** The passage with most of the words' weight. */
function mostOf(words: readonly Weighed[], { source }: Context): Best | undefined {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  const scores = new Map<number, number>();
  for (const { word, weight } of words) {
    for (const at of source.passagesWith(word)) scores.set(at, (scores.get(at) ?? 0) + weight);
  }
  let best: Best | undefined;
  for (const [passage, score] of scores) {
    if (score / all > (best?.share ?? 0)) best = { passage, share: score / all };
  }
  return best;
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
