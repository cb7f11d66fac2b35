/** What messages hold: their text, their calls and results, and the groups that are never parted. */
import { isJsonObject } from '../shared/json.ts';
import type { Message, Part, ResultContent, ToolCallPart, ToolResultPart } from './message.ts';

/** What a person would read of a result: its texts, and a short mark for everything else. */
export function resultText(part: ToolResultPart): string {
  if (part.content.length === 1 && part.content[0]?.type === 'text') return part.content[0].text;
  return part.content.map(contentText).join('\n');
}

/** The text parts of a message, joined by line breaks; calls, results, reasoning and attachments are left out. */
export function messageText(message: Message): string {
  const [first, ...rest] = message.parts;
  if (rest.length === 0) return first?.type === 'text' ? first.text : '';
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The tool calls of a message, in order. */
export function toolCalls(message: Message): readonly ToolCallPart[] {
  return message.parts.filter((part) => part.type === 'toolCall');
}

/** The tool results of a message, in order. */
export function toolResults(message: Message): readonly ToolResultPart[] {
  return message.parts.filter((part) => part.type === 'toolResult');
}

/** True when the message carries results of client tools: it belongs to the group of the calls before it. */
export function carriesResults(message: Message): boolean {
  return message.parts.some((part) => part.type === 'toolResult' && !part.server);
}

/** True when a person says in it whether a tool that the provider runs may run: it belongs to the message with the call. */
export function answersApproval(message: Message): boolean {
  if (message.role !== 'tool') return false;
  return message.parts.some(
    (part) => part.type === 'other' && isJsonObject(part.value) && part.value.type === 'tool-approval-response',
  );
}

/** True when the message asks for client tools to run. */
export function carriesCalls(message: Message): boolean {
  return message.role === 'assistant' && message.parts.some((part) => part.type === 'toolCall' && !part.server);
}

function contentText(part: ResultContent): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return '[image]';
    case 'file':
      return part.text ?? `[file${part.name ? ` ${part.name}` : ''}]`;
    case 'other':
      return JSON.stringify(part.value);
  }
}

/** Every readable piece of a message in order, for searching and counting characters; never base64 or signatures. */
export function readableText(message: Message): string {
  return message.parts.map(partText).filter(Boolean).join('\n');
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'toolCall':
      return `${part.name} ${part.input}`;
    case 'toolResult':
      return resultText(part);
    case 'image':
    case 'file':
    case 'other':
      return contentText(part);
  }
}

// Recognises the text that stands in a context for a tool result that was saved whole.

/** The largest that such a text is beside the start of the result that it shows. */
const noticeFrameChars = 2_800;

/**
 * The id of the saved output that a text stands for; undefined for every other text. A text that is longer than a notice
 * can be is none, whatever it begins with.
 *
 * @example
 * import { spilledOutput } from '@palimpsest/core';
 * spilledOutput('the text of a tool result'); // undefined: it stands for itself
 */
export function spilledOutput(text: string, previewChars = 1_500): string | undefined {
  if (!text.startsWith('[spilled: ') || text.length > noticeFrameChars + previewChars) return undefined;
  return /^\[spilled: [^\n]* \| output ([0-9a-f]{16})\]\n/.exec(text)?.[1];
}

/** The ids of all outputs that stand in a result, each once. */
export function spilledOutputs({ content }: ToolResultPart): readonly string[] {
  const texts = content.flatMap((one) => (one.type === 'text' || one.type === 'file' ? (one.text ?? []) : []));
  // How much of a result is shown is a setting: whatever its length, the first line tells.
  return [...new Set(texts.flatMap((text) => spilledOutput(text, Number.POSITIVE_INFINITY) ?? []))];
}

// A group is an assistant message with its tool calls, all their results and its reasoning, and what a person answered
// to its requests for approval; every other message is a group of its own. Groups are never cut inside (invariant 2),
// so every boundary in the project is a group boundary.

/** `messages[start] … messages[end - 1]` belong together. */
export interface Group {
  readonly start: number;
  readonly end: number;
  /** Ids of calls that have no result in the group: in flight when the group is the last one, lost otherwise. */
  readonly open: readonly string[];
}

/** The groups of a list, in order, without gaps. Linear in the number of parts. */
export function groupsOf(messages: readonly Message[]): readonly Group[] {
  const groups: Group[] = [];
  for (let start = 0; start < messages.length; ) {
    const end = groupEnd(messages, start);
    groups.push({ start, end, open: openCalls(messages, start, end) });
    start = end;
  }
  return groups;
}

/** The last group of a list, undefined for an empty one. Linear in its own length. */
export function lastGroup(messages: readonly Message[]): Group | undefined {
  let from = messages.length - 1;
  while (from > 0 && isInside(messages[from])) from--;
  // What carries no results begins a group, whatever stands before it.
  const last = groupsOf(messages.slice(Math.max(0, from))).at(-1);
  return last && { ...last, start: last.start + from, end: last.end + from };
}

const isInside = (message: Message | undefined): boolean =>
  message !== undefined && (carriesResults(message) || answersApproval(message));

function groupEnd(messages: readonly Message[], start: number): number {
  const first = messages[start];
  let end = start + 1;
  if (!first) return end;
  const belongs = carriesCalls(first) ? isInside : waitsForApproval(first) ? isAnswer : undefined;
  for (let next = messages[end]; next && belongs?.(next); next = messages[end]) end++;
  return end;
}

const isAnswer = (message: Message): boolean => answersApproval(message) && !carriesResults(message);

/** A call of a tool that the provider runs, and no result of it. */
function waitsForApproval({ role, parts }: Message): boolean {
  if (role !== 'assistant') return false;
  const done = new Set(parts.flatMap((part) => (part.type === 'toolResult' ? [part.callId] : [])));
  return parts.some((part) => part.type === 'toolCall' && part.server && !done.has(part.callId));
}

function openCalls(messages: readonly Message[], start: number, end: number): readonly string[] {
  const open = new Set<string>();
  for (const part of messages[start]?.parts ?? []) if (part.type === 'toolCall' && !part.server) open.add(part.callId);
  for (let i = start + 1; i < end; i++) {
    for (const part of messages[i]?.parts ?? []) if (part.type === 'toolResult') open.delete(part.callId);
  }
  return [...open];
}
