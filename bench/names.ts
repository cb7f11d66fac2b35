/** How much of a result is bare names: they earn strict shares and say little, so they may take a fifth at most. */
import { table } from '../scripts/reference/markdown.ts';
import { mean, percent } from './figures.ts';
import type { NamesRow } from './kit-rows.ts';

const most = 0.2;

/** Shares by budget; with `together`, one line under that name for all of them. */
export function namesTable(rows: readonly NamesRow[], together?: string): string {
  const groups = [...Map.groupBy(rows, ({ budget }) => together ?? String(budget))];
  const lines = groups.map(([budget, group]) => {
    const shares = group.map(({ nameTokens, tokens }) => nameTokens / Math.max(1, tokens));
    const average = mean(shares) ?? 0;
    return [
      budget,
      String(group.length),
      String(group.filter(({ status }) => status !== 'compressed').length),
      percent(average),
      percent(Math.max(...shares)),
      average <= most ? 'reached' : 'MISSED',
    ];
  });
  const headings = [
    'budget',
    'results',
    'not compressed',
    'mean share',
    'largest share',
    `goal: mean ≤ ${100 * most} %`,
  ];
  return `Bare names in our results (lines of the handoff that begin with \` + \`), share of their tokens in %:\n\n${table(headings, lines)}`;
}
