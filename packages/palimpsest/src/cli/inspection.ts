/** What is in a conversation, in numbers: what `inspect` shows and `--json` gives. */
import { type Message, type ReadFinding, type Rule, type Transcript, validate } from '@palimpsest/core';
import { toolCalls, toolResults } from '@palimpsest/core/formats';
import { refOf, transcriptTitle } from '@palimpsest/core/search';
import type { LoadedConversation } from './load.ts';
import { callsById, kindOf, type MessageKind, messageKinds, previewOf, toolsOf } from './message-kinds.ts';

export interface Inspection {
  readonly conversations: readonly ConversationRow[];
  readonly messages: number;
  readonly tokens: number;
  readonly kinds: readonly { readonly kind: MessageKind; readonly messages: number; readonly tokens: number }[];
  readonly tools: readonly ToolRow[];
  /** The messages with the most tokens, largest first. */
  readonly largest: readonly LargeMessage[];
  /** Refs of the first message after each compression by the tool that wrote the log. */
  readonly compressions: readonly string[];
  /** Why a provider would reject the messages. */
  readonly invalid: readonly InvalidRow[];
  /** What the reader left out, repaired or noticed. */
  readonly findings: readonly ReadFinding[];
}

export interface ConversationRow {
  readonly number: number;
  readonly id: string | null;
  readonly title: string | null;
  readonly messages: number;
  readonly side: boolean;
}

export interface ToolRow {
  readonly tool: string;
  readonly calls: number;
  readonly results: number;
  readonly resultTokens: number;
}

export interface LargeMessage {
  readonly ref: string;
  readonly kind: MessageKind;
  readonly tools: readonly string[];
  readonly tokens: number;
  readonly about: string;
}

export interface InvalidRow {
  readonly ref: string;
  readonly rule: Rule;
  readonly detail: string;
  readonly fix: string;
}

export interface InspectionOptions {
  readonly tokensOf: (message: Message) => number;
  /** @default 10 */
  readonly mostLargest?: number;
}

export function inspectionOf(
  loaded: LoadedConversation,
  { tokensOf, mostLargest = 10 }: InspectionOptions,
): Inspection {
  const { messages, transcript } = loaded;
  const tokens = messages.map(tokensOf);
  return {
    conversations: loaded.transcripts.map(conversationRow),
    messages: messages.length,
    tokens: sum(tokens),
    kinds: kindRows(messages, tokens),
    tools: toolRows(messages, tokensOf),
    largest: largestOf(messages, tokens).slice(0, mostLargest),
    compressions: messages === transcript.messages ? (transcript.compressions ?? []).map(refOf) : [],
    invalid: validate(messages).map(({ at, rule, detail, fix }) => ({ ref: refOf(at), rule, detail, fix })),
    findings: loaded.findings,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function conversationRow(transcript: Transcript, index: number): ConversationRow {
  const { id, messages, sideOf } = transcript;
  return {
    number: index + 1,
    id: id ?? null,
    title: transcriptTitle(transcript) || null,
    messages: messages.length,
    side: sideOf !== undefined,
  };
}

function kindRows(messages: readonly Message[], tokens: readonly number[]): Inspection['kinds'] {
  const rows = new Map(messageKinds.map((kind) => [kind, { kind, messages: 0, tokens: 0 }]));
  for (const [at, message] of messages.entries()) {
    const row = rows.get(kindOf(message));
    if (!row) continue;
    row.messages++;
    row.tokens += tokens[at] ?? 0;
  }
  return [...rows.values()].filter((row) => row.messages > 0);
}

/** Calls and results by tool, the most tokens first. */
function toolRows(messages: readonly Message[], tokensOf: (message: Message) => number): readonly ToolRow[] {
  const calls = callsById(messages);
  const rows = new Map<string, { tool: string; calls: number; results: number; resultTokens: number }>();
  const rowOf = (tool: string): { calls: number; results: number; resultTokens: number } => {
    const row = rows.get(tool) ?? { tool, calls: 0, results: 0, resultTokens: 0 };
    rows.set(tool, row);
    return row;
  };
  for (const message of messages) {
    for (const call of toolCalls(message)) rowOf(call.name).calls++;
    for (const result of toolResults(message)) {
      const row = rowOf(result.name ?? calls.get(result.callId)?.name ?? '(unknown)');
      row.results++;
      // A message may carry several results: each is measured as if it stood alone.
      row.resultTokens += message.parts.length === 1 ? tokensOf(message) : tokensOf({ ...message, parts: [result] });
    }
  }
  return [...rows.values()].sort((a, b) => b.resultTokens - a.resultTokens || b.calls - a.calls);
}

function largestOf(messages: readonly Message[], tokens: readonly number[]): readonly LargeMessage[] {
  const calls = callsById(messages);
  const order = messages.map((_, at) => at).sort((a, b) => (tokens[b] ?? 0) - (tokens[a] ?? 0) || a - b);
  return order.slice(0, 50).flatMap((at) => {
    const message = messages[at];
    if (!message) return [];
    const tools = toolsOf(message, calls);
    return [
      { ref: refOf(at), kind: kindOf(message), tools, tokens: tokens[at] ?? 0, about: previewOf(message, calls) },
    ];
  });
}
