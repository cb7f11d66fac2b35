/** Tables for people, cut or stacked on a narrow screen; and bars. */

import { clip, glyph, type Screen, type Style, styled, widthOf } from '../../terminal/screen.ts';
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

// Bars of characters.

/** The stretches of a context, in the order in which they stand in the window. */
const stretches = ['tools', 'system', 'head', 'middle', 'summary', 'tail', 'messages'] as const;

type Stretch = (typeof stretches)[number];

export type Filling = Readonly<Partial<Record<Stretch, number>>>;

interface Look {
  readonly unicode: string;
  readonly ascii: string;
  readonly style: Style;
}

/** Different fillings, so that the bar can be read without colours. */
const looks: Readonly<Record<Stretch, Look>> = {
  tools: { unicode: '▞', ascii: 'T', style: 'blue' },
  system: { unicode: '█', ascii: '#', style: 'cyan' },
  head: { unicode: '█', ascii: '#', style: 'cyan' },
  middle: { unicode: '▒', ascii: ':', style: 'dim' },
  summary: { unicode: '▓', ascii: 'S', style: 'magenta' },
  tail: { unicode: '▄', ascii: '=', style: 'green' },
  messages: { unicode: '▒', ascii: ':', style: 'green' },
};
const free: Look = { unicode: '·', ascii: '.', style: 'dim' };
const over: Look = { unicode: '▶', ascii: '>', style: 'red' };

/** A bar of `width` cells for a window; what does not fit is marked at its end. */
export function bar(filling: Filling, { window, width }: { window: number; width: number }, screen: Screen): string {
  const sizes = stretches.map((name) => filling[name] ?? 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const overflows = total > window;
  const room = overflows ? width - 1 : width;
  const cells = cellsOf(sizes, { scale: room / Math.max(window, total, 1), room });
  const shown = stretches.map((name, at) => draw(looks[name], cells[at] ?? 0, screen));
  const used = cells.reduce((sum, count) => sum + count, 0);
  return shown.join('') + draw(free, room - used, screen) + (overflows ? draw(over, 1, screen) : '');
}

/** What the fillings of some bars mean; only those that occur. */
export function legend(fillings: readonly Filling[], screen: Screen): string {
  const seen = stretches.filter((name) => fillings.some((filling) => (filling[name] ?? 0) > 0));
  // The two share a look: both are the kept start.
  const names = seen.filter((name) => name !== 'head' || !seen.includes('system'));
  const label = (name: Stretch): string => (name === 'system' && seen.includes('head') ? 'system and head' : name);
  return [
    ...names.map((name) => `${draw(looks[name], 1, screen)} ${label(name)}`),
    `${draw(free, 1, screen)} free`,
  ].join('  ');
}

/** Whole cells by cumulative rounding, so that their sum is right; what is there at all gets a cell while there is room. */
function cellsOf(sizes: readonly number[], { scale, room }: { scale: number; room: number }): number[] {
  let done = 0;
  let used = 0;
  return sizes.map((size) => {
    done += size;
    const wanted = size > 0 ? Math.max(1, Math.round(done * scale) - used) : 0;
    const cells = Math.min(wanted, room - used);
    used += cells;
    return cells;
  });
}

function draw(look: Look, count: number, screen: Screen): string {
  return styled((screen.unicode ? look.unicode : look.ascii).repeat(Math.max(0, count)), look.style, screen);
}

const partLooks: readonly Look[] = [
  { unicode: '█', ascii: '#', style: 'cyan' },
  { unicode: '▓', ascii: '=', style: 'magenta' },
  { unicode: '▒', ascii: ':', style: 'yellow' },
  { unicode: '▞', ascii: '/', style: 'green' },
  { unicode: '░', ascii: '.', style: 'blue' },
];

const lookAt = (part: number): Look =>
  partLooks[Math.min(part, partLooks.length - 1)] ?? { unicode: '█', ascii: '#', style: 'cyan' };

/** A bar of at most `width` cells for sizes out of `whole`; what is there at all has a cell while there is room. */
export function stackedBar(
  sizes: readonly number[],
  { whole, width }: { readonly whole: number; readonly width: number },
  screen: Screen,
): string {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const room = total === 0 || whole <= 0 ? 0 : Math.max(1, Math.round((width * total) / whole));
  const cells = cellsOf(sizes, { scale: room / Math.max(total, Number.MIN_VALUE), room });
  return cells.map((count, part) => draw(lookAt(part), count, screen)).join('');
}

export const partKey = (part: number, name: string, screen: Screen): string =>
  `${draw(lookAt(part), 1, screen)} ${name}`;
