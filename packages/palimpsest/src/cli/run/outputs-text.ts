/** The text of a saved result as commands show it: in pieces, checked where it is read whole, and by numbered lines. */
import { createHash } from 'node:crypto';
import { PalimpsestError, placesOf, redact } from '@palimpsest/core';
import type { OutputStore, SavedOutput } from '@palimpsest/core/store';
import { maskedPiece, maskedText } from './outputs-mask.ts';

/** Lines of an output, from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A line to show, or a place in a long one. */
export interface NumberedLine {
  readonly line: number;
  /** Where the place begins; null for a whole line. */
  readonly char: number | null;
  /** True for what was asked for, false for what stands around it. */
  readonly match: boolean;
  /** Without credentials; of a very long line the start, of a place what stands around it. */
  readonly text: string;
  /** Of the whole line, where it is shown from its start. */
  readonly characters: number | null;
}

const pieceChars = 1 << 20;

/** The text of some lines as it was saved, about a million characters at once. Throws `STORE_DAMAGED`. */
export async function* linePieces(
  outputs: OutputStore,
  output: SavedOutput,
  { from, to }: LineRange,
): AsyncGenerator<string> {
  const step = Math.max(1, Math.floor((output.lines * pieceChars) / Math.max(1, output.characters)));
  for (let line = from; line <= to; line += step) {
    yield (await outputs.read(output.id, { from: line, to: Math.min(to, line + step - 1) })).text;
  }
}

/** The same for all lines; at the end throws `STORE_DAMAGED` where the text is not the one that the id stands for. */
export async function* wholeText(outputs: OutputStore, output: SavedOutput): AsyncGenerator<string> {
  const utf8 = createHash('sha256');
  // Of text that UTF-8 cannot hold the id is made another way.
  const utf16 = createHash('sha256').update(Buffer.of(0xff));
  let isWellFormed = true;
  for await (const text of linePieces(outputs, output, { from: 1, to: output.lines })) {
    isWellFormed &&= text.isWellFormed();
    utf8.update(text);
    utf16.update(Buffer.from(text, 'utf16le'));
    yield text;
  }
  const digits = (isWellFormed ? utf8 : utf16).digest('hex');
  if (digits.includes(output.id)) return;
  const message = `output ${output.id} was changed outside Palimpsest: run \`palimpsest doctor\`, and restore a backup`;
  throw new PalimpsestError('STORE_DAMAGED', message, { evidence: { id: output.id } });
}

/** A credential has fewer lines; what stands before a line may tell that it belongs to one. */
const linesAround = 100;

/** Some lines with their numbers, without credentials. */
export async function numberedLines(
  outputs: OutputStore,
  output: SavedOutput,
  { from, to, marked }: LineRange & { readonly marked: ReadonlySet<number> },
): Promise<readonly NumberedLine[]> {
  const first = Math.max(1, from - linesAround);
  const { text } = await outputs.read(output.id, { from: first, to: to + linesAround });
  const given = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const lines = maskedText(given.map(lineStart).join('\n'))
    .split('\n')
    .slice(from - first, to - first + 1);
  return lines.map((line, at) => ({
    line: from + at,
    char: null,
    match: marked.has(from + at),
    text: line,
    characters: given[from - first + at]?.length ?? 0,
  }));
}

/** More of a line is not looked through to show it with a number. */
const mostOfLine = 10_000;

const lineStart = (line: string): string =>
  line.length > mostOfLine ? maskedPiece(line, { start: 0, end: mostOfLine }) : line;

/** What is looked for in an output. */
export interface Wanted {
  readonly query: string;
  readonly limit: number;
  /** Lines that are shown on each side of a place. */
  readonly context: number;
}

/** The places that hold every word of a query, in the order of the text, with what stands around them. */
export async function matchedLines(
  outputs: OutputStore,
  output: SavedOutput,
  { query, limit, context }: Wanted,
): Promise<readonly NumberedLine[]> {
  const places = await placesOf(outputs, output.id, { query, limit, show: maskedPiece });
  const marked = new Set(places.flatMap(({ line, char }) => (char === undefined ? [line] : [])));
  const long = new Map<number, NumberedLine[]>();
  for (const { line, char, text } of places) {
    if (char === undefined) continue;
    long.set(line, [...(long.get(line) ?? []), { line, char, match: true, text: redact(text), characters: null }]);
  }
  const rows: NumberedLine[] = [];
  const all = places.map(({ line }) => line).toSorted((one, other) => one - other);
  for (const { from, to } of joined(all, { context, lines: output.lines })) {
    for (const row of await numberedLines(outputs, output, { from, to, marked })) {
      rows.push(...(long.get(row.line) ?? [row]));
    }
  }
  return rows;
}

/** The ranges around some lines, in order; those that touch are one. */
function joined(
  lines: readonly number[],
  { context, lines: last }: { readonly context: number; readonly lines: number },
): readonly LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of lines) {
    const before = ranges.at(-1);
    const range = { from: Math.max(1, line - context), to: Math.min(last, line + context) };
    if (before && range.from <= before.to + 1) ranges[ranges.length - 1] = { from: before.from, to: range.to };
    else ranges.push(range);
  }
  return ranges;
}
