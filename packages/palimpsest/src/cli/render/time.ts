/** Times as a person reads them. */
import type { Instant } from '@palimpsest/core/store';

/** `2026-01-31 14:05`, as the clock of the machine shows it. */
export function timeText(instant: Instant): string {
  const time = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [String(time.getFullYear()).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** For programs: ISO 8601 in UTC. */
export const timeStamp = (instant: Instant): string => new Date(instant).toISOString();
