/** How often a conversation was compressed in a turn (T7), and what was refused in it. */
import { personMessage } from '../compression/handoff-block.ts';
import type { StrippedParts } from '../provider/errors/recovery-state.ts';
import type { LiveConversation } from './live/live.ts';

/**
 * The turn, by the hash of all that was said up to the message of a person that opened it. Of what was said, not of the
 * view: there the message may stand in a handoff, whose id is another one behind each compression.
 */
export function turnOf({ said, hashes }: Pick<LiveConversation, 'said' | 'hashes'>): string {
  return hashes[said.findLastIndex((message) => personMessage(message) !== undefined)] ?? '';
}

/** Compressions of this turn since the last reported prompt below the threshold. */
export function passesOf(live: LiveConversation): number {
  const { passes } = live.state;
  return passes.count > 0 && passes.turn === turnOf(live) ? passes.count : 0;
}

/** Those of them that made the conversation smaller. */
export const donePassesOf = (live: LiveConversation): number => (passesOf(live) === 0 ? 0 : live.state.passes.done);

export function countPass(live: LiveConversation, { isDone }: { readonly isDone: boolean }): void {
  const done = donePassesOf(live) + (isDone ? 1 : 0);
  live.state = { ...live.state, passes: { turn: turnOf(live), count: passesOf(live) + 1, done } };
}

/** What its provider has refused in this turn: the next step of it would be refused for the same. */
export function strippedIn(live: LiveConversation): readonly StrippedParts[] {
  const { turn, state } = live.recovery;
  const { stripped } = state;
  // Where nothing was, nobody looks for the turn.
  return stripped.length > 0 && turn === turnOf(live) ? stripped : [];
}
