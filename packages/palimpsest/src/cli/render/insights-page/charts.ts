/** The charts of the page: price by model, what came from the cache, tokens by kind. */
import { sumUsage, type UsageTotals } from '@palimpsest/core/store';
import { cacheShareOf, costLabel, type Insights, promptTokensIn } from '@palimpsest/core/usage';
import { measureOf } from '../insights-groups.ts';
import { type Period, periodName, periodsOf } from '../insights-periods.ts';
import { shortCount } from '../short-count.ts';
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
  const textOf = (group: UsageTotals): string => (isMoney ? costLabel(group) : shortCount(measure(group)));
  const names = models.slice(0, models.length > pageColours ? pageColours - 1 : pageColours).map(({ name }) => name);
  const key = [...names, ...(models.length > names.length ? ['others'] : [])];
  const groups = periods.map((period) => modelsIn(period, names).slice(0, key.length));
  const bars = periods.map((period, at) => {
    const told = (groups[at] ?? []).flatMap((group, place) =>
      group.calls > 0 ? [`${key[place] ?? ''} ${textOf(group)}`] : [],
    );
    return {
      title: [`${spanText(period)}: ${textOf(period)}`, ...told].join('\n'),
      parts: (groups[at] ?? []).map(measure),
      isPart: period.part !== '',
    };
  });
  const what = isMoney ? 'Price' : 'Tokens';
  const most = periods.toSorted((a, b) => measure(b) - measure(a))[0];
  return chartFigure({
    id: 'price',
    title: `${what} per ${periodName(periods[0] ?? { first: '', last: '' })}, by model`,
    description: most ? `${what} over time by model; most in ${spanText(most)}: ${textOf(most)}.` : what,
    labelOf: isMoney ? scaleMoney : shortCount,
    ...{ bars, ends: endsOf(periods), key },
    table: timeTable(periods, ['all', ...key], (period, at) => [period, ...(groups[at] ?? [])].map(textOf)),
  });
}

/** What each of the models used, and behind them all others together. */
function modelsIn({ models }: Period, names: readonly string[]): readonly UsageTotals[] {
  const named = names.map((name) => sumUsage(models.filter((model) => model.name === name)));
  return [...named, sumUsage(models.filter(({ name }) => !names.includes(name)))];
}

/** Marks of a scale: no more digits than they need. */
const scaleMoney = (dollars: number): string =>
  `$${Number.isInteger(dollars) ? thousands(dollars) : dollars.toFixed(dollars < 0.001 ? 6 : dollars < 0.1 ? 4 : 2)}`;

/** The share of what the models read that came from a cache. */
export function cacheChart({ days, totals }: Insights): string {
  const periods = periodsOf(days, mostColumns);
  const shareText = (period: UsageTotals): string => percent(period.cacheReadTokens, promptTokensIn(period));
  const bars = periods.map((period) => ({
    title: `${spanText(period)}: ${period.calls === 0 ? 'no calls' : `${shareText(period)} cached`}`,
    parts: [cacheShareOf(period) ?? 0],
    isPart: period.part !== '',
  }));
  return chartFigure({
    id: 'cache',
    title: `Cache reads per ${periodName(periods[0] ?? { first: '', last: '' })}`,
    description: `Share of the input tokens that were read from a cache, over time; ${shareText(totals)} of all.`,
    ...{ bars, ends: endsOf(periods), key: [], top: 1 },
    labelOf: (value) => `${Math.round(value * 100)} %`,
    table: timeTable(periods, ['tokens in', 'cached', 'share'], (period) => [
      ...[thousands(promptTokensIn(period)), thousands(period.cacheReadTokens), shareText(period)],
    ]),
  });
}

/** What was read and written, by what it is charged as. */
export function kindsFigure({ totals }: Insights): string {
  const { cacheReadTokens, cacheWriteTokens, inputTokens, outputTokens, reasoningTokens, partial } = totals;
  const all = promptTokensIn(totals) + outputTokens;
  const kinds: readonly (readonly [string, number])[] = [
    ['Cache reads', cacheReadTokens],
    ['Cache writes', cacheWriteTokens],
    ['New input', inputTokens],
    ['Output', outputTokens],
  ];
  const most = Math.max(...kinds.map(([, tokens]) => tokens), 1);
  const rows = kinds.map(
    ([name, tokens], at) =>
      `<span>${escaped(name)}</span><b>${escaped(`${thousands(tokens)} (${percent(tokens, all)})`)}</b>${shareBar(tokens / most, at)}`,
  );
  const thinking = reasoningTokens > 0 ? `<p class="soft">${thousands(reasoningTokens)} of them reasoning.</p>` : '';
  const least = partial > 0 ? '<p class="warn">+ at least this many: some reports are incomplete</p>' : '';
  return `<section aria-labelledby="kinds"><h2 id="kinds">Tokens by kind</h2><div class="kinds">${rows.join('\n')}</div>${thinking}${least}</section>`;
}

const spanText = ({ first, last, part }: Pick<Period, 'first' | 'last' | 'part'>): string =>
  `${first === last ? first : `${first} to ${last}`}${part === '' ? '' : ` (${part})`}`;

/** Every time where there is room, else the first, the middle and the last one. */
function endsOf(periods: readonly Period[]): readonly string[] {
  // What is added to a day stays together, on a line of its own where there is little room.
  const named = (day: string, { part }: Period): string => `${day} ${part.replaceAll(' ', '\u00a0')}`.trimEnd();
  const [first, last] = [periods[0], periods.at(-1)];
  if (periods.length <= 7 || !first || !last) return periods.map((period) => named(period.first, period));
  const middle = periods[Math.floor(periods.length / 2)];
  return [named(first.first, first), middle?.first ?? '', named(last.last, last)];
}

/** A column with the time, and one for each title; times without calls have no row. */
function timeTable(
  periods: readonly Period[],
  titles: readonly string[],
  cellsOf: (period: Period, at: number) => readonly string[],
): string {
  const columns = [{ title: 'time', kind: 'name' as const }, ...titles.map((title) => ({ title, kind: 'n' as const }))];
  const rows = periods.flatMap((period, at) =>
    period.calls > 0 ? [[spanText(period), ...cellsOf(period, at)].map(escaped)] : [],
  );
  return pageTable(columns, rows);
}
