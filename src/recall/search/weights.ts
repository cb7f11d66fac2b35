/** The numbers of the ranking, in one place. What each is worth is measured by `bench/search.ts`. */
import type { TermWeights } from './wanted-terms.ts';

export interface RankingWeights {
  readonly terms: TermWeights;
  /** BM25: how soon a repeated word counts no more, and how much long texts pay for their length. */
  readonly saturation: number;
  readonly lengthPenalty: number;
  /** Words of a message that is neither long nor short: the same for all stores, so that scores stay what they are. */
  readonly typicalWords: number;
  /** Share of the best stretch in the score of a long message, and the size of a stretch in words. */
  readonly stretch: number;
  readonly stretchWords: number;
  /** Share of the score of a short neighbour: the one before, the one before when it asks, the one after. */
  readonly before: number;
  readonly beforeAsking: number;
  readonly after: number;
  /** Longest message, in characters, that counts as a short turn. */
  readonly shortTurn: number;
  /** The name of who speaks, as so many words of the text. */
  readonly speaker: number;
  /** A message of the one speaker of several that the query names. */
  readonly namedSpeaker: number;
  /** The session's own score beside the message's (1). */
  readonly session: number;
  /** What was said by the user, where the query speaks of "me", and by the assistant, where it speaks of "you". */
  readonly person: number;
  /** A time that the query names. */
  readonly time: number;
  /** Text of tool results beside what was said (1). */
  readonly result: number;
}

export const rankingWeights: RankingWeights = {
  terms: { name: 1, pair: 1, character: 0.1, asking: 0.5 },
  saturation: 1.2,
  lengthPenalty: 0.9,
  typicalWords: 150,
  stretch: 0.4,
  stretchWords: 100,
  before: 0.25,
  beforeAsking: 0.8,
  after: 0.4,
  shortTurn: 400,
  speaker: 1,
  namedSpeaker: 0.2,
  session: 0.5,
  person: 0.3,
  time: 0.6,
  result: 0.7,
};
