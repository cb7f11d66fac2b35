/** Lines of styled text: what callers hand to the console, and how a part of such a line becomes a row of the screen. */
import { headOf, type Screen, type Style, styled, widthOf } from './screen.ts';
import { harmless } from './visible.ts';
import { type Range, wrapRanges } from './wrap.ts';

/** A stretch of text in a style. */
export interface Span {
  readonly text: string;
  readonly style?: Style | readonly Style[] | undefined;
}

/** One line for a person. Its text may come from anywhere: control characters in it are made harmless, styles stand apart. */
export type Line = string | readonly (string | Span)[];

/** Text and the styles over it. */
export interface StyledText {
  readonly text: string;
  /** In order, without overlaps; what none covers is plain. */
  readonly marks: readonly Mark[];
}

export interface Mark extends Range {
  readonly styles: readonly Style[];
}

/** A line with its styles beside it, harmless. */
export function styledText(line: Line): StyledText {
  if (typeof line === 'string') return { text: harmless(line), marks: [] };
  let text = '';
  const marks: Mark[] = [];
  for (const part of line) {
    const { text: own, style }: Span = typeof part === 'string' ? { text: part } : part;
    const start = text.length;
    text += harmless(own);
    if (style !== undefined && text.length > start) marks.push({ start, end: text.length, styles: [style].flat() });
  }
  return { text, marks };
}

/** A part of a text as it is written to the terminal. */
export function painted({ text, marks }: StyledText, { start, end }: Range, screen: Screen): string {
  let row = '';
  let done = start;
  for (const mark of marks) {
    const from = Math.max(mark.start, done);
    const to = Math.min(mark.end, end);
    if (from >= to) continue;
    row += text.slice(done, from) + inStyles(text.slice(from, to), mark.styles, screen);
    done = to;
  }
  return row + text.slice(done, end);
}

const inStyles = (text: string, styles: readonly Style[], screen: Screen): string =>
  styles.reduce((inner, style) => styled(inner, style, screen), text);

/** The whole line in one row, however wide it is. */
export function paintedLine(line: Line, screen: Screen): string {
  const shown = styledText(line);
  return painted(shown, { start: 0, end: shown.text.length }, screen);
}

/** The line in one row of at most `columns` cells; what does not fit is left out. */
export function clippedLine(
  line: Line,
  { screen, columns }: { readonly screen: Screen; readonly columns: number },
): string {
  const shown = styledText(line);
  return painted(shown, { start: 0, end: headOf(shown.text, columns).length }, screen);
}

/** The cells that a line takes. */
export const widthOfLine = (line: Line): number => widthOf(styledText(line).text);

/** A text, what stands before its first row, and before the others. */
export interface Shape {
  readonly shown: StyledText;
  /** Of the same width as `rest`. */
  readonly first: Line;
  readonly rest: Line;
}

export const plainShape = (line: Line): Shape => ({ shown: styledText(line), first: '', rest: '' });

interface RowsOptions {
  readonly screen: Screen;
  readonly columns: number;
  /** Where in the text to begin: what stands before has its rows already. @default 0 */
  readonly from?: number;
}

/** The row, and where in the text it ends. */
export interface PaintedRow {
  readonly row: string;
  readonly end: number;
}

/** A text in rows of at most `columns` cells, broken between words. */
export function paintedRows(
  { shown, first, rest }: Shape,
  { screen, columns, from = 0 }: RowsOptions,
): readonly PaintedRow[] {
  const later = shown.text.slice(from);
  const start = from === 0 ? 0 : from + later.length - later.trimStart().length;
  return wrapRanges(shown.text.slice(start), columns - widthOfLine(first)).map((range, at) => {
    const inText = { start: start + range.start, end: start + range.end };
    const before = paintedLine(at === 0 && from === 0 ? first : rest, screen);
    return { row: before + painted(shown, inText, screen), end: inText.end };
  });
}

/** The same, as rows alone. */
export const rowsOf = (shape: Shape, options: RowsOptions): readonly string[] =>
  paintedRows(shape, options).map(({ row }) => row);
