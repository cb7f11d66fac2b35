/**
 * The records of a transcript file while it streams in: lines of JSONL, or elements of the message lists of a JSON
 * document, told apart by content. No record is held twice and nothing here needs Node.
 *
 * Spans count the bytes of the file as given, a byte order mark included; in UTF-16 a character has two.
 */

import { ByteWindow, problem, type ReadProblem, readValue } from './byte-window.ts';
import { DocumentRecords } from './document-records.ts';
import type { SourceRecord } from './format.ts';

export type { ReadProblem } from './byte-window.ts';

/** Bytes that are looked at to tell text from other things; enough for the header of every usual binary format. */
const probeBytes = 512;

/**
 * Splits a file into records and tells of everything that is left out or repaired. Never throws on content; what
 * `source` throws comes through. A document's envelope is the last record.
 */
export async function* readRecords(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceRecord | ReadProblem, void, undefined> {
  const splitter = new RecordSplitter();
  for await (const chunk of source) yield* splitter.push(chunk);
  yield* splitter.end();
}

/** The same for whoever has the bytes in another way: push every chunk, then end. */
export class RecordSplitter {
  #window: ByteWindow = new ByteWindow();
  #scanner: LineRecords | DocumentRecords | undefined;
  #isKnown = false;
  #isRefused = false;
  /** Where the search for the end of the first line goes on. */
  #searched = 0;

  push(chunk: Uint8Array): (SourceRecord | ReadProblem)[] {
    if (this.#isRefused) return [];
    this.#window.push(chunk);
    return this.#scan(false);
  }

  end(): (SourceRecord | ReadProblem)[] {
    if (this.#isRefused) return [];
    const found = this.#scan(true);
    if (!this.#window.hasHalfUnit) return found;
    return [
      ...found,
      problem('skipped', 0, 'expected pairs of bytes (UTF-16), found one more byte at the end: skipped'),
    ];
  }

  #scan(ended: boolean): (SourceRecord | ReadProblem)[] {
    if (!this.#isKnown) {
      if (this.#window.bytes.length < probeBytes && !ended) return [];
      this.#isKnown = true;
      const refusal = this.#recognise(ended);
      if (refusal !== undefined) {
        this.#isRefused = true;
        return [problem('skipped', 0, refusal)];
      }
    }
    this.#scanner ??= this.#choose(ended);
    return this.#scanner?.scan(ended) ?? [];
  }

  /** Finds the encoding; gives the reason why the file cannot be a transcript, if there is one. */
  #recognise(ended: boolean): string | undefined {
    const [a, b, c, d] = this.#window.bytes;
    if (a === undefined) return 'expected a transcript, found an empty file';
    if (a === 0x1f && b === 0x8b) return 'expected text, found a gzip file: unpack it first';
    if (a === 0x50 && b === 0x4b && c === 3 && d === 4) return 'expected text, found a zip file: unpack it first';
    if (a === 0xef && b === 0xbb && c === 0xbf) this.#window.setEncoding('utf-8', 3);
    else if (a === 0xff && b === 0xfe) this.#window.setEncoding('utf-16le', 2);
    else if (a === 0xfe && b === 0xff) this.#window.setEncoding('utf-16be', 2);
    else if (opens(a) && b === 0) this.#window.setEncoding('utf-16le', 0);
    else if (a === 0 && opens(b)) this.#window.setEncoding('utf-16be', 0);
    return refusalOf(this.#window.units.subarray(0, probeBytes), ended);
  }

  /** A list is a document. An object is one when it goes on behind its first line, or when it is all there is. */
  #choose(ended: boolean): LineRecords | DocumentRecords | undefined {
    const { units, origin } = this.#window;
    const first = units.findIndex((unit) => !isBlank(unit));
    if (first >= 0 && units[first] === 0x5b) return new DocumentRecords(this.#window);
    if (first < 0) return ended ? new LineRecords(this.#window) : undefined;
    if (units[first] !== 0x7b) return new LineRecords(this.#window);
    const from = Math.max(first, this.#searched - origin);
    const lineEnd = units.indexOf(10, from);
    this.#searched = this.#window.end;
    const length = (lineEnd < 0 ? units.length : lineEnd) - first;
    if (length >= longLine && this.#startsList(first)) return new DocumentRecords(this.#window);
    if (lineEnd < 0) return ended ? new DocumentRecords(this.#window) : undefined;
    this.#searched = origin + lineEnd;
    if (goesOn(units.subarray(first, lineEnd))) return new DocumentRecords(this.#window);
    const hasMore = units.subarray(lineEnd).some((unit) => !isBlank(unit));
    if (hasMore) return new LineRecords(this.#window);
    return ended ? new DocumentRecords(this.#window) : undefined;
  }

  #startsList(first: number): boolean {
    const start = this.#window.origin + first;
    return listStart.test(this.#window.text(start, Math.min(start + headLength, this.#window.end)));
  }
}

/**
 * A document in one line of this many characters is not held whole to see where its first line ends. Should lines
 * follow after all, they are read as documents behind each other, which gives the same conversations.
 */
const longLine = 4 << 20;

/** The start of such a document is decided by its first characters. */
const headLength = 1 << 16;
const listStart = /"(?:messages|history|conversations|traj|input|items)"\s*:\s*\[\s*[{[]/;

const opens = (unit: number | undefined): boolean => unit === 0x7b || unit === 0x5b;
const isBlank = (unit: number): boolean => unit <= 0x20;

function refusalOf(probe: Uint8Array, isAll: boolean): string | undefined {
  const first = probe.find((unit) => !isBlank(unit));
  if (first === undefined) return isAll ? blankText : undefined;
  if (opens(first)) return undefined;
  if (first === 0x3c) return 'expected JSON or JSONL, found HTML or XML';
  const controls = probe.filter((unit) => unit < 9 || (unit > 13 && unit < 32 && unit !== 27)).length;
  return controls > 0 ? 'expected text, found a binary file' : undefined;
}

const blankText = 'expected a transcript, found only white space or NUL bytes';

/** True when a line ends inside an object, but not inside a string: a line break there was never written by JSON. */
function goesOn(line: Uint8Array): boolean {
  let depth = 0;
  for (let i = 0; i < line.length; i++) {
    const unit = line[i];
    if (unit === 0x22) {
      i = stringEnd(line, i);
      if (i < 0) return false;
    } else if (unit === 0x7b || unit === 0x5b) depth++;
    else if (unit === 0x7d || unit === 0x5d) depth--;
  }
  return depth > 0;
}

function stringEnd(line: Uint8Array, start: number): number {
  for (let quote = line.indexOf(0x22, start + 1); quote >= 0; quote = line.indexOf(0x22, quote + 1)) {
    let slashes = 0;
    while (line[quote - 1 - slashes] === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return -1;
}

// A JSONL file: one record a line, and a finding for every run of lines that are not JSON.

const lineFeed = 10;

export class LineRecords {
  #window: ByteWindow;
  #start = 0;
  #searched = 0;
  #line = 1;
  /** The run of broken lines that is still growing. */
  #broken: { first: number; last: number; units: number } | undefined;

  constructor(window: ByteWindow) {
    this.#window = window;
  }

  /** Takes what the window holds; `ended` when nothing more will come. */
  scan(ended: boolean): (SourceRecord | ReadProblem)[] {
    const found: (SourceRecord | ReadProblem)[] = [];
    const window = this.#window;
    for (;;) {
      const index = window.units.indexOf(lineFeed, this.#searched - window.origin);
      if (index < 0) break;
      const end = window.origin + index;
      this.#take(end, false, found);
      this.#start = end + 1;
      this.#searched = this.#start;
      this.#line++;
    }
    this.#searched = window.end;
    if (ended) {
      this.#take(window.end, true, found);
      this.#start = window.end;
      this.#flush(found);
    }
    window.keep = this.#start;
    return found;
  }

  #take(lineEnd: number, last: boolean, found: (SourceRecord | ReadProblem)[]): void {
    const { units, origin } = this.#window;
    let start = this.#start;
    let end = lineEnd;
    while (start < end && isGap(units[start - origin])) start++;
    while (end > start && isGap(units[end - 1 - origin])) end--;
    if (start === end) return;
    const stretch = { start, end, line: this.#line };
    const repairs: ReadProblem[] = [];
    const value = readValue(this.#window, stretch, (repair) => repairs.push(repair));
    if (value !== undefined) {
      this.#flush(found);
      found.push(...repairs, { type: 'line', value, span: this.#window.span(stretch), conversation: 0 });
    } else if (last) {
      this.#flush(found);
      const message = `the file ends in the middle of line ${this.#line}: that line is skipped`;
      found.push(problem('skipped', this.#line, message));
    } else {
      this.#broken ??= { first: this.#line, last: this.#line, units: 0 };
      this.#broken.last = this.#line;
      this.#broken.units += end - start;
    }
  }

  #flush(found: (SourceRecord | ReadProblem)[]): void {
    const broken = this.#broken;
    if (!broken) return;
    this.#broken = undefined;
    const lines = broken.first === broken.last ? `line ${broken.first}` : `lines ${broken.first} to ${broken.last}`;
    const message = `expected one JSON value per line, found ${lines} (${broken.units} characters) that ${broken.first === broken.last ? 'is' : 'are'} not JSON: skipped`;
    found.push(problem('skipped', broken.first, message));
  }
}

/** White space inside a line. */
const isGap = (unit: number | undefined): boolean => unit === 32 || unit === 13 || unit === 9;
