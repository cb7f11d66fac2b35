/** Whether a context is too big to be sent (invariant 5). */
import type { LiveConversation } from '../live/live.ts';
import type { ContextSize } from '../request.ts';

/** What a context has, and what it may have. */
export interface Fill {
  readonly size: ContextSize;
  /** Tokens that a request may have. */
  readonly room: number;
}

/**
 * True for what does not fit, as far as anybody knows. A provider that has just answered more than the window holds, whether
 * it counts in its own way or the window is larger than was said, has shown that the window is not the limit: what stands
 * behind such an answer is sent, and the provider says itself when it is too much. Else every request would be refused.
 */
export const overflows = (live: LiveConversation, { size, room }: Fill): boolean =>
  size.tokens > room && !isAnswered(live, { size, room });

/** True when a request was answered in this window that was larger than it, and no window's worth has come since. */
export function isAnswered({ state }: LiveConversation, { size, room }: Fill): boolean {
  const { report } = state;
  if (!report || size.from !== 'anchored' || report.promptTokens <= room || report.room > room) return false;
  return size.tokens - report.promptTokens <= room;
}
