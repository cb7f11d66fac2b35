/** Tables of usage by what calls have in common. */
import type { UsageTotals } from '@palimpsest/core/store';
import {
  costLabel,
  costRemarks,
  type DayUsage,
  type Insights,
  promptTokensIn,
  type UsageGroup,
} from '@palimpsest/core/usage';
import type { InsightGroup } from '../commands/options.ts';
import { partText } from './insights-periods.ts';
import { type InsightsFacts, toolRemarkLines, toolTable } from './insights-tools.ts';
import { type Screen, styled } from './screen.ts';
import { shortCount } from './short-count.ts';
import { stackedBar } from './stacked-bar.ts';
import { table } from './table.ts';
import { oneLine, percent, shortPath, thousands } from './text.ts';

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
    ...[thousands(group.calls), promptText(group), percent(group.cacheReadTokens, promptTokensIn(group))],
    ...[shortCount(group.outputTokens), costLabel(group)],
  ]);
  const columns = [
    { title, gives: true as const },
    ...(hasBars ? [{ title: '', style: 'cyan' as const }] : []),
    ...[right('calls'), right('in'), right('cached'), right('out'), right('price')],
  ];
  return table(columns, rows, { screen });
}

/** Where a report told nothing of the prompt, that is not zero. */
const promptText = (group: UsageGroup): string =>
  promptTokensIn(group) === 0 && group.partial > 0 ? '–' : shortCount(promptTokensIn(group));

const nameOf = (name: string, title: string): string =>
  name === '' ? `no ${title === 'project' ? 'folder' : title}` : shortPath(oneLine(name));
