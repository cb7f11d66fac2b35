/** Times as people type them. */

export interface WhenOptions {
  /** Milliseconds since 1970: what `now`, `yesterday` and `2w` are counted from. */
  readonly now: number;
  /**
   * What of a day, a month or a year is meant: its first instant, or the one after its last.
   * @default start
   */
  readonly edge?: 'start' | 'end';
}

/** What to type, for messages and help texts. */
export const whenForms = '2026-01-31, "2026-01-31 14:30", 36h, 3d, 2w, 6mo, 1y, today or yesterday';

/**
 * The instant that a text names, in milliseconds since 1970; undefined for a text that names none. A day, a month or a
 * year (`2026-01-31`, `2026-01`, `2026`), a time of a day in ISO 8601, `today`, `yesterday`, `now`, or how long ago it
 * was: `90min`, `36h`, `3 days ago`, `2w`, `6mo`, `1y`. Without a zone it is the time of the machine.
 */
export function parseWhen(text: string, { now, edge = 'start' }: WhenOptions): number | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (words.length > 40) return undefined;
  const instant =
    words === 'now' ? now : (named(words, now, edge) ?? dated(words, edge) ?? timed(words) ?? ago(words, now));
  return instant === undefined || Number.isNaN(new Date(instant).getTime()) ? undefined : instant;
}

type Edge = NonNullable<WhenOptions['edge']>;

const daysAgo: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

function named(words: string, now: number, edge: Edge): number | undefined {
  const days = daysAgo[words];
  if (days === undefined) return undefined;
  const day = new Date(now);
  return startOf(day.getFullYear(), day.getMonth(), day.getDate() - days + (edge === 'end' ? 1 : 0));
}

/** A year, a month or a day. */
function dated(words: string, edge: Edge): number | undefined {
  const [, year, month, day] = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/.exec(words) ?? [];
  if (year === undefined) return undefined;
  const date = { year: Number(year), month: Number(month ?? 1), day: Number(day ?? 1) };
  if (!exists(date)) return undefined;
  const after = edge === 'end' ? 1 : 0;
  if (month === undefined) return startOf(date.year + after, 0, 1);
  if (day === undefined) return startOf(date.year, date.month - 1 + after, 1);
  return startOf(date.year, date.month - 1, date.day + after);
}

/** A time of a day in ISO 8601. */
function timed(words: string): number | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})[t ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(z| ?[+-]\d{2}:?\d{2})?$/.exec(
      words,
    );
  if (!match) return undefined;
  const [, year = '', month = '', day = '', time, zone = ''] = match;
  if (!exists({ year: Number(year), month: Number(month), day: Number(day) })) return undefined;
  const offset = zone
    .trim()
    .toUpperCase()
    .replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2');
  return Date.parse(`${year}-${month}-${day}T${time}${offset}`);
}

const milliseconds: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** How long ago it was. A lone `m` is none: it could be minutes or months. */
function ago(words: string, now: number): number | undefined {
  const pattern = /^(\d{1,6}) ?(?:(s|min|h|d|w|mo|y)|(second|minute|hour|day|week|month|year)s?)(?: ago)?$/;
  const [, digits, short, long] = pattern.exec(words) ?? [];
  const unit = short ?? unitOf(long);
  if (unit === undefined) return undefined;
  const count = Number(digits);
  const length = milliseconds[unit];
  return length === undefined ? monthsBefore(now, unit === 'y' ? 12 * count : count) : now - count * length;
}

const unitOf = (word: string | undefined): string | undefined =>
  word === 'minute' ? 'min' : word === 'month' ? 'mo' : word?.charAt(0);

/** The same day of an earlier month; its last day where it has fewer. */
function monthsBefore(now: number, months: number): number {
  const date = new Date(now);
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() - months);
  const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  date.setDate(Math.min(day, last));
  return date.getTime();
}

function exists({ year, month, day }: { year: number; month: number; day: number }): boolean {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Midnight of a day. `new Date(99, …)` would be 1999. */
function startOf(year: number, month: number, day: number): number {
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month, day);
  return date.getTime();
}
