/**
 * Remembers how many tokens a piece has, for the words, names and phrases that are no token themselves and come again
 * and again. Each piece has one place, where a newer piece displaces an older one, so the size is fixed.
 */
export interface PieceCache {
  /** The number remembered for `bytes[from] … bytes[to - 1]`, or 0. */
  find(bytes: Uint8Array, from: number, to: number): number;
  /** Remembers a number for the piece that the last `find` did not know. */
  remember(count: number): void;
}

const places = 1 << 14;
/** Each place holds the length of the piece, its number of tokens, and its bytes. */
const placeBytes = 64;
const longest = placeBytes - 2;

export function pieceCache(): PieceCache {
  const memory = new Uint8Array(places * placeBytes);
  const asked: { bytes: Uint8Array; from: number; to: number; place: number } = {
    bytes: memory,
    from: 0,
    to: 0,
    place: -1,
  };
  return {
    find(bytes, from, to) {
      asked.bytes = bytes;
      asked.from = from;
      asked.to = to;
      asked.place = -1;
      const size = to - from;
      if (size > longest) return 0;
      let hash = size;
      // Every index below is inside the piece or its place.
      for (let i = from; i < to; i++) hash = Math.imul(hash, 0x85ebca6b) + (bytes[i] as number);
      hash ^= hash >>> 15;
      const place = ((Math.imul(hash, 0x9e3779b1) >>> 18) & (places - 1)) * placeBytes;
      asked.place = place;
      if (memory[place] !== size) return 0;
      const start = place + 2;
      for (let i = 0; i < size; i++) if (memory[start + i] !== bytes[from + i]) return 0;
      return memory[place + 1] as number;
    },
    remember(count) {
      const { bytes, from, to, place } = asked;
      if (place < 0) return;
      memory[place] = to - from;
      memory[place + 1] = count;
      for (let i = from, at = place + 2; i < to; i++, at++) memory[at] = bytes[i] as number; // inside the piece
    },
  };
}
