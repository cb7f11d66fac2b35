/**
 * How often which sizes come, in buckets whose width grows with the size: any number of values takes the same room, and a
 * percentile is off by less than one per cent. As in HdrHistogram (Gil Tene, public domain), with 128 buckets an octave.
 */

/** Counts by the number of a bucket; buckets without a value are not there. */
export type Histogram = Readonly<Record<number, number>>;

const octave = 128;

/** The bucket of a whole number from 0 on; up to 256 each has its own. */
function bucketOf(value: number): number {
  if (value < 2 * octave) return value;
  const shift = Math.floor(Math.log2(value)) - Math.log2(octave);
  return shift * octave + Math.floor(value / 2 ** shift);
}

/** The largest value of a bucket. */
function topOf(bucket: number): number {
  if (bucket < 2 * octave) return bucket;
  const shift = Math.floor(bucket / octave) - 1;
  return (bucket - shift * octave + 1) * 2 ** shift - 1;
}

export function histogramOf(values: readonly number[]): Histogram {
  const counts: Record<number, number> = {};
  for (const value of values) {
    const bucket = bucketOf(value);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

export function addHistograms(a: Histogram, b: Histogram): Histogram {
  const counts: Record<number, number> = { ...a };
  for (const [bucket, count] of Object.entries(b)) counts[Number(bucket)] = (counts[Number(bucket)] ?? 0) + count;
  return counts;
}

/**
 * The smallest size, of those that the buckets tell apart, that so large a share of the values does not exceed; 0 of nothing, and
 * never above the largest value, where that is given.
 */
export function percentileOf(histogram: Histogram, share: number, largest: number = Number.POSITIVE_INFINITY): number {
  // Names that are numbers come in their order.
  const entries = Object.entries(histogram);
  const wanted = Math.ceil(share * entries.reduce((sum, [, count]) => sum + count, 0));
  let seen = 0;
  for (const [bucket, count] of entries) {
    seen += count;
    if (seen >= wanted) return Math.min(largest, topOf(Number(bucket)));
  }
  return 0;
}

/** How many values lie in a range of powers of two. */
export interface Octave {
  readonly from: number;
  /** Not in it. */
  readonly below: number;
  readonly count: number;
}

/** The values by powers of two from `least` on, without the empty ranges at both ends. */
export function octavesOf(histogram: Histogram, least = 512): readonly Octave[] {
  const ranges: Octave[] = [];
  for (const [bucket, count] of Object.entries(histogram)) {
    const value = topOf(Number(bucket));
    const at = value < least ? 0 : Math.floor(Math.log2(value / least)) + 1;
    while (ranges.length <= at) {
      const number = ranges.length;
      ranges.push({ from: number === 0 ? 0 : least * 2 ** (number - 1), below: least * 2 ** number, count: 0 });
    }
    const range = ranges[at];
    if (range) ranges[at] = { ...range, count: range.count + count };
  }
  return ranges.slice(
    Math.max(
      0,
      ranges.findIndex((range) => range.count > 0),
    ),
  );
}
