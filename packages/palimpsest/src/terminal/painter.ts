/**
 * The only writer of the screen. Above, what is printed: it is written once and belongs to the terminal's own scrollback.
 * Below it, the live rows: they are compared with those that stand there, and only what differs is written, inside a
 * synchronised update (CSI ? 2026), so that no terminal shows half of it.
 */
import { widthOf } from './screen.ts';

export interface Frame {
  /** Finished lines for the scrollback. One that is wider than the screen is broken by the terminal. */
  readonly print: readonly string[];
  /** The live rows, none wider than the screen and no more than fit. */
  readonly rows: readonly string[];
  /** Where the cursor is shown; nowhere if this is undefined. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

export interface Painter {
  readonly draw: (frame: Frame) => void;
  /** Takes the live rows away and leaves the cursor where they began. */
  readonly erase: () => void;
  /** Leaves the live rows where they are and the cursor below them: for an end that nobody expected. */
  readonly leave: () => void;
  /** Something else wrote to the screen: the next frame begins on a line of its own. */
  readonly forget: () => void;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface PainterOptions {
  readonly write: (text: string) => void;
  /** The terminal as it is now. */
  readonly size: () => Size;
  /** False for terminals that cut lines off at the edge when they become narrower, instead of breaking them. */
  readonly reflows: boolean;
}

/** What stands on the screen. */
interface Shown {
  rows: readonly string[];
  /** The live row that the cursor is in, and the cells before it. */
  row: number;
  column: number;
  isCursorShown: boolean;
  /** The width that it was drawn at. */
  columns: number;
}

const sgr = /\x1b\[[\d;]*m/g;
const widthOfRow = (row: string): number => widthOf(row.replaceAll(sgr, ''));

const startOfUpdate = '\x1b[?2026h';
const endOfUpdate = '\x1b[?2026l';
const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const breakLines = '\x1b[?7h';
const cutLines = '\x1b[?7l';
const eraseBelow = '\x1b[J';
const eraseRight = '\x1b[K';

export function painter({ write, size, reflows }: PainterOptions): Painter {
  let shown = nothing(size().columns);

  const update = (body: string): void => write(startOfUpdate + hideCursor + body + endOfUpdate);

  function draw({ print, rows: wanted, cursor }: Frame): void {
    const { columns, rows: height } = size();
    const rows = wanted.length > 0 ? wanted : [''];
    const pen: Pen = { text: '', row: shown.row };
    if (shown.columns !== columns || shown.rows.length > height) {
      pen.text += upToStart(shown, { columns, reflows });
      pen.row = 0;
      shown = nothing(columns);
    }
    paintRows(pen, { print, rows, cursor }, shown);
    const last = { row: print.length + (cursor?.row ?? rows.length - 1), column: cursor?.column ?? 0 };
    const isSame =
      pen.text === '' &&
      shown.isCursorShown === (cursor !== undefined) &&
      (cursor === undefined || (last.row === shown.row && last.column === shown.column));
    if (!isSame) update(pen.text + goTo(pen, last.row) + (cursor ? `\x1b[${last.column + 1}G${showCursor}` : '\r'));
    else pen.row = shown.row;
    shown = { rows, row: pen.row - print.length, column: last.column, isCursorShown: cursor !== undefined, columns };
  }

  return {
    draw,
    erase: () => {
      update(upToStart(shown, { columns: size().columns, reflows }) + showCursor);
      shown = nothing(size().columns);
    },
    leave: () => {
      const pen: Pen = { text: '', row: shown.row };
      const down = goTo(pen, Math.max(0, shown.rows.length - 1));
      write(`${down}${shown.rows.some((row) => row !== '') ? '\r\n' : ''}${endOfUpdate}${showCursor}`);
      shown = nothing(size().columns);
    },
    forget: () => {
      if (shown.rows.length > 0) write(`\r\n${eraseBelow}`);
      shown = nothing(size().columns);
    },
  };
}

const nothing = (columns: number): Shown => ({ rows: [], row: 0, column: 0, isCursorShown: true, columns });

/** What is written, and the row that the cursor is in by then, counted from the first live row of before. */
interface Pen {
  text: string;
  row: number;
}

/** Moves within the rows that exist. */
function goTo(pen: Pen, row: number): string {
  const by = row - pen.row;
  pen.row = row;
  return by === 0 ? '' : by < 0 ? `\x1b[${-by}A` : `\x1b[${by}B`;
}

/** Writes what differs. What was printed keeps its place: it is the text that stood there as unfinished, as a rule. */
function paintRows(pen: Pen, { print, rows }: Frame, shown: Shown): void {
  const next = [...print, ...rows];
  const firstWide = print.findIndex((line) => widthOfRow(line) > shown.columns);
  let bottom = Math.max(0, shown.rows.length - 1);
  let mayBreak = true;
  for (const [at, line] of next.entries()) {
    // The terminal breaks this line into nobody knows how many rows: whatever stands below is in its way.
    const isErased = firstWide >= 0 && at >= firstWide;
    const existing = isErased ? undefined : shown.rows[at];
    if (existing === line) continue;
    if (at === firstWide && at <= bottom) {
      pen.text += `${goTo(pen, at)}\r${eraseBelow}`;
      bottom = at;
    } else {
      pen.text += at > bottom ? `${goTo(pen, bottom)}${'\r\n'.repeat(at - bottom)}` : `${goTo(pen, at)}\r`;
      bottom = Math.max(bottom, at);
    }
    pen.row = at;
    if (mayBreak !== at < print.length) {
      mayBreak = at < print.length;
      pen.text += mayBreak ? breakLines : cutLines;
    }
    pen.text += line;
    if (existing !== undefined && widthOfRow(line) < shown.columns) pen.text += eraseRight;
  }
  if (!mayBreak) pen.text += breakLines;
  if (firstWide < 0 && shown.rows.length > next.length) pen.text += `${goTo(pen, next.length)}\r${eraseBelow}`;
}

/** Back to where the live rows begin, and everything below gone. After a change of width their rows may have been broken. */
function upToStart(
  shown: Shown,
  { columns, reflows }: { readonly columns: number; readonly reflows: boolean },
): string {
  const rowsFor = (width: number): number => (reflows ? Math.max(1, Math.ceil(width / columns)) : 1);
  const above = shown.rows.slice(0, shown.row).reduce((sum, row) => sum + rowsFor(widthOfRow(row)), 0);
  const inRow = reflows ? Math.floor(Math.min(shown.column, shown.columns - 1) / columns) : 0;
  const up = above + inRow;
  return `${up > 0 ? `\x1b[${up}A` : ''}\r${eraseBelow}`;
}
