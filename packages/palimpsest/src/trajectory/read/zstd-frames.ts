/**
 * Cuts a stream of Zstandard data where its frames end (RFC 8878, section 3.1). The decoder of Node takes several frames, but
 * of a write that holds the end of one and the start of the next it drops the rest without a word.
 */

/** Gives pieces none of which holds bytes of two frames; frames that hold no data are left out. */
export type FrameCutter = (chunk: Uint8Array) => readonly Uint8Array[];

/** A cutter for one stream, which is given its chunks in their order. */
export function frameCutter(): FrameCutter {
  let state: State = { type: 'header', held: new Uint8Array(0) };
  return (chunk) => {
    const pieces: Uint8Array[] = [];
    for (let rest = chunk; rest.length > 0; ) {
      const step = advance(state, rest);
      state = step.state;
      if (step.piece.length > 0) pieces.push(step.piece);
      rest = step.rest;
    }
    return pieces;
  };
}

type State =
  /** Between parts: `held` is what has come of the next header. */
  | { readonly type: 'header'; readonly held: Uint8Array }
  | { readonly type: 'partHeader'; readonly held: Uint8Array; readonly hasChecksum: boolean }
  /** Within what is passed on, or left out. */
  | { readonly type: 'body'; readonly left: number; readonly isSkipped: boolean; readonly after: State };

interface Step {
  readonly state: State;
  readonly piece: Uint8Array;
  readonly rest: Uint8Array;
}

const nothing = new Uint8Array(0);
const start: State = { type: 'header', held: nothing };

function advance(state: State, chunk: Uint8Array): Step {
  if (state.type === 'body') {
    const taken = Math.min(state.left, chunk.length);
    const left = state.left - taken;
    return {
      state: left === 0 ? state.after : { ...state, left },
      piece: state.isSkipped ? nothing : chunk.subarray(0, taken),
      rest: chunk.subarray(taken),
    };
  }
  const needed = state.type === 'header' ? frameHeaderSize(state.held) : 3;
  const taken = chunk.subarray(0, needed - state.held.length);
  const held = joined(state.held, taken);
  const rest = chunk.subarray(taken.length);
  const isWhole = held.length >= (state.type === 'header' ? frameHeaderSize(held) : 3);
  if (!isWhole) return { state: { ...state, held }, piece: nothing, rest };
  return { ...(state.type === 'header' ? afterHeader(held) : afterPartHeader(held, state.hasChecksum)), rest };
}

/** How long a header is, as far as its first bytes tell. */
function frameHeaderSize(held: Uint8Array): number {
  if (held.length < 5) return 5;
  if (isSkippable(held)) return 8;
  const descriptor = held[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  const contentSize = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  return 5 + (isSingle ? 0 : 1) + dictionary + contentSize;
}

/** True for the first bytes of a frame that holds no data of the stream. */
export const isSkippable = (held: Uint8Array): boolean =>
  ((held[0] ?? 0) & 0xf0) === 0x50 && held[1] === 0x2a && held[2] === 0x4d && held[3] === 0x18;

function afterHeader(held: Uint8Array): Omit<Step, 'rest'> {
  if (isSkippable(held)) {
    const left = new DataView(held.buffer, held.byteOffset).getUint32(4, true);
    return { state: left === 0 ? start : { type: 'body', left, isSkipped: true, after: start }, piece: nothing };
  }
  const hasChecksum = ((held[4] ?? 0) & 4) !== 0;
  return { state: { type: 'partHeader', held: nothing, hasChecksum }, piece: held };
}

function afterPartHeader(held: Uint8Array, hasChecksum: boolean): Omit<Step, 'rest'> {
  const word = (held[0] ?? 0) | ((held[1] ?? 0) << 8) | ((held[2] ?? 0) << 16);
  const isLast = (word & 1) === 1;
  // A run is one byte, however long it is made.
  const size = ((word >> 1) & 3) === 1 ? 1 : word >> 3;
  const left = size + (isLast && hasChecksum ? 4 : 0);
  const after: State = isLast ? start : { type: 'partHeader', held: nothing, hasChecksum };
  return { state: left === 0 ? after : { type: 'body', left, isSkipped: false, after }, piece: held };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
