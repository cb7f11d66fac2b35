/** Usage over time as one HTML page that needs nothing else: no network, no script. */

import type { LargestConversation } from '@palimpsest/core/store';
import {
  cacheShareOf,
  costLabel,
  costOf,
  costRemarks,
  dayName,
  type Insights,
  promptTokensIn,
  savingsOf,
} from '@palimpsest/core/usage';
import type { InsightGroup } from '../commands/build.ts';
import { untitled } from '../open-store.ts';
import {
  cacheChart,
  colourOf,
  escaped,
  kindsFigure,
  type PageColumn,
  pageTable,
  priceChart,
  shareBar,
} from './insights-charts.ts';
import {
  daysText,
  estimated,
  type InsightsFacts,
  measureOf,
  rowsFor,
  toolFigures,
  toolRemark,
} from './insights-groups.ts';
import { counted, linesOf, oneLine, percent, shortCount, thousands, timeText } from './text.ts';

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

/** The figures at the top of the page. */
function tiles({ totals, activity }: Insights): string {
  const prompt = promptTokensIn(totals);
  const savings = savingsOf(totals);
  const { conversations, messages, sides, compressions } = activity;
  const isPart = costOf(totals).status === 'part';
  const part = totals.unpriced > 0 ? 'on calls with a known price; ' : '';
  const more = linesOf(
    sides > 0 && counted(sides, 'sub-agent'),
    compressions > 0 && counted(compressions, 'compression'),
  );
  const tile = (name: string, value: string, remark: string): string =>
    `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}<small>${escaped(remark)}</small></dd></div>`;
  const cost = (amount: number): string => (amount < 0 ? `cost ${estimated(-amount)} more` : estimated(amount));
  const shown = linesOf(
    tile('Price', costLabel(totals), isPart ? 'at least, by list prices' : 'by list prices'),
    savings &&
      tile(
        'Saved by the cache',
        cost(savings.saved),
        `${part}without it ${isPart ? 'at least ' : ''}${estimated(savings.without)}`,
      ),
    cacheShareOf(totals) !== undefined &&
      tile('Cache reads', percent(totals.cacheReadTokens, prompt), `of ${shortCount(prompt)} tokens`),
    tile('Output', shortCount(totals.outputTokens), 'output tokens'),
    tile('Calls', thousands(totals.calls), `in ${counted(conversations, 'conversation')}`),
    tile('Messages', thousands(messages), more.join(', ')),
  );
  return `<dl class="tiles">${shown.join('')}</dl>`;
}

const name: PageColumn = { title: '', kind: 'name' };
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
  const remarks = linesOf(
    more > 0 && `and ${thousands(more)} more: palimpsest insights --by ${by} --html`,
    by === 'tool' && toolRemark(found.toolUses),
  );
  const remark = remarks.map((text) => `<p class="soft">${escaped(text)}</p>`).join('');
  const columns = [name, { title: '', kind: 'bar' } as const, ...(by === 'tool' ? toolNumbers : numbers)];
  return `<section><h2>${titles[by]}</h2>${pageTable(columns, shown)}${remark}</section>\n`;
}

function groupRows(found: InsightsFacts, by: Exclude<InsightGroup, 'tool'>): readonly (readonly string[])[] {
  const groups = rowsFor(found, by);
  const measure = measureOf(found.totals);
  const most = Math.max(...groups.map(measure), Number.MIN_VALUE);
  return groups.map((group, at) => {
    // As in the chart above.
    const colour = by === 'model' ? colourOf(at, groups.length) : 0;
    const prompt = promptTokensIn(group);
    const figures = [
      thousands(group.calls),
      prompt === 0 ? '–' : shortCount(prompt),
      percent(group.cacheReadTokens, prompt),
      shortCount(group.outputTokens),
      costLabel(group),
    ];
    return [escaped(group.name || 'no folder'), shareBar(measure(group) / most, colour), ...figures.map(escaped)];
  });
}

const toolNumbers: readonly PageColumn[] = [number('calls'), minor('failed'), number('result tokens')];

function toolRows({ toolUses: { tools } }: InsightsFacts): readonly (readonly string[])[] {
  const most = Math.max(tools[0]?.calls ?? 0, 1);
  return tools.map((tool) => [escaped(tool.name), shareBar(tool.calls / most, 2), ...toolFigures(tool).map(escaped)]);
}

/** The conversations that cost most. */
function largestSection(largest: readonly LargestConversation[]): string {
  if (largest.length === 0) return '';
  const rows = largest.map((one) =>
    [
      oneLine(one.title ?? '') || untitled,
      one.source,
      timeText(one.lastActiveAt),
      thousands(one.calls),
      shortCount(promptTokensIn(one)),
      costLabel(one),
    ].map(escaped),
  );
  const columns = [name, minor('source'), minor('last active'), minor('calls'), number('in'), number('price')];
  return `<section><h2>Largest conversations</h2><p class="soft">Totals of each conversation, not only of this period.</p>${pageTable(columns, rows)}</section>\n`;
}

/** Colours of the parts of a chart; each stands apart from its neighbours and from the ground in both themes. */
const light = ['#2563a8', '#d97706', '#0f8a6d', '#a8327a', '#6d5bd0', '#8a8f98'] as const;
const dark = ['#6aa9f0', '#f2a33c', '#3fc7a4', '#e879b9', '#a99af5', '#8b919c'] as const;

const variables = (colours: readonly string[]): string => colours.map((colour, at) => `--c${at}: ${colour};`).join(' ');

const pageStyle: string = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf7; --card: #ffffff; --ink: #1d1f23; --soft: #5c6068; --line: #e2dfd8; --warn: #8a4b00;
  ${variables(light)}
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15171b; --card: #1d2026; --ink: #eceae4; --soft: #a3a8b1; --line: #333842; --warn: #f2b563;
    ${variables(dark)}
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 62rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  font-variant-numeric: tabular-nums;
}
header { margin-bottom: 1.25rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 0.25rem; letter-spacing: -0.01em; }
h2 { font-size: 1.05rem; margin: 0 0 0.75rem; }
p { margin: 0.25rem 0; }
.soft { color: var(--soft); }
.warn { color: var(--warn); font-size: 0.9rem; }
.tiles { display: grid; grid-template-columns: repeat(3, 1fr); gap: 0.75rem; margin: 0 0 1rem; padding: 0; }
.tiles > div, section, figure {
  margin: 0 0 1rem; padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem;
}
.tiles > div { margin: 0; }
.tiles dt { color: var(--soft); font-size: 0.85rem; }
.tiles dd { margin: 0; font-size: 1.5rem; font-weight: 650; letter-spacing: -0.01em; }
.tiles dd small { display: block; font-size: 0.8rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
.plot { display: grid; grid-template-columns: auto 1fr; gap: 0 0.6rem; }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; height: 12.5rem; margin: -0.6em 0; font-size: 0.75rem; color: var(--soft); line-height: 1.2; }
.plot svg { width: 100%; height: 11.3rem; display: block; overflow: visible; }
.ends { grid-column: 2; display: flex; justify-content: space-between; font-size: 0.75rem; color: var(--soft); margin-top: 0.35rem; }
.each span { flex: 1; text-align: center; }
svg line { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
svg .hit { fill: transparent; }
svg .part rect:not(.hit) { fill-opacity: 0.55; }
svg g:hover .hit { fill: var(--ink); fill-opacity: 0.07; }
${light.map((_, at) => `.c${at} { fill: var(--c${at}); background: var(--c${at}); }`).join('\n')}
.key { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; list-style: none; margin: 0.75rem 0 0; padding: 0; font-size: 0.85rem; overflow-wrap: anywhere; }
.key i { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 0.15rem; margin-right: 0.4rem; }
.kinds { display: grid; grid-template-columns: auto auto 1fr; gap: 0.45rem 0.75rem; align-items: center; font-size: 0.9rem; }
.kinds svg, td svg { width: 100%; height: 0.8rem; display: block; }
.kinds b { font-weight: 600; text-align: right; }
section p { font-size: 0.9rem; }
details { margin-top: 0.75rem; font-size: 0.9rem; }
summary { cursor: pointer; color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; }
th { text-align: left; font-weight: 500; color: var(--soft); white-space: nowrap; }
th, td { padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--line); }
tr:last-child > * { border-bottom: 0; }
.n { text-align: right; white-space: nowrap; padding: 0.3rem 0 0.3rem 0.9rem; }
td.name { min-width: 9rem; overflow-wrap: anywhere; }
td.bar { width: 24%; min-width: 4rem; }
footer { color: var(--soft); font-size: 0.85rem; }
@media (min-width: 34.01rem) { th.n { width: 5.5rem; } }
@media (max-width: 34rem) {
  body { padding: 1rem 0.6rem 2rem; }
  .bar, .less { display: none; }
  td.name { min-width: 6rem; }
  .kinds { grid-template-columns: 1fr auto; gap: 0.15rem 0.75rem; }
  .kinds svg { grid-column: 1 / -1; margin-bottom: 0.5rem; }
  .ends:not(.each) span:nth-child(2) { display: none; }
  .each { font-size: 0.65rem; }
}
@media (max-width: 26rem) { .tiles { grid-template-columns: repeat(2, 1fr); } }
@media print { body { background: none; } section, figure { break-inside: avoid; } }
`;
