/** What a person reads about usage over time. */
import type { LargestConversation } from '@palimpsest/core/store';
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
import { shortIds } from '../sessions/find-session.ts';
import { untitled } from '../sessions/titles.ts';
import { chartLines } from './insights-chart.ts';
import { dayRow, groupTable, measureOf, type TableTitle } from './insights-groups.ts';
import { daysText } from './insights-periods.ts';
import { type InsightsFacts, toolRemarkLines, toolTable } from './insights-tools.ts';
import { type Screen, styled } from './screen.ts';
import { shortCount } from './short-count.ts';
import { table } from './table.ts';
import { counted, fill, oneLine, percent, thousands, wrap } from './text.ts';

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
    ...[
      ids[at] ?? '',
      oneLine(one.title ?? '') || untitled,
      thousands(one.calls),
      shortCount(promptTokensIn(one)),
      costLabel(one),
    ],
  ]);
  const columns = [
    { title: 'largest', style: 'cyan' as const, whole: true as const },
    { title: 'totals of all time', gives: true as const },
    ...['calls', 'in', 'price'].map((title) => ({ title, align: 'right' as const })),
  ];
  return rows.length === 0 ? [] : table(columns, rows, { screen });
}
