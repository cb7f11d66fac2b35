/** What a compression did, for a person: the window before and after, what became of the messages, what to do next. */
import type { CompressionResult, ContextShares, Fate, HandoffLine, Message, MessageFate } from '@palimpsest/core';
import { storyOf } from '@palimpsest/core/engine';
import { clip, glyph, type Screen, styled } from '../../terminal/screen.ts';
import { callsById, kindOf, kindTitles, messageKinds, previewOf } from '../message-kinds.ts';
import { storyLines } from './story.ts';
import { summaryReport } from './summary-report.ts';
import { bar, type ColumnOf, type Filling, gives, legend, right, tableOf } from './table.ts';
import { counted, linesOf, type NextStep, nextSteps, oneLine, percent, thousands, wrap } from './text.ts';

export interface CompressionReport {
  readonly result: CompressionResult;
  readonly messages: readonly Message[];
  readonly title: string;
  /** The window, and where its size is from. */
  readonly window: { readonly tokens: number; readonly from: string };
  /** Tokens of the tool definitions, where the format carries them. */
  readonly toolTokens: number;
  readonly engine: string;
  readonly next: readonly NextStep[];
}

export function compressionReport(report: CompressionReport, screen: Screen): readonly string[] {
  const { result, next } = report;
  const summary = summaryReport(result, screen);
  return linesOf(
    headline(report, screen),
    '',
    storyPart(report, screen),
    windowLines(report, screen),
    summary.length > 0 && ['', ...summary],
    result.status === 'compressed' && [
      '',
      ...fateTable(report, screen),
      '',
      ...reasonLines(result.fates, screen),
      ...largestLines(report, screen),
    ],
    nextSteps(next, screen),
  );
}

function headline({ result, messages, title }: CompressionReport, screen: Screen): readonly string[] {
  const { before, after, status, reason } = result;
  const name = styled(oneLine(title), 'bold', screen);
  const word = status === 'refused' ? 'not compressed' : 'unchanged';
  if (status !== 'compressed') return wrap(`${name}: ${word}. ${reason}`, screen.columns);
  const arrow = glyph(screen, '→', '->');
  const saved = percent(before.total - after.total, before.total);
  const tokens = `${thousands(before.total)} ${arrow} ${thousands(after.total)} tokens (${saved} saved)`;
  const count = `${thousands(messages.length)} ${arrow} ${counted(result.messages.length, 'message')}`;
  return [`${name}: ${tokens}, ${count}`, ...wrap(reason, screen.columns)];
}

/** Requests that a person reads before the figures. */
const mostRounds = 6;

/** What the model goes on to know of the part that left the context. */
function storyPart({ result }: CompressionReport, screen: Screen): readonly string[] {
  const rounds = storyOf(result.handoff?.text ?? '');
  const lines = storyLines(rounds, { screen, most: mostRounds, rest: 'in the handoff' });
  return lines.length > 0 ? [...lines, ''] : [];
}

/** The widest bar that still leaves room for the figures behind it. */
const widestBar = 56;

function windowLines({ result, window, toolTokens, engine }: CompressionReport, screen: Screen): readonly string[] {
  const { tokens } = window;
  const isSmaller = result.status === 'compressed';
  const before = fillingOf(withMiddle(result), toolTokens);
  const after = fillingOf(result.after, toolTokens);
  const width = Math.max(10, Math.min(widestBar, screen.columns - 34));
  const line = (name: string, filling: Filling, total: number): string => {
    const figures = `${thousands(total).padStart(9)}  ${percent(total, tokens)}`;
    return `  ${name.padEnd(7)}${bar(filling, { window: tokens, width }, screen)} ${figures}`;
  };
  const tools = toolTokens > 0 ? `; ${thousands(toolTokens)} of both totals are tool definitions, which are kept` : '';
  const about = `window ${thousands(tokens)} tokens, ${window.from}; tokens by ${result.tokenizer.name}; engine ${engine}${tools}`;
  return linesOf(
    line('before', before, result.before.total + toolTokens),
    isSmaller && line('after', after, result.after.total + toolTokens),
    `         ${legend(isSmaller ? [before, after] : [before], screen)}`,
    wrap(about, screen.columns - 9).map((text) => `         ${styled(text, 'dim', screen)}`),
  );
}

/** Before a compression everything behind the head counts as tail; what will be replaced is taken out of it. */
function withMiddle({ before, fates: entries }: CompressionResult): ContextShares {
  const replaced = entries.filter(({ fate }) => fate === 'summarised' || fate === 'restated');
  const tokens = sumOf(replaced, 'tokensBefore');
  // An earlier summary is replaced too, but has a share of its own.
  return { ...before, tail: Math.max(0, before.tail - Math.max(0, tokens - before.summary)) };
}

/** What is in none of the named stretches is the middle: what a compression replaces. */
function fillingOf({ system, head, summary, tail, total }: ContextShares, tools: number): Filling {
  return { tools, system, head, summary, tail, middle: Math.max(0, total - system - head - summary - tail) };
}

const fates = ['kept', 'stubbed', 'summarised', 'restated', 'removed'] as const satisfies readonly Fate[];

/** A row of the table of fates: some messages, or text that is new. */
interface FateRow {
  readonly name: string;
  readonly entries?: readonly MessageFate[];
  readonly after: number;
}

function fateTable({ result, messages }: CompressionReport, screen: Screen): readonly string[] {
  const { fates: all, handoff, after } = result;
  const kept = sumOf(all, 'tokensAfter');
  const rows: FateRow[] = messageKinds.flatMap((kind) => {
    const entries = all.filter(({ at }) => messages[at] && kindOf(messages[at]) === kind);
    return entries.length === 0 ? [] : [{ name: kindTitles[kind], entries, after: sumOf(entries, 'tokensAfter') }];
  });
  if (handoff) rows.push({ name: 'handoff (new)', after: handoff.tokens });
  // The system prompt says what a handoff is, and a message may stand between two of one role.
  const notes = after.total - kept - (handoff?.tokens ?? 0);
  if (notes > 0) rows.push({ name: 'notes on it (new)', after: notes });
  rows.push({ name: 'all', entries: all, after: after.total });
  const countOf = (entries: readonly MessageFate[] | undefined, fate: Fate): string => {
    const count = entries?.filter((entry) => entry.fate === fate).length ?? 0;
    return count === 0 ? '' : thousands(count);
  };
  const shown = fates.filter((fate) => all.some((entry) => entry.fate === fate));
  const columns: readonly ColumnOf<FateRow>[] = [
    ['messages', ({ name }) => name],
    ['all', ({ entries }) => (entries ? thousands(entries.length) : ''), right],
    ...shown.map((fate): ColumnOf<FateRow> => [fate, ({ entries }) => countOf(entries, fate), right]),
    ['tokens before', ({ entries }) => (entries ? thousands(sumOf(entries, 'tokensBefore')) : ''), right],
    ['after', (row) => thousands(row.after), right],
  ];
  return tableOf(rows, columns, { screen, rowStyle: (row) => (row === rows.length - 1 ? 'bold' : undefined) });
}

const sumOf = (entries: readonly MessageFate[], of: 'tokensBefore' | 'tokensAfter'): number =>
  entries.reduce((total, entry) => total + entry[of], 0);

const mostReasons = 8;

/** Why: the reasons of the fates, the most frequent first. */
function reasonLines(entries: readonly MessageFate[], screen: Screen): readonly string[] {
  const groups = Map.groupBy(entries, ({ fate, why }) => `${fate}\n${why}`);
  const sorted = [...groups.values()].sort((a, b) => b.length - a.length);
  const rows = sorted.map((group) => [group[0]?.fate ?? '', thousands(group.length), oneLine(group[0]?.why ?? '')]);
  const rest = sorted.slice(mostReasons);
  const more = `and ${counted(rest.length, 'other reason')}: --explain shows them`;
  const left = rest.length > 0 ? [['', thousands(rest.flat().length), more]] : [];
  return tableOf(
    [...rows.slice(0, mostReasons), ...left],
    [
      ['why', ([fate = '']) => fate],
      ['', ([, count = '']) => count, right],
      ['', ([, , why = '']) => why, gives],
    ],
    { screen },
  );
}

const mostLargest = 5;

function largestLines({ result, messages }: CompressionReport, screen: Screen): readonly string[] {
  const calls = callsById(messages);
  const gone = (entry: MessageFate): number => entry.tokensBefore - entry.tokensAfter;
  const smaller = result.fates.filter((entry) => gone(entry) > 0);
  if (smaller.length === 0) return [];
  const lines = tableOf(
    smaller.toSorted((a, b) => gone(b) - gone(a)).slice(0, mostLargest),
    [
      ['largest', ({ ref }) => ref],
      ['tokens saved', (entry) => thousands(gone(entry)), right],
      ['', ({ fate }) => fate],
      ['', ({ at }) => (messages[at] ? previewOf(messages[at], calls) : ''), gives],
    ],
    { screen },
  );
  return ['', ...lines];
}

/** Every message with its fate, and every line of the handoff that stems from a message with why it stands there; for `--explain`. */
export function explanation(report: CompressionReport, screen: Screen): readonly string[] {
  const lines = report.result.handoff?.lines ?? [];
  return linesOf(fateLines(report, screen), lines.length > 0 && ['', ...whyLines(lines, screen)]);
}

function whyLines(lines: readonly HandoffLine[], screen: Screen): readonly string[] {
  return tableOf(
    lines,
    [
      ['handoff', ({ ref }) => ref],
      ['why', ({ why }) => why],
      ['line', ({ text }) => oneLine(text), gives],
    ],
    { screen },
  );
}

function fateLines({ result, messages }: CompressionReport, screen: Screen): readonly string[] {
  const calls = callsById(messages);
  const mark = glyph(screen, '…', '~');
  return tableOf(
    result.fates,
    [
      ['ref', ({ ref }) => ref],
      ['kind', ({ at }) => (messages[at] ? kindTitles[kindOf(messages[at])] : '')],
      ['about', ({ at }) => (messages[at] ? clip(previewOf(messages[at], calls), 40, mark) : ''), gives],
      ['tokens', ({ tokensBefore }) => thousands(tokensBefore), right],
      ['after', ({ tokensAfter }) => thousands(tokensAfter), right],
      ['fate', ({ fate }) => fate],
      ['why', ({ why }) => oneLine(why)],
    ],
    { screen },
  );
}
