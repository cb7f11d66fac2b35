/** Mends dangling-reasoning and empty-message, the last step: the steps before it may leave such messages behind. */
import type { Message } from '../../transcript/message.ts';
import { isSealed, speaks } from '../../transcript/validate.ts';
import type { Entry, Note } from './entry.ts';

const noReply = '[no visible reply]';
/** What stands for an assistant message of which nothing but lost calls was there. */
export const removedCall = '[a tool call was removed: its result was lost]';

/** True for an assistant message in which nobody speaks: a repair put the words there. */
export const isPlaceholder = ({ role, parts }: Message): boolean =>
  role === 'assistant' &&
  parts.every((part) => part.type !== 'text' || part.text === noReply || part.text === removedCall);

/** Every message with content; assistant messages without any say so, others are left out. */
export function completeMessages(entries: readonly Entry[], note: Note): readonly Entry[] {
  return entries.flatMap(({ message, at }) => {
    const whole = completed(withoutDangling(message, at, note), at, note);
    return whole ? [{ at, message: whole }] : [];
  });
}

function withoutDangling(message: Message, at: number, note: Note): Message {
  if (message.role !== 'assistant' || !message.parts.some(speaks)) return message;
  const end = message.parts.findLastIndex((part) => part.type !== 'reasoning' || !isSealed(part));
  if (end === message.parts.length - 1) return message;
  note(at, 'removed', 'signed reasoning that led to nothing');
  return { ...message, parts: message.parts.slice(0, end + 1) };
}

function completed(message: Message, at: number, note: Note): Message | undefined {
  if (message.parts.some(speaks)) return message;
  if (message.role === 'assistant') {
    note(at, 'added', 'a text to an assistant message without any');
    return { ...message, parts: [...message.parts, { type: 'text', text: noReply }] };
  }
  note(at, 'removed', `an empty ${message.role} message`);
  return undefined;
}
