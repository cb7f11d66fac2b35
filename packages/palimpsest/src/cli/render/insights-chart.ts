/** Usage over time as columns, the models stacked in them. */
import type { UsageTotals } from '@palimpsest/core/store';
import { type Insights, moneyLabel } from '@palimpsest/core/usage';
import { chartStyles, columnChart } from './column-chart.ts';
import { measureOf } from './insights-groups.ts';
import { type Period, periodName, periodsOf } from './insights-periods.ts';
import { glyph, type Screen, styled } from './screen.ts';
import { shortCount } from './short-count.ts';
import { fill, oneLine, wrap } from './text.ts';

const height = 7;
/** Room for the scale and the margins. */
const scaleRoom = 14;
const widestPitch = 4;

/** A chart of the price, or where none is known of the tokens; no line where there is only one day. */
export function chartLines({ days, models, totals }: Insights, screen: Screen): readonly string[] {
  const width = screen.columns - scaleRoom;
  const periods = periodsOf(days, width);
  const [first] = periods;
  if (periods.length < 2 || !first) return [];
  const isMoney = (totals.costUsd ?? 0) > 0;
  const named = models.slice(0, models.length > chartStyles.length ? chartStyles.length - 1 : chartStyles.length);
  const names = named.map(({ name }) => name);
  const columns = periods.map((period) => partsOf(period, names, measureOf(totals)));
  const labelOf = (value: number): string =>
    isMoney ? moneyLabel({ status: 'estimated', amount: value }) : shortCount(value);
  const pitch = Math.max(1, Math.min(widestPitch, Math.floor(width / periods.length)));
  const { lines, indent } = columnChart(columns, { height, labelOf, pitch }, screen);
  const span = (periods.length - 1) * pitch + 1;
  const [start, end] = endsOf(periods);
  const ends = start + fill(end, Math.max(end.length + 1, span - start.length), 'right');
  const title = `${isMoney ? 'price' : 'tokens'} per ${periodName(first)}`;
  return [
    `  ${styled(title, 'dim', screen)}`,
    ...lines.map((line) => `  ${line}`),
    `  ${' '.repeat(indent)}${styled(ends, 'dim', screen)}`,
    ...(screen.colour && names.length > 1 ? keyLines(names, models.length > names.length, screen) : []),
  ];
}

/** What stands under the first and the last column, and why they may be lower than the others. */
function endsOf(periods: readonly Period[]): readonly [string, string] {
  const [first, last] = [periods[0], periods.at(-1)];
  const named = (day: string, part: string): string => (part === '' ? day : `${day} ${part}`);
  return [named(first?.first ?? '', first?.part ?? ''), named(last?.last ?? '', last?.part ?? '')];
}

/** What each of the models used, and all others together. */
function partsOf(
  period: Period,
  names: readonly string[],
  measure: (totals: UsageTotals) => number,
): readonly number[] {
  const parts = names.map((name) =>
    period.models.reduce((sum, model) => sum + (model.name === name ? measure(model) : 0), 0),
  );
  const rest = measure(period) - parts.reduce((sum, part) => sum + part, 0);
  return [...parts, Math.max(0, rest)];
}

/** Wrapped without the colours, which take no room. */
function keyLines(names: readonly string[], hasOthers: boolean, screen: Screen): readonly string[] {
  const mark = glyph(screen, '█', '#');
  const words = [...names.map(oneLine), ...(hasOthers ? ['others'] : [])];
  // What is wrapped has no spaces inside of a name.
  const text = words.map((name) => `${mark}\u00a0${name.replaceAll(' ', '\u00a0')}`).join(' ');
  const lines = wrap(text, screen.columns - 2);
  let part = 0;
  return lines.map((line) => {
    const coloured = line.replaceAll(mark, () =>
      styled(mark, chartStyles[Math.min(part++, chartStyles.length - 1)], screen),
    );
    return `  ${coloured.replaceAll(' ', '  ').replaceAll('\u00a0', ' ')}`;
  });
}
