/** Times on the command line: the same words for every command. */

import { PalimpsestError } from '@palimpsest/core';
import { parseWhen, type WhenOptions, whenForms } from '@palimpsest/core/settings';
import type { Instant } from '@palimpsest/core/store';

export interface TimeFlags {
  readonly since?: string;
  readonly until?: string;
}

/**
 * What the flags name: at or after `since`, before `until`. `--until 2026-01-31` holds the whole day. Throws
 * `BAD_OPTION` for a text that is no time, and for a range that is empty.
 */
export function timeRange(
  { since, until }: TimeFlags,
  now: Instant = Date.now(),
): { readonly since?: Instant; readonly until?: Instant } {
  const from = since === undefined ? undefined : timeOf('--since', since, { now });
  const to = until === undefined ? undefined : timeOf('--until', until, { now, edge: 'end' });
  if (from !== undefined && to !== undefined && from >= to) {
    const message = `expected --since to be before --until, got ${JSON.stringify(since)} and ${JSON.stringify(until)}`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { since: from, until: to } });
  }
  return { ...(from === undefined ? {} : { since: from }), ...(to === undefined ? {} : { until: to }) };
}

/** The instant that a flag names. Throws `BAD_OPTION` for a text that is no time. */
export function timeOf(flag: string, text: string, options: WhenOptions): Instant {
  const instant = parseWhen(text, options);
  if (instant !== undefined) return instant;
  const hint = /^\d+\s*m$/i.test(text.trim()) ? ' (min means minutes, mo means months)' : '';
  const message = `expected ${flag} to be a time such as ${whenForms}, got ${JSON.stringify(text.slice(0, 40))}${hint}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { flag } });
}
