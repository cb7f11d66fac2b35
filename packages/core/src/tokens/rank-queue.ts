/**
 * The positions of a piece by the rank of the pair that starts there. One position is in the queue at most once, so a
 * list per rank threads through arrays of positions; a bitmap of two levels finds the lowest rank with a list.
 */
export interface RankQueue {
  add(position: number, rank: number): void;
  remove(position: number, rank: number): void;
  /** The lowest rank that has positions, or -1. */
  lowest(): number;
  /** Takes all positions of a rank out, in ascending order; valid until the next call. */
  takeAll(rank: number): Int32Array;
}

export function rankQueue(ranks: number, positions: number): RankQueue {
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
