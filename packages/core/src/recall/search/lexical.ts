/** How well the words of one message fit: BM25 over the message, or over the best stretch of a long one. */
import type { Occurrence, Reading } from './occurrences.ts';
import type { WantedTerm } from './wanted-terms.ts';
import type { RankingWeights } from './weights.ts';

export interface LexicalFrame {
  readonly weights: RankingWeights;
  /** What each wanted term counts: its rarity and its weight. */
  readonly worth: readonly number[];
  /** For each wanted term the places of those that stand beside it in the query, on either side. */
  readonly beside: readonly ReadonlySet<number>[];
}

/** What the scores of all messages have in common. */
export function lexicalFrame(
  wanted: readonly WantedTerm[],
  worth: readonly number[],
  weights: RankingWeights,
): LexicalFrame {
  const places = new Map(wanted.map(({ term }, i) => [term, i]));
  const beside = wanted.map(() => new Set<number>());
  wanted.forEach(({ followers = [] }, at) => {
    for (const term of followers) {
      const follower = places.get(term);
      if (follower === undefined) continue;
      beside[at]?.add(follower);
      beside[follower]?.add(at);
    }
  });
  return { weights, worth, beside };
}

/** The score of a message; 0 without a wanted term. */
export function lexicalScore(reading: Reading, frame: LexicalFrame): number {
  if (reading.occurrences.length === 0) return 0;
  const { stretch, stretchWords } = frame.weights;
  const whole = bm25(reading, reading.occurrences, { frame, words: reading.words });
  if (reading.words <= stretchWords * 1.5 || stretch === 0) return whole;
  return Math.max(whole, stretch * bestStretch(reading, frame));
}

interface Extent {
  readonly frame: LexicalFrame;
  readonly words: number;
}

function bm25(reading: Reading, occurrences: readonly Occurrence[], { frame, words }: Extent): number {
  const { saturation, lengthFloor, lengthPower, typicalWords, pair } = frame.weights;
  const counts = new Map<number, number>();
  for (const { term, field } of occurrences) {
    counts.set(term, (counts.get(term) ?? 0) + fieldWeight(reading, field, frame.weights));
  }
  const norm = saturation * (lengthFloor + (words / typicalWords) ** lengthPower);
  let sum = 0;
  for (const [term, count] of counts) sum += ((frame.worth[term] ?? 0) * count * (saturation + 1)) / (count + norm);
  return sum + (pair * pairsWorth(occurrences, frame) * (saturation + 1)) / (1 + norm);
}

/** The worth of the distinct pairs of terms that stand side by side here as in the query: of each, its commoner term's. */
function pairsWorth(occurrences: readonly Occurrence[], { worth, beside, weights }: LexicalFrame): number {
  const found = new Set<number>();
  let sum = 0;
  occurrences.forEach(({ term, field, ordinal }, at) => {
    const others = beside[term];
    if (!others || others.size === 0) return;
    for (let i = at + 1; i < occurrences.length; i++) {
      const next = occurrences[i];
      if (!next || next.field !== field || next.ordinal - ordinal > weights.pairReach) return;
      if (next.ordinal === ordinal || !others.has(next.term)) continue;
      const pair = Math.min(term, next.term) * worth.length + Math.max(term, next.term);
      if (found.has(pair)) continue;
      found.add(pair);
      sum += Math.min(worth[term] ?? 0, worth[next.term] ?? 0);
    }
  });
  return sum;
}

function fieldWeight({ fields }: Reading, field: number, weights: RankingWeights): number {
  const name = fields[field]?.name;
  return name === 'speaker' ? weights.speaker : name === 'result' ? weights.result : 1;
}

/** The best of the stretches that overlap by half. */
function bestStretch(reading: Reading, frame: LexicalFrame): number {
  const { stretchWords } = frame.weights;
  const half = stretchWords / 2;
  const stretches = new Map<number, Occurrence[]>();
  for (const occurrence of reading.occurrences) {
    const second = Math.floor(occurrence.ordinal / half);
    for (const at of [second - 1, second]) {
      const known = stretches.get(at);
      if (known) known.push(occurrence);
      else stretches.set(at, [occurrence]);
    }
  }
  let best = 0;
  for (const occurrences of stretches.values()) {
    best = Math.max(best, bm25(reading, occurrences, { frame, words: stretchWords }));
  }
  return best;
}
