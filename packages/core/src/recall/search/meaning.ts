/** What closeness in meaning adds to the score of a message, where the store has vectors. */
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { RankingWeights } from './weights.ts';

/** How close messages are to the query, 0 to 1. */
export type Similarities = ReadonlyMap<MessageId, number>;

/** The share of a message's own closeness, and of the closest message of its session; the best message has all of it. */
export interface Meaning {
  own(stored: StoredMessage): number;
  session(stored: StoredMessage): number;
}

/** Closeness beside the best one, which words are put beside theirs in the same way. */
export function meaningOf(
  similarities: Similarities,
  read: readonly StoredMessage[],
  weights: RankingWeights,
): Meaning {
  const bySession = new Map<SessionId, number>();
  let most = weights.sure;
  for (const { id, sessionId } of read) {
    const similarity = similarities.get(id) ?? 0;
    if (similarity > (bySession.get(sessionId) ?? 0)) bySession.set(sessionId, similarity);
    most = Math.max(most, similarity);
  }
  return {
    own: ({ id }) => (weights.meaning * (similarities.get(id) ?? 0)) / most,
    session: ({ sessionId }) => (weights.meaningSession * (bySession.get(sessionId) ?? 0)) / most,
  };
}
