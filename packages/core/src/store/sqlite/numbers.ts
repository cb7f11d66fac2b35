/** Numbers that callers hand in, made such that columns of whole numbers take them. */

import { PalimpsestError } from '../../shared/errors.ts';
import { describe } from '../../shared/options/schema.ts';
import type { Instant } from '../ids.ts';

/** The last moment that a `Date` can tell, and the first one before 1970. */
const lastInstant = 8_640_000_000_000_000;

/** A time in whole milliseconds, endless ones cut to the ends of time. Throws `BAD_OPTION` for what is no number. */
export const instant = (value: number, name: string): Instant => whole(value, name, [-lastInstant, lastInstant]);

/** A time that others are compared with; endless ones lie beyond all of them. Throws `BAD_OPTION` for what is no number. */
export const bound = (value: number, name: string): number =>
  whole(value, name, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/** How many, from 0. Throws `BAD_OPTION` for what is no number. */
export const count = (value: number, name: string): number => whole(value, name, [0, Number.MAX_SAFE_INTEGER]);

function whole(value: number, name: string, [least, most]: readonly [number, number]): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return Math.min(most, Math.max(least, Math.floor(value)));
  throw new PalimpsestError('BAD_OPTION', `Expected ${name} to be a number, not ${describe(value)}.`, {
    evidence: { option: name },
  });
}
