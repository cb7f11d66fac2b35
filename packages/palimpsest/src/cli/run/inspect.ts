/** `palimpsest inspect`: what is in a transcript, in numbers; and `formats`: which ones there are. */
import { type Message, messageTokens, type ReadFinding, validate } from '@palimpsest/core';
import { formats, toolCalls, toolResults } from '@palimpsest/core/formats';
import { refOf, transcriptTitle } from '@palimpsest/core/search';
import { type Screen, styled } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, inputDocument, type LoadedConversation, loadConversation } from '../load.ts';
import { callsById, kindOf, kindTitles, messageKinds, previewOf, toolNameOf, toolsOf } from '../message-kinds.ts';
import { untitled } from '../open-store.ts';
import { bar, gives, legend, right, tableOf } from '../render/table.ts';
import { counted, firstOf, linesOf, oneLine, percent, shares, thousands } from '../render/text.ts';
import { stdoutScreen, writeJson, writeReport, writeResult } from '../terminal.ts';
import { type Measure, type ModelFlags, measureFor } from '../window.ts';

type InspectFlags = InputFlags & ModelFlags & { readonly strict?: boolean };

export async function runInspect({ words: [file], flags, terminal }: Call<InspectFlags>): Promise<ExitCode> {
  const loaded = await loadConversation(file, flags, { terminal });
  const measure = await measureFor(loaded, flags);
  const { tokenizer, window, toolTokens, model } = measure;
  const inspection = inspectionOf(loaded, (message) => messageTokens(message, tokenizer));
  await writeResult(terminal, {
    json: () => {
      const input = { ...inputDocument(loaded), id: loaded.transcript.id ?? null };
      const { name, exact } = tokenizer;
      const about = { model: model ?? null, window, toolTokens, tokenizer: { name, exact } };
      return { command: 'inspect', input, ...about, ...inspection };
    },
    notes: [...loaded.notes, ...measure.notes],
    lines: (screen) => inspectionReport(inspection, { loaded, measure }, screen),
  });
  // Remarks that cost nothing are no findings.
  const hasFindings = inspection.invalid.length > 0 || loaded.findings.some(({ level }) => level === 'skipped');
  return flags.strict && hasFindings ? exitCodes.finding : exitCodes.fine;
}

type TokensOf = (message: Message) => number;
type Inspection = ReturnType<typeof inspectionOf>;

function inspectionOf({ messages, transcript, transcripts, findings }: LoadedConversation, tokensOf: TokensOf) {
  const tokens = messages.map(tokensOf);
  const compressions = messages === transcript.messages ? (transcript.compressions ?? []) : [];
  return {
    conversations: transcripts.map((one, index) => ({
      number: index + 1,
      id: one.id ?? null,
      title: transcriptTitle(one) || null,
      messages: one.messages.length,
      side: one.sideOf !== undefined,
    })),
    messages: messages.length,
    tokens: sum(tokens),
    kinds: kindRows(messages, tokens),
    tools: toolRows(messages, tokensOf),
    largest: largestOf(messages, tokens),
    /** Refs of the first message after each compression by the tool that wrote the log. */
    compressions: compressions.map(refOf),
    /** Why a provider would reject the messages. */
    invalid: validate(messages).map(({ at, rule, detail, fix }) => ({ ref: refOf(at), rule, detail, fix })),
    findings,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const kindRows = (messages: readonly Message[], tokens: readonly number[]) =>
  messageKinds.flatMap((kind) => {
    const sizes = tokens.filter((_, at) => messages[at] && kindOf(messages[at]) === kind);
    return sizes.length > 0 ? [{ kind, messages: sizes.length, tokens: sum(sizes) }] : [];
  });

/** Calls and results by tool, the most tokens first. */
function toolRows(messages: readonly Message[], tokensOf: TokensOf) {
  const calls = callsById(messages);
  const rows = new Map<string, { tool: string; calls: number; results: number; resultTokens: number }>();
  const rowOf = (tool: string) => {
    const row = rows.get(tool) ?? { tool, calls: 0, results: 0, resultTokens: 0 };
    rows.set(tool, row);
    return row;
  };
  for (const message of messages) {
    for (const call of toolCalls(message)) rowOf(call.name).calls++;
    for (const result of toolResults(message)) {
      const row = rowOf(toolNameOf(result, calls));
      row.results++;
      // A message may carry several results: each is measured as if it stood alone.
      row.resultTokens += tokensOf(message.parts.length === 1 ? message : { ...message, parts: [result] });
    }
  }
  return [...rows.values()].sort((a, b) => b.resultTokens - a.resultTokens || b.calls - a.calls);
}

function largestOf(messages: readonly Message[], tokens: readonly number[]) {
  const calls = callsById(messages);
  const sized = messages.map((message, at) => ({ message, at, tokens: tokens[at] ?? 0 }));
  return sized
    .sort((a, b) => b.tokens - a.tokens || a.at - b.at)
    .slice(0, 10)
    .map(({ message, at, tokens }) => {
      const tools = toolsOf(message, calls);
      return { ref: refOf(at), kind: kindOf(message), tools, tokens, about: previewOf(message, calls) };
    });
}

interface About {
  readonly loaded: LoadedConversation;
  readonly measure: Measure;
}

function inspectionReport(inspection: Inspection, about: About, screen: Screen): readonly string[] {
  const { conversations, compressions, tools, largest } = inspection;
  const where = styled(compressions.join(', '), 'cyan', screen);
  return linesOf(
    headLines(inspection, about, screen),
    conversations.length > 1 && ['', ...conversationLines(inspection, about.loaded.index + 1, screen)],
    '',
    kindLines(inspection, screen),
    tools.length > 0 && ['', ...toolLines(inspection, screen)],
    largest.length > 0 && ['', ...largestLines(inspection, screen)],
    '',
    compressions.length > 0 &&
      `  compressed ${counted(compressions.length, 'time')} by the tool that wrote it, before ${where}`,
    invalidLines(inspection, screen),
    findingLines(inspection.findings, screen),
  );
}

function headLines(
  { tokens, messages, kinds }: Inspection,
  { loaded, measure }: About,
  screen: Screen,
): readonly string[] {
  const { window, toolTokens, model, tokenizer } = measure;
  const system = kinds.find(({ kind }) => kind === 'system')?.tokens ?? 0;
  const filling = { tools: toolTokens, system, messages: tokens - system };
  const drawn = bar(filling, { window: window.tokens, width: Math.max(10, Math.min(56, screen.columns - 30)) }, screen);
  const title = styled(oneLine(loaded.title), 'bold', screen);
  return [
    `${title}: ${loaded.format}, ${counted(messages, 'message')}, ${thousands(tokens)} tokens`,
    `  ${drawn} ${percent(tokens + toolTokens, window.tokens)} of ${thousands(window.tokens)}`,
    `  ${legend([filling], screen)}`,
    styled(`  window ${window.from}; model ${model ?? 'not named'}; tokens by ${tokenizer.name}`, 'dim', screen),
  ];
}

const mostConversations = 20;
const mostTools = 15;
const listsAll = (rest: number): readonly string[] => (rest > 0 ? [`  and ${rest} more: --json lists all`] : []);

const conversationLines = ({ conversations }: Inspection, number: number, screen: Screen): readonly string[] => [
  ...tableOf(
    conversations.slice(0, mostConversations),
    [
      ['', (row) => (row.number === number ? '*' : '')],
      ['conversation', (row) => String(row.number), right],
      ['id', ({ id }) => id ?? ''],
      ['messages', ({ messages }) => thousands(messages), right],
      ['', ({ side }) => (side ? 'side' : '')],
      ['title', ({ title }) => oneLine(title ?? '') || untitled, gives],
    ],
    { screen },
  ),
  ...listsAll(conversations.length - mostConversations),
];

function kindLines({ kinds }: Inspection, screen: Screen): readonly string[] {
  const share = shares(kinds.map(({ tokens }) => tokens));
  return tableOf(
    kinds,
    [
      ['kind', ({ kind }) => kindTitles[kind]],
      ['messages', ({ messages }) => thousands(messages), right],
      ['tokens', ({ tokens }) => thousands(tokens), right],
      ['share', (_, at) => share[at] ?? '', right],
    ],
    { screen },
  );
}

const toolLines = ({ tools, tokens }: Inspection, screen: Screen): readonly string[] => [
  ...tableOf(
    tools.slice(0, mostTools),
    [
      ['tool', ({ tool }) => oneLine(tool), gives],
      ['calls', ({ calls }) => thousands(calls), right],
      ['results', ({ results }) => thousands(results), right],
      ['result tokens', ({ resultTokens }) => thousands(resultTokens), right],
      ['share', ({ resultTokens }) => percent(resultTokens, tokens), right],
    ],
    { screen },
  ),
  ...listsAll(tools.length - mostTools),
];

const largestLines = ({ largest }: Inspection, screen: Screen): readonly string[] =>
  tableOf(
    largest,
    [
      ['largest', ({ ref }) => ref],
      ['kind', ({ kind }) => kindTitles[kind]],
      ['tokens', ({ tokens }) => thousands(tokens), right],
      ['', ({ about }) => about, gives],
    ],
    { screen },
  );

/** One line a rule, with its first places. */
function invalidLines({ invalid }: Inspection, screen: Screen): readonly string[] {
  if (invalid.length === 0) return [`  ${styled('valid', 'green', screen)}: every provider takes these messages`];
  const lines = [...Map.groupBy(invalid, ({ rule }) => rule)].flatMap(([rule, rows]) => [
    `  ${styled(rule, 'yellow', screen)} ${thousands(rows.length)}: ${rows[0]?.fix ?? ''}`,
    ...firstOf(
      rows.map(({ ref, detail }) => `    ${ref}  ${oneLine(detail)}`),
      3,
      (rest) => `    and ${thousands(rest)} more`,
    ),
  ]);
  const findings = counted(invalid.length, 'finding');
  return [`  ${findings} that a strict provider would reject; compress repairs them:`, ...lines];
}

function findingLines(findings: readonly ReadFinding[], screen: Screen): readonly string[] {
  if (findings.length === 0) return [];
  const lines = findings.map(({ level, line, message }) => {
    const place = line > 0 ? `line ${line}: ` : '';
    return `    ${level === 'skipped' ? styled(level, 'yellow', screen) : level}  ${place}${oneLine(message)}`;
  });
  const shown = firstOf(lines, 10, (rest) => `    and ${thousands(rest)} more: --json lists all`);
  return [`  ${counted(findings.length, 'remark')} from the reader:`, ...shown];
}

// `palimpsest formats`: the table of formats.

export async function runFormats({ terminal }: Call<object>): Promise<void> {
  const rows = formats.map(({ name, title, write }) => ({ name, title, reads: true, writes: write !== undefined }));
  if (terminal.json) return writeJson(terminal, { command: 'formats', formats: rows });
  const lines = tableOf(
    rows,
    [
      ['format', ({ name }) => name],
      ['read', () => 'yes'],
      ['write', ({ writes }) => (writes ? 'yes' : 'no')],
      ['description', ({ title }) => title, gives],
    ],
    { screen: stdoutScreen(terminal) },
  );
  await writeReport(terminal, lines);
}
