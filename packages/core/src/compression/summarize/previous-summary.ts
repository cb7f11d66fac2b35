/** Finds the summary that an earlier compression left in a list of messages, by whatever tool it was made. */
import type { Message } from '../../transcript/message.ts';
import { withoutMarkers } from '../../transcript/summary-text.ts';
import { unwrapHandoff } from '../handoff-block.ts';

/** An earlier summary and where it stands. */
export interface PreviousSummary {
  /** The summary without the block around it, and without the markers of earlier ones in it. */
  readonly body: string;
  /** Index of the message that carries it: what it says is about what came before, what follows it is news. */
  readonly at: number;
}

/** The newest earlier summary with something in it; undefined where the list has none. */
export function previousSummary(messages: readonly Message[]): PreviousSummary | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    const handoff = message && unwrapHandoff(message);
    const body = handoff && withoutMarkers(handoff.body).trim();
    if (body) return { body, at };
  }
  return undefined;
}
