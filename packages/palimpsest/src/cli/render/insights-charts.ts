/** The charts of the page: price by model, what came from the cache, tokens by kind. */
import { sumUsage, type UsageTotals } from '@palimpsest/core/store';
import { cacheShareOf, costLabel, type Insights, promptTokensIn } from '@palimpsest/core/usage';
import { visible } from '../../terminal/visible.ts';
import { measureOf, type Period, periodName, periodsOf } from './insights-groups.ts';
import { percent, shortCount, thousands } from './text.ts';

/** More columns than this are too thin to see or to point at. */
const mostColumns = 92;

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
    bars,
    ends: endsOf(periods),
    key,
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
    bars,
    ends: endsOf(periods),
    key: [],
    top: 1,
    labelOf: (value) => `${Math.round(value * 100)} %`,
    table: timeTable(periods, ['tokens in', 'cached', 'share'], (period) => [
      thousands(promptTokensIn(period)),
      thousands(period.cacheReadTokens),
      shareText(period),
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

// Charts over time: stacked columns in SVG, which stretch with the page, their words beside it in HTML, which do not.

interface PageBar {
  /** What shows when the pointer rests on it, and what a screen reader says. */
  readonly title: string;
  /** From the bottom up. */
  readonly parts: readonly number[];
  /** True where it stands for less time than the others. */
  readonly isPart: boolean;
}

interface PageChart {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly bars: readonly PageBar[];
  /** What stands below every column, or below the first, the middle and the last one. */
  readonly ends: readonly string[];
  readonly labelOf: (value: number) => string;
  /** The top of the scale. @default a round number above the highest column */
  readonly top?: number;
  /** The names of the parts; none where there is only one. */
  readonly key: readonly string[];
  /** The same figures as a table, as HTML. */
  readonly table: string;
}

/** Colours by the place of the part. */
function chartFigure({ id, title, description, bars, ends, labelOf, key, table, ...chart }: PageChart): string {
  const sums = bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
  const top = chart.top ?? roundTop(Math.max(...sums, 0));
  const scale = [top, top / 2, 0].map((value) => `<span>${escaped(labelOf(value))}</span>`).join('');
  const names = key.map((name, at) => `<li><i class="c${at}"></i>${escaped(name)}</li>`).join('');
  return `<figure aria-labelledby="${id}">
<figcaption><h2 id="${id}">${escaped(title)}</h2></figcaption>
<div class="plot"><div class="scale" aria-hidden="true">${scale}</div>${columnsSvg(bars, { top, description })}
<div class="ends${ends.length === bars.length ? ' each' : ''}">${ends.map((end) => `<span>${escaped(end)}</span>`).join('')}</div></div>
${key.length > 1 ? `<ul class="key">${names}</ul>` : ''}
<details><summary>Show as a table</summary>${table}</details>
</figure>`;
}

/** Each column is one unit wide, the scale 100 units high. */
function columnsSvg(
  bars: readonly PageBar[],
  { top, description }: { readonly top: number; readonly description: string },
): string {
  const width = Math.max(1, bars.length);
  const lines = [0, 50, 100].map((y) => `<line x1="0" x2="${width}" y1="${y}" y2="${y}"/>`).join('');
  const groups = bars.map((bar, at) => columnGroup(bar, at, { top, fullness: fullnessOf(bars.length) })).join('\n');
  return `<svg viewBox="0 0 ${width} 100" preserveAspectRatio="none" role="img" aria-label="${escaped(description)}">
${lines}
${groups}
</svg>`;
}

/** How much of its unit a column fills: a few columns stay slim. */
const fullnessOf = (columns: number): number => Math.min(0.78, Math.max(0.15, columns / 16));
/** Less than this cannot be seen. */
const leastHeight = 0.8;

function columnGroup(
  { title, parts, isPart }: PageBar,
  at: number,
  { top, fullness }: { readonly top: number; readonly fullness: number },
): string {
  const x = decimals(at + (1 - fullness) / 2);
  let y = 100;
  const rects = parts.flatMap((part, place) => {
    if (part <= 0) return [];
    const height = Math.max(leastHeight, (part / top) * 100);
    y -= height;
    return [
      `<rect class="c${place}" x="${x}" y="${decimals(y)}" width="${decimals(fullness)}" height="${decimals(height)}"/>`,
    ];
  });
  const hit = `<rect class="hit" x="${at}" y="0" width="1" height="100"/>`;
  return `<g${isPart ? ' class="part"' : ''}><title>${escaped(title)}</title>${hit}${rects.join('')}</g>`;
}

/** Tops of a scale whose half is easy to read, too. */
const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10] as const;

/** The next of the steps times a power of ten. */
function roundTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = steps.find((one) => one * power >= most) ?? 10;
  return step * power;
}

// Pieces of HTML: whatever comes from a store is made harmless here.

/** How many parts have a colour of their own; the last one is for all others. */
export const pageColours = 6;

/** The colour of a part among so many; where there are not enough colours, the last one is shared. */
export const colourOf = (part: number, parts: number): number =>
  parts > pageColours ? Math.min(part, pageColours - 1) : part;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML, in attributes too. */
export function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

export interface PageColumn {
  readonly title: string;
  /** Numbers (`n`) stand at the right; bars and what is `less` important are left out on a phone. */
  readonly kind: 'name' | 'n' | 'n less' | 'bar';
}

/** A table; cells are HTML. */
export function pageTable(columns: readonly PageColumn[], rows: readonly (readonly string[])[]): string {
  const head = columns.map(({ title, kind }) => `<th scope="col" class="${kind}">${escaped(title)}</th>`).join('');
  const body = rows.map((cells) => {
    const shown = columns.map(({ kind }, at) => `<td class="${kind}">${cells[at] ?? ''}</td>`);
    return `<tr>${shown.join('')}</tr>`;
  });
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

export function shareBar(share: number, colour: number): string {
  const width = share > 0 ? Math.max(0.7, Math.min(1, share) * 100) : 0;
  const rect = `<rect class="c${colour}" width="${decimals(width)}" height="10" rx="0.6"/>`;
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${rect}</svg>`;
}

export const decimals = (value: number): string => String(Math.round(value * 1_000) / 1_000);
