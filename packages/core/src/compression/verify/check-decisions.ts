/**
 * Decisions that nobody took: a line about decisions says what only a file or a page says, or what the agent proposed and
 * the person refused.
 */
import type { Ref } from '../ref.ts';
import { numberIn } from './atoms.ts';
import { type ClaimLine, lineClaim } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { type Exchange, exchangesIn, isRefusing } from './exchanges.ts';
import { contentWords } from './request-words.ts';
import type { Source, Speaker } from './source.ts';
import { isAnswered, isDecided, isNarrowing, isReplacing, isWeighed, proposes, withoutLabel } from './words/answers.ts';
import { attributionIn, userSection } from './words/attributions.ts';
import { isNegated } from './words/negations.ts';

/** Holds a line about a decision, or a wish, against who said its words. */
export const checkDecisions: Check = (line, context) => {
  const { content, heading, type, scope } = line;
  if (type !== 'text' || scope !== undefined || isNegated(content) || context.isVerbatim(line)) return nothing;
  const isDecision = isDecided(content, heading);
  const isWish = userSection(heading) !== undefined || attributionIn(content) !== undefined;
  if (!(isDecision || isWish) || isWeighed(content) || isAnswered(content)) return nothing;
  const words = contentWords(withoutLabel(content));
  const refused = proposalRefused(words, context);
  if (refused) return { claims: ['request'], wrong: [wrongDecision(line, refused, 'the user did not want that')] };
  const document = isDecision ? onlyInDocument(words, context) : undefined;
  if (document)
    return { claims: ['request'], wrong: [wrongDecision(line, document, 'nobody decided what is read there')] };
  const replaced = isDecision ? valueReplaced(line, context) : undefined;
  if (replaced) return { claims: ['request'], wrong: [wrongDecision(line, replaced, 'another value took its place')] };
  return nothing;
};

function wrongDecision(line: ClaimLine, ref: Ref, why: string): WrongClaim {
  return {
    ...lineClaim('request', line, ref),
    why: `${ref}: ${why}`,
  };
}

/** What is said more often is settled in more than one place. */
const mostPlaces = 12;

/** A word of the line that only the agent's proposals have, each of them refused. */
function proposalRefused(words: readonly string[], { source }: Context): Ref | undefined {
  const { list, asked } = exchangesIn(source);
  for (const word of words) {
    const places = source.passagesWith(word);
    if (places.length === 0 || places.length > mostPlaces) continue;
    const replies = places.map((at) =>
      source.speakerOf(at) === 'agent' && proposes(source.text(at)) ? list[asked.get(at) ?? -1] : undefined,
    );
    const last = replies.at(-1);
    if (last && replies.every((reply) => reply && isDeclining(reply, source))) return source.refOf(last.first);
  }
  return undefined;
}

/** The person's next words after anybody last said a figure of the line put another in its place. */
function valueReplaced({ atoms }: ClaimLine, { source }: Context): Ref | undefined {
  const { list, own, asked } = exchangesIn(source);
  for (const atom of atoms) {
    if (atom.type !== 'number') continue;
    const places = source.passagesWith(numberIn(atom));
    const last = places.at(-1);
    if (last === undefined || places.length > mostPlaces || source.speakerOf(last) === 'call') continue;
    const said = own[last];
    const next = list[said === undefined ? (asked.get(last) ?? -1) : said + 1];
    const reply = next === undefined ? '' : source.text(next.first);
    if (next && isReplacing(reply) && /\d/.test(reply)) return source.refOf(next.first);
  }
  return undefined;
}

/** The person refuses, or takes something else: what of the proposal the reply repeats would be among its places. */
const isDeclining = (reply: Exchange, source: Source): boolean =>
  isRefusing(reply, source) || isNarrowing(source.text(reply.first));

/** So much of the line stands in one result, and so little in what anybody said or did. */
const share = { read: 0.7, said: 0.5 } as const;

function onlyInDocument(words: readonly string[], { source }: Context): Ref | undefined {
  if (words.length < leastWords) return undefined;
  const counts = new Map<number, number>();
  for (const word of words) {
    const places = source.passagesWith(word);
    if (places.length > mostPlaces) return undefined;
    for (const at of places) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const mostBy = (isSpeaker: (speaker: Speaker) => boolean): readonly [number, number] =>
    [...counts].filter(([at]) => isSpeaker(source.speakerOf(at))).reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
  const [read, most] = mostBy((speaker) => speaker === 'result');
  const [, said] = mostBy((speaker) => speaker !== 'result');
  return most >= words.length * share.read && said < words.length * share.said ? source.refOf(read) : undefined;
}

const leastWords = 2;
