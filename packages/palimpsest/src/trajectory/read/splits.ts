/** What a file is cut into on its way to the workers, the same wherever one begins to read. */

/** Whole records, or a piece of one that is too large to be parsed. */
export type Split = Batch | Piece;

/** Records that go to one worker. */
export interface Batch {
  readonly type: 'batch';
  /** In memory of their own, so that they can be handed over. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each record ends in `bytes`; absent where each is a line. */
  readonly ends?: Uint32Array<ArrayBuffer>;
  /** The number of the first record, from 1; for lines, of its line. */
  readonly first: number;
  readonly count: number;
  /** How far the file is read with it, in unpacked bytes. */
  readonly end: number;
}

/** Bytes of a record that is larger than `maxRecordBytes`; they pass as they are. */
export interface Piece {
  readonly type: 'piece';
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Of the record so far. */
  readonly size: number;
  readonly end: number;
}

/** Where a file is read from. */
export interface ReadPoint {
  /** In unpacked bytes. */
  readonly offset: number;
  /** Records before it. */
  readonly records: number;
}

/** How a file is cut. */
export interface SplitLimits {
  /** A batch ends with the first record that reaches a multiple of it, whatever the stream hands out. */
  readonly batchBytes: number;
  readonly maxRecordBytes: number;
}

/** The bytes in order, in memory of their own. */
export function joinedBytes(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    if (at >= length) break;
    const taken = at + part.length > length ? part.subarray(0, length - at) : part;
    all.set(taken, at);
    at += taken.length;
  }
  return all;
}

/** The next multiple of `batchBytes` after an offset. */
export const boundaryAfter = (offset: number, { batchBytes }: SplitLimits): number =>
  (Math.floor(offset / batchBytes) + 1) * batchBytes;
