/**
 * The part of a file that is being looked at: bytes come in at the end, what was dealt with leaves at the front.
 *
 * Positions count code units from the start of the text: bytes in UTF-8, pairs of bytes in UTF-16. JSON's own characters
 * are ASCII in both, so the scanners read `units` (one byte a unit, anything else than ASCII is ≥ 0x80) and never care.
 */

import { type JsonValue, parseJson } from '../shared/json.ts';
import type { ReadFinding } from './format.ts';
import type { SourceSpan } from './message.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A stretch of the text with the line it starts on. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export class ByteWindow {
  /** The unit at position `p` is `units[p - origin]`. */
  units: Uint8Array = new Uint8Array(0);
  origin = 0;
  /** Position after the last unit that has come in. */
  end = 0;
  /** Positions before this one are no longer needed and may be forgotten. */
  keep = 0;
  #bytes: Uint8Array = new Uint8Array(1 << 16);
  #used = 0;
  /** One byte for each unit of UTF-16. */
  #narrow: Uint8Array = new Uint8Array(0);
  #width = 1;
  #bom = 0;
  #decoder: InstanceType<typeof TextDecoder> = new TextDecoder('utf-8', { ignoreBOM: true });
  #encoding: Encoding = 'utf-8';

  /** Says how the bytes are to be read; called once, before anything was dealt with. */
  setEncoding(encoding: Encoding, bomBytes: number): void {
    this.#encoding = encoding;
    this.#width = encoding === 'utf-8' ? 1 : 2;
    this.#bom = bomBytes;
    this.#decoder = new TextDecoder(encoding, { ignoreBOM: true });
    this.#bytes.copyWithin(0, bomBytes, this.#used);
    this.#used -= bomBytes;
    this.#showUnits(0);
  }

  push(chunk: Uint8Array): void {
    this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#used);
    const known = this.end - this.origin;
    this.#used += chunk.length;
    this.#showUnits(known);
  }

  /** Bytes as they came, from the position `keep`; for looking at a file whose encoding is not known yet. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  /** The text between two positions. Broken sequences become U+FFFD. */
  text(start: number, end: number): string {
    const from = (start - this.origin) * this.#width;
    return this.#decoder.decode(this.#bytes.subarray(from, from + (end - start) * this.#width));
  }

  /** True when the text between two positions is what the encoding allows. */
  isClean(start: number, end: number): boolean {
    const from = (start - this.origin) * this.#width;
    try {
      const strict = new TextDecoder(this.#encoding, { fatal: true, ignoreBOM: true });
      strict.decode(this.#bytes.subarray(from, from + (end - start) * this.#width));
      return true;
    } catch {
      return false;
    }
  }

  /** Where a stretch stands in the file, in bytes. */
  span({ start, end, line }: Stretch): SourceSpan {
    return { start: this.#bom + start * this.#width, end: this.#bom + end * this.#width, line };
  }

  /** True when UTF-16 text ends in the middle of a unit. */
  get hasHalfUnit(): boolean {
    return this.#used % this.#width !== 0;
  }

  #makeRoom(length: number): void {
    if (this.#used + length <= this.#bytes.length) return;
    const drop = (this.keep - this.origin) * this.#width;
    const rest = this.#bytes.subarray(drop, this.#used);
    // Doubling keeps a value that fills many chunks linear: each byte is copied a bounded number of times.
    const wanted = rest.length + length;
    if (wanted * 2 > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(wanted * 2, 1 << 16));
      grown.set(rest);
      this.#bytes = grown;
    } else {
      this.#bytes.copyWithin(0, drop, this.#used);
    }
    this.#used = rest.length;
    this.origin = this.keep;
    this.#showUnits(0);
  }

  #showUnits(known: number): void {
    if (this.#width === 1) {
      this.units = this.#bytes.subarray(0, this.#used);
    } else {
      const count = this.#used >> 1;
      const from = this.#narrow.length < count ? 0 : known;
      if (this.#narrow.length < count) this.#narrow = new Uint8Array(this.#bytes.length >> 1);
      const high = this.#encoding === 'utf-16le' ? 1 : 0;
      for (let i = from; i < count; i++) {
        const low = this.#bytes[2 * i + 1 - high] ?? 0;
        this.#narrow[i] = this.#bytes[2 * i + high] === 0 && low < 0x80 ? low : 0xff;
      }
      this.units = this.#narrow.subarray(0, count);
    }
    this.end = this.origin + this.units.length;
  }
}

// From a stretch of text to its JSON value: what both kinds of file do, with the repairs that lose nothing.

/** Something to tell about the file, in the stream of its records. */
export interface ReadProblem extends ReadFinding {
  readonly type: 'problem';
}

export const problem = (level: ReadFinding['level'], line: number, message: string): ReadProblem => ({
  type: 'problem',
  level,
  line,
  message,
});

export const brokenBytes = 'expected valid text, found invalid bytes: they are read as U+FFFD';

/** The value of a stretch, undefined when it is not JSON; `report` hears of every repair. */
export function readValue(
  window: ByteWindow,
  stretch: Stretch,
  report: (found: ReadProblem) => void,
): JsonValue | undefined {
  const text = window.text(stretch.start, stretch.end);
  const value = parseJson(text);
  if (value === undefined) return withoutNul(text, stretch, report);
  if (text.includes('\uFFFD') && !window.isClean(stretch.start, stretch.end)) {
    report(problem('repaired', stretch.line, brokenBytes));
  }
  return value;
}

/** A machine that went down in mid-write leaves runs of NUL bytes, which JSON allows nowhere. */
function withoutNul(text: string, stretch: Stretch, report: (found: ReadProblem) => void): JsonValue | undefined {
  if (!text.includes('\0')) return undefined;
  const value = parseJson(text.replaceAll('\0', ''));
  if (value === undefined) return undefined;
  report(problem('repaired', stretch.line, 'expected JSON, found NUL bytes between or inside it: they are skipped'));
  return value;
}
