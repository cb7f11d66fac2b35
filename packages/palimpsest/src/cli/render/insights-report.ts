/** What a person reads about usage over time. */
import type { LargestConversation, UsageTotals } from '@palimpsest/core/store';
import {
  costLabel,
  costRemarks,
  costText,
  dayName,
  type Insights,
  moneyLabel,
  promptTokensIn,
  savingsOf,
  type ToolUses,
  type UsageGroup,
} from '@palimpsest/core/usage';
import { shortIds, untitled } from '../find-session.ts';
import {
  dayRow,
  daysText,
  groupTable,
  type InsightsFacts,
  measureOf,
  type Period,
  periodName,
  periodsOf,
  type TableTitle,
  toolRemarkLines,
  toolTable,
} from './insights-groups.ts';
import { glyph, type Screen, type Style, styled } from './screen.ts';
import { table } from './table.ts';
import { counted, fill, oneLine, percent, shortCount, thousands, wrap } from './text.ts';

const nameWidth = 10;
const mostRows = 8;
const busiestDays = 5;

export function insightsReport(found: InsightsFacts, screen: Screen): readonly string[] {
  const { models, sources, projects, totals, toolUses } = found;
  const section = (lines: readonly string[]): readonly string[] => (lines.length > 0 ? ['', ...lines] : []);
  return [
    ...headLines(found, screen),
    ...section(chartLines(found, screen)),
    ...section(topTable(models, { title: 'model', totals }, screen)),
    ...section(topTools(toolUses, screen)),
    ...section(topTable(sources, { title: 'source', totals }, screen)),
    ...(projects.length > 1 ? section(topTable(projects, { title: 'project', totals }, screen)) : []),
    ...section(busiestTable(found, screen)),
    ...section(largestTable(found.largest.slice(0, mostRows), screen)),
  ];
}

/** The first rows, and how many there are beside them: what is shown must not pass for all. */
function topTable(groups: readonly UsageGroup[], title: TableTitle, screen: Screen): readonly string[] {
  const rest = restLine(groups.length - mostRows, title.title, screen);
  return [...groupTable(groups.slice(0, mostRows), title, screen), ...rest];
}

function topTools(uses: ToolUses, screen: Screen): readonly string[] {
  const rest = restLine(uses.tools.length - mostRows, 'tool', screen);
  return [...toolTable(uses.tools.slice(0, mostRows), screen), ...rest, ...toolRemarkLines(uses, screen)];
}

const restLine = (more: number, by: string, screen: Screen): readonly string[] =>
  more > 0 ? [`  ${styled(`and ${thousands(more)} more: --by ${by}`, 'dim', screen)}`] : [];

function headLines({ since, until, days, totals, activity }: Insights, screen: Screen): readonly string[] {
  const row = (name: string, value: string): string => `  ${styled(fill(name, nameWidth), 'dim', screen)}${value}`;
  const prompt = promptTokensIn(totals);
  const savings = savingsOf(totals);
  const money = (amount: number): string => moneyLabel({ status: 'estimated', amount });
  const price = costText(totals);
  const part = totals.unpriced > 0 ? ' on calls with a known price' : '';
  const { conversations, sides, messages, compressions } = activity;
  const extra = [
    ...(sides > 0 ? [counted(sides, 'sub-agent')] : []),
    ...(compressions > 0 ? [counted(compressions, 'compression')] : []),
  ];
  return [
    `${styled(`${dayName(since)} to ${dayName(until - 1)}`, 'bold', screen)}  ${daysText(days)}`,
    row('price', `${styled(price, 'bold', screen)}${price.includes('$') ? ' by list prices' : ''}`),
    ...costRemarks(totals)
      .flatMap((remark) => wrap(remark, screen.columns - nameWidth - 2))
      .map((remark) => row('', styled(remark, 'yellow', screen))),
    ...(savings && savings.saved > 0
      ? wrap(
          `saved ${money(savings.saved)}${part}; ${percent(totals.cacheReadTokens, prompt)} of the input was cached`,
          screen.columns - nameWidth - 2,
        ).map((line, at) => row(at === 0 ? 'cache' : '', line))
      : []),
    row('tokens', `${thousands(prompt)} in, ${thousands(totals.outputTokens)} out`),
    row(
      'calls',
      [
        `${thousands(totals.calls)} in ${counted(conversations, 'conversation')}`,
        `${counted(messages, 'message')}`,
        ...extra,
      ].join(', '),
    ),
  ];
}

function busiestTable({ days, totals }: Insights, screen: Screen): readonly string[] {
  const measure = measureOf(totals);
  const busiest = days.filter(({ calls }) => calls > 0).toSorted((a, b) => measure(b) - measure(a));
  if (busiest.length < 2) return [];
  return groupTable(busiest.slice(0, busiestDays).map(dayRow), { title: 'busiest', totals }, screen);
}

function largestTable(largest: readonly LargestConversation[], screen: Screen): readonly string[] {
  const ids = shortIds(largest.map(({ sessionId }) => sessionId));
  const rows = largest.map((one, at) => [
    ids[at] ?? '',
    oneLine(one.title ?? '') || untitled,
    thousands(one.calls),
    shortCount(promptTokensIn(one)),
    costLabel(one),
  ]);
  const columns = [
    { title: 'largest', style: 'cyan' as const, whole: true as const },
    { title: 'totals of all time', gives: true as const },
    ...['calls', 'in', 'price'].map((title) => ({ title, align: 'right' as const })),
  ];
  return rows.length === 0 ? [] : table(columns, rows, { screen });
}

// Usage over time as columns, the models stacked in them.

const height = 7;
/** Room for the scale and the margins. */
const scaleRoom = 14;
const widestPitch = 4;

/** A chart of the price, or where none is known of the tokens; no line where there is only one day. */
function chartLines({ days, models, totals }: Insights, screen: Screen): readonly string[] {
  const width = screen.columns - scaleRoom;
  const periods = periodsOf(days, width);
  const [first] = periods;
  if (periods.length < 2 || !first) return [];
  const isMoney = (totals.costUsd ?? 0) > 0;
  const named = models.slice(0, models.length > chartStyles.length ? chartStyles.length - 1 : chartStyles.length);
  const names = named.map(({ name }) => name);
  const columns = periods.map((period) => partsOf(period, names, measureOf(totals)));
  const labelOf = (value: number): string =>
    isMoney ? moneyLabel({ status: 'estimated', amount: value }) : shortCount(value);
  const pitch = Math.max(1, Math.min(widestPitch, Math.floor(width / periods.length)));
  const { lines, indent } = columnChart(columns, { height, labelOf, pitch }, screen);
  const span = (periods.length - 1) * pitch + 1;
  const [start, end] = endsOf(periods);
  const ends = start + fill(end, Math.max(end.length + 1, span - start.length), 'right');
  const title = `${isMoney ? 'price' : 'tokens'} per ${periodName(first)}`;
  return [
    `  ${styled(title, 'dim', screen)}`,
    ...lines.map((line) => `  ${line}`),
    `  ${' '.repeat(indent)}${styled(ends, 'dim', screen)}`,
    ...(screen.colour && names.length > 1 ? keyLines(names, models.length > names.length, screen) : []),
  ];
}

/** What stands under the first and the last column, and why they may be lower than the others. */
function endsOf(periods: readonly Period[]): readonly [string, string] {
  const [first, last] = [periods[0], periods.at(-1)];
  const named = (day: string, part: string): string => (part === '' ? day : `${day} ${part}`);
  return [named(first?.first ?? '', first?.part ?? ''), named(last?.last ?? '', last?.part ?? '')];
}

/** What each of the models used, and all others together. */
function partsOf(
  period: Period,
  names: readonly string[],
  measure: (totals: UsageTotals) => number,
): readonly number[] {
  const parts = names.map((name) =>
    period.models.reduce((sum, model) => sum + (model.name === name ? measure(model) : 0), 0),
  );
  const rest = measure(period) - parts.reduce((sum, part) => sum + part, 0);
  return [...parts, Math.max(0, rest)];
}

/** Wrapped without the colours, which take no room. */
function keyLines(names: readonly string[], hasOthers: boolean, screen: Screen): readonly string[] {
  const mark = glyph(screen, '█', '#');
  const words = [...names.map(oneLine), ...(hasOthers ? ['others'] : [])];
  // What is wrapped has no spaces inside of a name.
  const text = words.map((name) => `${mark}\u00a0${name.replaceAll(' ', '\u00a0')}`).join(' ');
  const lines = wrap(text, screen.columns - 2);
  let part = 0;
  return lines.map((line) => {
    const coloured = line.replaceAll(mark, () =>
      styled(mark, chartStyles[Math.min(part++, chartStyles.length - 1)], screen),
    );
    return `  ${coloured.replaceAll(' ', '  ').replaceAll('\u00a0', ' ')}`;
  });
}

// Columns in a terminal: eighths of a cell high, stacked by colour where the screen has colours.

interface ChartOptions {
  /** Lines of the chart. */
  readonly height: number;
  /** What stands at the top of the scale. */
  readonly labelOf: (value: number) => string;
  /** Cells between one column and the next. */
  readonly pitch: number;
}

const eighths = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Colours of the parts, in their order. */
const chartStyles: readonly Style[] = ['cyan', 'magenta', 'yellow', 'green', 'blue'];

/** A chart with its scale at the left, without a line of names below. */
interface Chart {
  readonly lines: readonly string[];
  /** Cells before the first column. */
  readonly indent: number;
}

/** Draws columns; no line where all of them are empty. */
function columnChart(
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
