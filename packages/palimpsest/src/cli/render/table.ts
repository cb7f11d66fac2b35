/** Tables for people: columns as wide as their content; on a narrow screen texts are cut, and at last rows are stacked. */
import { clip, glyph, type Screen, type Style, styled, widthOf } from './screen.ts';
import { fill } from './text.ts';

export interface Column {
  readonly title: string;
  /** Numbers stand at the right, and are never cut. */
  readonly align?: 'left' | 'right';
  /** The column that is cut first when a row does not fit; at most one. */
  readonly gives?: true;
  /** Its cells are to be copied, such as ids, and never cut. */
  readonly whole?: true;
  readonly style?: Style;
}

export interface TableOptions {
  readonly screen: Screen;
  readonly indent?: number;
  /** The style of a whole row, by its index. */
  readonly rowStyle?: (row: number) => Style | undefined;
}

/** A column as data: its title, the cell of a row, and how it looks. */
export type ColumnOf<Row> = readonly [title: string, cell: (row: Row, at: number) => string, look?: ColumnLook];

export interface ColumnLook extends Omit<Column, 'title'> {
  /** Left out where the screen has fewer columns. */
  readonly from?: number;
}

export const right: ColumnLook = { align: 'right' };
export const gives: ColumnLook = { gives: true };
/** Its cells are to be copied. */
export const copied: ColumnLook = { style: 'cyan', whole: true };

/** A table of rows of any kind. */
export function tableOf<Row>(
  rows: readonly Row[],
  columns: readonly ColumnOf<Row>[],
  options: TableOptions,
): readonly string[] {
  const shown = columns.filter(([, , look]) => options.screen.columns >= (look?.from ?? 0));
  const heads = shown.map(([title, , look]) => ({ ...look, title }));
  const cells = rows.map((row, at) => shown.map(([, cell]) => cell(row, at)));
  return table(heads, cells, options);
}

const gap = 2;
/** A column that gives way keeps this much, so that it still says something. */
const narrowest = 12;
/** Other texts are cut to this much where that is not enough. */
const shortest = 6;

/** The lines of a table, its titles first. No titles when all are empty. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions,
): readonly string[] {
  const { screen, indent = 2, rowStyle } = options;
  const widths = widthsOf(columns, rows, screen.columns - indent);
  if (!widths) return stackedRows(columns, rows, options);
  const mark = glyph(screen, '…', '~');
  const line = (cells: readonly string[], style: (at: number) => Style | undefined): string => {
    const shown = columns.map(({ align = 'left' }, at) => {
      const width = widths[at] ?? 0;
      const cell = fill(clip(known(cells[at], screen), width, mark), width, align === 'right' ? 'right' : 'left');
      return styled(at === columns.length - 1 ? cell.trimEnd() : cell, style(at), screen);
    });
    return (' '.repeat(indent) + shown.join(' '.repeat(gap))).trimEnd();
  };
  const titles = columns.map((column) => column.title);
  const body = rows.map((row, index) => line(row, (at) => rowStyle?.(index) ?? columns[at]?.style));
  return titles.some(Boolean) ? [line(titles, () => 'dim'), ...body] : body;
}

/** What is not known is a dash that the terminal can show. */
const known = (text = '', screen: Screen): string => (text === '–' ? glyph(screen, '–', '-') : text);

/** The width of each column; undefined where not even cut texts leave room for the rest. */
function widthsOf(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  room: number,
): readonly number[] | undefined {
  const widths = columns.map(({ title }, at) =>
    rows.reduce((width, row) => Math.max(width, widthOf(row[at] ?? '')), widthOf(title)),
  );
  let over = widths.reduce((sum, width) => sum + width, 0) + gap * (columns.length - 1) - room;
  const give = (at: number, least: number): void => {
    const width = widths[at] ?? 0;
    const given = Math.max(0, Math.min(over, width - Math.min(least, width)));
    widths[at] = width - given;
    over -= given;
  };
  const giving = columns.findIndex((column) => column.gives);
  if (over > 0 && giving >= 0) give(giving, narrowest);
  const texts = columns.flatMap(({ align, whole }, at) => (align === 'right' || whole ? [] : [at]));
  // The widest texts first, a little at a time, so that none is cut more than it has to be.
  while (over > 0 && texts.some((at) => (widths[at] ?? 0) > shortest)) {
    const widest = texts.reduce((most, at) => ((widths[at] ?? 0) > (widths[most] ?? 0) ? at : most), texts[0] ?? 0);
    give(widest, Math.max(shortest, (widths[widest] ?? 0) - 1));
  }
  return over > 0 ? undefined : widths;
}

/** Each row in lines of its own: its first text, and below it every other cell after its title. */
function stackedRows(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { screen, indent = 2, rowStyle }: TableOptions,
): readonly string[] {
  const mark = glyph(screen, '…', '~');
  const head = Math.max(
    0,
    columns.findIndex(({ title, align }) => align !== 'right' && title !== ''),
  );
  const inner = indent + 2;
  return rows.flatMap((row, index) => {
    const cells = columns.flatMap(({ title }, at) => {
      const text = known(row[at], screen);
      return at === head || text === '' ? [] : [title === '' ? text : `${title} ${text}`];
    });
    const first = clip(known(row[head], screen), screen.columns - indent, mark);
    const style = rowStyle?.(index) ?? columns[head]?.style;
    return [
      (' '.repeat(indent) + styled(first, style, screen)).trimEnd(),
      ...packed(cells, screen.columns - inner).map(
        (line) => ' '.repeat(inner) + clip(line, screen.columns - inner, mark),
      ),
    ];
  });
}

function packed(cells: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const cell of cells) {
    const longer = `${lines.at(-1) ?? ''}${' '.repeat(gap)}${cell}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(cell);
  }
  return lines;
}
