/** Byte-pair merging of one piece: the adjacent pair with the lowest rank becomes one, leftmost first, until none is left. */
import { longMerger, type MergeLong } from './merge-long.ts';
import { pairMemo } from './pair-memo.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Up to this many bytes the plain method, quadratic but without preparation, is the faster one. */
const shortBytes = 160;

/** Larger than every rank: no token has these bytes. */
const none = 0x7fffffff;

export class Merger {
  readonly #vocabulary: Vocabulary;
  // By position in the piece: the token that starts here, where the next one starts, where the one before starts, and
  // the rank of the pair that starts here, which is the id of what it merges to.
  readonly #ids = new Int32Array(shortBytes + 1);
  readonly #next = new Int32Array(shortBytes + 1);
  readonly #previous = new Int32Array(shortBytes + 1);
  readonly #ranks = new Int32Array(shortBytes + 1);
  readonly #memo = pairMemo();
  readonly #mergeLong: MergeLong;
  #base = 0;
  #last: { readonly from: number; readonly count: number } | Int32Array = new Int32Array(1);

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#mergeLong = longMerger(vocabulary, this.#memo);
  }

  /** Merges `bytes[from] … bytes[to - 1]` and returns the number of tokens. */
  merge(bytes: Uint8Array, from: number, to: number): number {
    if (to - from > shortBytes) {
      this.#last = this.#mergeLong(bytes, from, to);
      return this.#last.length - 1;
    }
    const count = this.#mergeShort(bytes, from, to);
    this.#last = { from, count };
    return count;
  }

  /** Where the tokens of the last `merge` start in `bytes`, and its `to` as the last element; valid until the next one. */
  starts(): Int32Array {
    return this.#last instanceof Int32Array ? this.#last : this.#shortStarts(this.#last.from, this.#last.count);
  }

  #mergeShort(bytes: Uint8Array, from: number, to: number): number {
    const ids = this.#ids;
    const next = this.#next;
    const previous = this.#previous;
    const ranks = this.#ranks;
    const vocabulary = this.#vocabulary;
    const size = to - from;
    this.#base = from;
    for (let i = 0; i < size; i++) {
      ids[i] = vocabulary.find(bytes, from + i, from + i + 1);
      next[i] = i + 1;
      previous[i] = i - 1;
      const rank = i + 2 <= size ? vocabulary.find(bytes, from + i, from + i + 2) : -1;
      ranks[i] = rank < 0 ? none : rank;
    }
    let count = size;
    for (let start = lowestIn(ranks, size); start >= 0; start = lowestIn(ranks, size)) {
      const second = next[start] as number; // a pair has a second part
      const end = next[second] as number; // and an end
      ids[start] = ranks[start] as number; // its rank is what it merges to
      next[start] = end;
      ranks[second] = none;
      count--;
      if (end < size) previous[end] = start;
      ranks[start] = end < size ? this.#rankOf(bytes, start, end) : none;
      const before = previous[start] as number; // start is a part
      if (before >= 0) ranks[before] = this.#rankOf(bytes, before, start);
    }
    return count;
  }

  /** The rank of the pair of parts that start at `left` and `right`. */
  #rankOf(bytes: Uint8Array, left: number, right: number): number {
    const leftId = this.#ids[left] as number; // both are parts
    const rightId = this.#ids[right] as number;
    let rank = this.#memo.find(leftId, rightId);
    if (rank === -2) {
      rank = this.#vocabulary.find(bytes, this.#base + left, this.#base + (this.#next[right] as number)); // a part has a next
      this.#memo.remember(leftId, rightId, rank);
    }
    return rank < 0 ? none : rank;
  }

  #shortStarts(from: number, count: number): Int32Array {
    const starts = new Int32Array(count + 1);
    for (let i = 0, at = 0; i <= count; i++) {
      starts[i] = from + at;
      at = this.#next[at] ?? 0;
    }
    return starts;
  }
}

/** The first position with the lowest rank, or -1 where there is none. */
function lowestIn(ranks: Int32Array, size: number): number {
  let lowest = none;
  let index = -1;
  for (let i = 0; i < size; i++) {
    const rank = ranks[i] as number; // i is in range
    if (rank < lowest) {
      lowest = rank;
      index = i;
    }
  }
  return index;
}
