/** Usage in rows and columns: by what calls have in common, by time, by tool; what `usage`, `insights` and its page share. */
import { sumUsage, type UsageTotals } from '@palimpsest/core/store';
import {
  costLabel,
  costRemarks,
  type DayUsage,
  dayStart,
  type Insights,
  moneyLabel,
  promptTokensIn,
  type ToolUse,
  type ToolUses,
  type UsageGroup,
} from '@palimpsest/core/usage';
import { type Screen, styled } from '../../terminal/screen.ts';
import type { InsightGroup } from '../commands/build.ts';
import { type ColumnOf, gives, right, stackedBar, tableOf } from './table.ts';
import { counted, fill, linesOf, oneLine, percent, shortCount, shortPath, thousands, timeText, wrap } from './text.ts';

export interface InsightsFacts extends Insights {
  readonly toolUses: ToolUses;
}

/** What all rows are compared by: money where any is known, else tokens. */
export function measureOf({ costUsd }: UsageTotals): (totals: UsageTotals) => number {
  if (costUsd !== undefined && costUsd > 0) return (totals) => totals.costUsd ?? 0;
  return (totals) => promptTokensIn(totals) + totals.outputTokens;
}

export const estimated = (amount: number): string => moneyLabel({ status: 'estimated', amount });

export const factRow = ([name, value]: readonly [string, string], width: number, screen: Screen): string =>
  `  ${styled(fill(name, width), 'dim', screen)}${value}`;

/** What a price leaves out, below it. */
export const remarkRows = (totals: UsageTotals, width: number, screen: Screen): readonly string[] =>
  costRemarks(totals)
    .flatMap((remark) => wrap(remark, screen.columns - width - 2))
    .map((remark) => factRow(['', styled(remark, 'yellow', screen)], width, screen));

interface UsageLook {
  readonly count: (tokens: number) => string;
  readonly titles: readonly [read: string, written: string];
  /** @default the count of the prompt */
  readonly read?: (totals: UsageTotals) => string;
}

/** Calls, input, what of it was cached, output and price. */
export const usageColumns = <Row>(
  totalsOf: (row: Row) => UsageTotals,
  { count, titles: [title, written], read = (totals) => count(promptTokensIn(totals)) }: UsageLook,
): readonly ColumnOf<Row>[] => [
  ['calls', (row) => thousands(totalsOf(row).calls), right],
  [title, (row) => read(totalsOf(row)), right],
  ['cached', (row) => percent(totalsOf(row).cacheReadTokens, promptTokensIn(totalsOf(row))), right],
  [written, (row) => count(totalsOf(row).outputTokens), right],
  ['price', (row) => costLabel(totalsOf(row)), right],
];

/** Where a report told nothing of the prompt, that is not zero. */
const promptText = (totals: UsageTotals): string =>
  promptTokensIn(totals) === 0 && totals.partial > 0 ? '–' : shortCount(promptTokensIn(totals));

export function groupReport(found: InsightsFacts, by: InsightGroup, screen: Screen): readonly string[] {
  const { toolUses, totals } = found;
  if (by === 'tool') return [...toolTable(toolUses.tools, screen), ...toolRemarkLines(toolUses, screen)];
  const remarks = costRemarks(totals).map((remark) => `  ${styled(`+ ${remark}`, 'dim', screen)}`);
  return [...groupTable(rowsFor(found, by), { title: by, totals }, screen), ...remarks];
}

/** Calls by what they have in common, in the order of the table. */
export function rowsFor(found: Insights, by: Exclude<InsightGroup, 'tool'>): readonly UsageGroup[] {
  const { models: model, sources: source, projects: project, tasks: task } = found;
  return by === 'day' ? found.days.filter(({ calls }) => calls > 0).map(dayRow) : { model, source, project, task }[by];
}

export function dayRow(day: DayUsage): UsageGroup {
  const part = partText([day]);
  return { ...day, name: part === '' ? day.day : `${day.day} ${part}` };
}

export interface TableTitle {
  readonly title: string;
  /** The sum that every row is a share of. */
  readonly totals: UsageTotals;
}

/** A column of bars where there is room; the table colours its columns: it must know how wide they are. */
function barColumn<Row>(sizeOf: (row: Row) => number, whole: number, screen: Screen): ColumnOf<Row> {
  const plain = { ...screen, colour: false };
  return ['', (row) => stackedBar([sizeOf(row)], { whole, width: 12 }, plain), { style: 'cyan', from: 72 }];
}

const look = { count: shortCount, titles: ['in', 'out'], read: promptText } as const;
const groupColumns = usageColumns((group: UsageGroup) => group, look);

export function groupTable(
  groups: readonly UsageGroup[],
  { title, totals }: TableTitle,
  screen: Screen,
): readonly string[] {
  const measure = measureOf(totals);
  const none = `no ${title === 'project' ? 'folder' : title}`;
  return tableOf(
    groups,
    [
      [title, ({ name }) => (name === '' ? none : shortPath(oneLine(name))), gives],
      barColumn(measure, Math.max(...groups.map(measure), 0), screen),
      ...groupColumns,
    ],
    { screen },
  );
}

export function toolTable(tools: readonly ToolUse[], screen: Screen): readonly string[] {
  if (tools.length === 0) return [];
  return tableOf(
    tools,
    [
      ['tool', ({ name }) => oneLine(name), gives],
      barColumn(({ calls }) => calls, tools[0]?.calls ?? 0, screen),
      ...['calls', 'failed', 'result tokens'].map(
        (title, at): ColumnOf<ToolUse> => [title, (tool) => toolFigures(tool)[at] ?? '', right],
      ),
    ],
    { screen },
  );
}

export const toolFigures = ({ calls, errors, resultTokens }: ToolUse): readonly string[] => [
  thousands(calls),
  thousands(errors),
  resultTokens === 0 ? '0' : `~${shortCount(resultTokens)}`,
];

/** What the table leaves out, if anything. */
export const toolRemark = ({ messages, isWhole }: ToolUses): string | undefined =>
  isWhole ? undefined : `in the ${thousands(messages)} newest messages; older calls are not counted`;

export function toolRemarkLines(uses: ToolUses, screen: Screen): readonly string[] {
  const remark = toolRemark(uses);
  return remark === undefined ? [] : [`  ${styled(remark, 'dim', screen)}`];
}

// Days joined to weeks or more, so that a long time fits into a chart; what is no whole one says so.

export interface Period extends UsageTotals {
  readonly first: string;
  readonly last: string;
  readonly models: readonly UsageGroup[];
  /** Why its column is lower than it could be, such as `so far` or `from 14:30`; empty for a whole one. */
  readonly part: string;
}

const lengths = [1, 7, 28, 91] as const;

/** At most `most` periods of equal length, the last one perhaps shorter; the days themselves where they fit. */
export function periodsOf(days: readonly DayUsage[], most: number): readonly Period[] {
  const length = lengths.find((one) => Math.ceil(days.length / one) <= most) ?? Math.ceil(days.length / most);
  const starts = Array.from({ length: Math.ceil(days.length / length) }, (_, at) => at * length);
  return starts.map((start) => periodOf(days.slice(start, start + length), length));
}

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
  const isCut = last.until > dayStart(last.until);
  return linesOf(
    first.from > dayStart(first.from) && `from ${clock(first.from)}`,
    isCut ? `to ${clock(last.until)}` : !last.isOver && 'so far',
  ).join(' ');
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
  const isLong = days.length > 1;
  const ofFirst = first && isLong ? partText([first]) : '';
  const ofLast = last ? partText([last]) : '';
  const which = isLong ? 'the last day ' : '';
  return linesOf(
    counted(days.length, 'day'),
    ofFirst !== '' && `the first day ${ofFirst}`,
    ofLast !== '' && `${which}${ofLast === 'so far' && isLong ? 'is incomplete' : ofLast}`,
  ).join(', ');
}
