/** What of a saved result is to be read, from the options of `palimpsest outputs read`. */
import { PalimpsestError } from '@palimpsest/core';
import type { SavedOutput } from '@palimpsest/core/store';
import { counted } from '../render/text.ts';
import { mostLines, numberOption } from './outputs-find.ts';
import type { LineRange, Wanted } from './outputs-text.ts';

/** The options that say what to read. */
export interface RangeFlags {
  readonly lines?: string;
  readonly chars?: string;
  readonly around?: string;
  readonly match?: string;
  readonly context?: string;
  readonly limit?: string;
  readonly raw?: boolean;
}

/** What to read. */
export type Wish =
  | { readonly type: 'all' }
  /** `chars` are those of its only line. */
  | { readonly type: 'lines'; readonly range: LineRange; readonly chars?: LineRange }
  | { readonly type: 'around'; readonly line: number; readonly context: number }
  | ({ readonly type: 'match' } & Wanted);

const usualContext = 5;
const usualPlaces = 20;

/** Reads the options before anything is opened. Throws `BAD_OPTION` for those that make no sense together. */
export function wishOf(flags: RangeFlags): Wish {
  const ways = (['lines', 'around', 'match'] as const).filter((name) => flags[name] !== undefined);
  if (ways.length > 1) throw unfit(`only one of --lines, --around and --match`, `--${ways.join(' and --')}`);
  if (flags.chars !== undefined && flags.lines === undefined)
    throw unfit('--chars with one line in --lines', 'no --lines');
  if (flags.context !== undefined && flags.around === undefined && flags.match === undefined)
    throw unfit('--context with --around or --match', 'neither of them');
  if (flags.limit !== undefined && flags.match === undefined) throw unfit('--limit with --match', 'no --match');
  if (flags.raw && flags.match !== undefined) throw unfit('--raw without --match', 'both');
  const context = numberOption(flags.context ?? String(usualContext), '--context', [0, 10_000]);
  if (flags.lines !== undefined) return linesWish(flags.lines, flags.chars);
  if (flags.around !== undefined)
    return { type: 'around', line: numberOption(flags.around, '--around', [1, mostLines]), context };
  if (flags.match === undefined) return { type: 'all' };
  if (flags.match.trim() === '') throw unfit('--match with a word to look for', 'an empty text');
  const limit = numberOption(flags.limit ?? String(usualPlaces), '--limit', [1, 100_000]);
  return { type: 'match', query: flags.match, limit, context };
}

function linesWish(lines: string, chars: string | undefined): Wish {
  const range = rangeOf(lines, '--lines');
  if (chars === undefined) return { type: 'lines', range };
  if (range.from !== range.to) throw unfit('--chars with one line in --lines', lines);
  return { type: 'lines', range, chars: rangeOf(chars, '--chars') };
}

/** `120-180`, `120-` to the end, `120`; the wrong way round is turned. */
function rangeOf(text: string, name: string): LineRange {
  const [, one, dash, other] = /^\s*(\d{1,12})\s*(?:([-–:,])\s*(\d{1,12})?)?\s*$/.exec(text) ?? [];
  const from = Number(one);
  const to = other === undefined ? (dash === undefined ? from : mostLines) : Number(other);
  if (from >= 1 && to >= 1) return { from: Math.min(from, to), to: Math.max(from, to) };
  const message = `expected ${name} as two numbers from 1 on, such as 120-180, or 120- (to the end), got ${JSON.stringify(text.slice(0, 40))}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { range: text.slice(0, 40) } });
}

function unfit(expected: string, got: string): PalimpsestError {
  return new PalimpsestError('BAD_OPTION', `expected ${expected}, got ${got}`, { evidence: { got } });
}

/** The range cut to what there is. Throws `BAD_OPTION` where there is nothing of it. */
export function rangeIn({ from, to }: LineRange, { id, lines }: SavedOutput): LineRange {
  if (from <= lines) return { from, to: Math.min(to, lines) };
  const message = `expected a line of output ${id}, which has ${counted(lines, 'line')}; got line ${from}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { id, lines, from } });
}
