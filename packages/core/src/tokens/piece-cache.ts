/**
 * Remembers how many tokens a piece has, for the words, names and phrases that are no token themselves and come again
 * and again. Each piece has one place, where a newer piece displaces an older one, so the size is fixed.
 */
export interface PieceCache {
  /** The number remembered for `bytes[from] … bytes[to - 1]`, or 0; the piece then takes the place it hashes to. */
  find(bytes: Uint8Array, from: number, to: number): number;
  /** Remembers a number for the piece that the last `find` did not know. */
  remember(count: number): void;
}

const places = 1 << 14;
/** Each place holds the length of the piece, its number of tokens (0: not known yet), and its bytes. */
const placeBytes = 64;
const longest = placeBytes - 2;

export function pieceCache(): PieceCache {
  const memory = new Uint8Array(places * placeBytes);
  let asked = -1;
  return {
    find(bytes, from, to) {
      asked = -1;
      const size = to - from;
      if (size > longest) return 0;
      const place = placeOf(bytes, from, to);
      const start = place + 2;
      let same = memory[place] === size ? 0 : -1;
      while (same >= 0 && same < size && memory[start + same] === bytes[from + same]) same++;
      asked = place;
      if (same === size) return memory[place + 1] as number; // a place has this byte
      memory[place] = size;
      memory[place + 1] = 0;
      for (let i = 0; i < size; i++) memory[start + i] = bytes[from + i] as number; // inside the piece
      return 0;
    },
    remember(count) {
      if (asked >= 0) memory[asked + 1] = count;
    },
  };
}

function placeOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = Math.imul(hash, 0x85ebca6b) + (bytes[i] as number); // inside the piece
  hash ^= hash >>> 15;
  return (Math.imul(hash, 0x9e3779b1) >>> 18) * placeBytes;
}
