/**
 * A group is an assistant message with its tool calls, all their results and its reasoning, and what a person answered to
 * its requests for approval; every other message is a group of its own. Groups are never cut inside (invariant 2), so every boundary in the project is a group boundary.
 */
import type { Message } from './message.ts';
import { answersApproval, carriesCalls, carriesResults } from './text.ts';

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
