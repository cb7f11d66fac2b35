/** Writes Protocol Buffers, as far as a model needs it: https://protobuf.dev/programming-guides/encoding/ */

/** The fields of a message, one behind the other; a field may lie in several pieces. */
export type Fields = readonly Uint8Array[];

const wireTypes = { varint: 0, bytes: 2, fixed32: 5 } as const;

/** A whole number, of 64 bits where it is negative. */
export const integerField = (field: number, value: number): Fields => [
  Uint8Array.from([...varint(field * 8 + wireTypes.varint), ...varint(value)]),
];

/** A number of 32 bits with a fraction. */
export function floatField(field: number, value: number): Fields {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [Uint8Array.from(varint(field * 8 + wireTypes.fixed32)), bytes];
}

export const textField = (field: number, value: string): Fields => bytesField(field, new TextEncoder().encode(value));

/** Bytes as they are; large ones are not copied here. */
export const bytesField = (field: number, value: Uint8Array): Fields => [
  Uint8Array.from([...varint(field * 8 + wireTypes.bytes), ...varint(value.length)]),
  value,
];

/** A message inside a message. */
export function messageField(field: number, ...fields: readonly Fields[]): Fields {
  const pieces = fields.flat();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return [Uint8Array.from([...varint(field * 8 + wireTypes.bytes), ...varint(length)]), ...pieces];
}

/** All fields in one piece of memory. */
export function joined(...fields: readonly Fields[]): Uint8Array {
  const pieces = fields.flat();
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}
