/** How well a session as a whole fits, from which of its messages have which terms. */
import type { Candidate } from '../../store/search-index.ts';

/** The score of each session by its id: BM25 over sessions, where a message with the term counts as one use of it. */
export function sessionScores(
  candidates: readonly Candidate[],
  weights: readonly number[],
): ReadonlyMap<string, number> {
  const uses = new Map<string, Map<number, number>>();
  for (const { sessionId, matched } of candidates) {
    const counts = uses.get(sessionId) ?? new Map<number, number>();
    uses.set(sessionId, counts);
    for (const term of matched) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const sessionsWith = new Map<number, number>();
  for (const counts of uses.values()) {
    for (const term of counts.keys()) sessionsWith.set(term, (sessionsWith.get(term) ?? 0) + 1);
  }
  const rarity = (term: number): number => {
    const count = sessionsWith.get(term) ?? 0;
    return (weights[term] ?? 0) * Math.log(1 + (uses.size - count + 0.5) / (count + 0.5));
  };
  const score = (counts: ReadonlyMap<number, number>): number =>
    counts.entries().reduce((sum, [term, count]) => sum + (rarity(term) * count * 3) / (count + 2), 0);
  return new Map(uses.entries().map(([id, counts]) => [id, score(counts)]));
}
