/**
 * Tells a person's words from what a host program put into a `user` message. Readers set `origin` where the format
 * says so; for plain lists the wrapping tells: hosts put their text into tags or known openings, people do not.
 */
import type { Message, Origin } from './message.ts';
import { carriesResults, messageText } from './text.ts';

/** Openings of summaries that earlier compressions of any tool left behind. */
const summaryOpenings: readonly string[] = [
  '<handoff',
  '[CONTEXT SUMMARY]',
  '[CONTEXT COMPACTION',
  'This session is being continued from a previous conversation',
  'The conversation history before this point was compacted',
  'Another language model started to solve this problem',
];

/** Openings of texts that host programs write in the user's place. */
const hostOpenings: readonly string[] = [
  '[System:',
  '[SYSTEM NOTIFICATION',
  'Caveat: The messages below were generated',
  '[Request interrupted by user',
  'Base directory for this skill:',
  '# AGENTS.md instructions for',
];

/** A text that is one element from its first to its last character, such as `<environment_context>…</…>`. */
const wrapped = /^<([a-z][\w-]*)[^>]*>[\s\S]*<\/([a-z][\w-]*)>$/i;

/** Who is behind a message with role `user`; undefined for every other role and for pure tool results. */
export function originOf(message: Message): Origin | undefined {
  if (message.role !== 'user') return undefined;
  if (message.origin) return message.origin;
  const text = messageText(message).trim();
  if (!text) return carriesResults(message) ? undefined : 'person';
  if (summaryOpenings.some((opening) => text.startsWith(opening))) return 'summary';
  return hostOpenings.some((opening) => text.startsWith(opening)) || wrapped.test(text) ? 'host' : 'person';
}

/** True when a person wrote the message. */
export const isFromPerson = (message: Message): boolean => originOf(message) === 'person';
