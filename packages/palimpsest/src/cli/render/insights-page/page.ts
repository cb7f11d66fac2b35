/** Usage over time as one HTML page that needs nothing else: no network, no script. */

import type { LargestConversation, UsageTotals } from '@palimpsest/core/store';
import {
  cacheShareOf,
  costLabel,
  costOf,
  costRemarks,
  dayName,
  type Insights,
  moneyLabel,
  promptTokensIn,
  savingsOf,
} from '@palimpsest/core/usage';
import type { InsightGroup } from '../../commands/options.ts';
import { untitled } from '../../find-session.ts';
import { daysText, type InsightsFacts, measureOf, rowsFor, toolFigures, toolRemark } from '../insights-groups.ts';
import { counted, oneLine, percent, shortCount, thousands, timeText } from '../text.ts';
import { cacheChart, kindsFigure, priceChart } from './charts.ts';
import { colourOf, escaped, type PageColumn, pageStyle, pageTable, shareBar } from './look.ts';

/** The page, in pieces; with `by`, that table comes first, with all of its rows. */
export function insightsPage(found: InsightsFacts, by?: InsightGroup): readonly string[] {
  const { since, until, days, totals, largest } = found;
  const time = `${dayName(since)} to ${dayName(until - 1)}`;
  const remarks = costRemarks(totals).map((remark) => `<p class="warn">+ ${escaped(remark)}</p>`);
  // One day is no course of time.
  const timeCharts = days.length > 1 ? [priceChart(found), cacheChart(found)] : [];
  return [
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(`Usage, ${time}`)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header><h1>What it cost</h1><p class="soft">${escaped(`${time}, ${daysText(days)}`)}</p>${remarks.join('')}</header>
<main>
`,
    `${tiles(found)}\n`,
    ...(totals.calls === 0 ? ['<section><p>No calls in this period.</p></section>\n'] : []),
    ...(by === undefined ? [] : [sectionBy(found, by, 'whole')]),
    ...(totals.calls > 0 ? [...timeCharts, kindsFigure(found)] : []).map((one) => `${one}\n`),
    ...shownSections.filter((one) => one !== by).map((one) => sectionBy(found, one, 'top')),
    largestSection(largest),
    `</main>
<footer><p>~ estimated from list prices; a subscription is charged differently. Times are in the time zone of the machine that made this page.</p></footer>
</body>
</html>
`,
  ];
}

/** The tables that every page has. */
const shownSections: readonly InsightGroup[] = ['model', 'tool', 'source', 'project'];

// The figures at the top of the page.

function tiles({ totals, activity }: Insights): string {
  const prompt = promptTokensIn(totals);
  const savings = savingsOf(totals);
  const share = cacheShareOf(totals);
  const { conversations, messages, sides, compressions } = activity;
  const money = (amount: number): string => moneyLabel({ status: 'estimated', amount });
  const saved = savings && (savings.saved < 0 ? `cost ${money(-savings.saved)} more` : money(savings.saved));
  const part = totals.unpriced > 0 ? 'on calls with a known price; ' : '';
  const least = costOf(totals).status === 'part' ? 'at least ' : '';
  const more = [
    ...(sides > 0 ? [counted(sides, 'sub-agent')] : []),
    ...(compressions > 0 ? [counted(compressions, 'compression')] : []),
  ];
  const all: readonly (readonly [name: string, value: string, remark: string])[] = [
    ['Price', costLabel(totals), costOf(totals).status === 'part' ? 'at least, by list prices' : 'by list prices'],
    ...(saved && savings
      ? [['Saved by the cache', saved, `${part}without it ${least}${money(savings.without)}`] as const]
      : []),
    ...(share === undefined
      ? []
      : [['Cache reads', percent(totals.cacheReadTokens, prompt), `of ${shortCount(prompt)} tokens`] as const]),
    ['Output', shortCount(totals.outputTokens), 'output tokens'],
    ['Calls', thousands(totals.calls), `in ${counted(conversations, 'conversation')}`],
    ['Messages', thousands(messages), more.join(', ')],
  ];
  const shown = all.map(
    ([name, value, remark]) =>
      `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}<small>${escaped(remark)}</small></dd></div>`,
  );
  return `<dl class="tiles">${shown.join('')}</dl>`;
}

// The tables of the page.

const number = (title: string): PageColumn => ({ title, kind: 'n' });
const minor = (title: string): PageColumn => ({ title, kind: 'n less' });
const numbers: readonly PageColumn[] = [minor('calls'), number('in'), number('cached'), minor('out'), number('price')];

/** More rows than this are shown only where they are asked for. */
const topRows = 12;

const titles: Readonly<Record<InsightGroup, string>> = {
  model: 'Models',
  source: 'Sources',
  project: 'Projects',
  task: 'Tasks',
  day: 'Days',
  tool: 'Tools',
};

/** One table, the dearest or most used first; empty for no rows, and for a single folder that nobody asked for. */
function sectionBy(found: InsightsFacts, by: InsightGroup, size: 'whole' | 'top'): string {
  const rows = by === 'tool' ? toolRows(found) : groupRows(found, by);
  if (rows.length === 0 || (by === 'project' && size === 'top' && rows.length === 1)) return '';
  const shown = size === 'whole' ? rows : rows.slice(0, topRows);
  const more = rows.length - shown.length;
  const remarks = [
    ...(more > 0 ? [`and ${thousands(more)} more: palimpsest insights --by ${by} --html`] : []),
    ...(by === 'tool' ? (toolRemark(found.toolUses) ?? []) : []),
  ];
  const remark = remarks.map((text) => `<p class="soft">${escaped(text)}</p>`).join('');
  const columns: readonly PageColumn[] = [
    { title: '', kind: 'name' },
    { title: '', kind: 'bar' },
    ...(by === 'tool' ? toolNumbers : numbers),
  ];
  return `<section><h2>${titles[by]}</h2>${pageTable(columns, shown)}${remark}</section>\n`;
}

function groupRows(found: InsightsFacts, by: Exclude<InsightGroup, 'tool'>): readonly (readonly string[])[] {
  const groups = rowsFor(found, by);
  const measure = measureOf(found.totals);
  const most = Math.max(...groups.map(measure), Number.MIN_VALUE);
  return groups.map((group, at) => [
    escaped(group.name || 'no folder'),
    // As in the chart above.
    shareBar(measure(group) / most, by === 'model' ? colourOf(at, groups.length) : 0),
    ...figuresOf(group).map(escaped),
  ]);
}

const toolNumbers: readonly PageColumn[] = [number('calls'), minor('failed'), number('result tokens')];

function toolRows({ toolUses: { tools } }: InsightsFacts): readonly (readonly string[])[] {
  const most = Math.max(tools[0]?.calls ?? 0, 1);
  return tools.map((tool) => [escaped(tool.name), shareBar(tool.calls / most, 2), ...toolFigures(tool).map(escaped)]);
}

const figuresOf = (group: UsageTotals): readonly string[] => [
  thousands(group.calls),
  promptTokensIn(group) === 0 ? '–' : shortCount(promptTokensIn(group)),
  percent(group.cacheReadTokens, promptTokensIn(group)),
  shortCount(group.outputTokens),
  costLabel(group),
];

/** The conversations that cost most. */
function largestSection(largest: readonly LargestConversation[]): string {
  if (largest.length === 0) return '';
  const rows = largest.map((one) => [
    escaped(oneLine(one.title ?? '') || untitled),
    ...[
      one.source,
      timeText(one.lastActiveAt),
      thousands(one.calls),
      shortCount(promptTokensIn(one)),
      costLabel(one),
    ].map(escaped),
  ]);
  const columns: readonly PageColumn[] = [
    { title: '', kind: 'name' },
    minor('source'),
    minor('last active'),
    minor('calls'),
    number('in'),
    number('price'),
  ];
  return `<section><h2>Largest conversations</h2><p class="soft">Totals of each conversation, not only of this period.</p>${pageTable(columns, rows)}</section>\n`;
}
