/** What is in a transcript, for a person. */

import { untitled } from '../find-session.ts';
import type { Inspection, InvalidRow } from '../inspection.ts';
import { kindTitles } from '../message-kinds.ts';
import { bar, legend } from './bar.ts';
import { type Screen, styled } from './screen.ts';
import { table } from './table.ts';
import { counted, oneLine, percent, shares, thousands } from './text.ts';

export interface InspectionReport {
  readonly inspection: Inspection;
  readonly title: string;
  readonly format: string;
  /** Number of the conversation that the figures are about, from 1. */
  readonly number: number;
  readonly model: string | undefined;
  readonly window: { readonly tokens: number; readonly from: string };
  readonly toolTokens: number;
  readonly tokenizer: { readonly name: string; readonly exact: boolean };
}

const right = 'right' as const;
const gives = true as const;

export function inspectionReport(report: InspectionReport, screen: Screen): readonly string[] {
  const { inspection } = report;
  return [
    ...headLines(report, screen),
    ...(inspection.conversations.length > 1 ? ['', ...conversationLines(report, screen)] : []),
    '',
    ...kindLines(report, screen),
    ...(inspection.tools.length > 0 ? ['', ...toolLines(inspection, screen)] : []),
    ...(inspection.largest.length > 0 ? ['', ...largestLines(inspection, screen)] : []),
    '',
    ...compressionLines(inspection, screen),
    ...invalidLines(inspection, screen),
    ...findingLines(inspection, screen),
  ];
}

function headLines(
  { inspection, title, format, model, window, toolTokens, tokenizer }: InspectionReport,
  screen: Screen,
): readonly string[] {
  const system = inspection.kinds.find(({ kind }) => kind === 'system')?.tokens ?? 0;
  const filling = { tools: toolTokens, system, messages: inspection.tokens - system };
  const width = Math.max(10, Math.min(56, screen.columns - 30));
  const prompt = inspection.tokens + toolTokens;
  return [
    `${styled(oneLine(title), 'bold', screen)}: ${format}, ${counted(inspection.messages, 'message')}, ${thousands(inspection.tokens)} tokens`,
    `  ${bar(filling, { window: window.tokens, width }, screen)} ${percent(prompt, window.tokens)} of ${thousands(window.tokens)}`,
    `  ${legend([filling], screen)}`,
    styled(`  window ${window.from}; model ${model ?? 'not named'}; tokens by ${tokenizer.name}`, 'dim', screen),
  ];
}

const mostConversations = 20;

function conversationLines({ inspection, number }: InspectionReport, screen: Screen): readonly string[] {
  const rows = inspection.conversations
    .slice(0, mostConversations)
    .map((row) => [
      row.number === number ? '*' : '',
      String(row.number),
      row.id ?? '',
      thousands(row.messages),
      row.side ? 'side' : '',
      oneLine(row.title ?? '') || untitled,
    ]);
  const columns = [
    { title: '' },
    { title: 'conversation', align: right },
    { title: 'id' },
    { title: 'messages', align: right },
    { title: '' },
    { title: 'title', gives },
  ];
  const rest = inspection.conversations.length - rows.length;
  const more = rest > 0 ? [`  and ${rest} more: --json lists all`] : [];
  return [...table(columns, rows, { screen }), ...more];
}

function kindLines({ inspection }: InspectionReport, screen: Screen): readonly string[] {
  const share = shares(inspection.kinds.map(({ tokens }) => tokens));
  const rows = inspection.kinds.map(({ kind, messages, tokens }, at) => [
    kindTitles[kind],
    thousands(messages),
    thousands(tokens),
    share[at] ?? '',
  ]);
  const columns = [
    { title: 'kind' },
    { title: 'messages', align: right },
    { title: 'tokens', align: right },
    { title: 'share', align: right },
  ];
  return table(columns, rows, { screen });
}

const mostTools = 15;

function toolLines({ tools, tokens }: Inspection, screen: Screen): readonly string[] {
  const rows = tools
    .slice(0, mostTools)
    .map((row) => [
      oneLine(row.tool),
      thousands(row.calls),
      thousands(row.results),
      thousands(row.resultTokens),
      percent(row.resultTokens, tokens),
    ]);
  const columns = [
    { title: 'tool', gives },
    { title: 'calls', align: right },
    { title: 'results', align: right },
    { title: 'result tokens', align: right },
    { title: 'share', align: right },
  ];
  const rest = tools.length - rows.length;
  return [...table(columns, rows, { screen }), ...(rest > 0 ? [`  and ${rest} more: --json lists all`] : [])];
}

function largestLines({ largest }: Inspection, screen: Screen): readonly string[] {
  const rows = largest.map(({ ref, kind, tokens, about }) => [ref, kindTitles[kind], thousands(tokens), about]);
  const columns = [{ title: 'largest' }, { title: 'kind' }, { title: 'tokens', align: right }, { title: '', gives }];
  return table(columns, rows, { screen });
}

function compressionLines({ compressions }: Inspection, screen: Screen): readonly string[] {
  if (compressions.length === 0) return [];
  const where = compressions.join(', ');
  return [
    `  compressed ${counted(compressions.length, 'time')} by the tool that wrote it, before ${styled(where, 'cyan', screen)}`,
  ];
}

const mostExamples = 3;

/** One line a rule, with its first places. */
function invalidLines({ invalid }: Inspection, screen: Screen): readonly string[] {
  if (invalid.length === 0) return [`  ${styled('valid', 'green', screen)}: every provider takes these messages`];
  const rules = Map.groupBy(invalid, ({ rule }) => rule);
  const lines = [...rules.entries()].flatMap(([rule, rows]) => [
    `  ${styled(rule, 'yellow', screen)} ${thousands(rows.length)}: ${rows[0]?.fix ?? ''}`,
    ...rows.slice(0, mostExamples).map((row) => `    ${placeOf(row)}`),
    ...(rows.length > mostExamples ? [`    and ${thousands(rows.length - mostExamples)} more`] : []),
  ]);
  return [
    `  ${counted(invalid.length, 'finding')} that a strict provider would reject; compress repairs them:`,
    ...lines,
  ];
}

const placeOf = ({ ref, detail }: InvalidRow): string => `${ref}  ${oneLine(detail)}`;

const mostFindings = 10;

function findingLines({ findings }: Inspection, screen: Screen): readonly string[] {
  if (findings.length === 0) return [];
  const lines = findings.slice(0, mostFindings).map(({ level, line, message }) => {
    const place = line > 0 ? `line ${line}: ` : '';
    return `    ${level === 'skipped' ? styled(level, 'yellow', screen) : level}  ${place}${oneLine(message)}`;
  });
  const rest = findings.length - lines.length;
  return [
    `  ${counted(findings.length, 'remark')} from the reader:`,
    ...lines,
    ...(rest > 0 ? [`    and ${thousands(rest)} more: --json lists all`] : []),
  ];
}
