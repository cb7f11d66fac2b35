/** Treats system prompts as part of the transcript, for logs whose system prompt belongs to another program. */
import type { Message } from '../transcript/message.ts';

/** The list with its leading system messages as notes of the host. */
export function coverSystem(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => message.role !== 'system');
  if (first <= 0) return messages;
  return messages.map((message, at) => (at < first ? { ...message, role: 'user', origin: 'host' } : message));
}
