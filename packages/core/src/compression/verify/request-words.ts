/** The words of a request that tell what it is about, and who said them. */

import { requestStopWords } from '../../language/languages.ts';
import { conceptOf } from './concepts.ts';
import type { Context } from './context.ts';
import type { Source } from './source.ts';
import { stemOf, wordsOf } from './words-of.ts';

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
  /** Weight of a word that nobody said: that of a word said once, between these. */
  unsaid: { least: 2, most: 6 },
} as const;

/** A ref of ours. */
const ref = /^m\d{1,6}$/;

const plainWord = /^\p{Script=Latin}+$/u;

export interface Weighed {
  readonly word: string;
  readonly weight: number;
}

/** The words that tell what was asked for, with how much each tells; of a remark the writer's own words count less. */
export function telling(text: string, { passages, source }: Context, isRemark = false): readonly Weighed[] {
  const { least, most } = requestChecking.unsaid;
  const unsaid = Math.min(most, Math.max(isRemark ? leastWeight : least, Math.log(source.passages) - 0.7));
  return contentWords(text)
    .filter((word) => isRemark || !particles.test(word) || isSaid(word, source))
    .map((word) => ({
      word,
      weight: isSaid(word, source) ? passages.weightOfPlaces(source.placesOf(word).length) : unsaid,
    }))
    .filter(({ weight }) => weight > 0.5);
}

/** All of them, those too that are said often: for finding which of few exchanges is about them. */
export function tellingAll(text: string, { passages, source }: Context): readonly Weighed[] {
  const unsaid = Math.max(leastWeight, Math.log(source.passages) - 0.7);
  return contentWords(text).map((word) => ({
    word,
    weight: isSaid(word, source)
      ? Math.max(leastWeight, passages.weightOfPlaces(source.placesOf(word).length))
      : unsaid,
  }));
}

const leastWeight = 0.6;
/** Pairs of letters with hiragana tell how a sentence is built. */
export const particles: RegExp = /[\u3041-\u309f]/;

const isSaid = (word: string, source: Source): boolean => source.placesOf(word).length > 0;

/** The words of a text that may tell what it is about, each once, in order. */
export function contentWords(text: string): readonly string[] {
  const words = new Set<string>();
  wordsOf(text, (written, { isPiece }) => {
    if (isPiece || written.length < 2 || ref.test(written)) return;
    // The full stop behind the last word makes it look like a name, which has no endings.
    const word = plainWord.test(written) ? conceptOf(stemOf(written)) : written;
    if (!requestStopWords.has(word)) words.add(word);
  });
  return [...words];
}

export interface Best {
  readonly passage: number;
  readonly share: number;
  /** How many of the words it has. */
  readonly count: number;
}

/** The passage with most of the words' weight. */
export function mostOf(words: readonly Weighed[], { source }: Context): Best | undefined {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  const scores = new Map<number, number>();
  const counts = new Map<number, number>();
  for (const { word, weight } of words) {
    for (const at of source.placesOf(word)) {
      scores.set(at, (scores.get(at) ?? 0) + weight);
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
  }
  let best: Best | undefined;
  for (const [passage, score] of scores) {
    if (score / all > (best?.share ?? 0)) best = { passage, share: score / all, count: counts.get(passage) ?? 0 };
  }
  return best;
}

/** Most of the words' weight stands in messages of the user's side, and much of it in one. */
export function isSaidByUser(words: readonly Weighed[], { source }: Context): boolean {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  const byMessage = new Map<number, number>();
  let together = 0;
  for (const { word, weight } of words) {
    const messages = new Set<number>();
    for (const at of source.placesOf(word)) {
      const speaker = source.speakerOf(at);
      if (speaker === 'person' || speaker === 'host' || speaker === 'system') messages.add(stretchOf(at, source));
    }
    if (messages.size > 0) together += weight;
    for (const message of messages) byMessage.set(message, (byMessage.get(message) ?? 0) + weight);
  }
  const alone = Math.max(0, ...byMessage.values());
  return together >= all * requestChecking.together && alone >= all * requestChecking.alone;
}

/** The largest share of the words' weight that one message of a person has; 0 where there are no words. */
export function shareByPerson(words: readonly Weighed[], { source }: Context): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  const byMessage = new Map<number, number>();
  for (const { word, weight } of words) {
    const persons = source.passagesWith(word).filter((at) => source.speakerOf(at) === 'person');
    for (const message of new Set(persons.map(source.messageOf))) {
      byMessage.set(message, (byMessage.get(message) ?? 0) + weight);
    }
  }
  return all === 0 ? 0 : Math.max(0, ...byMessage.values()) / all;
}

/** Passages of a long text that count as one: what stands pages apart was not asked for together. */
const stretch = 8;

/** Where a passage belongs: its message, or a part of it where that is long; of a host's text only the passage itself. */
function stretchOf(passage: number, source: Source): number {
  const message = source.messageOf(passage);
  const isPersons = source.speakerOf(passage) === 'person';
  const isShort = (source.persons.get(message)?.length ?? Number.POSITIVE_INFINITY) <= shortChars;
  if (isPersons && isShort) return message;
  // Below zero, so that it is no message's number.
  return -1 - (isPersons ? Math.floor(passage / stretch) : source.passages + passage);
}

const shortChars = 1_500;
