/** What words on the command line mean: times, sizes, numbers, files and folders, and what is wrong with them. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PalimpsestError, parseTokenCount, parseWhen, type WhenOptions, whenForms } from '@palimpsest/core/settings';
import type { Instant } from '@palimpsest/core/store';
import type { Terminal } from './terminal.ts';

export const badOption = (message: string, evidence: PalimpsestError['evidence'] = {}): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', message, { evidence });

export const bothGiven = (one: string, other: string, evidence: PalimpsestError['evidence'] = {}): PalimpsestError =>
  badOption(`expected ${one} or ${other}, got both: omit one of them`, evidence);

/** The start of what was typed, as an error shows it. */
export const quoted = (text: string | undefined, most = 40): string => JSON.stringify(text?.slice(0, most));

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that are there: what was not given is left to a default. */
export const given = <T extends object>(members: T): Given<T> =>
  // Only members without a value are left out, which the type says.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>;

export const namesIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export interface TimeFlags {
  readonly since?: string;
  readonly until?: string;
}

/** At or after `since`, before `until`; `--until 2026-01-31` holds the whole day. Throws `BAD_OPTION`, for an empty range too. */
export function timeRange(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  now: Instant = Date.now(),
): { readonly since?: Instant; readonly until?: Instant } {
  const from = since === undefined ? undefined : timeOf('--since', since, { now });
  const to = until === undefined ? undefined : timeOf('--until', until, { now, edge: 'end' });
  if (from !== undefined && to !== undefined && from >= to) {
    const got = `${JSON.stringify(since)} and ${JSON.stringify(until)}`;
    throw badOption(`expected --since to be before --until, got ${got}`, { since: from, until: to });
  }
  return given({ since: from, until: to });
}

/** The instant that a flag names. Throws `BAD_OPTION` for a text that is no time. */
export function timeOf(flag: string, text: string, options: WhenOptions): Instant {
  const instant = parseWhen(text, options);
  if (instant !== undefined) return instant;
  const hint = /^\d+\s*m$/i.test(text.trim()) ? ' (min means minutes, mo means months)' : '';
  throw badOption(`expected ${flag} to be a time such as ${whenForms}, got ${quoted(text)}${hint}`, { flag });
}

/**
 * The absolute path of a file to write. Throws `BAD_OPTION` for an address such as `file:///tmp/x`: SQLite would read
 * it as one and everything else as a name, so that two files are meant by one word.
 */
export function pathOf(name: string, { cwd }: Pick<Terminal, 'cwd'>): string {
  if (!/^file:/i.test(name)) return resolve(cwd, name);
  throw badOption(`expected the path of a file, got the URL ${name}: use ${pathIn(name)}`, { path: name });
}

function pathIn(address: string): string {
  try {
    if (/^file:\/\//i.test(address)) return fileURLToPath(address);
  } catch {
    // An address of another machine: what follows the word is nearest to a path.
  }
  return address.slice('file:'.length);
}

/** The folder from where the command runs; a path of Windows as it is written, since a log from there may be read anywhere. */
export const projectFolder = (project: string, cwd: string): string =>
  /^(?:[A-Za-z]:[\\/]|\\\\)/.test(project) ? project : resolve(cwd, project);

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
  const message = `expected ${option} to be a whole number ${range}, got ${quoted(text)}`;
  throw badOption(message, { [evidence]: text.slice(0, 40) });
}

/** A size in tokens, such as `64_000`, `200k` or `1M`. Throws `BAD_OPTION` with the name of the option. */
export function tokenCountOf(option: string, text: string, least = 1): number {
  try {
    const tokens = parseTokenCount(text);
    if (tokens >= least) return tokens;
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error;
  }
  const form = `a number of tokens of at least ${least}, such as 3000, 64_000, 200k or 1M`;
  throw badOption(`expected ${option} to be ${form}; got ${quoted(text)}`, { option, value: text.slice(0, 40) });
}

/** The tokens that `--target` names; a smaller handoff would say nothing, and our engine takes none. */
export const targetTokensOf = (text: string): number => tokenCountOf('--target', text, 300);
