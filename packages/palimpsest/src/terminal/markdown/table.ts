/** A table of Markdown as rows of the screen: aligned, and never wider than the screen. */
import { glyph, type Screen, widthOf } from '../screen.ts';
import { painted, paintedLine, type StyledText } from '../spans.ts';
import { wrapRanges } from '../wrap.ts';
import { inline } from './inline.ts';

export interface Table {
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
  readonly rows: readonly (readonly string[])[];
}

type Alignment = 'left' | 'right' | 'center';

/** The cells of a line, without the bars around them. `\|` is a bar inside a cell. */
export function cellsOfLine(line: string): readonly string[] {
  const text = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return text.split(/(?<!\\)\|/).map((cell) =>
    cell
      .replaceAll('\\|', '|')
      .replaceAll(/<br\s*\/?>/gi, ' ')
      .trim(),
  );
}

/** The table that a header and the line below it begin, if they do. */
export function tableStart(header: string, below: string): Table | undefined {
  if (!header.includes('|') || !/^[\s|:-]+$/.test(below) || !below.includes('-')) return undefined;
  const [titles, dashes] = [cellsOfLine(header), cellsOfLine(below)];
  if (titles.length !== dashes.length || !dashes.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return { header: titles, alignments: dashes.map(alignmentOf), rows: [] };
}

const alignmentOf = (dashes: string): Alignment =>
  !dashes.endsWith(':') ? 'left' : dashes.startsWith(':') ? 'center' : 'right';

interface TableOptions {
  readonly screen: Screen;
  readonly columns: number;
  /** The widths that rows above were given. */
  readonly widths?: readonly number[];
  /** False for rows that go on a table. @default true */
  readonly hasHeader?: boolean;
}

/** Between two columns: a bar and a space on each side. */
const gap = 3;
/** A column that is narrower tells nothing. */
const narrowest = 4;

export function tableRows(table: Table, options: TableOptions): readonly string[] {
  const { screen, columns, widths = tableWidths(table, columns), hasHeader = true } = options;
  if (widths.length === 0) return records(table, options);
  const bar = paintedLine([{ text: glyph(screen, ' │ ', ' | '), style: 'dim' }], screen);
  const row = (cells: readonly StyledText[]): readonly string[] =>
    rowLines(cells, { table, widths, screen }).map((line) => line.join(bar).trimEnd());
  const line = widths.map((width) => glyph(screen, '─', '-').repeat(width)).join(glyph(screen, '─┼─', '-+-'));
  const header = hasHeader
    ? [
        ...row(table.header.map((cell) => inline(cell, { isOpen: false, styles: ['bold'] }))),
        paintedLine([{ text: line, style: 'dim' }], screen),
      ]
    : [];
  return [...header, ...table.rows.flatMap((cells) => row(cellsFor(table, cells)))];
}

/** As many cells as the header has. */
const cellsFor = ({ header }: Table, cells: readonly string[]): readonly StyledText[] =>
  header.map((_, at) => inline(cells[at] ?? '', { isOpen: false }));

/** How wide each column is: as wide as it needs, or less for the widest of them; empty where that leaves too little. */
export function tableWidths(table: Table, columns: number): readonly number[] {
  const needed = table.header.map((title, at) =>
    Math.max(
      1,
      ...[title, ...table.rows.map((cells) => cells[at] ?? '')].map((cell) =>
        widthOf(inline(cell, { isOpen: false }).text),
      ),
    ),
  );
  const room = columns - gap * (needed.length - 1);
  const sum = needed.reduce((all, width) => all + width, 0);
  if (sum <= room) return needed;
  const widths = levelled(needed, room);
  return widths.every((width, at) => width >= Math.min(narrowest, needed[at] ?? 0)) ? widths : [];
}

/** The widths with the largest cut to the same size, so that all fit into the room. */
function levelled(needed: readonly number[], room: number): readonly number[] {
  let left = room;
  let open = needed.length;
  const widths = new Map<number, number>();
  for (const [at, width] of [...needed.entries()].toSorted(([, a], [, b]) => a - b)) {
    const own = Math.min(width, Math.floor(left / open));
    widths.set(at, own);
    left -= own;
    open -= 1;
  }
  return needed.map((_, at) => widths.get(at) ?? 0);
}

interface RowOptions {
  readonly table: Table;
  readonly widths: readonly number[];
  readonly screen: Screen;
}

/** One row of cells, in as many lines as its longest cell takes. */
function rowLines(cells: readonly StyledText[], { table, widths, screen }: RowOptions): readonly (readonly string[])[] {
  const wrapped = cells.map((cell, at) => wrapRanges(cell.text, widths[at] ?? 1));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    cells.map((cell, at) => {
      const range = wrapped[at]?.[line] ?? { start: 0, end: 0 };
      const space = Math.max(0, (widths[at] ?? 0) - widthOf(cell.text.slice(range.start, range.end)));
      const before = { left: 0, right: space, center: Math.floor(space / 2) }[table.alignments[at] ?? 'left'];
      return ' '.repeat(before) + painted(cell, range, screen) + ' '.repeat(space - before);
    }),
  );
}

/** Too many columns for the screen: each row as a list of what is in it. */
function records(table: Table, { screen, columns, hasHeader = true }: TableOptions): readonly string[] {
  return table.rows.flatMap((cells, row) => [
    ...(row > 0 || !hasHeader ? [''] : []),
    ...table.header.flatMap((title, at) => {
      const shown = inline(`${title}: ${cells[at] ?? ''}`, { isOpen: false });
      return wrapRanges(shown.text, columns).map((range) => painted(shown, range, screen));
    }),
  ]);
}
