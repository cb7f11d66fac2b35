/** How well the words of one message fit: BM25 over the message, and over the best stretch of a long one. */
import type { Occurrence, Reading } from './occurrences.ts';
import type { RankingWeights } from './weights.ts';

export interface LexicalFrame {
  readonly weights: RankingWeights;
  /** What each wanted term counts: its rarity and its weight. */
  readonly worth: readonly number[];
}

/** The score of a message; 0 without a wanted term. */
export function lexicalScore(reading: Reading, frame: LexicalFrame): number {
  if (reading.occurrences.length === 0) return 0;
  const { stretch, stretchWords } = frame.weights;
  const whole = bm25(reading, reading.occurrences, { frame, words: reading.words });
  if (reading.words <= stretchWords * 1.5 || stretch === 0) return whole;
  return (1 - stretch) * whole + stretch * bestStretch(reading, frame);
}

interface Extent {
  readonly frame: LexicalFrame;
  readonly words: number;
}

function bm25(reading: Reading, occurrences: readonly Occurrence[], { frame, words }: Extent): number {
  const { saturation, lengthPenalty, typicalWords } = frame.weights;
  const counts = new Map<number, number>();
  for (const { term, field } of occurrences) {
    counts.set(term, (counts.get(term) ?? 0) + fieldWeight(reading, field, frame.weights));
  }
  const norm = saturation * (1 - lengthPenalty + (lengthPenalty * words) / typicalWords);
  let sum = 0;
  for (const [term, count] of counts) sum += ((frame.worth[term] ?? 0) * count * (saturation + 1)) / (count + norm);
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
