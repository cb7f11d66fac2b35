/**
 * The tokens of an encoding, found by their bytes: an open-addressed hash table over one block of memory. No string is
 * made on the way, which is what makes counting fast.
 */

export interface Vocabulary {
  /** Number of tokens; ids go from 0 to `size - 1` and are the ranks of byte-pair merging. */
  readonly size: number;
  /** Bytes of the longest token. */
  readonly longest: number;
  /** The id of the token that is exactly `bytes[from] … bytes[to - 1]`, or -1. */
  find(bytes: Uint8Array, from: number, to: number): number;
}

/** 2^19 slots: 200 K tokens fill 38 %, so a miss mostly ends at its first probe. */
const slotBits = 19;
/** A bit for each value of the upper part of the hash: small enough for the processor's cache, it answers most misses. */
const filterBits = 20;
/** A slot holds the id plus one (0 is empty) in its low bits and some bits of the hash above them. */
const idBits = 18;
const idMask = (1 << idBits) - 1;

/** Reads a table as `scripts/make-ranks.ts` packs it. */
export function vocabularyOf(packed: string): Vocabulary {
  const { starts, tokens, size } = unpack(packed);
  const slots = new Int32Array(1 << slotBits);
  const filter = new Uint8Array(1 << (filterBits - 3));
  // A token of two bytes is the most frequent question of a merge; it has a table of its own.
  const pairs = new Int32Array(1 << 16).fill(-1);
  const singles = new Int32Array(256).fill(-1);
  let longest = 0;
  for (let id = 0, from = 0; id < size; id++) {
    const to = at(starts, id + 1);
    const length = to - from;
    if (length > longest) longest = length;
    if (length === 1) singles[at(tokens, from)] = id;
    else if (length === 2) pairs[(at(tokens, from) << 8) | at(tokens, from + 1)] = id;
    else {
      const hash = mixedHash(tokens, from, to);
      insert(slots, hash, id);
      const bit = hash >>> (32 - filterBits);
      filter[bit >> 3] = at(filter, bit >> 3) | (1 << (bit & 7));
    }
    from = to;
  }

  function find(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length === 1) return at(singles, at(bytes, from));
    if (length === 2) return at(pairs, (at(bytes, from) << 8) | at(bytes, from + 1));
    if (length > longest) return -1;
    const hash = mixedHash(bytes, from, to);
    const bit = hash >>> (32 - filterBits);
    if ((at(filter, bit >> 3) & (1 << (bit & 7))) === 0) return -1;
    const tag = hash & ~idMask;
    for (let slot = slotOf(hash), entry = at(slots, slot); entry !== 0; entry = at(slots, slot)) {
      if ((entry & ~idMask) === tag) {
        const id = (entry & idMask) - 1;
        const start = at(starts, id);
        if (at(starts, id + 1) - start === length) {
          let same = 0;
          while (same < length && tokens[start + same] === bytes[from + same]) same++;
          if (same === length) return id;
        }
      }
      slot = (slot + 1) & ((1 << slotBits) - 1);
    }
    return -1;
  }

  return { size, longest, find };
}

/** An element of a typed array at an index that is in range by construction; the check would cost a tenth of the speed. */
function at(array: Int32Array | Uint8Array, index: number): number {
  return array[index] as number;
}

function insert(slots: Int32Array, hash: number, id: number): void {
  let slot = slotOf(hash);
  while (slots[slot] !== 0) slot = (slot + 1) & ((1 << slotBits) - 1);
  slots[slot] = (hash & ~idMask) | (id + 1);
}

/** Multiplicative hash of the bytes, finished so that both ends of the word depend on all of them. */
function mixedHash(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = Math.imul(hash, 0x9e3779b1) + at(bytes, i);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** The low bits choose the slot, the high ones are the tag; a bit in both does no harm, as bytes are compared last. */
const slotOf = (hash: number): number => hash & ((1 << slotBits) - 1);

function unpack(packed: string): { starts: Int32Array; tokens: Uint8Array; size: number } {
  const binary = atob(packed);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  const size = new DataView(bytes.buffer).getUint32(0, true);
  const starts = new Int32Array(size + 1);
  for (let id = 0, end = 0; id < size; id++) {
    end += at(bytes, 4 + id);
    starts[id + 1] = end;
  }
  return { starts, tokens: bytes.subarray(4 + size), size };
}
