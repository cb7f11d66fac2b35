/** What a compression did, for a person: the window before and after, what became of the messages, what to do next. */
import type { CompressionResult, ContextShares, Fate, Message, MessageFate } from '@palimpsest/core';
import { type CallsById, callsById, kindOf, kindTitles, messageKinds, previewOf } from '../message-kinds.ts';
import { bar, type Filling, legend } from './bar.ts';
import { type NextStep, nextSteps } from './next-steps.ts';
import { glyph, type Screen, styled } from './screen.ts';
import { summaryReport } from './summary-report.ts';
import { table } from './table.ts';
import { counted, oneLine, percent, thousands, wrap } from './text.ts';
import { clip } from './width.ts';

export interface CompressionReport {
  readonly result: CompressionResult;
  /** The messages that went in. */
  readonly messages: readonly Message[];
  /** What was compressed, such as a file name. */
  readonly title: string;
  /** The window, and where its size is from. */
  readonly window: { readonly tokens: number; readonly from: string };
  /** Tokens of the tool definitions, where the format carries them. */
  readonly toolTokens: number;
  /** Name of the engine that did it. */
  readonly engine: string;
  /** Lines that say what a person can do now. */
  readonly next: readonly NextStep[];
}

export function compressionReport(report: CompressionReport, screen: Screen): readonly string[] {
  const { result } = report;
  const head = [...headline(report, screen), '', ...windowLines(report, screen)];
  const summary = summaryReport(result, screen);
  const told = summary.length > 0 ? ['', ...summary] : [];
  if (result.status !== 'compressed') return [...head, ...told, ...nextSteps(report.next, screen)];
  const calls = callsById(report.messages);
  return [
    ...head,
    ...told,
    '',
    ...fateTable(report, screen),
    '',
    ...reasonLines(result.fates, screen),
    ...largestLines(report, calls, screen),
    ...nextSteps(report.next, screen),
  ];
}

function headline({ result, messages, title }: CompressionReport, screen: Screen): readonly string[] {
  const { before, after, status } = result;
  if (status !== 'compressed') {
    const word = status === 'refused' ? 'not compressed' : 'unchanged';
    return wrap(`${styled(oneLine(title), 'bold', screen)}: ${word}. ${result.reason}`, screen.columns);
  }
  const arrow = glyph(screen, '→', '->');
  const saved = percent(before.total - after.total, before.total);
  const figures = `${thousands(before.total)} ${arrow} ${thousands(after.total)} tokens (${saved} saved), ${thousands(messages.length)} ${arrow} ${counted(result.messages.length, 'message')}`;
  return [`${styled(oneLine(title), 'bold', screen)}: ${figures}`, ...wrap(result.reason, screen.columns)];
}

/** The widest bar that still leaves room for the figures behind it. */
const widestBar = 56;

function windowLines({ result, window, toolTokens, engine }: CompressionReport, screen: Screen): readonly string[] {
  const { tokens } = window;
  const fillings = [fillingOf(withMiddle(result), toolTokens), fillingOf(result.after, toolTokens)];
  const width = Math.max(10, Math.min(widestBar, screen.columns - 34));
  const line = (name: string, filling: Filling, total: number): string => {
    const figures = `${thousands(total).padStart(9)}  ${percent(total, tokens)}`;
    return `  ${name.padEnd(7)}${bar(filling, { window: tokens, width }, screen)} ${figures}`;
  };
  const [before = {}, after = {}] = fillings;
  const tools = toolTokens > 0 ? `; ${thousands(toolTokens)} of both totals are tool definitions, which are kept` : '';
  const about = `window ${thousands(tokens)} tokens, ${window.from}; tokens by ${result.tokenizer.name}; engine ${engine}${tools}`;
  return [
    line('before', before, result.before.total + toolTokens),
    ...(result.status === 'compressed' ? [line('after', after, result.after.total + toolTokens)] : []),
    `         ${legend(result.status === 'compressed' ? fillings : [before], screen)}`,
    ...wrap(about, screen.columns - 9).map((text) => `         ${styled(text, 'dim', screen)}`),
  ];
}

/** Before a compression everything behind the head counts as tail; what will be replaced is taken out of it. */
function withMiddle({ before, fates: entries }: CompressionResult): ContextShares {
  const replaced = entries.filter(({ fate }) => fate === 'summarised' || fate === 'restated');
  const tokens = replaced.reduce((sum, entry) => sum + entry.tokensBefore, 0);
  // An earlier summary is replaced too, but has a share of its own.
  return { ...before, tail: Math.max(0, before.tail - Math.max(0, tokens - before.summary)) };
}

/** What is in none of the named stretches is the middle: what a compression replaces. */
function fillingOf({ system, head, summary, tail, total }: ContextShares, tools: number): Filling {
  return { tools, system, head, summary, tail, middle: Math.max(0, total - system - head - summary - tail) };
}

const fates = ['kept', 'stubbed', 'summarised', 'restated', 'removed'] as const satisfies readonly Fate[];

function fateTable({ result, messages }: CompressionReport, screen: Screen): readonly string[] {
  const shown = fates.filter((fate) => result.fates.some((entry) => entry.fate === fate));
  const rows = messageKinds.flatMap((kind) => {
    const entries = result.fates.filter(({ at }) => messages[at] && kindOf(messages[at]) === kind);
    return entries.length === 0 ? [] : [fateRow(kindTitles[kind], entries, shown)];
  });
  const handoff = result.handoff
    ? [['handoff (new)', ...shown.map(() => ''), '', '', thousands(result.handoff.tokens)]]
    : [];
  // The system prompt says what a handoff is, and a message may stand between two of one role.
  const notes = result.after.total - sumOf(result.fates, 'tokensAfter') - (result.handoff?.tokens ?? 0);
  const added = notes > 0 ? [['notes on it (new)', ...shown.map(() => ''), '', '', thousands(notes)]] : [];
  const columns = [
    { title: 'messages' },
    ...['all', ...shown].map((title) => ({ title, align: 'right' as const })),
    { title: 'tokens before', align: 'right' as const },
    { title: 'after', align: 'right' as const },
  ];
  const all = fateRow('all', result.fates, shown).with(-1, thousands(result.after.total));
  const body = [...rows, ...handoff, ...added, all];
  return table(columns, body, { screen, rowStyle: (row) => (row === body.length - 1 ? 'bold' : undefined) });
}

function fateRow(name: string, entries: readonly MessageFate[], shown: readonly Fate[]): readonly string[] {
  const counts = shown.map((fate) => entries.filter((entry) => entry.fate === fate).length);
  return [
    name,
    thousands(entries.length),
    ...counts.map((count) => (count === 0 ? '' : thousands(count))),
    thousands(sumOf(entries, 'tokensBefore')),
    thousands(sumOf(entries, 'tokensAfter')),
  ];
}

const sumOf = (entries: readonly MessageFate[], of: 'tokensBefore' | 'tokensAfter'): number =>
  entries.reduce((total, entry) => total + entry[of], 0);

/** More reasons than this say less, not more. */
const mostReasons = 8;

/** Why: the reasons of the fates, the most frequent first. */
function reasonLines(entries: readonly MessageFate[], screen: Screen): readonly string[] {
  const groups = Map.groupBy(entries, ({ fate, why }) => `${fate}\n${why}`);
  const sorted = [...groups.values()].sort((a, b) => b.length - a.length);
  const rows = sorted.flatMap((group) =>
    group[0] ? [[group[0].fate, thousands(group.length), oneLine(group[0].why)]] : [],
  );
  const rest = sorted.slice(mostReasons);
  const left =
    rest.length > 0
      ? [['', thousands(rest.flat().length), `and ${counted(rest.length, 'other reason')}: --explain shows them`]]
      : [];
  const columns = [{ title: 'why' }, { title: '', align: 'right' as const }, { title: '', gives: true as const }];
  return table(columns, [...rows.slice(0, mostReasons), ...left], { screen });
}

const mostLargest = 5;

function largestLines(report: CompressionReport, calls: CallsById, screen: Screen): readonly string[] {
  const gone = (entry: MessageFate): number => entry.tokensBefore - entry.tokensAfter;
  const largest = report.result.fates
    .filter((entry) => gone(entry) > 0)
    .sort((a, b) => gone(b) - gone(a))
    .slice(0, mostLargest);
  if (largest.length === 0) return [];
  const rows = largest.map((entry) => {
    const message = report.messages[entry.at];
    return [entry.ref, thousands(gone(entry)), entry.fate, message ? previewOf(message, calls) : ''];
  });
  const columns = [
    { title: 'largest' },
    { title: 'tokens saved', align: 'right' as const },
    { title: '' },
    { title: '', gives: true as const },
  ];
  return ['', ...table(columns, rows, { screen })];
}

/** One row a message: what became of it, and why. */
export function explanation({ result, messages }: CompressionReport, screen: Screen): readonly string[] {
  const calls = callsById(messages);
  const rows = result.fates.map((entry) => {
    const message = messages[entry.at];
    return [
      entry.ref,
      message ? kindTitles[kindOf(message)] : '',
      message ? clip(previewOf(message, calls), 40, glyph(screen, '…', '~')) : '',
      thousands(entry.tokensBefore),
      thousands(entry.tokensAfter),
      entry.fate,
      oneLine(entry.why),
    ];
  });
  const columns = [
    { title: 'ref' },
    { title: 'kind' },
    { title: 'about', gives: true as const },
    { title: 'tokens', align: 'right' as const },
    { title: 'after', align: 'right' as const },
    { title: 'fate' },
    { title: 'why' },
  ];
  return table(columns, rows, { screen });
}
