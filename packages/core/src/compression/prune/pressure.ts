/** Which end of a conversation pruning leaves alone, and what gives way when that end itself is too large. */
import type { Message } from '../../transcript/message.ts';
import type { PruneSettings } from './options.ts';
import { shrinkTail } from './shrink-tail.ts';
import type { PruneWork } from './work.ts';

/** A tail over its budget by this factor is pruned too (P4). */
export const pressureFactor = 1.5;

/** Walks back until the token budget and the message floor are both met (P4). */
export function protectionStart(
  messages: readonly Message[],
  options: Pick<PruneSettings, 'tokensOf' | 'tailTokens' | 'minMessages'>,
): number {
  let tokens = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    tokens += message ? options.tokensOf(message) : 0;
    if (tokens > options.tailTokens && messages.length - at > options.minMessages) return at + 1;
  }
  return 0;
}

/**
 * P4: a tail over 1.5 × its budget is pruned from its oldest message on until it is not. Results that the model has not
 * seen yet come last, and are cut rather than replaced: it is waiting for them.
 */
export function relievePressure(work: PruneWork, protectedFrom: number): void {
  const { unseen } = work;
  const { tokensOf, tailTokens } = work.settings;
  const limit = tailTokens * pressureFactor;
  const sizes = work.list.slice(protectedFrom).map(tokensOf);
  let total = sizes.reduce((sum, one) => sum + one, 0);
  for (let at = protectedFrom; at < unseen && total > limit; at++) {
    const before = work.list[at];
    work.pruneOld(at);
    const after = work.list[at];
    if (after && after !== before) total += tokensOf(after) - (sizes[at - protectedFrom] ?? 0);
  }
  if (total <= limit || unseen === work.list.length) return;
  const waiting = work.list.slice(unseen);
  const room = Math.max(limit - (total - waiting.reduce((sum, message) => sum + tokensOf(message), 0)), tailTokens / 2);
  // Ids belong to the messages as they came, not to what pruning has made of them.
  const refOf = (message: Message): string => work.refAt(work.list.indexOf(message));
  const shrunk = shrinkTail(waiting, room, { tokensOf, refOf, only: 'results' });
  for (const i of shrunk.cutAt) {
    const results = shrunk.messages[i]?.parts ?? [];
    const parts = work.list[unseen + i]?.parts ?? [];
    work.replace(unseen + i, 'truncated', (part) => results[parts.indexOf(part)] ?? part);
  }
}
