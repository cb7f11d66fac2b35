/** What a message is to a person who looks at a conversation, and one line that tells it from others. */
import type { Message, ToolCallPart, ToolResultPart } from '@palimpsest/core';
import { intentOf } from '@palimpsest/core/engine';
import {
  carriesResults,
  messageText,
  originOf,
  readableText,
  redactedMessage,
  redactedPart,
  toolCalls,
  toolResults,
} from '@palimpsest/core/formats';
import { oneLine, shortPath } from './render/text.ts';

export const messageKinds = ['system', 'user', 'host', 'summary', 'assistant', 'tool'] as const;

export type MessageKind = (typeof messageKinds)[number];

export const kindTitles: Readonly<Record<MessageKind, string>> = {
  system: 'system prompt',
  user: 'user',
  host: 'host program',
  summary: 'earlier summary',
  assistant: 'assistant',
  tool: 'tool results',
};

/** A message that carries results counts as tool results, whatever its role in the format. */
export function kindOf(message: Message): MessageKind {
  if (message.role === 'assistant' || message.role === 'system') return message.role;
  if (message.role === 'tool' || carriesResults(message)) return 'tool';
  const origin = originOf(message);
  return origin === undefined || origin === 'person' ? 'user' : origin;
}

export type CallsById = ReadonlyMap<string, ToolCallPart>;

/** Every tool call of a conversation by its id; the first one where an id was used twice. */
export function callsById(messages: readonly Message[]): CallsById {
  const calls = new Map<string, ToolCallPart>();
  for (const message of messages) {
    for (const call of toolCalls(message)) if (!calls.has(call.callId)) calls.set(call.callId, call);
  }
  return calls;
}

export const toolNameOf = ({ name, callId }: ToolResultPart, calls: CallsById): string =>
  name ?? calls.get(callId)?.name ?? '(unknown)';

/** The tools that a message calls, or whose results it carries, each once. */
export function toolsOf(message: Message, calls: CallsById): readonly string[] {
  const names = [
    ...toolCalls(message).map((call) => call.name),
    ...toolResults(message).map((result) => toolNameOf(result, calls)),
  ];
  return [...new Set(names)].map(oneLine);
}

/** One line that tells the message from others, without credentials: what its tool was about, else the start of its text. */
export function previewOf(original: Message, calls: CallsById): string {
  const message = redactedMessage(original);
  const [result] = toolResults(message);
  const call = toolCalls(message)[0] ?? (result && calls.get(result.callId));
  const text = messageText(message).trim();
  if (call && (result || !text)) return oneLine(`${call.name} ${shortPath(intentOf(redactedPart(call)).target)}`);
  return oneLine(text || readableText(message));
}
