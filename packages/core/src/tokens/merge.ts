/** Byte-pair merging of one piece: the adjacent pair with the lowest rank becomes one, leftmost first, until none is left. */
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

// Merging of long pieces in time that grows with their length: runs of one character, text without spaces, data. Pairs
// wait in a queue by rank and all pairs of the lowest rank are merged in one sweep from left to right, which is the
// order that "lowest rank, then leftmost" prescribes: a merge never makes a new pair of its own rank, since that pair
// is longer; should it make one of a lower rank, the sweep stops and the lower one goes first.

/** A piece over this many bytes is merged in stretches, as memory is 32 bytes for each; about a token a cut is lost. */
const stretchBytes = 1 << 23;

/** Pieces up to this many bytes share one queue, whose table of ranks is large and costs more to make than to use. */
const sharedBytes = 1 << 14;

/** Gives where the tokens of `bytes[from] … bytes[to - 1]` start, and `to` as the last element. */
type MergeLong = (bytes: Uint8Array, from: number, to: number) => Int32Array;

export function longMerger(vocabulary: Vocabulary, memo: PairMemo): MergeLong {
  let shared: RankQueue | undefined;

  function stretch(bytes: Uint8Array, from: number, to: number): Int32Array {
    const size = to - from;
    shared ??= rankQueue(vocabulary.size, sharedBytes);
    // A queue is empty again after every use.
    const queue = size <= sharedBytes ? shared : rankQueue(vocabulary.size, size);
    return startsOf(mergeStretch(bytes.subarray(from, to), { vocabulary, memo, queue }), from);
  }

  return (bytes, from, to) => {
    const parts: Int32Array[] = [];
    for (let start = from; start < to; start += stretchBytes) {
      parts.push(stretch(bytes, start, Math.min(start + stretchBytes, to)));
    }
    const [only, ...more] = parts;
    return only && more.length === 0 ? only : joined(parts);
  };
}

/** The parts a piece consists of: `next[start]` is where the part after the one at `start` begins. */
interface Parts {
  readonly next: Int32Array;
  readonly count: number;
}

interface Means {
  readonly vocabulary: Vocabulary;
  readonly memo: PairMemo;
  readonly queue: RankQueue;
}

function mergeStretch(bytes: Uint8Array, { vocabulary, memo, queue }: Means): Parts {
  const size = bytes.length;
  const next = new Int32Array(size + 1);
  const previous = new Int32Array(size + 1);
  const ids = new Int32Array(size + 1);
  const ranks = new Int32Array(size + 1).fill(-1);
  let count = size;

  for (let i = 0; i <= size; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
    if (i < size) ids[i] = vocabulary.find(bytes, i, i + 1);
  }
  for (let i = 0; i + 1 < size; i++) enter(i, i + 1);

  /** Puts the pair of the parts that start at `left` and `right` into the queue and returns its rank, or -1. */
  function enter(left: number, right: number): number {
    const leftId = ids[left] as number; // both are parts
    const rightId = ids[right] as number;
    let rank = memo.find(leftId, rightId);
    if (rank === -2) {
      rank = vocabulary.find(bytes, left, next[right] as number); // a part has a next
      memo.remember(leftId, rightId, rank);
    }
    ranks[left] = rank;
    if (rank >= 0) queue.add(left, rank);
    return rank;
  }

  /** Gives up the pair that starts at `start`; those of the rank under way are out of the queue already. */
  function leave(start: number, underWay: number): void {
    const rank = ranks[start] as number; // start is a part
    if (rank >= 0 && rank !== underWay) queue.remove(start, rank);
    ranks[start] = -1;
  }

  /** Merges the pair at `start` and returns the lowest rank among the pairs this made, or -1. */
  function mergeAt(start: number, rank: number): number {
    const second = next[start] as number; // a pair has a second part
    const end = next[second] as number; // and an end
    leave(second, rank);
    ranks[start] = -1;
    ids[start] = rank;
    next[start] = end;
    previous[end] = start;
    count--;
    const right = end < size ? enter(start, end) : -1;
    const before = previous[start] as number; // start is a part
    if (before < 0) return right;
    leave(before, rank);
    const left = enter(before, start);
    return right < 0 || (left >= 0 && left < right) ? left : right;
  }

  sweep(queue, ranks, mergeAt);
  return { next, count };
}

function sweep(queue: RankQueue, ranks: Int32Array, mergeAt: (start: number, rank: number) => number): void {
  for (let rank = queue.lowest(); rank >= 0; rank = queue.lowest()) {
    const batch = queue.takeAll(rank);
    let lower = false;
    for (const start of batch) {
      // An earlier merge of this sweep may have taken one of the two parts.
      if (ranks[start] !== rank) continue;
      if (lower) queue.add(start, rank);
      else {
        const made = mergeAt(start, rank);
        lower = made >= 0 && made < rank;
      }
    }
  }
}

function startsOf(parts: Parts, offset: number): Int32Array {
  const starts = new Int32Array(parts.count + 1);
  for (let i = 0, at = 0; i <= parts.count; i++) {
    starts[i] = offset + at;
    at = parts.next[at] as number; // the end has an entry too
  }
  return starts;
}

/** Each list ends where the next starts. */
function joined(parts: readonly Int32Array[]): Int32Array {
  const starts = new Int32Array(parts.reduce((sum, part) => sum + part.length - 1, 1));
  let at = 0;
  for (const part of parts) {
    starts.set(part, at);
    at += part.length - 1;
  }
  return starts;
}

/**
 * The positions of a piece by the rank of the pair that starts there. One position is in the queue at most once, so a
 * list per rank threads through arrays of positions; a bitmap of two levels finds the lowest rank with a list.
 */
interface RankQueue {
  add(position: number, rank: number): void;
  remove(position: number, rank: number): void;
  /** The lowest rank that has positions, or -1. */
  lowest(): number;
  /** Takes all positions of a rank out, in ascending order; valid until the next call. */
  takeAll(rank: number): Int32Array;
}

function rankQueue(ranks: number, positions: number): RankQueue {
  const heads = new Int32Array(ranks).fill(-1);
  const nexts = new Int32Array(positions);
  const previous = new Int32Array(positions);
  const batch = new Int32Array(positions);
  const words = new Uint32Array((ranks >> 5) + 1);
  const groups = new Uint32Array((ranks >> 10) + 1);

  function remove(position: number, rank: number): void {
    const before = previous[position] as number; // every position that was added has links
    const after = nexts[position] as number;
    if (after >= 0) previous[after] = before;
    if (before >= 0) nexts[before] = after;
    else {
      heads[rank] = after;
      if (after < 0) unmark(rank);
    }
  }

  function unmark(rank: number): void {
    const word = ((words[rank >> 5] as number) & ~(1 << (rank & 31))) >>> 0; // rank is below ranks
    words[rank >> 5] = word;
    if (word === 0) groups[rank >> 10] = (groups[rank >> 10] as number) & ~(1 << ((rank >> 5) & 31)); // as above
  }

  return {
    add(position, rank) {
      const head = heads[rank] as number; // rank is below ranks
      nexts[position] = head;
      previous[position] = -1;
      heads[rank] = position;
      if (head >= 0) previous[head] = position;
      else {
        words[rank >> 5] = (words[rank >> 5] as number) | (1 << (rank & 31)); // as above
        groups[rank >> 10] = (groups[rank >> 10] as number) | (1 << ((rank >> 5) & 31)); // as above
      }
    },
    remove,
    lowest() {
      const group = groups.findIndex((bits) => bits !== 0);
      if (group < 0) return -1;
      const word = (group << 5) + lowestBit(groups[group] as number); // findIndex gave it
      return (word << 5) + lowestBit(words[word] as number); // the bit in the group says it exists
    },
    takeAll(rank) {
      let count = 0;
      for (let at = heads[rank] as number; at >= 0; at = nexts[at] as number) batch[count++] = at; // links are positions
      heads[rank] = -1;
      unmark(rank);
      return ascending(batch.subarray(0, count));
    },
  };
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** Lists are built last in, first out while positions go up, so most come out exactly reversed. */
function ascending(positions: Int32Array): Int32Array {
  positions.reverse();
  for (let i = 1; i < positions.length; i++) {
    if ((positions[i] as number) < (positions[i - 1] as number)) return positions.sort(); // both are in range
  }
  return positions;
}

/**
 * Remembers what two adjacent tokens merge to, by their ids: far quicker than to look their bytes up, and a text asks
 * for the same pairs again and again. Each pair has one place, where a newer pair displaces an older one.
 */
interface PairMemo {
  /** The id the pair merges to, -1 where it does not merge, -2 where that is not known. */
  find(left: number, right: number): number;
  /** Remembers the id, or -1, for the pair. */
  remember(left: number, right: number, id: number): void;
}

const placeBits = 16;
/** Ids have 18 bits. A place is two words: left and the low part of the answer, right and the rest of it. */
const idBits = 18;
const idMask = (1 << idBits) - 1;
const lowBits = 32 - idBits;
/** Marks a place that is in use, so that 0 is an empty one. */
const used = 1 << 31;

export function pairMemo(): PairMemo {
  const words = new Int32Array(2 << placeBits);
  return {
    find(left, right) {
      const place = placeOf(left, right);
      // The place is in range; the same goes for the word after it.
      const first = words[place] as number;
      const second = words[place + 1] as number;
      if ((first & idMask) !== left || (second & idMask) !== right || second >= 0) return -2;
      return ((first >>> idBits) | (((second >>> idBits) & 0xf) << lowBits)) - 1;
    },
    remember(left, right, id) {
      const place = placeOf(left, right);
      words[place] = left | ((id + 1) << idBits);
      words[place + 1] = right | (((id + 1) >>> lowBits) << idBits) | used;
    },
  };
}

function placeOf(left: number, right: number): number {
  const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  return ((hash ^ (hash >>> 15)) >>> (32 - placeBits)) << 1;
}
