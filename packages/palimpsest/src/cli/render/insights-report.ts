/** What a person reads about usage over time. */
import type { LargestConversation, UsageTotals } from '@palimpsest/core/store';
import { costLabel, costText, dayName, type Insights, promptTokensIn, savingsOf } from '@palimpsest/core/usage';
import { glyph, type Screen, type Style, styled } from '../../terminal/screen.ts';
import { shortIds, untitled } from '../open-store.ts';
import * as groups from './insights-groups.ts';
import { copied, gives, right, tableOf } from './table.ts';
import { counted, fill, linesOf, oneLine, percent, shortCount, thousands, wrap } from './text.ts';

const nameWidth = 10;
const mostRows = 8;
const busiestDays = 5;

export function insightsReport(found: groups.InsightsFacts, screen: Screen): readonly string[] {
  const { totals, toolUses, projects } = found;
  const more = (rest: number, by: string): readonly string[] =>
    rest > 0 ? [`  ${styled(`and ${thousands(rest)} more: --by ${by}`, 'dim', screen)}`] : [];
  // What is shown must not pass for all.
  const top = (title: 'model' | 'source' | 'project'): readonly string[] => {
    const rows = groups.rowsFor(found, title);
    const shown = groups.groupTable(rows.slice(0, mostRows), { title, totals }, screen);
    return [...shown, ...more(rows.length - mostRows, title)];
  };
  const sections = [
    chartLines(found, screen),
    top('model'),
    [
      ...groups.toolTable(toolUses.tools.slice(0, mostRows), screen),
      ...more(toolUses.tools.length - mostRows, 'tool'),
      ...groups.toolRemarkLines(toolUses, screen),
    ],
    top('source'),
    projects.length > 1 ? top('project') : [],
    busiestTable(found, screen),
    largestTable(found.largest.slice(0, mostRows), screen),
  ];
  const shown = sections.filter((lines) => lines.length > 0);
  return [...headLines(found, screen), ...shown.flatMap((lines) => ['', ...lines])];
}

function headLines({ since, until, days, totals, activity }: Insights, screen: Screen): readonly string[] {
  const row = (name: string, value: string): string => groups.factRow([name, value], nameWidth, screen);
  const prompt = promptTokensIn(totals);
  const savings = savingsOf(totals);
  const price = costText(totals);
  const part = totals.unpriced > 0 ? ' on calls with a known price' : '';
  const cached = `${percent(totals.cacheReadTokens, prompt)} of the input was cached`;
  const saved =
    savings && savings.saved > 0
      ? wrap(`saved ${groups.estimated(savings.saved)}${part}; ${cached}`, screen.columns - nameWidth - 2)
      : [];
  const { conversations, sides, messages, compressions } = activity;
  const calls = linesOf(
    `${thousands(totals.calls)} in ${counted(conversations, 'conversation')}`,
    counted(messages, 'message'),
    sides > 0 && counted(sides, 'sub-agent'),
    compressions > 0 && counted(compressions, 'compression'),
  );
  return [
    `${styled(`${dayName(since)} to ${dayName(until - 1)}`, 'bold', screen)}  ${groups.daysText(days)}`,
    row('price', `${styled(price, 'bold', screen)}${price.includes('$') ? ' by list prices' : ''}`),
    ...groups.remarkRows(totals, nameWidth, screen),
    ...saved.map((line, at) => row(at === 0 ? 'cache' : '', line)),
    row('tokens', `${thousands(prompt)} in, ${thousands(totals.outputTokens)} out`),
    row('calls', calls.join(', ')),
  ];
}

function busiestTable({ days, totals }: Insights, screen: Screen): readonly string[] {
  const measure = groups.measureOf(totals);
  const busiest = days.filter(({ calls }) => calls > 0).toSorted((a, b) => measure(b) - measure(a));
  if (busiest.length < 2) return [];
  const rows = busiest.slice(0, busiestDays).map(groups.dayRow);
  return groups.groupTable(rows, { title: 'busiest', totals }, screen);
}

function largestTable(largest: readonly LargestConversation[], screen: Screen): readonly string[] {
  if (largest.length === 0) return [];
  const ids = shortIds(largest.map(({ sessionId }) => sessionId));
  return tableOf(
    largest,
    [
      ['largest', (_, at) => ids[at] ?? '', copied],
      ['totals of all time', ({ title }) => oneLine(title ?? '') || untitled, gives],
      ['calls', ({ calls }) => thousands(calls), right],
      ['in', (one) => shortCount(promptTokensIn(one)), right],
      ['price', costLabel, right],
    ],
    { screen },
  );
}

// Usage over time as columns, the models stacked in them: eighths of a cell high, by colour where the screen has colours.

const height = 7;
/** Room for the scale and the margins. */
const scaleRoom = 14;
const widestPitch = 4;
const eighths = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
/** Colours of the parts, in their order; the last one is for all others where there are too many. */
const chartStyles: readonly Style[] = ['cyan', 'magenta', 'yellow', 'green', 'blue'];
const styleAt = (part: number): Style | undefined => chartStyles[Math.min(part, chartStyles.length - 1)];

/** A chart of the price, or where none is known of the tokens; no line where there is only one day. */
function chartLines({ days, models, totals }: Insights, screen: Screen): readonly string[] {
  const width = screen.columns - scaleRoom;
  const periods = groups.periodsOf(days, width);
  const [first, last] = [periods[0], periods.at(-1)];
  if (periods.length < 2 || !first || !last) return [];
  const isMoney = (totals.costUsd ?? 0) > 0;
  const measure = groups.measureOf(totals);
  const named = models.slice(0, models.length > chartStyles.length ? chartStyles.length - 1 : chartStyles.length);
  const names = named.map(({ name }) => name);
  const columns = periods.map((period) => partsOf(period, names, measure));
  const pitch = Math.max(1, Math.min(widestPitch, Math.floor(width / periods.length)));
  const { lines, indent } = columnChart(columns, { labelOf: isMoney ? groups.estimated : shortCount, pitch }, screen);
  const [start, end] = [`${first.first} ${first.part}`.trimEnd(), `${last.last} ${last.part}`.trimEnd()];
  const span = (periods.length - 1) * pitch + 1;
  const ends = start + fill(end, Math.max(end.length + 1, span - start.length), 'right');
  return [
    `  ${styled(`${isMoney ? 'price' : 'tokens'} per ${groups.periodName(first)}`, 'dim', screen)}`,
    ...lines.map((line) => `  ${line}`),
    `  ${' '.repeat(indent)}${styled(ends, 'dim', screen)}`,
    ...(screen.colour && names.length > 1 ? keyLines(names, models.length > names.length, screen) : []),
  ];
}

/** What each of the models used, and all others together. */
function partsOf(
  period: groups.Period,
  names: readonly string[],
  measure: (totals: UsageTotals) => number,
): readonly number[] {
  const parts = names.map((name) => sum(period.models.map((model) => (model.name === name ? measure(model) : 0))));
  return [...parts, Math.max(0, measure(period) - sum(parts))];
}

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

/** Wrapped without the colours, which take no room. */
function keyLines(names: readonly string[], hasOthers: boolean, screen: Screen): readonly string[] {
  const mark = glyph(screen, '█', '#');
  const words = linesOf(names.map(oneLine), hasOthers && 'others');
  // What is wrapped has no spaces inside of a name.
  const text = words.map((name) => `${mark}\u00a0${name.replaceAll(' ', '\u00a0')}`).join(' ');
  let part = 0;
  return wrap(text, screen.columns - 2).map((line) => {
    const coloured = line.replaceAll(mark, () => styled(mark, styleAt(part++), screen));
    return `  ${coloured.replaceAll(' ', '  ').replaceAll('\u00a0', ' ')}`;
  });
}

interface ChartOptions {
  /** What stands at the top of the scale. */
  readonly labelOf: (value: number) => string;
  /** Cells between one column and the next. */
  readonly pitch: number;
}

/** A chart with its scale at the left, and the cells before its first column; no line where all columns are empty. */
function columnChart(columns: readonly (readonly number[])[], { labelOf, pitch }: ChartOptions, screen: Screen) {
  const most = Math.max(...columns.map(sum), 0);
  if (most <= 0) return { lines: [], indent: 0 };
  const labels = new Map([
    [height, labelOf(most)],
    [Math.ceil(height / 2), labelOf(most / 2)],
  ]);
  const width = Math.max(...[...labels.values()].map((label) => label.length));
  const lines: string[] = [];
  for (let line = height; line > 0; line--) {
    const label = fill(labels.get(line) ?? '', width, 'right');
    const cells = columns.map((parts) => cell(parts, { line, most }, screen) + ' '.repeat(pitch - 1));
    lines.push(`${styled(label, 'dim', screen)} ${cells.join('')}`.trimEnd());
  }
  return { lines, indent: width + 1 };
}

function cell(
  parts: readonly number[],
  { line, most }: { readonly line: number; readonly most: number },
  screen: Screen,
): string {
  const all = sum(parts);
  const whole = (all / most) * height;
  const filled = Math.min(1, whole - (line - 1));
  // What is there at all shows on the lowest line.
  const steps = line === 1 && all > 0 ? Math.max(1, Math.round(filled * 8)) : Math.round(filled * 8);
  if (steps <= 0) return ' ';
  const mark = screen.unicode ? (eighths[steps] ?? '█') : steps >= 4 ? '#' : '.';
  return styled(mark, styleAt(partAt(parts, { at: line - 1 + filled / 2, whole, all })), screen);
}

/** The part that a height lies in. */
function partAt(parts: readonly number[], { at, whole, all }: { at: number; whole: number; all: number }): number {
  let below = 0;
  for (const [part, size] of parts.entries()) {
    below += (size / all) * whole;
    if (at <= below) return part;
  }
  return Math.max(0, parts.length - 1);
}
