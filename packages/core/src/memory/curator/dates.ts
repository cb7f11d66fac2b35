/** Dates in a text, in any of their forms, and until when it says that something holds. */
import {
  beginsThere,
  characterDates,
  dayFirstDates,
  dayMonthDates,
  endsBefore,
  endsBehind,
  endsOfWeek,
  monthDayDates,
  weekdays,
  yearFirstDates,
} from '../../language/calendar.ts';
import type { Instant } from '../../store/ids.ts';

/** A date in a text; `end` of the day in the time zone that is the latest to see it end. */
export interface FoundDate {
  readonly start: number;
  readonly end: number;
  /** When its day is over everywhere on Earth. */
  readonly over: Instant;
}

const day = 86_400_000;
/** The last time zone is twelve hours behind UTC. */
const lastZone = day / 2;

type Named = Readonly<Record<string, string | undefined>> | undefined;

const monthOf = (groups: Named): number =>
  Number(
    Object.entries(groups ?? {})
      .find(([name, text]) => /^m\d+$/.test(name) && text !== undefined)?.[0]
      .slice(1) ?? 0,
  );

/** All dates of a text. One without its year is the next such day after `said`. */
export function datesIn(text: string, said: Instant): readonly FoundDate[] {
  const found: FoundDate[] = [];
  const take = (
    match: RegExpMatchArray,
    parts: readonly [year: string | undefined, month: number, day: number],
  ): void => {
    const over = overOf(parts, said);
    const start = match.index ?? 0;
    const end = start + match[0].length;
    if (over !== undefined && !found.some((other) => start < other.end && other.start < end))
      found.push({ start, end, over });
  };
  for (const match of text.matchAll(yearFirstDates)) take(match, [match[1], Number(match[2]), Number(match[3])]);
  for (const match of text.matchAll(characterDates)) take(match, [match[1], Number(match[2]), Number(match[3])]);
  for (const match of text.matchAll(dayMonthDates))
    take(match, [match.at(-1), monthOf(match.groups), Number(match[1])]);
  for (const match of text.matchAll(monthDayDates))
    take(match, [match.at(-1), monthOf(match.groups), Number(match.at(-2))]);
  for (const match of text.matchAll(dayFirstDates)) take(match, dayFirst(match, said));
  return found;
}

/** With slashes nobody knows which number is the month: the later day is meant, so that nothing ends too soon. */
function dayFirst(
  [, a, sign, b, year]: RegExpMatchArray,
  said: Instant,
): readonly [string | undefined, number, number] {
  const [first, second] = [Number(a), Number(b)];
  const european = overOf([year, second, first], said) ?? 0;
  const american = sign === '/' ? (overOf([year, first, second], said) ?? 0) : 0;
  return american > european ? [year, first, second] : [year, second, first];
}

function overOf(
  [year, month, date]: readonly [string | undefined, number, number],
  said: Instant,
): Instant | undefined {
  if (month < 1 || month > 12 || date < 1 || date > 31) return undefined;
  if (year !== undefined) return Date.UTC(Number(year), month - 1, date) + day + lastZone;
  const next = Date.UTC(new Date(said).getUTCFullYear(), month - 1, date) + day + lastZone;
  return next > said ? next : Date.UTC(new Date(said).getUTCFullYear() + 1, month - 1, date) + day + lastZone;
}

/**
 * Until when a text says that it holds: the last day that it names as an end. Of what was said after its own end it tells
 * nothing: "lived in Kiel until May 2020" is no less so today.
 */
export function endOf(text: string, said: Instant): Instant | undefined {
  const dates = datesIn(text, said);
  const ends = dates.filter((date) => isEnd(text, date)).map(({ over }) => over);
  const weeks = dates.length === 0 ? endsByWeekday(text, said) : [];
  const future = [...ends, ...weeks].filter((over) => over > said);
  return future.length === 0 || future.length < ends.length ? undefined : Math.max(...future);
}

const near = 30;

function isEnd(text: string, { start, end }: FoundDate): boolean {
  if (endsBehind.test(text.slice(end))) return true;
  const before = text.slice(Math.max(0, start - near), start);
  const words = [...before.matchAll(new RegExp(endsBefore.source, 'giu'))].at(-1);
  if (!words) return false;
  const between = before.slice(words.index + words[0].length);
  return (
    !beginsThere.test(between) && !/[.;!?。；！？]/.test(between) && (between.match(/[\p{L}\d]+/gu)?.length ?? 0) <= 2
  );
}

/** `until Friday`, said before one. A text with two days names a stretch of every week. */
function endsByWeekday(text: string, said: Instant): readonly Instant[] {
  const [only, ...more] = [...text.matchAll(weekdays)];
  if (!only || more.length > 0) return [];
  const start = only.index;
  const behind = text.slice(start + only[0].length);
  if (!endsOfWeek.test(text.slice(0, start)) && !/^\s*(?:まで|为止|까지)/.test(behind)) return [];
  const wanted = Number(
    Object.entries(only.groups ?? {})
      .find(([, found]) => found !== undefined)?.[0]
      .slice(1),
  );
  const from = new Date(said);
  const ahead = (wanted - from.getUTCDay() + 7) % 7 || 7;
  return [Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate() + ahead) + day + lastZone];
}
