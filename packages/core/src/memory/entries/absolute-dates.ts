/** Words such as "yesterday" as dates: an entry is read long after the day on which they were true. Pure. */

import {
  type DayUnit,
  quotedStretches,
  type RelativeDays,
  relativeDays,
  type Shift,
} from '../../language/relative-days.ts';
import { boundDaysIn } from './day-bounds.ts';

interface Found {
  readonly start: number;
  readonly end: number;
  /** What stands there instead; absent where only the day of writing is told, at the end of the text. */
  readonly date?: string;
  readonly asOf?: string;
}

/**
 * A text in which days are told by their dates: `2026-11-22`, `2026-W48` (ISO 8601) for a week, `2026-12` and `2027`. What is
 * quoted stands as it is. "In 30 days" may be a rule, so there the day of writing is added instead, as it is where "from Friday" may be the last one.
 *
 * @param writtenAt milliseconds since 1970; the day is that of the machine's time zone
 */
export function withAbsoluteDates(text: string, writtenAt: number): string {
  const quoted = [...text.matchAll(quotedStretches)].map(({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
  }));
  const now = new Date(writtenAt);
  const found = [...relativeDays().flatMap((words) => findIn(text, words, now)), ...findBounds(text, now)]
    .filter(({ start, end }) => !quoted.some((one) => start < one.end && end > one.start))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let result = '';
  let at = 0;
  let asOf: string | undefined;
  for (const { start, end, date, ...one } of found) {
    if (start < at) continue;
    asOf ??= one.asOf;
    result += `${text.slice(at, start)}${date ?? text.slice(start, end)}`;
    at = end;
  }
  return `${result}${text.slice(at)}${asOf === undefined || text.includes(asOf) ? '' : ` ${asOf}`}`;
}

function findIn(text: string, words: RelativeDays, now: Date): readonly Found[] {
  const named = words.phrases.flatMap(([pattern, shift]) =>
    [...text.matchAll(pattern)].map((match) => ({ ...placeOf(match), date: dateOf(now, shift) })),
  );
  const ago = words.ago.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const shift = shiftOf(match, words);
      return shift ? [{ ...placeOf(match), date: dateOf(now, { ...shift, by: -shift.by }) }] : [];
    }),
  );
  const asOf = words.asOf.replace('$', dateOf(now, { unit: 'day', by: 0 }));
  const ahead = words.ahead.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => (shiftOf(match, words) ? [{ ...placeOf(match), asOf }] : [])),
  );
  const weekdays = words.weekdays.flatMap(([pattern, direction]) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const name = (match.groups?.day ?? '').toLowerCase();
      const day = words.dayNames.findIndex((one) => one.includes(name));
      if (day === -1) return [];
      const by = typeof direction === 'number' ? daysInWeek(now, day, direction) : daysTo(now, day, direction);
      return [{ ...placeOf(match), date: dateOf(now, { unit: 'day', by }) }];
    }),
  );
  return [...named, ...ago, ...ahead, ...weekdays];
}

function findBounds(text: string, now: Date): readonly Found[] {
  const written = dateOf(now, { unit: 'day', by: 0 });
  const today = new Date(`${written}T00:00:00Z`);
  return boundDaysIn(text, today).map(({ start, end, date, asOf }) =>
    date ? { start, end, date: isoDay(date) } : { start, end, asOf: asOf.replace('$', written) },
  );
}

const placeOf = ({ 0: run, index }: RegExpExecArray): { readonly start: number; readonly end: number } => ({
  start: index,
  end: index + run.length,
});

/** Undefined for a word that is no number. */
function shiftOf({ groups = {} }: RegExpExecArray, { numbers, units }: RelativeDays): Shift | undefined {
  const { count = '1', unit, other } = groups;
  const by = /^\d+$/.test(count) ? Number(count) : numbers[count.toLowerCase()];
  const name = (unit ?? other ?? '').toLowerCase();
  const known = units.find(([beginning]) => name.startsWith(beginning));
  return by === undefined || !known ? undefined : { unit: known[1], by };
}

/** From 1 to 7 days on, back, or from today on. */
function daysTo(now: Date, day: number, direction: 'next' | 'last' | 'coming'): number {
  const ahead = (day - now.getDay() + 7) % 7;
  if (direction === 'coming') return ahead;
  if (direction === 'next') return ahead === 0 ? 7 : ahead;
  return ahead - 7;
}

/** A day of a week that begins on Monday, so many weeks from this one. */
const daysInWeek = (now: Date, day: number, weeks: number): number =>
  ((day + 6) % 7) - ((now.getDay() + 6) % 7) + 7 * weeks;

function dateOf(now: Date, { unit, by }: Shift): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const formats: Readonly<Record<DayUnit, () => string>> = {
    day: () => isoDay(new Date(Date.UTC(year, month, day + by))),
    week: () => isoWeek(new Date(Date.UTC(year, month, day + 7 * by))),
    month: () => isoDay(new Date(Date.UTC(year, month + by, 1))).slice(0, 7),
    year: () => String(year + by),
  };
  return formats[unit]();
}

const isoDay = (date: Date): string => date.toISOString().slice(0, 10);

/** The week of ISO 8601: its Thursday tells its year. */
function isoWeek(date: Date): string {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * 86_400_000);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = 1 + Math.floor((thursday.getTime() - first) / (7 * 86_400_000));
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
