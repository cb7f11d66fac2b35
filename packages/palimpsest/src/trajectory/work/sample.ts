/** Which records belong to a sample: decided for each by its file and its number alone. */

/** A part of the records. */
export interface Sample {
  /** 0 to 1. */
  readonly share: number;
  readonly seed: number;
}

/** A record: its number in its file, and what tells the file from others of the run, as `saltOf` gives it. */
export interface SampledRecord {
  readonly number: number;
  /** @default 0 */
  readonly salt?: number | undefined;
}

/** True for a record of the sample, and for every record where there is none. */
export function isSampled({ number, salt = 0 }: SampledRecord, sample: Sample | undefined): boolean {
  if (!sample) return true;
  const low = mix((number >>> 0) ^ mix(sample.seed >>> 0));
  const all = mix(low ^ Math.floor(number / 2 ** 32) ^ 0x9e3779b1 ^ salt);
  return all / 2 ** 32 < sample.share;
}

/** A number of 32 bits for a file by its name below its folder; 0 for one that stands alone. */
export function saltOf(name: string | undefined): number {
  let salt = 0;
  // The same on every system.
  for (const sign of name?.replaceAll('\\', '/') ?? '')
    salt = mix(Math.imul(salt, 31) + (sign.codePointAt(0) ?? 0) + 1);
  return salt;
}

/** The finisher of MurmurHash3 (Austin Appleby, public domain). */
function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
