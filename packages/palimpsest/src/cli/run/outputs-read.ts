/** `palimpsest outputs read`: a saved result, or some lines of it. */
import type { PalimpsestError } from '@palimpsest/core';
import { type SavedOutput, type Store, size } from '@palimpsest/core/store';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { badOption, noLimit, numberOf, quoted } from '../option-values.ts';
import { counted, linesOf, timeText } from '../render/text.ts';
import { shownText, stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writePieces } from '../terminal.ts';
import { mostPlaces, noMatch, outputLines, outputRow, outputScope, requireOutput, toolOf } from './outputs.ts';
import * as texts from './outputs-text.ts';

type LineRange = texts.LineRange;

/** The options say what to read. */
interface ReadFlags extends StoreFlags {
  readonly lines?: string;
  readonly chars?: string;
  readonly around?: string;
  readonly match?: string;
  readonly context?: string;
  readonly limit?: string;
  readonly raw?: boolean;
}

interface Task {
  readonly store: Store;
  readonly output: SavedOutput;
  readonly notes: readonly string[];
  readonly raw: boolean;
  readonly terminal: Terminal;
}

export async function runOutputsRead({ words: [id = ''], flags, terminal }: Call<ReadFlags>): Promise<ExitCode> {
  const wish = wishOf(flags);
  const { store, notes: ofStore } = await openStoreFor(flags, terminal);
  await using opened = store;
  const output = await requireOutput(id, await outputScope(opened, undefined));
  const { raw = false } = flags;
  const session = output.sessionId !== undefined && `session ${output.sessionId}`;
  const about = [`output ${output.id}`, toolOf(output) ?? 'tool unknown', size(output)];
  const saved = linesOf(about, `saved ${timeText(output.savedAt)}`, session).join(', ');
  const notes = terminal.json ? ofStore : [...ofStore, saved];
  const task: Task = { store: opened, output, notes, raw, terminal };
  if (wish.type === 'match') return await showLines(await texts.matchedLines(opened.outputs, output, wish), task);
  const range = rangeFor(wish, output);
  if (wish.type !== 'around' || raw) return await showText(wish, range, task);
  const marked = new Set([wish.line]);
  return await showLines(await texts.numberedLines(opened.outputs, output, { ...range, marked }), task);
}

async function showLines(lines: readonly texts.NumberedLine[], { output, notes, terminal }: Task): Promise<ExitCode> {
  const code = lines.length > 0 ? exitCodes.fine : exitCodes.finding;
  if (terminal.json) {
    await writeJson(terminal, { command: 'outputs read', output: outputRow(output), lines, notes });
    return code;
  }
  await writeNotes(terminal, linesOf(notes, lines.length === 0 && noMatch));
  await writeLines(terminal.stdout, outputLines(lines, stdoutScreen(terminal)));
  if (lines.some(({ text }) => isMasked(text))) await writeNotes(terminal, [masked]);
  return code;
}

async function showText(wish: TextWish, range: LineRange, task: Task): Promise<ExitCode> {
  const { output, notes, raw, terminal } = task;
  const pieces = textOf(wish, range, task);
  if (terminal.json) {
    const text = (await Array.fromAsync(pieces)).join('');
    await writeJson(terminal, { command: 'outputs read', output: outputRow(output), ...range, text, notes });
    return exitCodes.fine;
  }
  await writeNotes(terminal, notes);
  let hasMasks = false;
  let end = '\n';
  for await (const piece of pieces) {
    hasMasks ||= !raw && isMasked(piece);
    if (piece !== '') end = piece.slice(-1);
    await writePieces(terminal.stdout, [shownText(terminal, piece)]);
  }
  if (terminal.stdout.isTTY && end !== '\n') await writePieces(terminal.stdout, ['\n']);
  if (hasMasks) await writeNotes(terminal, [masked]);
  return exitCodes.fine;
}

const isMasked = (text: string): boolean => text.includes('[REDACTED:');
const masked = 'credentials are masked (--raw shows them)';

function rangeFor(wish: TextWish, output: SavedOutput): LineRange {
  if (wish.type === 'all') return { from: 1, to: output.lines };
  if (wish.type === 'lines') return rangeIn(wish.range, output);
  const { from } = rangeIn({ from: wish.line, to: wish.line }, output);
  return { from: Math.max(1, from - wish.context), to: Math.min(output.lines, from + wish.context) };
}

/** The range cut to what there is. Throws `BAD_OPTION` where there is nothing of it. */
function rangeIn({ from, to }: LineRange, { id, lines }: SavedOutput): LineRange {
  if (from <= lines) return { from, to: Math.min(to, lines) };
  const message = `expected a line of output ${id}, which has ${counted(lines, 'line')}; got line ${from}`;
  throw badOption(message, { id, lines, from });
}

/** What is wanted of the text, without credentials but for `--raw`. */
async function* textOf(wish: TextWish, range: LineRange, { store, output, raw }: Task): AsyncGenerator<string> {
  const { outputs } = store;
  if (wish.type === 'lines' && wish.chars) yield charsOf((await outputs.read(output.id, range)).text, wish.chars, raw);
  else if (wish.type === 'all')
    yield* raw ? texts.wholeText(outputs, output) : texts.maskedPieces(texts.wholeText(outputs, output));
  else yield* raw ? texts.linePieces(outputs, output, range) : maskedRange(range, { store, output });
}

/** Lines are masked with what stands before and after them, which may tell that they belong to a credential. */
async function* maskedRange({ from, to }: LineRange, { store, output }: Pick<Task, 'store' | 'output'>) {
  const most = { from: Math.max(1, from - linesAround), to: Math.min(output.lines, to + linesAround) };
  let line = most.from;
  for await (const piece of texts.maskedPieces(texts.linePieces(store.outputs, output, most))) {
    const start = placeOf(piece, from - line);
    const end = placeOf(piece, to + 1 - line);
    if (end > start) yield piece.slice(start, end);
    line += piece.split('\n').length - 1;
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

function charsOf(text: string, { from, to }: LineRange, raw: boolean): string {
  const line = text.replace(/\r?\n$/, '');
  if (from > line.length) {
    const message = `expected a character of the line, which has ${line.length}; got character ${from}`;
    throw badOption(message, { from, characters: line.length });
  }
  const piece = { start: from - 1, end: Math.min(to, line.length) };
  return raw ? line.slice(piece.start, piece.end) : texts.maskedPiece(line, piece);
}

/** What to read. */
type TextWish =
  | { readonly type: 'all' }
  /** `chars` are those of its only line. */
  | { readonly type: 'lines'; readonly range: LineRange; readonly chars?: LineRange }
  | { readonly type: 'around'; readonly line: number; readonly context: number };

type Wish = TextWish | ({ readonly type: 'match' } & texts.Wanted);

/** Reads the options before anything is opened. Throws `BAD_OPTION` for those that make no sense together. */
function wishOf(flags: ReadFlags): Wish {
  const { lines, chars, around, match, context: wanted, limit } = flags;
  const ways = (['lines', 'around', 'match'] as const).filter((name) => flags[name] !== undefined);
  if (ways.length > 1) throw unfit(`only one of --lines, --around and --match`, `--${ways.join(' and --')}`);
  if (chars !== undefined && lines === undefined) throw unfit('--chars with one line in --lines', 'no --lines');
  if (wanted !== undefined && around === undefined && match === undefined)
    throw unfit('--context with --around or --match', 'neither of them');
  if (limit !== undefined && match === undefined) throw unfit('--limit with --match', 'no --match');
  if (flags.raw && match !== undefined) throw unfit('--raw without --match', 'both');
  const context = numberOf(wanted ?? '5', { option: '--context', from: 0, to: 10_000 });
  if (lines !== undefined) return linesWish(lines, chars);
  if (around !== undefined) return { type: 'around', line: numberOf(around, { option: '--around', from: 1 }), context };
  if (match === undefined) return { type: 'all' };
  if (match.trim() === '') throw unfit('--match with a word to look for', 'an empty text');
  return {
    type: 'match',
    query: match,
    limit: numberOf(limit ?? '20', { option: '--limit', from: 1, to: mostPlaces }),
    context,
  };
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
  const form = 'two numbers from 1 on, such as 120-180, or 120- (to the end)';
  throw badOption(`expected ${name} as ${form}, got ${quoted(text)}`, { range: text.slice(0, 40) });
}

const unfit = (expected: string, got: string): PalimpsestError =>
  badOption(`expected ${expected}, got ${got}`, { got });
