/** Fetches the candidates' messages, and those beside short ones. */
import type { StoredMessage } from '../../store/message-store.ts';
import type { Candidate } from '../../store/search-index.ts';
import type { Store } from '../../store/store.ts';

/** The messages of some candidates; for short ones also the one before and the one after. */
export async function readAround(
  store: Pick<Store, 'messages'>,
  candidates: readonly Pick<Candidate, 'sessionId' | 'position' | 'length'>[],
  shortTurn: number,
): Promise<readonly StoredMessage[]> {
  const wanted = new Map<string, Set<number>>();
  for (const { sessionId, position, length } of candidates) {
    const places = wanted.get(sessionId) ?? new Set<number>();
    wanted.set(sessionId, places);
    for (const place of length > shortTurn ? [position] : [position - 1, position, position + 1]) places.add(place);
  }
  return store.messages.views(
    [...wanted].flatMap(([sessionId, places]) => rangesOf(places).map((range) => ({ sessionId, ...range }))),
  );
}

/** The fewest ranges with all the places. */
function rangesOf(places: ReadonlySet<number>): readonly { readonly from: number; readonly to: number }[] {
  const sorted = [...places].filter((place) => place >= 0).sort((a, b) => a - b);
  const ranges: { from: number; to: number }[] = [];
  for (const place of sorted) {
    const last = ranges.at(-1);
    if (last && place === last.to) last.to = place + 1;
    else ranges.push({ from: place, to: place + 1 });
  }
  return ranges;
}
