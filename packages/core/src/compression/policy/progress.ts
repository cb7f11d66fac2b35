/** Whether a pass was worth another one. */

export interface ContextSize {
  readonly messages: number;
  readonly tokens: number;
}

/** Below this share of the tokens before, a pass made progress even with as many messages. */
const progressShare = 0.95;

/** True when there are fewer messages, or less than 95 % of the tokens. */
export function madeProgress(before: ContextSize, after: ContextSize): boolean {
  return after.messages < before.messages || after.tokens < before.tokens * progressShare;
}

/** Share of the tokens that was saved: 0 for nothing, negative when the context grew. */
export function savedShare(before: ContextSize, after: ContextSize): number {
  return before.tokens > 0 ? 1 - after.tokens / before.tokens : 0;
}
