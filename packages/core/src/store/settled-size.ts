/** How much of a log that is being written will stay as it is. */
import type { Message } from '../transcript/message.ts';
import { carriesResults, toolCalls, toolResults } from '../transcript/text.ts';
import type { Instant } from './ids.ts';

/** A log whose newest message is younger than this may be written to right now. */
const unsettledMilliseconds = 60_000;

/**
 * How many messages will stay. A log that is being written may still give its newest answer further parts, and results of
 * its calls go before whatever else was said meanwhile. An answer is settled by what follows when all its calls have
 * results, and any answer when nothing came for a minute.
 */
export function settledSize(messages: readonly Message[], now: Instant): number {
  const newest = Date.parse(messages.at(-1)?.time ?? '');
  if (!(Math.abs(now - newest) < unsettledMilliseconds)) return messages.length;
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const answer = messages[at];
  if (!answer) return messages.length;
  const later = messages.slice(at + 1);
  const results = new Set([answer, ...later].flatMap(toolResults).map(({ callId }) => callId));
  const waits = toolCalls(answer).some(({ callId }) => !results.has(callId));
  return waits || later.every(carriesResults) ? at : messages.length;
}
