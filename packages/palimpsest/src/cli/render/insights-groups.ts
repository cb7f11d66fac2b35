/** Tables of usage by what calls have in common, by time and by tool. */
import { sumUsage, type UsageTotals } from '@palimpsest/core/store';
import {
  costLabel,
  costRemarks,
  type DayUsage,
  dayStart,
  type Insights,
  promptTokensIn,
  type ToolUse,
  type ToolUses,
  type UsageGroup,
} from '@palimpsest/core/usage';
import type { InsightGroup } from '../commands/options.ts';
import { stackedBar } from './bar.ts';
import { type Screen, styled } from './screen.ts';
import { table } from './table.ts';
import { counted, oneLine, percent, shortCount, shortPath, thousands, timeText } from './text.ts';

/** What all rows are compared by: money where any is known, else tokens. */
export function measureOf({ costUsd }: UsageTotals): (totals: UsageTotals) => number {
  if (costUsd !== undefined && costUsd > 0) return (totals) => totals.costUsd ?? 0;
  return (totals) => promptTokensIn(totals) + totals.outputTokens;
}

/** The rows of one table, all of them. */
export function groupReport(found: InsightsFacts, by: InsightGroup, screen: Screen): readonly string[] {
  const { toolUses } = found;
  if (by === 'tool') return [...toolTable(toolUses.tools, screen), ...toolRemarkLines(toolUses, screen)];
  const remarks = costRemarks(found.totals).map((remark) => `  ${styled(`+ ${remark}`, 'dim', screen)}`);
  return [...groupTable(rowsFor(found, by), { title: by, totals: found.totals }, screen), ...remarks];
}

/** Calls by what they have in common, in the order of the table. */
export function rowsFor(found: Insights, by: Exclude<InsightGroup, 'tool'>): readonly UsageGroup[] {
  switch (by) {
    case 'model':
      return found.models;
    case 'source':
      return found.sources;
    case 'project':
      return found.projects;
    case 'task':
      return found.tasks;
    case 'day':
      return found.days.filter(({ calls }) => calls > 0).map(dayRow);
  }
}

/** A day as a row of a table. */
export function dayRow(day: DayUsage): UsageGroup {
  const part = partText([day]);
  return { ...day, name: part === '' ? day.day : `${day.day} ${part}` };
}

export interface TableTitle {
  readonly title: string;
  /** The sum that every row is a share of. */
  readonly totals: UsageTotals;
}

const barWidth = 12;
/** From this width on there is room for bars. */
const barsFrom = 72;

const right = (title: string): { readonly title: string; readonly align: 'right' } => ({ title, align: 'right' });

/** Rows with their share as a bar. */
export function groupTable(
  groups: readonly UsageGroup[],
  { title, totals }: TableTitle,
  screen: Screen,
): readonly string[] {
  const measure = measureOf(totals);
  const hasBars = screen.columns >= barsFrom;
  // The table colours its columns: it must know how wide they are.
  const plain = { ...screen, colour: false };
  const most = Math.max(...groups.map(measure), 0);
  const rows = groups.map((group) => [
    nameOf(group.name, title),
    ...(hasBars ? [stackedBar([measure(group)], { whole: most, width: barWidth }, plain)] : []),
    thousands(group.calls),
    promptText(group),
    percent(group.cacheReadTokens, promptTokensIn(group)),
    shortCount(group.outputTokens),
    costLabel(group),
  ]);
  const columns = [
    { title, gives: true as const },
    ...(hasBars ? [{ title: '', style: 'cyan' as const }] : []),
    right('calls'),
    right('in'),
    right('cached'),
    right('out'),
    right('price'),
  ];
  return table(columns, rows, { screen });
}

/** Where a report told nothing of the prompt, that is not zero. */
const promptText = (group: UsageGroup): string =>
  promptTokensIn(group) === 0 && group.partial > 0 ? '–' : shortCount(promptTokensIn(group));

const nameOf = (name: string, title: string): string =>
  name === '' ? `no ${title === 'project' ? 'folder' : title}` : shortPath(oneLine(name));

// Days joined to weeks or more, so that a long time fits into a chart; what is no whole one says so.

/** Some days in a row. */
export interface Period extends UsageTotals {
  readonly first: string;
  readonly last: string;
  readonly models: readonly UsageGroup[];
  /** Why its column is lower than it could be, such as `so far` or `from 14:30`; empty for a whole one. */
  readonly part: string;
}

/** At most `most` periods of equal length, the last one perhaps shorter; the days themselves where they fit. */
export function periodsOf(days: readonly DayUsage[], most: number): readonly Period[] {
  const length = lengths.find((one) => Math.ceil(days.length / one) <= most) ?? Math.ceil(days.length / most);
  const periods: Period[] = [];
  for (let start = 0; start < days.length; start += length)
    periods.push(periodOf(days.slice(start, start + length), length));
  return periods;
}

/** Days, weeks, four weeks, quarters. */
const lengths = [1, 7, 28, 91] as const;

function periodOf(days: readonly DayUsage[], length: number): Period {
  const models = Map.groupBy(
    days.flatMap((day) => day.models),
    ({ name }) => name,
  );
  return {
    first: days[0]?.day ?? '',
    last: days.at(-1)?.day ?? '',
    models: [...models].map(([name, all]) => ({ name, ...sumUsage(all) })),
    part: partText(days) || (days.length < length ? `only ${counted(days.length, 'day')}` : ''),
    ...sumUsage(days),
  };
}

/** What is missing of days: a time that begins or ends within one of them, or that goes on. Empty for whole days. */
function partText(days: readonly Pick<DayUsage, 'from' | 'until' | 'isOver'>[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return '';
  const clock = (instant: number): string => timeText(instant).slice(-5);
  const words = [
    ...(first.from > dayStart(first.from) ? [`from ${clock(first.from)}`] : []),
    ...(last.until > dayStart(last.until) ? [`to ${clock(last.until)}`] : last.isOver ? [] : ['so far']),
  ];
  return words.join(' ');
}

/** How long the periods are, for the title of a chart. */
export function periodName({ first, last }: Pick<Period, 'first' | 'last'>): string {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
  const names: Readonly<Record<number, string>> = { 1: 'day', 7: 'week', 28: 'four weeks', 91: 'quarter' };
  return names[days] ?? `${days} days`;
}

/** `31 days, the last one is not over`. */
export function daysText(days: readonly DayUsage[]): string {
  const [first, last] = [days[0], days.at(-1)];
  const ofFirst = first && days.length > 1 ? partText([first]) : '';
  const ofLast = last ? partText([last]) : '';
  const which = days.length > 1 ? 'the last day ' : '';
  return [
    counted(days.length, 'day'),
    ...(ofFirst === '' ? [] : [`the first day ${ofFirst}`]),
    ...(ofLast === '' ? [] : [ofLast === 'so far' && days.length > 1 ? `${which}is incomplete` : `${which}${ofLast}`]),
  ].join(', ');
}

// The table of tools: how often each was called, how often that failed, and how much it brought into contexts.

/** All that is shown of a time. */
export interface InsightsFacts extends Insights {
  readonly toolUses: ToolUses;
}

/** Rows with their calls as a bar. */
export function toolTable(tools: readonly ToolUse[], screen: Screen): readonly string[] {
  if (tools.length === 0) return [];
  const hasBars = screen.columns >= barsFrom;
  const plain = { ...screen, colour: false };
  const most = tools[0]?.calls ?? 0;
  const rows = tools.map((tool) => [
    oneLine(tool.name),
    ...(hasBars ? [stackedBar([tool.calls], { whole: most, width: barWidth }, plain)] : []),
    ...toolFigures(tool),
  ]);
  const columns = [
    { title: 'tool', gives: true as const },
    ...(hasBars ? [{ title: '', style: 'cyan' as const }] : []),
    right('calls'),
    right('failed'),
    right('result tokens'),
  ];
  return table(columns, rows, { screen });
}

/** Calls, failures, tokens of the results. */
export const toolFigures = ({ calls, errors, resultTokens }: ToolUse): readonly string[] => [
  thousands(calls),
  thousands(errors),
  resultTokens === 0 ? '0' : `~${shortCount(resultTokens)}`,
];

/** What the table leaves out, if anything. */
export const toolRemark = ({ messages, isWhole }: ToolUses): string | undefined =>
  isWhole ? undefined : `in the ${thousands(messages)} newest messages; older calls are not counted`;

/** The remark as a line below the table. */
export function toolRemarkLines(uses: ToolUses, screen: Screen): readonly string[] {
  const remark = toolRemark(uses);
  return remark === undefined ? [] : [`  ${styled(remark, 'dim', screen)}`];
}
