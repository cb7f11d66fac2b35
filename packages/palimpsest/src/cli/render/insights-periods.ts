/** Days joined to weeks or more, so that a long time fits into a chart; what is no whole one says so. */
import { sumUsage, type UsageTotals } from '@palimpsest/core/store';
import { type DayUsage, dayStart, type UsageGroup } from '@palimpsest/core/usage';
import { counted } from './text.ts';
import { timeText } from './time.ts';

/** Some days in a row. */
export interface Period extends UsageTotals {
  readonly first: string;
  readonly last: string;
  readonly models: readonly UsageGroup[];
  /** Why its column is lower than it could be, such as `so far` or `from 14:30`; empty for a whole one. */
  readonly part: string;
}

/** At most `most` periods of equal length, the last one perhaps shorter; the days themselves where they fit. */
export function periodsOf(days: readonly DayUsage[], most: number): readonly Period[] {
  const length = lengths.find((one) => Math.ceil(days.length / one) <= most) ?? Math.ceil(days.length / most);
  const periods: Period[] = [];
  for (let start = 0; start < days.length; start += length)
    periods.push(periodOf(days.slice(start, start + length), length));
  return periods;
}

/** Days, weeks, four weeks, quarters. */
const lengths = [1, 7, 28, 91] as const;

function periodOf(days: readonly DayUsage[], length: number): Period {
  const models = Map.groupBy(
    days.flatMap((day) => day.models),
    ({ name }) => name,
  );
  return {
    first: days[0]?.day ?? '',
    last: days.at(-1)?.day ?? '',
    models: [...models].map(([name, all]) => ({ name, ...sumUsage(all) })),
    part: partText(days) || (days.length < length ? `only ${counted(days.length, 'day')}` : ''),
    ...sumUsage(days),
  };
}

/** What is missing of days: a time that begins or ends within one of them, or that goes on. Empty for whole days. */
export function partText(days: readonly Pick<DayUsage, 'from' | 'until' | 'isOver'>[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return '';
  const clock = (instant: number): string => timeText(instant).slice(-5);
  const words = [
    ...(first.from > dayStart(first.from) ? [`from ${clock(first.from)}`] : []),
    ...(last.until > dayStart(last.until) ? [`to ${clock(last.until)}`] : last.isOver ? [] : ['so far']),
  ];
  return words.join(' ');
}

/** How long the periods are, for the title of a chart. */
export function periodName({ first, last }: Pick<Period, 'first' | 'last'>): string {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
  const names: Readonly<Record<number, string>> = { 1: 'day', 7: 'week', 28: 'four weeks', 91: 'quarter' };
  return names[days] ?? `${days} days`;
}

/** `31 days, the last one is not over`. */
export function daysText(days: readonly DayUsage[]): string {
  const [first, last] = [days[0], days.at(-1)];
  const ofFirst = first && days.length > 1 ? partText([first]) : '';
  const ofLast = last ? partText([last]) : '';
  const which = days.length > 1 ? 'the last day ' : '';
  return [
    counted(days.length, 'day'),
    ...(ofFirst === '' ? [] : [`the first day ${ofFirst}`]),
    ...(ofLast === '' ? [] : [ofLast === 'so far' && days.length > 1 ? `${which}is incomplete` : `${which}${ofLast}`]),
  ].join(', ');
}
