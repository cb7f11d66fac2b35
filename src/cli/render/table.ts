/** Tables for people: columns as wide as their content, one of them giving way when the screen is narrow. */
import { glyph, type Screen, type Style, styled } from './screen.ts';
import { clip, fill, widthOf } from './text.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The column that is cut when a row does not fit; at most one. */
  readonly gives?: true;
  readonly style?: Style;
}

export interface TableOptions {
  readonly screen: Screen;
  /** Spaces before every line. @default 2 */
  readonly indent?: number;
  /** The style of a whole row, by its index. */
  readonly rowStyle?: (row: number) => Style | undefined;
}

const gap = 2;
/** A column that gives way keeps this much, so that it still says something. */
const narrowest = 12;

/** The lines of a table, its titles first. No titles when all are empty. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { screen, indent = 2, rowStyle }: TableOptions,
): readonly string[] {
  const widths = widthsOf(columns, rows, screen.columns - indent);
  const mark = glyph(screen, '…', '~');
  const nothing = glyph(screen, '–', '-');
  const line = (cells: readonly string[], style: (at: number) => Style | undefined): string => {
    const shown = columns.map((column, at) => {
      const width = widths[at] ?? 0;
      const { [at]: text = '' } = cells;
      const cell = fill(
        clip(text === '–' ? nothing : text, width, mark),
        width,
        column.align === 'right' ? 'right' : 'left',
      );
      return styled(at === columns.length - 1 ? cell.trimEnd() : cell, style(at), screen);
    });
    return (' '.repeat(indent) + shown.join(' '.repeat(gap))).trimEnd();
  };
  const titles = columns.map((column) => column.title);
  const body = rows.map((row, index) => line(row, (at) => rowStyle?.(index) ?? columns[at]?.style));
  return titles.some(Boolean) ? [line(titles, () => 'dim'), ...body] : body;
}

function widthsOf(columns: readonly Column[], rows: readonly (readonly string[])[], room: number): number[] {
  const widths = columns.map(({ title }, at) =>
    rows.reduce((width, row) => Math.max(width, widthOf(row[at] ?? '')), widthOf(title)),
  );
  const total = widths.reduce((sum, width) => sum + width, 0) + gap * (columns.length - 1);
  const giving = columns.findIndex((column) => column.gives);
  const width = widths[giving];
  if (total > room && width !== undefined)
    widths[giving] = Math.max(Math.min(narrowest, width), width - (total - room));
  return widths;
}
