/**
 * Markdown as it arrives: what is finished is handed out once, as rows to print, and what is not is shown as well as it can
 * be told by now. Every line stands by itself, as in a chat: a line break breaks the line. The work grows with what arrives.
 */
import { glyph, type Screen } from '../screen.ts';
import { paintedLine, paintedRows, rowsOf, type Shape } from '../spans.ts';
import { harmless } from '../visible.ts';
import { splitRows } from '../wrap.ts';
import { isUndecided, readLine } from './line.ts';
import { shapeOf } from './shape.ts';
import { cellsOfLine, type Table, tableRows, tableStart, tableWidths } from './table.ts';

export interface MarkdownStream {
  /** Takes text in. Gives back the rows that are finished now; code may be wider than the screen, which breaks it. */
  readonly write: (text: string) => readonly string[];
  /** The text is complete. Gives back the rows that were not finished, and begins anew. */
  readonly end: () => readonly string[];
  /** What is not finished, in rows of at most the screen's width. */
  readonly tail: () => readonly string[];
}

/** Longer lines and tables are handed out in parts, so that what is not finished stays small. */
const longestLine = 4_000;
const mostTableRows = 100;
/** Of a line that fills more rows than the first number, all but so many are finished: later words do not change them. */
const mostOpenRows = 6;
const openRowsKept = 2;
/** Lines of text are hard to follow where they are wider. */
const widestText = 120;

/** What has arrived and is not finished. */
interface State {
  /** The line that is being written. */
  begun: string;
  /** How much of the shown text of that line was handed out; undefined where nothing was. */
  done: number | undefined;
  fence: { readonly mark: string; readonly indent: number; readonly language: string } | undefined;
  table: { readonly table: Table; readonly widths: readonly number[] | undefined } | undefined;
  /** A line that is the header of a table, if the next line says so. */
  header: string | undefined;
  isInList: boolean;
  hasStarted: boolean;
  /** An empty line came; it is shown before what follows. */
  isBlankDue: boolean;
}

const anew = (): State => ({
  begun: '',
  done: undefined,
  fence: undefined,
  table: undefined,
  header: undefined,
  isInList: false,
  hasStarted: false,
  isBlankDue: false,
});

/** @param look the screen as it is now */
export function markdownStream(look: () => Screen): MarkdownStream {
  let state = anew();
  return {
    write: (text) => {
      const rows: string[] = [];
      const lines = text.split('\n');
      for (const [at, line] of lines.entries()) {
        state.begun += line;
        if (at < lines.length - 1) rows.push(...takeLine(state, look()));
      }
      return [...rows, ...overflow(state, look())];
    },
    end: () => {
      const rows = state.begun === '' ? [] : [...takeLine(state, look())];
      rows.push(...closed(state, look()));
      if (state.fence) rows.push(...spaced(state, [fenceRow(state.fence, false, look())]));
      state = anew();
      return rows;
    },
    tail: () => tailOf(state, look()),
  };
}

const textColumns = ({ columns }: Screen): number => Math.min(columns, widestText);

/** The rows with the empty one before them that is due. */
function spaced(state: State, rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return rows;
  const due = state.isBlankDue && state.hasStarted;
  state.isBlankDue = false;
  state.hasStarted = true;
  return due ? ['', ...rows] : rows;
}

/** The line that was begun is complete. */
function takeLine(state: State, screen: Screen): readonly string[] {
  const line = state.begun.replace(/\r$/, '');
  const { done } = state;
  state.begun = '';
  state.done = undefined;
  if (state.fence) return takeCode(state, { line, screen });
  if (done !== undefined) return spaced(state, rowsAfter(state, { line, screen, done }));
  if (state.table && line.includes('|')) return takeCells(state, { line, screen });
  if (state.header !== undefined) {
    const table = tableStart(harmless(state.header), line);
    if (table) {
      state.header = undefined;
      state.table = { table, widths: undefined };
      return [];
    }
  }
  const before = closed(state, screen);
  if (line.includes('|') && readLine(line).type === 'text') {
    state.header = line;
    return before;
  }
  return [...before, ...ordinary(state, line, screen)];
}

interface TakenLine {
  readonly line: string;
  readonly screen: Screen;
}

/** What waited for this line is finished without it. */
function closed(state: State, screen: Screen): readonly string[] {
  const { table, header } = state;
  state.table = undefined;
  state.header = undefined;
  if (table) return spaced(state, rowsOfTable(table, screen));
  return header === undefined ? [] : ordinary(state, header, screen);
}

function ordinary(state: State, line: string, screen: Screen): readonly string[] {
  const read = readLine(line);
  if (read.type === 'blank') {
    state.isBlankDue = true;
    return [];
  }
  if (read.type === 'fence') {
    state.fence = read;
    return spaced(state, [fenceRow(read, true, screen)]);
  }
  if (read.type === 'heading') state.isBlankDue = true;
  if (read.type === 'entry') state.isInList = true;
  else if (read.type === 'heading' || (read.type === 'text' && read.indent === 0)) state.isInList = false;
  return spaced(state, rowsOf(shapeOfLine(state, { line, screen }, false), { screen, columns: textColumns(screen) }));
}

const shapeOfLine = ({ isInList }: State, { line, screen }: TakenLine, isOpen: boolean): Shape =>
  shapeOf(readLine(harmless(line)), { screen, columns: textColumns(screen), isOpen, isInList });

/** The last rows of a line whose first ones were handed out, in the marks that those were shown with. */
function rowsAfter(state: State, { line, screen, done }: TakenLine & { readonly done: number }): readonly string[] {
  const shape = shapeOfLine(state, { line, screen }, true);
  return shape.shown.text.length <= done ? [] : rowsOf(shape, { screen, columns: textColumns(screen), from: done });
}

// Code: a row a line, whole, so that it can be copied; corners around it instead of bars beside it, for the same reason.

function takeCode(state: State, { line, screen }: TakenLine): readonly string[] {
  const { fence } = state;
  if (!fence) return [];
  const closing = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  if (closing?.startsWith(fence.mark)) {
    state.fence = undefined;
    return [fenceRow(fence, false, screen)];
  }
  return [codeRow(line, fence, screen)];
}

function fenceRow({ language }: { readonly language: string }, isStart: boolean, screen: Screen): string {
  const corner = isStart ? glyph(screen, '╭─', '.-') : glyph(screen, '╰─', "'-");
  return paintedLine([{ text: isStart && language ? `${corner} ${language}` : corner, style: 'dim' }], screen);
}

function codeRow(line: string, { language, indent }: NonNullable<State['fence']>, screen: Screen): string {
  // The fence of an entry stands further in, and its code with it.
  const own = line.slice(0, indent).trim() === '' ? line.slice(indent) : line;
  const colour =
    language !== 'diff' ? undefined : own.startsWith('+') ? 'green' : own.startsWith('-') ? 'red' : undefined;
  return paintedLine([{ text: own, style: colour }], screen);
}

// Tables

function takeCells(state: State, { line, screen }: TakenLine): readonly string[] {
  if (!state.table) return [];
  const { table, widths } = state.table;
  const longer = { ...table, rows: [...table.rows, cellsOfLine(harmless(line))] };
  state.table = { table: longer, widths };
  if (longer.rows.length < mostTableRows) return [];
  const kept = widths ?? tableWidths(longer, textColumns(screen));
  const rows = spaced(state, rowsOfTable({ table: longer, widths }, screen));
  state.table = { table: { ...longer, rows: [] }, widths: kept };
  return rows;
}

/** Rows that go on a table have the widths of those above, and no header. */
const rowsOfTable = ({ table, widths }: NonNullable<State['table']>, screen: Screen): readonly string[] =>
  tableRows(table, {
    screen,
    columns: textColumns(screen),
    hasHeader: widths === undefined,
    ...(widths && { widths }),
  });

// What is not finished

/** Hands out what of an unfinished line no later word can change. */
function overflow(state: State, screen: Screen): readonly string[] {
  const rows: string[] = [];
  while (state.begun.length > longestLine) {
    const space = state.fence ? -1 : state.begun.lastIndexOf(' ', longestLine);
    const end = space > longestLine / 2 ? space : longestLine;
    const rest = state.fence ? state.begun.slice(end) : state.begun.slice(end).trimStart();
    state.begun = state.begun.slice(0, end);
    rows.push(...takeLine(state, screen), ...closed(state, screen));
    state.begun = rest;
  }
  if (state.fence || state.table || state.header !== undefined || isUndecided(state.begun)) return rows;
  const open = openRows(state, screen);
  const finished = open.slice(0, -openRowsKept);
  if (open.length <= mostOpenRows) return rows;
  state.done = finished.at(-1)?.end ?? state.done;
  return [
    ...rows,
    ...spaced(
      state,
      finished.map(({ row }) => row),
    ),
  ];
}

const openRows = (state: State, screen: Screen): ReturnType<typeof paintedRows> =>
  paintedRows(shapeOfLine(state, { line: state.begun, screen }, true), {
    screen,
    columns: textColumns(screen),
    from: state.done ?? 0,
  });

function tailOf(state: State, screen: Screen): readonly string[] {
  const rows = unfinished(state, screen);
  return rows.length > 0 && state.isBlankDue && state.hasStarted ? ['', ...rows] : rows;
}

function unfinished(state: State, screen: Screen): readonly string[] {
  const { fence, table, header, begun } = state;
  if (fence)
    return begun === '' || /^\s*[`~]*\s*$/.test(begun) ? [] : splitRows(codeText(begun, fence.indent), screen.columns);
  if (table) return rowsOfTable(table, screen);
  const waiting =
    header === undefined || header.trimStart().startsWith('|')
      ? []
      : rowsOf(shapeOfLine(state, { line: header, screen }, false), { screen, columns: textColumns(screen) });
  if (state.done === undefined && isUndecided(begun)) return waiting;
  return [...waiting, ...openRows(state, screen).map(({ row }) => row)];
}

const codeText = (line: string, indent: number): string =>
  harmless(line.slice(0, indent).trim() === '' ? line.slice(indent) : line);
