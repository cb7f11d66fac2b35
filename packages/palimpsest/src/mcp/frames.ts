/** What a client writes, read as JSON-RPC: what is no message becomes the error that answers it. Pure. */
import { isJsonObject, parseJson } from '@palimpsest/core/settings';

/** A message may be so large: `compress_text` takes whole transcripts. */
export const mostFrameBytes: number = 16 * 1024 * 1024;
/** Deeper nesting is no message of anybody: what walks through it would run out of stack. */
export const mostDepth = 64;

export const errorCodes = { parse: -32_700, request: -32_600 } as const;

/** The answer to what is no message. */
export interface BadFrame {
  readonly type: 'bad';
  readonly code: (typeof errorCodes)[keyof typeof errorCodes];
  readonly message: string;
  /** Null where it could not be read. */
  readonly id: string | number | null;
}

/** A value that may be a message; the SDK has the last word. */
export interface ReadFrame {
  readonly type: 'read';
  readonly value: Readonly<Record<string, unknown>>;
}

export type Frame = ReadFrame | BadFrame;

const lineFeed = 10;

/** Lines out of pieces of bytes, in memory that is bounded: a line that is too long is passed over. */
export class FrameReader {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isPassedOver = false;
  readonly #mostBytes: number;

  constructor(mostBytes: number = mostFrameBytes) {
    this.#mostBytes = mostBytes;
  }

  /** The frames that end in this piece. */
  push(piece: Uint8Array): readonly Frame[] {
    const frames: Frame[] = [];
    let from = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      this.#take(piece.subarray(from, end));
      frames.push(...this.#finished());
      from = end + 1;
    }
    this.#take(piece.subarray(from));
    return frames;
  }

  /** What came behind the last line feed. */
  end(): readonly Frame[] {
    return this.#finished();
  }

  #take(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#mostBytes) {
      this.#isPassedOver = true;
      this.#pieces = [];
    } else if (piece.length > 0) this.#pieces.push(piece);
  }

  #finished(): readonly Frame[] {
    const pieces = this.#pieces;
    const { length } = { length: this.#bytes };
    const isPassedOver = this.#isPassedOver;
    this.#pieces = [];
    this.#bytes = 0;
    this.#isPassedOver = false;
    if (isPassedOver) return [tooLarge(this.#mostBytes)];
    const frame = readFrame(joined(pieces, length));
    return frame ? [frame] : [];
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only, ...more] = pieces;
  if (only && more.length === 0) return only;
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export const tooLarge = (mostBytes: number): BadFrame =>
  bad(errorCodes.request, `expected a message of at most ${mostBytes} bytes, got a larger one: it was passed over`);

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The frame in some bytes; undefined for an empty line. */
export function readFrame(bytes: Uint8Array): Frame | undefined {
  let text: string;
  try {
    text = decoder.decode(bytes).trim();
  } catch {
    return bad(errorCodes.parse, 'expected UTF-8, got other bytes: the message was passed over');
  }
  if (text === '') return undefined;
  if (depthOf(text) > mostDepth)
    return bad(
      errorCodes.request,
      `expected a message of at most ${mostDepth} levels, got a deeper one: it was passed over`,
    );
  const value = parseJson(text);
  if (value === undefined) return bad(errorCodes.parse, 'expected a message of JSON-RPC in one line, got no JSON');
  if (Array.isArray(value))
    return bad(errorCodes.request, 'expected one message, got a list: batches are no part of this protocol any more');
  if (!isJsonObject(value) || value.jsonrpc !== '2.0')
    return bad(errorCodes.request, 'expected a message with "jsonrpc": "2.0"', isJsonObject(value) ? value.id : null);
  return { type: 'read', value };
}

/** The answer to a value that is JSON and no message; its id, where it has one. */
export const bad = (code: BadFrame['code'], message: string, id: unknown = null): BadFrame => ({
  type: 'bad',
  code,
  message,
  id: typeof id === 'string' || typeof id === 'number' ? id : null,
});

/** How deep lists and objects lie in each other, whether or not the text is JSON; what stands in strings does not count. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isInString) {
      if (unit === 0x5c) at++;
      else if (unit === 0x22) isInString = false;
    } else if (unit === 0x22) isInString = true;
    else if (unit === 0x5b || unit === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return deepest;
}

/** As it goes over the wire. */
export const answerTo = ({ code, message, id }: BadFrame): object => ({ jsonrpc: '2.0', id, error: { code, message } });
