/** The tables of the page. */
import type { LargestConversation, UsageTotals } from '@palimpsest/core/store';
import { costLabel, promptTokensIn } from '@palimpsest/core/usage';
import type { InsightGroup } from '../../run/insights-flags.ts';
import { untitled } from '../../sessions/titles.ts';
import { measureOf, rowsFor } from '../insights-groups.ts';
import { type InsightsFacts, toolFigures, toolRemark } from '../insights-tools.ts';
import { shortCount } from '../short-count.ts';
import { oneLine, percent, thousands } from '../text.ts';
import { timeText } from '../time.ts';
import { escaped, type PageColumn, pageTable, shareBar } from './markup.ts';
import { colourOf } from './style.ts';

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
export function sectionBy(found: InsightsFacts, by: InsightGroup, size: 'whole' | 'top'): string {
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
  ...[thousands(group.calls), promptTokensIn(group) === 0 ? '–' : shortCount(promptTokensIn(group))],
  ...[percent(group.cacheReadTokens, promptTokensIn(group)), shortCount(group.outputTokens), costLabel(group)],
];

/** The conversations that cost most. */
export function largestSection(largest: readonly LargestConversation[]): string {
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
    ...[minor('source'), minor('last active'), minor('calls'), number('in'), number('price')],
  ];
  return `<section><h2>Largest conversations</h2><p class="soft">Totals of each conversation, not only of this period.</p>${pageTable(columns, rows)}</section>\n`;
}
