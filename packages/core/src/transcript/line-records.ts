/** Splits a JSONL file: one record a line, and a finding for every run of lines that are not JSON. */
import type { ByteWindow } from './byte-window.ts';
import type { SourceRecord } from './format.ts';
import { problem, type ReadProblem, readValue } from './record-values.ts';

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
    while (start < end && isBlank(units[start - origin])) start++;
    while (end > start && isBlank(units[end - 1 - origin])) end--;
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

const isBlank = (unit: number | undefined): boolean => unit === 32 || unit === 13 || unit === 9;
