/** The times that a query names: dates, months, years, and words such as "yesterday", in several languages. */
import type { Instant } from '../../store/ids.ts';

/** A time that is named: a stretch, or a day or month of any year. */
export type NamedTime =
  | { readonly type: 'stretch'; readonly from: Instant; readonly to: Instant }
  | { readonly type: 'season'; readonly month: number; readonly day?: number };

const day = 86_400_000;

const monthNames = 'january|february|march|april|may|june|july|august|september|october|november|december';
const months = new Map(
  monthNames.split('|').flatMap((name, i) => [[name, i + 1] as const, [name.slice(0, 3), i + 1] as const]),
);
months.set('sept', 9);
const monthName = [...months.keys()].sort((a, b) => b.length - a.length).join('|');

/** Each way to write a time, and what it names; the first that fits a place in the text wins. */
const forms: readonly {
  readonly pattern: RegExp;
  readonly named: (match: RegExpExecArray, now: Instant) => NamedTime | undefined;
}[] = [
  { pattern: /\b((?:19|20)\d\d)-(\d\d?)(?:-(\d\d?))?\b/g, named: ([, y, m, d]) => dated(y, m, d) },
  {
    pattern: /((?:19|20)\d\d)\s*[年년]\s*(?:(\d\d?)\s*[月월]\s*(?:(\d\d?)\s*[日号일])?)?/g,
    named: ([, y, m, d]) => dated(y, m, d),
  },
  { pattern: /(\d\d?)\s*[月월]\s*(?:(\d\d?)\s*[日号일])?/g, named: ([, m, d]) => season(m, d) },
  {
    pattern: new RegExp(
      `\\b(\\d\\d?)(?:st|nd|rd|th)?\\s+(?:of\\s+)?(${monthName})\\b\\.?(?:,?\\s+((?:19|20)\\d\\d))?`,
      'gi',
    ),
    named: ([, d, m, y]) => named(m, d, y),
  },
  {
    pattern: new RegExp(
      `\\b(${monthName})\\b\\.?(?:\\s+(\\d\\d?)(?:st|nd|rd|th)?\\b)?(?:,?\\s+(?:of\\s+)?((?:19|20)\\d\\d))?`,
      'gi',
    ),
    named: (match) => (isMonthHere(match) ? named(match[1], match[2], match[3]) : undefined),
  },
  { pattern: /\b((?:19|20)\d\d)\b/g, named: ([, y]) => dated(y) },
  {
    pattern: /\b(today|yesterday)\b|(今天|今日|오늘)|(昨天|昨日|어제)/gi,
    named: ([text = '', , today], now) => days(now, today || /^today$/i.test(text) ? 0 : 1, 1),
  },
  {
    pattern: /\b(this|last|past)\s+(week|month|year)\b/gi,
    named: ([, which = '', unit = ''], now) => period(now, unit, /this/i.test(which) ? 0 : 1),
  },
  {
    pattern: /(这|這|本|今|上|先|去|지난|이번)\s*(?:个|個)?(周|週|星期|礼拜|月|年|주|달|해)/g,
    named: ([, which = '', unit = ''], now) => period(now, unit, /[上先去]|지난/.test(which) ? 1 : 0),
  },
  {
    pattern: /\b(\d{1,3}|a|an|one|two|three|four|five|six)\s+(day|week|month|year)s?\s+ago\b/gi,
    named: ([, count = '', unit = ''], now) => ago(now, countOf(count), unit),
  },
  {
    pattern: /(\d{1,3})\s*(天|日|周|週|个月|個月|か月|年|일|주|개월|년)\s*(?:以?前|전)/g,
    named: ([, count = '', unit = ''], now) => ago(now, Number(count), unit),
  },
];

/** No question names more; what follows them is no help in ranking. */
const mostTimes = 24;

/** The times in a query; empty for most. `now` is what "yesterday" is counted from. */
export function timesIn(query: string, now: Instant): readonly NamedTime[] {
  const taken: { readonly start: number; readonly end: number }[] = [];
  return forms.flatMap(({ pattern, named: read }) =>
    query
      .matchAll(pattern)
      .flatMap((match) => {
        const [start, end] = [match.index, match.index + match[0].length];
        if (taken.length >= mostTimes || taken.some((one) => start < one.end && end > one.start)) return [];
        const time = read(match, now);
        if (time) taken.push({ start, end });
        return time ? [time] : [];
      })
      .toArray(),
  );
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
  const month = months.get(name.toLowerCase());
  if (month === undefined) return undefined;
  return year === undefined ? season(String(month), date) : dated(year, String(month), date);
}

/** "May" and "march" are also verbs: alone they name a month only with a capital behind another word. */
function isMonthHere({ index, input, 1: name = '', 2: date, 3: year }: RegExpExecArray): boolean {
  if (date !== undefined || year !== undefined) return true;
  const isAmbiguous = /^(?:may|mar|march|dec|jan|jun|sep)$/i.test(name);
  return (
    /^[A-Z]/.test(name) &&
    index > 0 &&
    (!isAmbiguous ||
      /\b(?:in|last|since|until|before|after|during|of|by|from|early|late|mid|this|next)[\s-]+$/i.test(
        input.slice(0, index),
      ))
  );
}

const midnight = (at: Instant): Instant => Math.floor(at / day) * day;

const days = (now: Instant, back: number, count: number): NamedTime =>
  stretch(midnight(now) - back * day, midnight(now) + (count - back) * day);

function period(now: Instant, unit: string, back: number): NamedTime {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (/month|月|달/i.test(unit)) return stretch(Date.UTC(year, month - back), Date.UTC(year, month - back + 1));
  if (/year|年|해/i.test(unit)) return stretch(Date.UTC(year - back, 0), Date.UTC(year - back + 1, 0));
  const monday = midnight(now) - ((date.getUTCDay() + 6) % 7) * day;
  return stretch(monday - back * 7 * day, monday + (1 - back) * 7 * day);
}

const numberWords = ['', 'one', 'two', 'three', 'four', 'five', 'six'];

const countOf = (text: string): number => Number(text) || Math.max(1, numberWords.indexOf(text.toLowerCase()));

/** Some units ago, as exactly as people mean it: half a unit to either side. */
function ago(now: Instant, count: number, unit: string): NamedTime {
  const length = /^(?:day|天|日|일)/i.test(unit)
    ? 1
    : /week|周|週|주/i.test(unit)
      ? 7
      : /month|月|개월/i.test(unit)
        ? 30.4
        : 365.25;
  const middle = midnight(now) - count * length * day;
  const reach = length === 1 ? 0 : (length / 2) * day;
  return stretch(middle - reach, middle + reach + day);
}
