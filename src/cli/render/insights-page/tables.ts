/** The tables of the page. */
import type { LargestConversation, UsageTotals } from '../../../store/usage-store.ts';
import { costLabel, promptTokensIn } from '../../../usage/cost.ts';
import type { UsageGroup } from '../../../usage/insights.ts';
import { measureOf } from '../insights-groups.ts';
import { label } from '../session-list.ts';
import { shortCount } from '../short-count.ts';
import { percent, thousands } from '../text.ts';
import { timeText } from '../time.ts';
import { escaped, type PageColumn, pageTable, shareBar } from './markup.ts';

const number = (title: string): PageColumn => ({ title, kind: 'n' });
const minor = (title: string): PageColumn => ({ title, kind: 'n less' });
const numbers: readonly PageColumn[] = [minor('calls'), number('in'), number('cached'), minor('out'), number('price')];

/** What calls have in common, the dearest first; empty for no rows. */
export function groupSection(title: string, groups: readonly UsageGroup[], totals: UsageTotals): string {
  if (groups.length === 0) return '';
  const measure = measureOf(totals);
  const most = Math.max(...groups.map(measure), Number.MIN_VALUE);
  const rows = groups.map((group) => [
    escaped(group.name || 'no folder'),
    shareBar(measure(group) / most, 0),
    ...figuresOf(group).map(escaped),
  ]);
  const columns: readonly PageColumn[] = [{ title: '', kind: 'name' }, { title: '', kind: 'bar' }, ...numbers];
  return `<section><h2>${escaped(title)}</h2>${pageTable(columns, rows)}</section>`;
}

const figuresOf = (group: UsageTotals): readonly string[] => [
  ...[thousands(group.calls), promptTokensIn(group) === 0 ? '–' : shortCount(promptTokensIn(group))],
  ...[percent(group.cacheReadTokens, promptTokensIn(group)), shortCount(group.outputTokens), costLabel(group)],
];

/** The conversations that cost most. */
export function largestSection(largest: readonly LargestConversation[]): string {
  if (largest.length === 0) return '';
  const rows = largest.map((one) => [
    escaped(label(one) || one.sessionId),
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
  return `<section><h2>Largest conversations</h2><p class="soft">Each with all that it ever used.</p>${pageTable(columns, rows)}</section>`;
}
