/** Some lines of a saved output, no more than fit a page; a line that is longer than a page in several. */
import type { OutputStore, SavedOutput } from '../../store/output-store.ts';
import { cutAtLine, placeAfter, type TextPlace } from '../preview.ts';

/** What is asked for. */
export interface PageRange {
  /** A place in the output. */
  readonly from: TextPlace;
  /** The last line wanted, from `from.line` to the last of the output. */
  readonly to: number;
  readonly maxChars: number;
}

export interface Page {
  /** As it was saved. */
  readonly text: string;
  /** The place behind it; undefined when the output ends there. */
  readonly next: TextPlace | undefined;
}

/** Reads a page; undefined when the first line has fewer characters than `from.char` says. */
export async function readPage(
  outputs: OutputStore,
  output: SavedOutput,
  { from, to, maxChars }: PageRange,
): Promise<Page | undefined> {
  const parts: string[] = [];
  let chars = 0;
  // As many lines as fill a page if all are alike, then twice as many each time.
  let count = 1 + Math.ceil((maxChars * output.lines) / Math.max(1, output.characters));
  for (let line = from.line; line <= to && chars <= maxChars; ) {
    const last = Math.min(to, line + count - 1);
    const { text } = await outputs.read(output.id, { from: line, to: last });
    if (line === from.line && from.char > firstLineChars(text)) return undefined;
    const part = line === from.line ? text.slice(from.char - 1) : text;
    parts.push(part);
    chars += part.length;
    line = last + 1;
    count *= 2;
  }
  const read = parts.join('');
  const text = read.slice(0, cutAtLine(read, maxChars));
  const next = placeAfter(text, from);
  const isEnd = text.length === read.length && to >= output.lines;
  return { text, next: isEnd ? undefined : next };
}

/** Characters of the first line, its line break included; a place may also be the end of the last line. */
function firstLineChars(text: string): number {
  const end = text.indexOf('\n');
  return end === -1 ? Math.max(1, text.length) : end + 1;
}
