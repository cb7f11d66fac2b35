/** Recognises a list that needs no repair: nearly every list, and most of its messages were looked at before. */
import type { Message } from '../../transcript/message.ts';
import { carriesResults } from '../../transcript/text.ts';
import { completeMessages } from './complete.ts';
import { mendParts } from './parts.ts';

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
  const quiet = (): void => undefined;
  const mended = completeMessages(mendParts([{ message, at: 0 }], quiet), quiet);
  const isSound = mended.length === 1 && mended[0]?.message === message;
  if (isSound) sound.add(message);
  return isSound;
}
