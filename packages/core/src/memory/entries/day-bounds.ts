/** "From Friday" and "until the end of March" as dates, where the words leave no doubt which day they mean. Pure. */
import { weekdays } from '../../language/calendar.ts';
import { comingBack, type DayBounds, dayBounds, dayOfEachWeek, narrowsDay } from '../../language/day-bounds.ts';

/** A day by its name. `date` is undefined where nobody can know which one is meant; then the day of writing is told. */
export interface BoundDay {
  readonly start: number;
  readonly end: number;
  readonly date?: Date;
  readonly asOf: string;
}

/** As far as words that belong to a name of a day stand from it. */
const near = 40;
/** Two names so near to each other are a stretch, or a list. */
const nearDays = 12;
/** Farther ahead, the same month may as well have been. */
const mostMonths = 6;

/** The days that bound something in a text; `today` is one in UTC. Linear. */
export function boundDaysIn(text: string, today: Date): readonly BoundDay[] {
  const names = [...text.matchAll(weekdays)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    day: Object.entries(match.groups ?? {}).findIndex(([, name]) => name !== undefined),
    isEach: dayOfEachWeek.test(match[0]),
  }));
  const days = names.flatMap(({ start, end, day, isEach }, at): readonly BoundDay[] => {
    const isList =
      start - (names[at - 1]?.end ?? Number.NEGATIVE_INFINITY) < nearDays ||
      (names[at + 1]?.start ?? Number.POSITIVE_INFINITY) - end < nearDays;
    if (isEach || isList || narrowsDay.test(text.slice(end, end + near))) return [];
    const sentence = sentenceAt(text, start, end);
    if (comingBack.test(sentence)) return [];
    const bound = boundOf(text.slice(Math.max(0, start - near), start), text.slice(end, end + near), sentence);
    if (!bound) return [];
    const ahead = (day - today.getUTCDay() + 7) % 7;
    // On the day itself it is this one or the next.
    const isKnown = bound.isAhead && ahead > 0;
    return [{ start, end, asOf: bound.asOf, ...(isKnown ? { date: shifted(today, ahead) } : {}) }];
  });
  return [...days, ...dayBounds.flatMap((bounds) => monthEndsIn(text, today, bounds))];
}

function sentenceAt(text: string, start: number, end: number): string {
  const before = /[^.!?;。！？；\n]*$/u.exec(text.slice(Math.max(0, start - 300), start))?.[0] ?? '';
  const behind = /^[^.!?;。！？；\n]*/u.exec(text.slice(end, end + 300))?.[0] ?? '';
  return `${before}${text.slice(start, end)}${behind}`;
}

function boundOf(
  left: string,
  right: string,
  sentence: string,
): { readonly isAhead: boolean; readonly asOf: string } | undefined {
  for (const { asOf, ahead, aheadBehind, unsure, unsureBehind, planned, past } of dayBounds) {
    if ((ahead ?? aheadBehind) && (ahead?.test(left) ?? true) && (aheadBehind?.test(right) ?? true))
      return { isAhead: past?.test(sentence) !== true, asOf };
    if (unsure?.test(left) || unsureBehind?.test(right)) return { isAhead: planned?.test(sentence) === true, asOf };
  }
  return undefined;
}

function monthEndsIn(text: string, today: Date, { monthEnds, asOf }: DayBounds): readonly BoundDay[] {
  return [...text.matchAll(monthEnds)].flatMap((match): readonly BoundDay[] => {
    const [start, end] = [match.index, match.index + match[0].length];
    if (comingBack.test(sentenceAt(text, start, end))) return [];
    const { n, ...groups } = match.groups ?? {};
    const month = n === undefined ? Object.values(groups).findIndex((name) => name !== undefined) : Number(n) - 1;
    if (month < 0 || month > 11) return [];
    const ahead = (month - today.getUTCMonth() + 12) % 12;
    if (ahead > mostMonths) return [{ start, end, asOf }];
    return [{ start, end, asOf, date: new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + ahead + 1, 0)) }];
  });
}

const shifted = (day: Date, by: number): Date => new Date(day.getTime() + by * 86_400_000);
