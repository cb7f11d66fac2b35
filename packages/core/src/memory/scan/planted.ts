/** Whether a text reads like what is planted in memories: learned from examples, in place of a rule for each idea of an attacker. */
import { featuresOf, type Reading } from './features.ts';
import { bias, packedWeights, scale, threshold } from './planted-weights.data.ts';

let unpacked: Int8Array | undefined;

/** Unpacked when first needed. */
function weights(): Int8Array {
  unpacked ??= Int8Array.from(atob(packedWeights), (unit) => unit.charCodeAt(0));
  return unpacked;
}

/** Below it a text is so ordinary that a rule of words that finds something in it is mistaken. */
export const ordinary = -2;

/** Over 0 for what reads like planted text: the more, the surer. */
export function plantedScore(reading: Reading): number {
  const known = weights();
  const sum = featuresOf(reading).reduce((total, [place, amount]) => total + (known[place] ?? 0) * amount, 0);
  return sum * scale + bias - threshold;
}
