/** The numbers of the ranking, in one place. What each is worth is measured by `bench/search.ts`. */
import type { TermWeights } from './wanted-terms.ts';

export interface RankingWeights {
  readonly terms: TermWeights;
  /** A word in the very form that was typed, beside its stem, by how much rarer the form is. */
  readonly exact: number;
  /** The same for a single word whose form is rare, beside what the best message of any form has (1). */
  readonly lone: number;
  /** BM25: how soon a repeated word counts no more. */
  readonly saturation: number;
  /** What every message pays, and by which power of their length long ones pay more: turns hardly, long answers much. */
  readonly lengthFloor: number;
  readonly lengthPower: number;
  /** Words of a message that is neither long nor short: the same for all stores, so that scores stay what they are. */
  readonly typicalWords: number;
  /** What the best stretch of a long message counts by itself, where that is more, and its size in words. */
  readonly stretch: number;
  readonly stretchWords: number;
  /** Two words side by side as in the query, beside what each counts alone; and within how many words. */
  readonly pair: number;
  readonly pairReach: number;
  /** Share of the score of a short neighbour: the one before, the one before when it asks, the one after, those two away. */
  readonly before: number;
  readonly beforeAsking: number;
  readonly after: number;
  readonly twoAway: number;
  /** By how much a short turn that asks counts less: it has the words, and what follows has the answer. */
  readonly asking: number;
  /** Longest message, in characters, that counts as a short turn. */
  readonly shortTurn: number;
  /** The name of who speaks, as so many words of the text. */
  readonly speaker: number;
  /** A message of the one speaker of several that the query names. */
  readonly namedSpeaker: number;
  /** The session's own score beside the message's (1); a power below 1 brings the sessions closer to the best one. */
  readonly session: number;
  readonly sessionPower: number;
  /** What was said by the user, where the query speaks of "me", and by the assistant, where it speaks of "you". */
  readonly person: number;
  /** A time that the query names. */
  readonly time: number;
  /** Closeness in meaning beside the words (1), of the message and of the closest one of its session, where there are vectors. */
  readonly meaning: number;
  readonly meaningSession: number;
  /** A best closeness below this is no sure find and counts in proportion; from `close` on a message is found without a word. */
  readonly sure: number;
  readonly close: number;
  /** Text of tool results beside what was said (1). */
  readonly result: number;
}

export const rankingWeights: RankingWeights = {
  terms: { name: 1, pair: 1, character: 0.1, asking: 0.5, grammar: 0.2 },
  exact: 2,
  lone: 9,
  saturation: 1.2,
  lengthFloor: 0.15,
  lengthPower: 1.3,
  typicalWords: 150,
  stretch: 0.6,
  stretchWords: 100,
  pair: 0.3,
  pairReach: 5,
  before: 0.25,
  beforeAsking: 0.9,
  after: 0.5,
  twoAway: 0.2,
  asking: 0.3,
  shortTurn: 400,
  speaker: 1,
  namedSpeaker: 0.25,
  session: 0.5,
  sessionPower: 0.7,
  person: 0.2,
  time: 0.6,
  meaning: 1,
  meaningSession: 0.3,
  sure: 0.5,
  close: 0.3,
  result: 0.7,
};
