/** Tells which message of the list each message of an assembled list comes from. */
import type { Assembled } from './assemble.ts';
import { type Cut, restatedBy } from './boundaries.ts';

/** Nothing of the list: a handoff of its own, or the bridge before it. */
export const noSource = -1;

/**
 * For each message of `assembled` the index in the list of `length` messages that was cut, `noSource` where it only
 * stands for others. Two that became one count as the later one, which is the one that stays.
 */
export function sourcesOf(assembled: Assembled, cut: Cut, length: number): readonly number[] {
  const { messages, handoffAt, placement } = assembled;
  const restated = restatedBy(cut);
  const tail = Array.from({ length: length - cut.tailStart }, (_, i) => cut.tailStart + i);
  const head = Array.from({ length: handoffAt }, (_, i) => (i < cut.headEnd ? i : noSource));
  const behind = messages.length - handoffAt - 1 + (placement === 'merged' ? 1 : 0);
  const isJoined = behind < restated.length + tail.length;
  const rest = [...(isJoined ? restated.slice(0, -1) : restated), ...tail];
  return [...head, ...(placement === 'merged' ? [] : [noSource]), ...rest];
}
