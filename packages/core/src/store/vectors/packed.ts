/**
 * Vectors as every adapter keeps them: a number of 32 bits that scales, then a byte a number. Cosines of text embeddings
 * keep two digits this way, which ranking does not need more of, at a quarter of the room.
 */

const scaleBytes = 4;
const largest = 127;

/** Vectors of the same size, one behind the other. */
export function packVectors(vectors: readonly Float32Array[]): Uint8Array {
  const size = packedSize(vectors[0]?.length ?? 0);
  const packed = new Uint8Array(size * vectors.length);
  vectors.forEach((vector, at) => {
    const most = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    const scale = most / largest;
    new DataView(packed.buffer).setFloat32(at * size, scale, true);
    const numbers = Int8Array.from(vector, (one) => (scale === 0 ? 0 : Math.round(one / scale)));
    packed.set(new Uint8Array(numbers.buffer), at * size + scaleBytes);
  });
  return packed;
}

/** Bytes of one vector. */
export const packedSize = (dimensions: number): number => scaleBytes + dimensions;

/** The largest scalar product of a vector with packed ones of the same size; undefined where there are none. */
export function bestProduct(packed: Uint8Array, vector: Float32Array): number | undefined {
  const size = packedSize(vector.length);
  let best: number | undefined;
  for (let at = 0; at + size <= packed.length; at += size) {
    const scale = new DataView(packed.buffer, packed.byteOffset + at, scaleBytes).getFloat32(0, true);
    const product = scale * scalarProduct(packed, at + scaleBytes, vector);
    if (best === undefined || product > best) best = product;
  }
  return best;
}

/** Bytes are read with their sign. */
function scalarProduct(packed: Uint8Array, from: number, vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (((packed[from + i] ?? 0) << 24) >> 24) * (vector[i] ?? 0);
  return sum;
}
