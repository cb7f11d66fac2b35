/** Columns in a terminal: eighths of a cell high, stacked by colour where the screen has colours. */
import { type Screen, type Style, styled } from './screen.ts';
import { fill } from './text.ts';

export interface ChartOptions {
  /** Lines of the chart. */
  readonly height: number;
  /** What stands at the top of the scale. */
  readonly labelOf: (value: number) => string;
  /** Cells between one column and the next. */
  readonly pitch: number;
}

const eighths = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Colours of the parts, in their order. */
export const chartStyles: readonly Style[] = ['cyan', 'magenta', 'yellow', 'green', 'blue'];

/** A chart with its scale at the left, without a line of names below. */
export interface Chart {
  readonly lines: readonly string[];
  /** Cells before the first column. */
  readonly indent: number;
}

/** Draws columns; no line where all of them are empty. */
export function columnChart(
  columns: readonly (readonly number[])[],
  { height, labelOf, pitch }: ChartOptions,
  screen: Screen,
): Chart {
  const sums = columns.map((parts) => parts.reduce((sum, part) => sum + part, 0));
  const most = Math.max(...sums, 0);
  if (most <= 0) return { lines: [], indent: 0 };
  const labels = [labelOf(most), labelOf(most / 2)];
  const width = Math.max(...labels.map((label) => label.length));
  const lines: string[] = [];
  for (let line = height; line > 0; line--) {
    const label = line === height ? labels[0] : line === Math.ceil(height / 2) ? labels[1] : '';
    const cells = columns.map((parts, at) => cell(parts, { line, height, most, sum: sums[at] ?? 0 }, screen));
    const shown = cells.map((one) => one + ' '.repeat(Math.max(0, pitch - 1))).join('');
    lines.push(`${styled(fill(label ?? '', width, 'right'), 'dim', screen)} ${shown}`.trimEnd());
  }
  return { lines, indent: width + 1 };
}

interface Place {
  readonly line: number;
  readonly height: number;
  readonly most: number;
  readonly sum: number;
}

function cell(parts: readonly number[], { line, height, most, sum }: Place, screen: Screen): string {
  const whole = (sum / most) * height;
  const filled = Math.min(1, whole - (line - 1));
  // What is there at all shows on the lowest line.
  const steps = line === 1 && sum > 0 ? Math.max(1, Math.round(filled * 8)) : Math.round(filled * 8);
  if (steps <= 0) return ' ';
  const glyph = screen.unicode ? (eighths[steps] ?? '█') : steps >= 4 ? '#' : '.';
  return styled(glyph, chartStyles[Math.min(partAt(parts, { at: line - 1 + filled / 2, whole, sum }), 4)], screen);
}

/** The part that a height lies in. */
function partAt(parts: readonly number[], { at, whole, sum }: { at: number; whole: number; sum: number }): number {
  let below = 0;
  for (const [part, size] of parts.entries()) {
    below += (size / sum) * whole;
    if (at <= below) return part;
  }
  return Math.max(0, parts.length - 1);
}
