/**
 * Which session a tool call was made in. Ids alone do not tell: some providers count them up in every conversation, and a
 * tool that answers out of another one gives away what was said there. What was said before the call tells.
 */
import { isOnce } from '../conversation/live/said.ts';
import type { SessionId } from '../store/ids.ts';
import type { GivenMessage, GivenMessages } from './interface.ts';
import { remember } from './remember.ts';
import { type SaidList, saidKey } from './said-before.ts';

/** A tool call that a model asked for. */
export interface CallerNote {
  readonly callId: string;
  readonly name: string;
  /** What the model was asked with, as the program made it. */
  readonly prompt: SaidList;
  readonly sessionId: SessionId;
}

/** The newest tool calls of all conversations of a wrapped model. */
export interface Callers {
  note(call: CallerNote): void;
  /**
   * The session in which a call was made behind these messages; undefined where nobody made it, or several did that cannot be
   * told apart. Messages that are none of those that the model was asked with are passed over only for an id that comes once.
   */
  sessionOf(callId: string, before: SaidList): SessionId | undefined;
}

export function createCallers(): Callers {
  const sessions = new Map<string, readonly SessionId[]>();
  const add = (key: string, sessionId: SessionId): void => {
    const known = sessions.get(key) ?? [];
    // Two are as good as many.
    remember(sessions, key, known.includes(sessionId) ? known : [...known.slice(-1), sessionId]);
  };
  const only = (key: string): SessionId | undefined => {
    const [one, ...others] = sessions.get(key) ?? [];
    return others.length === 0 ? one : undefined;
  };
  return {
    note({ callId, name, prompt, sessionId }) {
      add(placeOf(callId, saidKey(prompt)), sessionId);
      if (isOnce({ callId, name })) add(callId, sessionId);
    },
    sessionOf(callId, before) {
      const place = placeOf(callId, saidKey(before, callStart(before.messages, callId)));
      return sessions.has(place) ? only(place) : only(callId);
    },
  };
}

const placeOf = (callId: string, said: string): string => `${said} ${callId}`;

/** Where the message with a call stands that waits for its result, as it does when a person had to allow it; else the end. */
function callStart(messages: GivenMessages, callId: string): number {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const asks = at >= 0 && has(messages[at], 'tool-call', callId);
  const isAnswered = messages.slice(at + 1).some((message) => has(message, 'tool-result', callId));
  return asks && !isAnswered ? at : messages.length;
}

function has(message: GivenMessage | undefined, type: 'tool-call' | 'tool-result', callId: string): boolean {
  const content = message?.content ?? '';
  if (typeof content === 'string') return false;
  return content.some((part) => part.type === type && 'toolCallId' in part && part.toolCallId === callId);
}
