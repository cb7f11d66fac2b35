/** `palimpsest outputs read`: a saved result, or some lines of it. */
import { PalimpsestError } from '@palimpsest/core';
import { type SavedOutput, type Store, size } from '@palimpsest/core/store';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { noLimit, numberOf } from '../option-values.ts';
import { counted, timeText, visible } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writePieces } from '../terminal.ts';
import { mostPlaces, outputLines, outputRow, outputScope, requireOutput, toolOf } from './outputs.ts';
import {
  type LineRange,
  linePieces,
  maskedPiece,
  maskedPieces,
  matchedLines,
  type NumberedLine,
  numberedLines,
  type Wanted,
  wholeText,
} from './outputs-text.ts';

export interface OutputsReadFlags extends StoreFlags, RangeFlags {}

interface Task {
  readonly store: Store;
  readonly output: SavedOutput;
  readonly notes: readonly string[];
  readonly flags: OutputsReadFlags;
  readonly terminal: Terminal;
}

export async function runOutputsRead(id: string, flags: OutputsReadFlags, terminal: Terminal): Promise<ExitCode> {
  const wish = wishOf(flags);
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const output = await requireOutput(id, await outputScope(opened, undefined));
  const task: Task = { store: opened, output, notes, flags, terminal };
  if (wish.type === 'around' && !flags.raw) return await showLines(await around(wish, task), task);
  if (wish.type === 'match') return await showLines(await matchedLines(opened.outputs, output, wish), task);
  return await showText(wish, task);
}

function around(
  { line, context }: Extract<Wish, { type: 'around' }>,
  { store, output }: Task,
): Promise<readonly NumberedLine[]> {
  const { from } = rangeIn({ from: line, to: line }, output);
  const range = { from: Math.max(1, from - context), to: Math.min(output.lines, from + context) };
  return numberedLines(store.outputs, output, { ...range, marked: new Set([from]) });
}

async function showLines(lines: readonly NumberedLine[], task: Task): Promise<ExitCode> {
  const { output, notes, flags, terminal } = task;
  const code = lines.length > 0 ? exitCodes.fine : exitCodes.finding;
  if (flags.json) {
    await writeJson(terminal.stdout, { command: 'outputs read', output: outputRow(output), lines, notes });
    return code;
  }
  const none = lines.length === 0 ? ['no line contains every word: try fewer words, or parts of words'] : [];
  await writeNotes(terminal, [...notes, about(output), ...none], flags);
  await writeLines(terminal.stdout, outputLines(lines, stdoutScreen(terminal, flags)));
  await tellMasked(
    lines.some(({ text }) => isMasked(text)),
    task,
  );
  return code;
}

async function showText(wish: Exclude<Wish, { type: 'match' }>, task: Task): Promise<ExitCode> {
  const { output, notes, flags, terminal } = task;
  const range = rangeFor(wish, output);
  const pieces = textOf(wish, range, task);
  if (flags.json) {
    const parts: string[] = [];
    for await (const piece of pieces) parts.push(piece);
    const text = parts.join('');
    await writeJson(terminal.stdout, { command: 'outputs read', output: outputRow(output), ...range, text, notes });
    return exitCodes.fine;
  }
  await writeNotes(terminal, [...notes, about(output)], flags);
  let hasMasks = false;
  let end = '\n';
  for await (const piece of pieces) {
    hasMasks ||= !flags.raw && isMasked(piece);
    if (piece !== '') end = piece.slice(-1);
    // A terminal must not be driven by what a tool wrote; a pipe gets every character as it is.
    await writePieces(terminal.stdout, [terminal.stdout.isTTY ? visible(piece) : piece]);
  }
  if (terminal.stdout.isTTY && end !== '\n') await writePieces(terminal.stdout, ['\n']);
  await tellMasked(hasMasks, task);
  return exitCodes.fine;
}

function rangeFor(wish: Exclude<Wish, { type: 'match' }>, output: SavedOutput): LineRange {
  if (wish.type === 'all') return { from: 1, to: output.lines };
  if (wish.type === 'lines') return rangeIn(wish.range, output);
  const { from } = rangeIn({ from: wish.line, to: wish.line }, output);
  return { from: Math.max(1, from - wish.context), to: Math.min(output.lines, from + wish.context) };
}

/** What is wanted of the text, without credentials but for `--raw`. */
async function* textOf(wish: Wish, range: LineRange, { store, output, flags }: Task): AsyncGenerator<string> {
  if (wish.type === 'lines' && wish.chars) {
    yield charsOf((await store.outputs.read(output.id, range)).text, wish.chars, flags);
    return;
  }
  if (flags.raw)
    yield* wish.type === 'all' ? wholeText(store.outputs, output) : linePieces(store.outputs, output, range);
  else if (wish.type === 'all') yield* maskedPieces(wholeText(store.outputs, output));
  else yield* maskedRange(range, { store, output });
}

/** Lines are masked with what stands before and after them, which may tell that they belong to a credential. */
async function* maskedRange({ from, to }: LineRange, { store, output }: Pick<Task, 'store' | 'output'>) {
  const most = { from: Math.max(1, from - linesAround), to: Math.min(output.lines, to + linesAround) };
  let line = most.from;
  for await (const piece of maskedPieces(linePieces(store.outputs, output, most))) {
    const start = placeOf(piece, from - line);
    const end = placeOf(piece, to + 1 - line);
    if (end > start) yield piece.slice(start, end);
    line += breaksIn(piece);
    if (line > to) return;
  }
}

const linesAround = 100;

/** Where a line of a text begins, counted from 0; its start for one before it, its end for one behind it. */
function placeOf(text: string, line: number): number {
  let at = 0;
  for (let left = line; left > 0; left--) {
    const next = text.indexOf('\n', at);
    if (next === -1) return text.length;
    at = next + 1;
  }
  return at;
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function charsOf(text: string, { from, to }: LineRange, { raw }: OutputsReadFlags): string {
  const line = text.replace(/\r?\n$/, '');
  if (from > line.length) {
    const message = `expected a character of the line, which has ${line.length}; got character ${from}`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { from, characters: line.length } });
  }
  const piece = { start: from - 1, end: Math.min(to, line.length) };
  return raw ? line.slice(piece.start, piece.end) : maskedPiece(line, piece);
}

const isMasked = (text: string): boolean => text.includes('[REDACTED:');

const tellMasked = (hasMasks: boolean, { flags, terminal }: Task): Promise<void> =>
  writeNotes(terminal, hasMasks ? ['credentials are masked (--raw shows them)'] : [], flags);

function about(output: SavedOutput): string {
  const session = output.sessionId === undefined ? [] : [`session ${output.sessionId}`];
  const saved = `saved ${timeText(output.savedAt)}`;
  return [`output ${output.id}`, toolOf(output) ?? 'tool unknown', size(output), saved, ...session].join(', ');
}

// What of a saved result is to be read, from the options of `palimpsest outputs read`.

/** The options that say what to read. */
interface RangeFlags {
  readonly lines?: string;
  readonly chars?: string;
  readonly around?: string;
  readonly match?: string;
  readonly context?: string;
  readonly limit?: string;
  readonly raw?: boolean;
}

/** What to read. */
type Wish =
  | { readonly type: 'all' }
  /** `chars` are those of its only line. */
  | { readonly type: 'lines'; readonly range: LineRange; readonly chars?: LineRange }
  | { readonly type: 'around'; readonly line: number; readonly context: number }
  | ({ readonly type: 'match' } & Wanted);

/** Reads the options before anything is opened. Throws `BAD_OPTION` for those that make no sense together. */
function wishOf(flags: RangeFlags): Wish {
  const ways = (['lines', 'around', 'match'] as const).filter((name) => flags[name] !== undefined);
  if (ways.length > 1) throw unfit(`only one of --lines, --around and --match`, `--${ways.join(' and --')}`);
  if (flags.chars !== undefined && flags.lines === undefined)
    throw unfit('--chars with one line in --lines', 'no --lines');
  if (flags.context !== undefined && flags.around === undefined && flags.match === undefined)
    throw unfit('--context with --around or --match', 'neither of them');
  if (flags.limit !== undefined && flags.match === undefined) throw unfit('--limit with --match', 'no --match');
  if (flags.raw && flags.match !== undefined) throw unfit('--raw without --match', 'both');
  const context = numberOf(flags.context ?? '5', { option: '--context', from: 0, to: 10_000 });
  if (flags.lines !== undefined) return linesWish(flags.lines, flags.chars);
  if (flags.around !== undefined)
    return { type: 'around', line: numberOf(flags.around, { option: '--around', from: 1 }), context };
  if (flags.match === undefined) return { type: 'all' };
  if (flags.match.trim() === '') throw unfit('--match with a word to look for', 'an empty text');
  const limit = numberOf(flags.limit ?? '20', { option: '--limit', from: 1, to: mostPlaces });
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
  const to = other === undefined ? (dash === undefined ? from : noLimit) : Number(other);
  if (from >= 1 && to >= 1) return { from: Math.min(from, to), to: Math.max(from, to) };
  const message = `expected ${name} as two numbers from 1 on, such as 120-180, or 120- (to the end), got ${JSON.stringify(text.slice(0, 40))}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { range: text.slice(0, 40) } });
}

function unfit(expected: string, got: string): PalimpsestError {
  return new PalimpsestError('BAD_OPTION', `expected ${expected}, got ${got}`, { evidence: { got } });
}

/** The range cut to what there is. Throws `BAD_OPTION` where there is nothing of it. */
function rangeIn({ from, to }: LineRange, { id, lines }: SavedOutput): LineRange {
  if (from <= lines) return { from, to: Math.min(to, lines) };
  const message = `expected a line of output ${id}, which has ${counted(lines, 'line')}; got line ${from}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { id, lines, from } });
}
