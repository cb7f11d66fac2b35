/** The times that a query names: dates, months, years, and words such as "yesterday", in several languages. */
import * as words from '../../language/times.ts';
import type { Instant } from '../../store/ids.ts';

/** A time that is named: a stretch, or a day or month of any year. */
export type NamedTime =
  | { readonly type: 'stretch'; readonly from: Instant; readonly to: Instant }
  | { readonly type: 'season'; readonly month: number; readonly day?: number };

const day = 86_400_000;

/** Each way to write a time, and what it names; the first that fits a place in the text wins. */
const forms: readonly {
  readonly pattern: RegExp;
  readonly named: (match: RegExpExecArray, now: Instant) => NamedTime | undefined;
}[] = [
  { pattern: words.isoDates, named: ([, y, m, d]) => dated(y, m, d) },
  {
    pattern: words.yearsInCharacters,
    named: ([, y, m, d]) => dated(y, m, d),
  },
  { pattern: words.monthsInCharacters, named: ([, m, d]) => season(m, d) },
  {
    pattern: words.daysBeforeMonths,
    named: ([, d, m, y]) => named(m, d, y),
  },
  {
    pattern: words.namedMonths,
    named: (match) => (isMonthHere(match) ? named(match[1], match[2], match[3]) : undefined),
  },
  { pattern: words.plainYears, named: ([, y]) => dated(y) },
  {
    pattern: words.nearDays,
    named: ([text = '', , today], now) => days(now, today || /^today$/i.test(text) ? 0 : 1, 1),
  },
  {
    pattern: words.nearPeriods,
    named: ([, which = '', unit = ''], now) => period(now, unit, /this/i.test(which) ? 0 : 1),
  },
  {
    pattern: words.nearPeriodsInCharacters,
    named: ([, which = '', unit = ''], now) => period(now, unit, words.lastPeriods.test(which) ? 1 : 0),
  },
  {
    pattern: words.agoWords,
    named: ([, count = '', unit = ''], now) => ago(now, countOf(count), unit),
  },
  {
    pattern: words.agoInCharacters,
    named: ([, count = '', unit = ''], now) => ago(now, Number(count), unit),
  },
];

/** No question names more; what follows them is no help in ranking. */
const mostTimes = 24;

/** A time, and where in the query it is named. */
interface PlacedTime {
  readonly time: NamedTime;
  readonly start: number;
  readonly end: number;
}

/** The times in a query; empty for most. `now` is what "yesterday" is counted from. */
export const timesIn = (query: string, now: Instant): readonly NamedTime[] =>
  placedTimes(query, now).map(({ time }) => time);

/** The query without the words that name its times. */
export function withoutTimes(query: string, now: Instant): string {
  const last = placedTimes(query, now).toSorted((a, b) => b.start - a.start);
  return last.reduce((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, query);
}

function placedTimes(query: string, now: Instant): readonly PlacedTime[] {
  const taken: PlacedTime[] = [];
  for (const { pattern, named: read } of forms) {
    for (const match of query.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken.length >= mostTimes || taken.some((one) => start < one.end && end > one.start)) continue;
      const time = read(match, now);
      if (time) taken.push({ time, start, end });
    }
  }
  return taken;
}

/** How well an instant fits named times, 0 to 1; what lies near a stretch fits a little. */
export function timeFit(times: readonly NamedTime[], at: Instant): number {
  return times.reduce((best, time) => Math.max(best, fitOf(time, at)), 0);
}

function fitOf(time: NamedTime, at: Instant): number {
  if (time.type === 'season') {
    const date = new Date(at);
    if (date.getUTCMonth() + 1 !== time.month) return 0;
    return time.day === undefined || Math.abs(date.getUTCDate() - time.day) <= 1 ? 1 : 0.4;
  }
  const distance = at < time.from ? time.from - at : at >= time.to ? at - time.to : 0;
  if (distance === 0) return 1;
  const reach = Math.max(2 * day, (time.to - time.from) / 2);
  return distance < reach ? 1 - distance / reach : 0;
}

const stretch = (from: Instant, to: Instant): NamedTime => ({ type: 'stretch', from, to });

function dated(year?: string, month?: string, date?: string): NamedTime | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(date)];
  if (month === undefined) return stretch(Date.UTC(y, 0), Date.UTC(y + 1, 0));
  if (m < 1 || m > 12) return undefined;
  if (date === undefined) return stretch(Date.UTC(y, m - 1), Date.UTC(y, m));
  return d < 1 || d > 31 ? undefined : stretch(Date.UTC(y, m - 1, d), Date.UTC(y, m - 1, d + 1));
}

function season(month?: string, date?: string): NamedTime | undefined {
  const m = Number(month);
  if (m < 1 || m > 12) return undefined;
  return { type: 'season', month: m, ...(date === undefined ? {} : { day: Number(date) }) };
}

function named(name = '', date?: string, year?: string): NamedTime | undefined {
  const month = words.months.get(name.toLowerCase());
  if (month === undefined) return undefined;
  return year === undefined ? season(String(month), date) : dated(year, String(month), date);
}

/** "May" and "march" are also verbs: alone they name a month only with a capital behind another word. */
function isMonthHere({ index, input, 1: name = '', 2: date, 3: year }: RegExpExecArray): boolean {
  if (date !== undefined || year !== undefined) return true;
  const isAmbiguous = words.ambiguousMonths.test(name);
  return /^[A-Z]/.test(name) && index > 0 && (!isAmbiguous || words.beforeMonths.test(input.slice(0, index)));
}

const midnight = (at: Instant): Instant => Math.floor(at / day) * day;

const days = (now: Instant, back: number, count: number): NamedTime =>
  stretch(midnight(now) - back * day, midnight(now) + (count - back) * day);

function period(now: Instant, unit: string, back: number): NamedTime {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (words.monthUnits.test(unit)) return stretch(Date.UTC(year, month - back), Date.UTC(year, month - back + 1));
  if (words.yearUnits.test(unit)) return stretch(Date.UTC(year - back, 0), Date.UTC(year - back + 1, 0));
  const monday = midnight(now) - ((date.getUTCDay() + 6) % 7) * day;
  return stretch(monday - back * 7 * day, monday + (1 - back) * 7 * day);
}

const countOf = (text: string): number => Number(text) || Math.max(1, words.numberWords.indexOf(text.toLowerCase()));

/** Some units ago, as exactly as people mean it: half a unit to either side. */
function ago(now: Instant, count: number, unit: string): NamedTime {
  const length = words.dayUnits.test(unit)
    ? 1
    : words.weekUnits.test(unit)
      ? 7
      : words.agoMonthUnits.test(unit)
        ? 30.4
        : 365.25;
  const middle = midnight(now) - count * length * day;
  const reach = length === 1 ? 0 : (length / 2) * day;
  return stretch(middle - reach, middle + reach + day);
}
