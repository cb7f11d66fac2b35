/** Finds texts in a long text: by reading it through for the first few, by an index of its trigrams for many. */

/** Where texts stand in a long one. */
export interface TextSearch {
  /** The places where the text begins, rising. `take` says from where on it wants the next one; undefined for no more. */
  places(wanted: string, take: (at: number) => number | undefined): void;
}

/** An index costs about as much as reading the whole text so many times. */
const fewReadings = 40;
const gramChars = 3;
const bucketBits = 18;

/** The places are the same either way. */
export function createTextSearch(text: string): TextSearch {
  let index: Trigrams | undefined;
  let read = 0;
  return {
    places(wanted, take) {
      if (wanted.length >= gramChars && (index || read > fewReadings * text.length)) {
        index ??= trigramsOf(text);
        placesBy(index, { text, wanted }, take);
        return;
      }
      let from: number | undefined = 0;
      while (from !== undefined) {
        const at = text.indexOf(wanted, from);
        read += (at < 0 ? text.length : at) - from;
        from = at < 0 ? undefined : take(at);
      }
    },
  };
}

/** For every bucket of trigrams, one after another, the places where one of them begins. */
interface Trigrams {
  /** Where a bucket begins in `places`; one more than there are buckets. */
  readonly starts: Int32Array;
  readonly places: Int32Array;
}

const bucketAt = (text: string, at: number): number => {
  const sum = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return Math.imul(sum, 0x9e3779b1) >>> (32 - bucketBits);
};

function trigramsOf(text: string): Trigrams {
  const count = Math.max(0, text.length - gramChars + 1);
  const buckets = new Int32Array(count);
  const starts = new Int32Array((1 << bucketBits) + 1);
  for (let at = 0; at < count; at++) {
    const bucket = bucketAt(text, at);
    buckets[at] = bucket;
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + 1;
  }
  for (let bucket = 1; bucket < starts.length; bucket++)
    starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
  const next = starts.slice();
  const places = new Int32Array(count);
  for (let at = 0; at < count; at++) {
    const bucket = buckets[at] ?? 0;
    const place = next[bucket] ?? 0;
    places[place] = at;
    next[bucket] = place + 1;
  }
  return { starts, places };
}

interface Sought {
  readonly text: string;
  readonly wanted: string;
}

/** Looks where the most seldom trigram of the wanted text stands. */
function placesBy(
  { starts, places }: Trigrams,
  { text, wanted }: Sought,
  take: (at: number) => number | undefined,
): void {
  let [from, to, offset] = [0, Number.POSITIVE_INFINITY, 0];
  for (let at = 0; at + gramChars <= wanted.length; at++) {
    const bucket = bucketAt(wanted, at);
    const [start = 0, end = 0] = [starts[bucket], starts[bucket + 1]];
    if (end - start < to - from) [from, to, offset] = [start, end, at];
    if (from === to) return;
  }
  let next: number | undefined = 0;
  for (let place = from; place < to && next !== undefined; place++) {
    const at = (places[place] ?? 0) - offset;
    if (at >= next && text.startsWith(wanted, at)) next = take(at);
  }
}
