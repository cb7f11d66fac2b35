/** Days joined to weeks or more, so that a long time fits into a chart. */
import { sumUsage } from '../../store/sum-usage.ts';
import type { UsageTotals } from '../../store/usage-store.ts';
import type { DayUsage, UsageGroup } from '../../usage/insights.ts';

/** Some days in a row. */
export interface Period extends UsageTotals {
  readonly first: string;
  readonly last: string;
  readonly models: readonly UsageGroup[];
}

/** At most `most` periods of equal length, the last one perhaps shorter; the days themselves where they fit. */
export function periodsOf(days: readonly DayUsage[], most: number): readonly Period[] {
  const length = lengths.find((one) => Math.ceil(days.length / one) <= most) ?? Math.ceil(days.length / most);
  const periods: Period[] = [];
  for (let start = 0; start < days.length; start += length) periods.push(periodOf(days.slice(start, start + length)));
  return periods;
}

/** Days, weeks, four weeks, quarters. */
const lengths = [1, 7, 28, 91] as const;

function periodOf(days: readonly DayUsage[]): Period {
  const models = Map.groupBy(
    days.flatMap((day) => day.models),
    ({ name }) => name,
  );
  return {
    first: days[0]?.day ?? '',
    last: days.at(-1)?.day ?? '',
    models: [...models].map(([name, all]) => ({ name, ...sumUsage(all) })),
    ...sumUsage(days),
  };
}

/** How long the periods are, for the title of a chart. */
export function periodName({ first, last }: Pick<Period, 'first' | 'last'>): string {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
  const names: Readonly<Record<number, string>> = { 1: 'day', 7: 'week', 28: 'four weeks', 91: 'quarter' };
  return names[days] ?? `${days} days`;
}
