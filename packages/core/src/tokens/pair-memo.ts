/**
 * Remembers what two adjacent tokens merge to, by their ids: far quicker than to look their bytes up, and a text asks
 * for the same pairs again and again. Each pair has one place, where a newer pair displaces an older one.
 */
export interface PairMemo {
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
