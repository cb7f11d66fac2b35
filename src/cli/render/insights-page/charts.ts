/** The charts of the page: price by model, what came from the cache, tokens by kind. */
import type { UsageTotals } from '../../../store/usage-store.ts';
import { cacheShareOf, costLabel, promptTokensIn } from '../../../usage/cost.ts';
import type { Insights } from '../../../usage/insights.ts';
import { moneyLabel } from '../../../usage/price.ts';
import { measureOf, shortCount } from '../insights-groups.ts';
import { type Period, periodName, periodsOf } from '../insights-periods.ts';
import { percent, thousands } from '../text.ts';
import { chartFigure } from './columns.ts';
import { escaped, pageTable, shareBar } from './markup.ts';
import { pageColours } from './style.ts';

/** More columns than this are too thin to see or to point at. */
const mostColumns = 92;

/** What each model cost, day by day; tokens where no price is known. */
export function priceChart({ days, models, totals }: Insights): string {
  const periods = periodsOf(days, mostColumns);
  const isMoney = (totals.costUsd ?? 0) > 0;
  const measure = measureOf(totals);
  const labelOf = (value: number): string =>
    isMoney ? moneyLabel({ status: 'estimated', amount: value }) : shortCount(value);
  const names = models.slice(0, models.length > pageColours ? pageColours - 1 : pageColours).map(({ name }) => name);
  const hasOthers = models.length > names.length;
  const bars = periods.map((period) => {
    const parts = names.map((name) => sumOf(period, name, measure));
    const rest = Math.max(0, measure(period) - parts.reduce((sum, part) => sum + part, 0));
    const told = names.flatMap((name, at) => ((parts[at] ?? 0) > 0 ? [`${name} ${labelOf(parts[at] ?? 0)}`] : []));
    const title = `${spanText(period)}: ${isMoney ? costLabel(period) : labelOf(measure(period))}`;
    return { title: [title, ...told].join('\n'), parts: hasOthers ? [...parts, rest] : parts };
  });
  const what = isMoney ? 'Price' : 'Tokens';
  const most = periods.toSorted((a, b) => measure(b) - measure(a))[0];
  return chartFigure({
    id: 'price',
    title: `${what} per ${periodName(periods[0] ?? { first: '', last: '' })}, by model`,
    description: most ? `${what} over time by model; most in ${spanText(most)}: ${labelOf(measure(most))}.` : what,
    ...{ bars, labelOf, ends: endsOf(periods), key: [...names, ...(hasOthers ? ['others'] : [])] },
    table: periodTable(periods),
  });
}

const sumOf = (period: Period, name: string, measure: (totals: UsageTotals) => number): number =>
  period.models.reduce((sum, model) => sum + (model.name === name ? measure(model) : 0), 0);

/** The share of what the models read that came from a cache. */
export function cacheChart({ days, totals }: Insights): string {
  const periods = periodsOf(days, mostColumns);
  const shareText = (period: UsageTotals): string => percent(period.cacheReadTokens, promptTokensIn(period));
  const bars = periods.map((period) => ({
    title: `${spanText(period)}: ${period.calls === 0 ? 'no calls' : `${shareText(period)} from the cache`}`,
    parts: [cacheShareOf(period) ?? 0],
  }));
  return chartFigure({
    id: 'cache',
    title: `Read from the cache per ${periodName(periods[0] ?? { first: '', last: '' })}`,
    description: `Share of the tokens read that came from a cache, over time; ${shareText(totals)} of all.`,
    ...{ bars, ends: endsOf(periods), key: [], top: 1 },
    labelOf: (value) => `${Math.round(value * 100)} %`,
    table: periodTable(periods),
  });
}

/** What was read and written, by what it is charged as. */
export function kindsFigure({ totals }: Insights): string {
  const { cacheReadTokens, cacheWriteTokens, inputTokens, outputTokens, reasoningTokens, partial } = totals;
  const all = promptTokensIn(totals) + outputTokens;
  const kinds: readonly (readonly [string, number])[] = [
    ['Read from the cache', cacheReadTokens],
    ['Written to the cache', cacheWriteTokens],
    ['Read anew', inputTokens],
    ['Written by the model', outputTokens],
  ];
  const most = Math.max(...kinds.map(([, tokens]) => tokens), 1);
  const rows = kinds.map(
    ([name, tokens], at) =>
      `<span>${escaped(name)}</span>${shareBar(tokens / most, at)}<b>${escaped(`${thousands(tokens)} (${percent(tokens, all)})`)}</b>`,
  );
  const thinking = reasoningTokens > 0 ? `<p class="soft">${thousands(reasoningTokens)} of them thinking.</p>` : '';
  const least = partial > 0 ? '<p class="warn">+ at least so many: some reports are incomplete</p>' : '';
  return `<section aria-labelledby="kinds"><h2 id="kinds">Tokens by kind</h2><div class="kinds">${rows.join('\n')}</div>${thinking}${least}</section>`;
}

const spanText = ({ first, last }: Pick<Period, 'first' | 'last'>): string =>
  first === last ? first : `${first} to ${last}`;

function endsOf(periods: readonly Period[]): readonly string[] {
  const middle = periods.length > 4 ? [periods[Math.floor(periods.length / 2)]?.first ?? ''] : [];
  return [periods[0]?.first ?? '', ...middle, ...(periods.length > 1 ? [periods.at(-1)?.last ?? ''] : [])];
}

/** The figures behind the charts; times without calls have no row. */
function periodTable(periods: readonly Period[]): string {
  const numbers = ['calls', 'tokens in', 'from the cache', 'tokens out', 'price'];
  const columns = [
    { title: 'time', kind: 'name' as const },
    ...numbers.map((title) => ({ title, kind: 'n' as const })),
  ];
  const rows = periods
    .filter(({ calls }) => calls > 0)
    .map((period) => [
      ...[spanText(period), thousands(period.calls), thousands(promptTokensIn(period))],
      ...[percent(period.cacheReadTokens, promptTokensIn(period)), thousands(period.outputTokens), costLabel(period)],
    ]);
  return pageTable(
    columns,
    rows.map((cells) => cells.map(escaped)),
  );
}
