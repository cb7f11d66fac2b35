/** Learns weights by which the scan tells what is planted in a memory from what is not. The same examples give the same weights. */
import { type Feature, weightCount } from '../../packages/core/src/memory/scan/features.ts';

export interface Example {
  readonly features: readonly Feature[];
  readonly isAttack: boolean;
}

export interface Weights {
  readonly weights: Float64Array;
  readonly bias: number;
}

const passes = 16;
/** Of the first pass; it shrinks with the passes. */
const firstStep = 2;
const decay = 3e-3;
/** Attacks are fewer than what is ordinary. */
const attackShare = 2;

/** Logistic regression by stochastic steps; the weights are the mean of the second half of the passes. */
export function train(given: readonly Example[]): Weights {
  const examples = [...given];
  const weights = new Float64Array(weightCount);
  const mean = new Float64Array(weightCount);
  let [bias, meanBias, seen] = [-1, 0, 0];
  const random = randomFrom(1);
  for (let pass = 0; pass < passes; pass++) {
    shuffle(examples, random);
    for (const { features, isAttack } of examples) {
      const step = firstStep / (1 + seen++ / examples.length);
      const guess = 1 / (1 + Math.exp(-scoreOf(features, { weights, bias })));
      const error = isAttack ? (guess - 1) * attackShare : guess;
      for (const [place, amount] of features) {
        const weight = weights[place] ?? 0;
        weights[place] = weight - step * (error * amount + decay * weight);
      }
      bias -= 0.05 * (step / firstStep) * error;
    }
    if (pass < passes / 2) continue;
    for (let place = 0; place < weightCount; place++) mean[place] = (mean[place] ?? 0) + (weights[place] ?? 0);
    meanBias += bias;
  }
  return { weights: mean.map((sum) => sum / (passes / 2)), bias: meanBias / (passes / 2) };
}

export const scoreOf = (features: readonly Feature[], { weights, bias }: Weights): number =>
  features.reduce((sum, [place, amount]) => sum + (weights[place] ?? 0) * amount, bias);

function shuffle<T>(list: T[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [list[at], list[other]];
    if (one === undefined || two === undefined) continue;
    list[at] = two;
    list[other] = one;
  }
}

/** mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
