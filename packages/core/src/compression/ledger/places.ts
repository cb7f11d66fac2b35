/** Where the lines of a message stand in a handoff: what an assistant said apart from what its calls did. */
import type { Place } from './chooser.ts';
import type { LineStats } from './corpus.ts';

/** Says where a line stands; `stepOf` gives the message that opens the step of a message. */
export const placeFor =
  (stepOf: (message: number) => number) =>
  ({ speaker, lastMessage }: Pick<LineStats, 'speaker' | 'lastMessage'>): Place =>
    speaker === 'assistant' ? 2 * lastMessage : callsOf(stepOf(lastMessage));

/** The message of a place, or the one that opens its step. */
export const wordsOf = (place: Place): { readonly message: number; readonly isWords: boolean } => ({
  message: Math.floor(place / 2),
  isWords: place % 2 === 0,
});

/** The place of what the calls of a step did. */
export const callsOf = (step: number): Place => 2 * step + 1;
