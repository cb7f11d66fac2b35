/** What words on the command line mean: times, files and folders, and options that exclude each other. */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';
import { parseWhen, type WhenOptions, whenForms } from '@palimpsest/core/settings';
import type { Instant } from '@palimpsest/core/store';
import type { Terminal } from './terminal.ts';

export interface TimeFlags {
  readonly since?: string;
  readonly until?: string;
}

/**
 * What the flags name: at or after `since`, before `until`. `--until 2026-01-31` holds the whole day. Throws
 * `BAD_OPTION` for a text that is no time, and for a range that is empty.
 */
export function timeRange(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
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

// From what was typed as the name of a file to its path.

/**
 * The absolute path of a file to write. Throws `BAD_OPTION` for an address such as `file:///tmp/x`: SQLite would read
 * it as one and everything else as a name, so that two files are meant by one word.
 */
export function pathOf(name: string, { cwd }: Pick<Terminal, 'cwd'>): string {
  if (!/^file:/i.test(name)) return resolve(cwd, name);
  const message = `expected the path of a file, got the URL ${name}: use ${pathIn(name)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { path: name } });
}

function pathIn(address: string): string {
  try {
    if (/^file:\/\//i.test(address)) return fileURLToPath(address);
  } catch {
    // An address of another machine: what follows the word is nearest to a path.
  }
  return address.slice('file:'.length);
}

// Which folder `--project` means.

/**
 * The folder from where the command runs; a path of Windows as it is written, since a log from there may be read
 * anywhere.
 */
export const projectFolder = (project: string, cwd: string): string =>
  /^(?:[A-Za-z]:[\\/]|\\\\)/.test(project) ? project : resolve(cwd, project);

// Of two forms of an answer only one can be on standard output.

/** Throws `BAD_OPTION` for `--json` together with `--raw`. */
export function requireOneForm({ json, raw }: { readonly json?: boolean; readonly raw?: boolean }): void {
  if (!json || !raw) return;
  const message = 'expected --json or --raw, got both: omit one of them';
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: '--raw' } });
}

interface NumberOption {
  readonly option: string;
  readonly from: number;
  /** @default `noLimit` */
  readonly to?: number;
  /** What the evidence of an error names it. @default the option */
  readonly evidence?: string;
}

/** More than any count of things. */
export const noLimit = 999_999_999_999;

/** The whole number in an option. Throws `BAD_OPTION` for a text that is none, and for one out of the range. */
export function numberOf(text: string, { option, from, to = noLimit, evidence = option }: NumberOption): number {
  if (/^\d{1,12}$/.test(text) && Number(text) >= from && Number(text) <= to) return Number(text);
  const range = to === noLimit ? `from ${from} on` : `from ${from} to ${to}`;
  const message = `expected ${option} to be a whole number ${range}, got ${JSON.stringify(text.slice(0, 40))}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { [evidence]: text.slice(0, 40) } });
}
