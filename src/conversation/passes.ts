/** How often a conversation was compressed in a turn (T7). */
import { isFromPerson } from '../transcript/origin.ts';
import type { LiveConversation } from './live.ts';

/** The message of a person that opened the turn. */
export const turnOf = ({ view }: LiveConversation): string =>
  view.findLast(({ message }) => isFromPerson(message))?.id ?? '';

/** Compressions of this turn since the last reported prompt below the threshold. */
export function passesOf(live: LiveConversation): number {
  const { passes } = live.state;
  return passes.count > 0 && passes.turn === turnOf(live) ? passes.count : 0;
}

export function countPass(live: LiveConversation): void {
  live.state = { ...live.state, passes: { turn: turnOf(live), count: passesOf(live) + 1 } };
}
