/** Days as the clock of the machine shows them, some of them shorter or longer than 24 hours. */
import type { Instant } from '../store/ids.ts';

/** More are not told apart: a log with a broken clock must not make days without end. */
export const mostDays = 40_000;

const dayMs = 86_400_000;

/** Every midnight between two instants, with the first instant before them and the last one behind. */
export function dayEdges(since: Instant, until: Instant): readonly Instant[] {
  if (!(since < until)) return [];
  const start = Math.max(since, until - mostDays * dayMs);
  const edges = [start];
  const day = new Date(start);
  for (let next = 1; next <= mostDays; next++) {
    const midnight = new Date(day.getFullYear(), day.getMonth(), day.getDate() + next).getTime();
    if (!(midnight < until)) break;
    // A place that moves over the date line skips a day.
    if (midnight > (edges.at(-1) ?? start)) edges.push(midnight);
  }
  return [...edges, until];
}

/** The midnight that the day of an instant begins with, or that of so many days later. */
export function dayStart(instant: Instant, daysLater = 0): Instant {
  const day = new Date(instant);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater).getTime();
}

/** `2026-01-31`. */
export function dayName(instant: Instant): string {
  const time = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  return [String(time.getFullYear()).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())].join('-');
}
