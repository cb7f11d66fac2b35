/** What a summary says the user asked for, wants or said: somebody has to have said so, and not a tool. */
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { attributionIn } from './words/attributions.ts';
import { languageOf } from './words/language.ts';
import { wordsOf } from './words-of.ts';

/** Measured on the mutation corpus (`bench/verification.ts`). */
export const requestChecking = {
  /** Share of the words' weight that the user's messages together must have, or one of them alone. */
  together: 0.5,
  alone: 0.34,
  /** A passage of the agent with this share reports the request as the agent understood it. */
  byAgent: 0.6,
  /** Fewer words that tell something cannot be judged. */
  leastWords: 2,
  /** Weight of a word that nobody said. */
  unsaid: 5,
} as const;

/** Holds a line that speaks of a request against what persons said. */
export const checkRequests: Check = (line, context) => {
  if (line.type === 'code' || line.type === 'heading') return nothing;
  const said = attributionIn(line.content);
  if (!said || context.isVerbatim(line)) return nothing;
  const words = telling(said.rest, context);
  if (words.length < requestChecking.leastWords || isForeign(said.rest, context))
    return { claims: ['request'], wrong: [] };
  if (isSaidByUser(words, context) || isReported(line, context)) return { claims: ['request'], wrong: [] };
  return { claims: ['request'], wrong: [wrongRequest(line, context)] };
};

interface Weighed {
  readonly word: string;
  readonly weight: number;
}

/** The words that tell what was asked for, with how much each tells. */
function telling(text: string, { passages, source }: Context): readonly Weighed[] {
  const weights = new Map<string, number>();
  wordsOf(text, (word, _start, _end, isPiece) => {
    if (isPiece || word.length < 2) return;
    const isSaid = source.passagesWith(word).length > 0;
    const weight = isSaid ? passages.weightOf(word) : stopWord.test(word) ? 0 : requestChecking.unsaid;
    if (weight > 0.5) weights.set(word, weight);
  });
  return [...weights].map(([word, weight]) => ({ word, weight }));
}

const stopWord = /^(?:~user|~request|[a-z]{1,3})$/;

/** What the user said in another language than the summary's cannot be told by its words. */
function isForeign(rest: string, { source }: Context): boolean {
  const language = languageOf(rest);
  const spoken = new Set([...source.persons.values()].map((text) => languageOf(text.slice(0, 2_000))));
  return spoken.size > 0 && !spoken.has(language) && !(language === 'other' && spoken.has('en'));
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

/** The agent's own words tell of the same thing. */
function isReported(line: ClaimLine, { passages, source }: Context): boolean {
  return passages
    .nearest(line)
    .some(({ passage, coverage }) => coverage >= requestChecking.byAgent && source.speakerOf(passage) === 'agent');
}

function wrongRequest(line: ClaimLine, { passages, source }: Context): WrongClaim {
  const claim = { type: 'request', text: line.content.slice(0, 160), line: line.number } as const;
  const elsewhere = passages.nearest(line).find(({ coverage }) => coverage >= requestChecking.byAgent);
  if (!elsewhere) return { ...claim, verdict: 'unsupported', why: 'the user never asked for that', refs: [] };
  const ref = source.refOf(elsewhere.passage);
  return { ...claim, verdict: 'contradicted', why: `not the user but ${ref} says so`, refs: [ref] };
}
