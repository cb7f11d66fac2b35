/**
 * Tells a person's words from what a host program put into a `user` message. Readers set `origin` where the format
 * says so; for plain lists the wrapping tells: hosts put their text into elements of known names or behind known openings, people do not.
 */
import type { Message, Origin, Part } from './message.ts';
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

/** An element at the start of a text, such as `<environment_context>…</environment_context>`. */
const firstElement = /^<([a-z][\w-]*)\b[^>]*>[\s\S]*?<\/\1>\s*/i;

/**
 * Words in the names of elements that programs write, as they stand in logs of Claude Code, Codex, Copilot and Gemini CLI.
 * People wrap what they ask too, such as `<task>…</task>`: an element of any other name is theirs.
 */
const hostWords: ReadonlySet<string> = new Set(
  (
    'aborted agents attachments bash caveat collaboration command context cwd datetime diagnostics environment hook ide interrupted ' +
    'local memory notification permissions personality plugins reminder session shell skill skills stderr stdout subagent ' +
    'system teammate terminal tick tool workspace'
  ).split(' '),
);

/** Names of programs made of words that people use as well. */
const hostElements: ReadonlySet<string> = new Set(['agent-message', 'user_instructions']);

const isHostElement = (name: string): boolean =>
  hostElements.has(name) ||
  name
    .toLowerCase()
    .split(/[-_]/)
    .some((word) => hostWords.has(word));

/** True for a text that is nothing but elements that programs write. */
export function isHostElements(text: string): boolean {
  let rest = text.trim();
  if (rest === '') return false;
  while (rest !== '') {
    const found = firstElement.exec(rest);
    if (!found || !isHostElement(found[1] ?? '')) return false;
    rest = rest.slice(found[0].length);
  }
  return true;
}

/** Who is behind a message with role `user`; undefined for every other role and for pure tool results. */
export function originOf(message: Message): Origin | undefined {
  if (message.role !== 'user') return undefined;
  if (message.origin) return message.origin;
  const text = messageText(message).trim();
  if (!text) return carriesResults(message) ? undefined : 'person';
  // Programs write text: what was attached beside it is a person's, as where a reminder is sent with a picture.
  if (message.parts.some(isAttachment))
    return summaryOpenings.some((one) => text.startsWith(one)) ? 'summary' : 'person';
  if (summaryOpenings.some((opening) => text.startsWith(opening))) return 'summary';
  return hostOpenings.some((opening) => text.startsWith(opening)) || isHostElements(text) ? 'host' : 'person';
}

/** True when a person wrote the message. */
export const isFromPerson = (message: Message): boolean => originOf(message) === 'person';

const isAttachment = ({ type }: Part): boolean => type === 'image' || type === 'file';
