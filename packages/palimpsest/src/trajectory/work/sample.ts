/** Which records belong to a sample: decided for each by its number alone. */

/** A part of the records. */
export interface Sample {
  /** 0 to 1. */
  readonly share: number;
  readonly seed: number;
}

/** True for a record of the sample, and for every record where there is none. */
export function isSampled(number: number, sample: Sample | undefined): boolean {
  if (!sample) return true;
  const low = mix((number >>> 0) ^ mix(sample.seed >>> 0));
  const all = mix(low ^ Math.floor(number / 2 ** 32) ^ 0x9e3779b1);
  return all / 2 ** 32 < sample.share;
}

/** The finisher of MurmurHash3 (Austin Appleby, public domain). */
function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
