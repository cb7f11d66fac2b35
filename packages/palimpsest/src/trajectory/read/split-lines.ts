/** Cuts a stream into batches of lines, on bytes alone. */
import { boundaryAfter, joinedBytes, type ReadPoint, type Split, type SplitLimits } from './splits.ts';
import type { Bytes } from './unpack.ts';

const newline = 10;

/**
 * Batches of whole lines with their breaks; the last line may have none. Where a batch ends depends on the bytes and on
 * nothing else, so that a run that begins in the middle makes the same ones.
 */
export async function* splitLines(
  source: Bytes,
  from: ReadPoint,
  limits: SplitLimits & { readonly isDocument?: boolean },
): AsyncGenerator<Split> {
  const held = new HeldLines(from, limits);
  for await (const chunk of source) yield* held.take(chunk);
  yield* held.finish();
}

class HeldLines {
  readonly #limits: SplitLimits;
  /** What ends a record: nothing does in a file that is one. */
  readonly #breakByte: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #offset: number;
  #records: number;
  /** Where the unfinished line begins, from the start of what is held. */
  #lineStart = 0;
  #endsWithBreak = false;
  /** Bytes of the large line that have passed; undefined outside of one. */
  #passed: number | undefined;

  constructor(from: ReadPoint, { isDocument = false, ...limits }: SplitLimits & { readonly isDocument?: boolean }) {
    this.#limits = limits;
    this.#breakByte = isDocument ? -1 : newline;
    this.#offset = from.offset;
    this.#records = from.records;
  }

  *take(chunk: Uint8Array): Generator<Split> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#passed !== undefined) {
        const end = this.#breakIn(rest, 0);
        const taken = end < 0 ? rest : rest.subarray(0, end);
        yield this.#piece(taken, end >= 0);
        rest = rest.subarray(taken.length);
        continue;
      }
      const need = boundaryAfter(this.#offset, this.#limits) - this.#offset - this.#length - 1;
      const end = this.#breakIn(rest, Math.max(0, need));
      const taken = end < 0 ? rest : rest.subarray(0, end);
      this.#hold(taken);
      rest = rest.subarray(taken.length);
      if (end >= 0) yield* this.#emit();
      else if (this.#length - this.#lineStart > this.#limits.maxRecordBytes) yield* this.#emitLarge(false);
    }
  }

  *finish(): Generator<Split> {
    if (this.#passed !== undefined) yield this.#piece(new Uint8Array(0), true);
    else if (this.#length > 0) yield* this.#emit();
  }

  /** Behind the first break at or after `from`; -1 where there is none. */
  #breakIn(bytes: Uint8Array, from: number): number {
    if (this.#breakByte < 0 || from >= bytes.length) return -1;
    return bytes.indexOf(this.#breakByte, from) + 1 || -1;
  }

  #hold(bytes: Uint8Array): void {
    if (this.#endsWithBreak) this.#lineStart = this.#length;
    // A break at the very end ends the last line, which is measured with it.
    const last = this.#breakByte < 0 ? -1 : bytes.subarray(0, -1).lastIndexOf(this.#breakByte);
    if (last >= 0) this.#lineStart = this.#length + last + 1;
    this.#endsWithBreak = bytes.at(-1) === this.#breakByte;
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }

  /** Everything held as one batch; a last line that is too large apart from it. */
  *#emit(): Generator<Split> {
    if (this.#length - this.#lineStart > this.#limits.maxRecordBytes) yield* this.#emitLarge(true);
    else yield this.#batch(this.#length);
  }

  *#emitLarge(isWhole: boolean): Generator<Split> {
    const [all, start] = [joinedBytes(this.#parts, this.#length), this.#lineStart];
    if (start > 0) yield this.#batch(start);
    this.#reset();
    this.#passed = 0;
    yield this.#piece(all.subarray(start), isWhole);
  }

  #batch(length: number): Split {
    const bytes = joinedBytes(this.#parts, length);
    const first = this.#records + 1;
    const count = this.#countIn(bytes);
    this.#records += count;
    this.#offset += length;
    this.#reset();
    const ends = this.#breakByte < 0 ? { ends: Uint32Array.of(bytes.length) } : {};
    return { type: 'batch', bytes, first, count, end: this.#offset, ...ends };
  }

  #reset(): void {
    this.#parts = [];
    this.#length = 0;
    this.#lineStart = 0;
    this.#endsWithBreak = false;
  }

  #countIn(bytes: Uint8Array): number {
    if (this.#breakByte < 0) return 1;
    let count = 0;
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
    return bytes.at(-1) === newline ? count : count + 1;
  }

  #piece(bytes: Uint8Array, isLast: boolean): Split {
    const isFirst = this.#passed === 0;
    const size = (this.#passed ?? 0) + bytes.length;
    this.#offset += bytes.length;
    const number = this.#records + 1;
    this.#passed = isLast ? undefined : size;
    if (isLast) this.#records++;
    return { type: 'piece', bytes, number, isFirst, isLast, size, end: this.#offset };
  }
}
