/** A stored message as people and models read it: without credentials, and cut where it is long. */
import type { Instant, MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { Message } from '../../transcript/message.ts';
import { originOf } from '../../transcript/origin.ts';
import { cleanPiece, type ShownPiece } from '../../transcript/redact.ts';
import { carriesResults, toolCalls, toolResults } from '../../transcript/text.ts';

/** Who speaks: a role, or for role `user` the host program or an earlier summary. */
export type Speaker = 'system' | 'user' | 'host' | 'summary' | 'assistant' | 'tool';

/** A message with its text, or a piece of it; recognised credentials are masked. */
export interface ShownMessage extends ShownPiece {
  readonly id: MessageId;
  readonly sessionId: SessionId;
  readonly time: Instant;
  readonly speaker: Speaker;
  readonly name?: string;
  /** The tools that it calls, or whose results it carries, each once. */
  readonly tools: readonly string[];
}

export interface ShowOptions {
  /** Characters that are passed over. @default 0 */
  readonly from?: number;
  /** Most characters shown. */
  readonly max: number;
}

/** A message that carries results counts as a tool's, whatever its role in the format. */
export function speakerOf(message: Message): Speaker {
  if (message.role === 'assistant' || message.role === 'system') return message.role;
  if (message.role === 'tool' || carriesResults(message)) return 'tool';
  const origin = originOf(message);
  return origin === undefined || origin === 'person' ? 'user' : origin;
}

/** Messages as they are shown; a result gets the name of its tool from the calls among them. */
export function shownMessages(messages: readonly StoredMessage[], options: ShowOptions): readonly ShownMessage[] {
  const names = calledNames(messages);
  return messages.map((stored) => shown(stored, names, options));
}

/** The tools that a message calls, or whose results it carries, each once; the calls stand in the messages near it. */
export const toolsOf = ({ message }: StoredMessage, near: readonly StoredMessage[]): readonly string[] =>
  toolNames(message, calledNames(near));

/** The names of tools by the ids of their calls. */
const calledNames = (messages: readonly StoredMessage[]): ReadonlyMap<string, string> =>
  new Map(messages.flatMap(({ message }) => toolCalls(message).map(({ callId, name }) => [callId, name] as const)));

function toolNames(message: Message, names: ReadonlyMap<string, string>): readonly string[] {
  const answered = toolResults(message).flatMap(({ name, callId }) => name ?? names.get(callId) ?? []);
  return [...new Set([...toolCalls(message).map(({ name }) => name), ...answered])];
}

function shown(
  stored: StoredMessage,
  names: ReadonlyMap<string, string>,
  { from = 0, max }: ShowOptions,
): ShownMessage {
  const { id, sessionId, time, message } = stored;
  return {
    id,
    sessionId,
    time,
    speaker: speakerOf(message),
    ...(message.name === undefined ? {} : { name: message.name }),
    tools: toolNames(message, names),
    ...cleanPiece(message, { from, max }),
  };
}
