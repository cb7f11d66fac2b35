/** Cuts a JSON list into batches of its elements, without parsing them. */
import { boundaryAfter, joinedBytes, type ReadPoint, type Split, type SplitLimits } from './splits.ts';
import type { Bytes } from './unpack.ts';

/**
 * Batches of the elements of one list, each without the comma behind it. From the start of a file its bracket is read first;
 * from a point in the middle, what comes is the next element.
 */
export async function* splitList(source: Bytes, from: ReadPoint, limits: SplitLimits): AsyncGenerator<Split> {
  const held = new HeldElements(from, limits);
  for await (const chunk of source) yield* held.take(chunk);
  yield* held.finish();
}

const [quote, backslash, comma, open, close, openBrace, closeBrace] = [34, 92, 44, 91, 93, 123, 125];
const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

class HeldElements {
  readonly #limits: SplitLimits;
  #isBeforeList: boolean;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** True when the element has begun. */
  #hasBegun = false;
  #parts: Uint8Array[] = [];
  #length = 0;
  #ends: number[] = [];
  /** Where the unfinished element begins, from the start of what is held. */
  #elementStart = 0;
  #offset: number;
  #records: number;
  #passed: number | undefined;

  constructor(from: ReadPoint, limits: SplitLimits) {
    this.#limits = limits;
    this.#offset = from.offset;
    this.#records = from.records;
    this.#isBeforeList = from.offset === 0;
  }

  *take(chunk: Uint8Array): Generator<Split> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (!this.#isEnd(chunk[at] ?? 0)) continue;
      yield* this.#end(chunk.subarray(from, at + 1));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    if (rest.length === 0) return;
    if (this.#passed !== undefined) return yield this.#piece(rest, false);
    this.#hold(rest);
    if (this.#length - this.#elementStart > this.#limits.maxRecordBytes) yield* this.#emitLarge(false);
  }

  *finish(): Generator<Split> {
    if (this.#passed !== undefined) return yield this.#piece(new Uint8Array(0), true);
    // A list that is cut off, or followed by something: that is a record which cannot be read, and is told of as one.
    if (this.#hasBegun) this.#ends.push(this.#length);
    if (this.#length > 0) yield this.#batch(this.#length);
  }

  /** True for the byte that ends an element, or the bracket before the first one. */
  #isEnd(byte: number): boolean {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isText = false;
      return false;
    }
    if (isSpace(byte)) return false;
    if (this.#isBeforeList) return byte === open;
    if (this.#depth > 0 || (byte !== comma && byte !== close)) {
      this.#enter(byte);
      return false;
    }
    return true;
  }

  #enter(byte: number): void {
    this.#hasBegun = true;
    if (byte === quote) this.#isText = true;
    else if (byte === open || byte === openBrace) this.#depth++;
    else if (byte === close || byte === closeBrace) this.#depth = Math.max(0, this.#depth - 1);
  }

  /** An element with the sign behind it has come to its end, or what stands before the list. */
  *#end(bytes: Uint8Array): Generator<Split> {
    const hasBegun = this.#hasBegun;
    this.#hasBegun = false;
    if (this.#passed !== undefined) {
      yield this.#piece(bytes.subarray(0, -1), true, 1);
      return;
    }
    if (this.#isBeforeList) {
      this.#isBeforeList = false;
      this.#offset += this.#length + bytes.length;
      this.#reset();
      return;
    }
    this.#hold(bytes);
    if (this.#length - this.#elementStart > this.#limits.maxRecordBytes) return yield* this.#emitLarge(true);
    if (hasBegun) this.#ends.push(this.#length - 1);
    this.#elementStart = this.#length;
    if (this.#offset + this.#length >= boundaryAfter(this.#offset, this.#limits)) yield this.#batch(this.#length);
  }

  #hold(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  *#emitLarge(isWhole: boolean): Generator<Split> {
    const [all, start] = [joinedBytes(this.#parts, this.#length), this.#elementStart];
    if (start > 0) yield this.#batch(start);
    this.#reset();
    this.#passed = 0;
    yield isWhole ? this.#piece(all.subarray(start, -1), true, 1) : this.#piece(all.subarray(start), false);
  }

  #batch(length: number): Split {
    const bytes = joinedBytes(this.#parts, length);
    const [first, ends] = [this.#records + 1, Uint32Array.from(this.#ends)];
    this.#records += ends.length;
    this.#offset += length;
    this.#reset();
    return { type: 'batch', bytes, ends, first, count: ends.length, end: this.#offset };
  }

  #reset(): void {
    this.#parts = [];
    this.#length = 0;
    this.#elementStart = 0;
    this.#ends = [];
  }

  /** `behind` is the sign after the element. */
  #piece(bytes: Uint8Array, isLast: boolean, behind = 0): Split {
    const isFirst = this.#passed === 0;
    const size = (this.#passed ?? 0) + bytes.length;
    this.#offset += bytes.length + behind;
    const number = this.#records + 1;
    this.#passed = isLast ? undefined : size;
    if (isLast) this.#records++;
    return { type: 'piece', bytes, number, isFirst, isLast, size, end: this.#offset };
  }
}
