/** The text of a saved result as commands show it: in pieces, checked where it is read whole, by numbered lines, and without credentials. */
import { createHash } from 'node:crypto';
import { findSecrets, PalimpsestError, redact, type Secret } from '@palimpsest/core';
import {
  type OutputStore,
  placeholderFor,
  placeLabel,
  placesOf,
  redactPiece,
  rules,
  type SavedOutput,
} from '@palimpsest/core/store';

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

// Saved text without the credentials in it, in pieces: a result of any size is shown from its first line at once.

/** Characters that are looked through at once. */
const maskedChars = 1 << 19;
/** What may stand between the start of a credential and what tells that it is one; `redactPiece` has the same. */
const reach = 32_000;
/** Masking one may lay open the next. */
const mostPasses = 8;

/** The text of `texts` with every credential masked. Line breaks stay where they are, so that lines keep their numbers. */
export async function* maskedPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const window: Window = { held: '', at: 0, wanted: maskedChars };
  for await (const text of texts) {
    for (let from = 0; from < text.length; from += maskedChars) {
      window.held += text.slice(from, from + maskedChars);
      if (window.held.length - window.at >= window.wanted) yield shift(window, false);
    }
  }
  if (window.held.length > window.at) yield shift(window, true);
}

interface Window {
  held: string;
  /** Where what was not given yet begins; before it stands what was. */
  at: number;
  /** Characters to wait for: more when one credential fills all that there is. */
  wanted: number;
}

/** Gives what is safe to give, up to the end of a line where there is one. */
function shift(window: Window, isEnd: boolean): string {
  const { held, at } = window;
  const secrets = findSecrets(held).filter(({ end }) => end > at);
  const cut = isEnd ? held.length : cutOf(held, at, secrets);
  if (cut <= at) {
    window.wanted *= 2;
    return '';
  }
  const inside = secrets
    .filter(({ end }) => end <= cut)
    .map(({ start, end, rule }) => ({ start: Math.max(0, start - at), end: end - at, rule }));
  const from = Math.max(0, cut - reach);
  Object.assign(window, { held: held.slice(from), at: cut - from, wanted: maskedChars });
  return masked(held.slice(at, cut), inside);
}

/** Before what is still too near to the end, and never inside of a credential. */
function cutOf(held: string, at: number, secrets: readonly Secret[]): number {
  const most = held.length - reach;
  const lineEnd = held.lastIndexOf('\n', most - 1) + 1;
  const wanted = lineEnd > at ? lineEnd : most;
  const crossing = secrets.find(({ start, end }) => start < wanted && end > wanted);
  return crossing ? Math.max(at, crossing.start) : wanted;
}

/** A text with every credential masked, as many lines as before. */
const maskedText = (text: string): string => masked(text, findSecrets(text));

/** A piece of a line, without the credentials in it; one that begins before the piece leaves a mark. */
export function maskedPiece(line: string, piece: { readonly start: number; readonly end: number }): string {
  const { text, start } = redactPiece(line, piece);
  return start > piece.start ? `[REDACTED:…]${text}` : text;
}

function masked(text: string, found: readonly Secret[]): string {
  let secrets = found;
  let clean = text;
  for (let pass = 0; pass < mostPasses && secrets.length > 0; pass++) {
    let from = 0;
    let next = '';
    for (const { start, end, rule } of secrets) {
      next += clean.slice(from, start) + placeholderLines(clean.slice(start, end), rule);
      from = end;
    }
    clean = next + clean.slice(from);
    secrets = findSecrets(clean);
  }
  return clean;
}

/** The placeholder in each line that a credential has something in. */
function placeholderLines(secret: string, rule: string): string {
  const isByShape = rules.find(({ id }) => id === rule)?.by === 'shape';
  const placeholder = placeholderFor(isByShape ? rule : placeLabel, secret);
  return secret.includes('\n') ? secret.replaceAll(/[^\r\n]+/g, placeholder) : placeholder;
}
