/** Recognises a list that needs no repair: nearly every list, and most of its messages were looked at before. */
import type { Message, Part } from '../../transcript/message.ts';
import { carriesResults } from '../../transcript/text.ts';
import { hasValidArguments, isBlank, isSealed, misplaced, resultsAreLate, speaks } from '../../transcript/validate.ts';

/**
 * True only when no step of a repair would change the list. Stricter than the steps: what is right for a reason that
 * takes long to see counts as unsound, and is then left alone by the steps.
 */
export function isSoundList(messages: readonly Message[]): boolean {
  const start = messages.findIndex((message) => message.role !== 'system');
  const ids = new Set<string>();
  const open = new Set<string>();
  return messages.every((message, at) => {
    if (!isSoundMessage(message) || (start !== -1 && at > start && message.role === 'system')) return false;
    // Results follow the message with their calls, and nothing else comes between.
    if (carriesResults(message)) return answersCalls(message, open);
    return open.size === 0 && opensCalls(message, ids, open);
  });
}

function answersCalls(message: Message, open: Set<string>): boolean {
  return message.parts.every((part) => part.type !== 'toolResult' || open.delete(part.callId));
}

/** Takes up the calls of a message; false for an id without text or used before, or a server call without its result. */
function opensCalls(message: Message, ids: Set<string>, open: Set<string>): boolean {
  const served = new Set<string>();
  for (const part of message.parts) {
    if (part.type === 'toolResult' && !served.delete(part.callId)) return false;
    if (part.type !== 'toolCall') continue;
    if (part.callId === '' || ids.has(part.callId)) return false;
    ids.add(part.callId);
    (part.server ? served : open).add(part.callId);
  }
  return served.size === 0;
}

/** Messages that are sound by themselves, wherever they stand. */
const sound = new WeakSet<Message>();

function isSoundMessage(message: Message): boolean {
  if (sound.has(message)) return true;
  const { role, parts } = message;
  const last = parts.at(-1);
  if (last === undefined || isSealed(last) || !parts.some(speaks)) return false;
  if (role !== 'assistant' && resultsAreLate(parts)) return false;
  if (!parts.every((part) => !misplaced(part, role) && isSoundPart(part))) return false;
  sound.add(message);
  return true;
}

function isSoundPart(part: Part): boolean {
  if (part.type === 'toolCall') return part.name !== '' && hasValidArguments(part);
  if (part.type !== 'toolResult' || part.server) return !isBlank(part);
  return part.content.length > 0 && !part.content.some(isBlank);
}
